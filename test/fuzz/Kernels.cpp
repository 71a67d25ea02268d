//===- Kernels.cpp - What the kernels of random programs do ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

namespace transient::fuzz {

static constexpr KernelMeaning meanings[] = {
    {"fill", false, false},      {"map", false, false}, {"add", false, false},
    {"accumulate", true, false}, {"part", false, true},
};

const KernelMeaning &meaningOf(Kernel kernel) {
  return meanings[static_cast<unsigned>(kernel)];
}

const KernelMeaning *findMeaning(const std::string &name) {
  std::string stem = name.substr(0, name.find('_'));
  for (const KernelMeaning &meaning : meanings)
    if (stem == meaning.name)
      return &meaning;
  return nullptr;
}

std::string kernelText(Kernel kernel, const std::string &name,
                       const std::vector<Shape> &arguments) {
  const KernelMeaning &meaning = meaningOf(kernel);
  int64_t count = arguments[0].elements();
  std::string text = "    gpu.func @" + name + "(";
  for (size_t i = 0; i < arguments.size(); ++i)
    text +=
        (i ? ", %a" : "%a") + std::to_string(i) + ": " + arguments[i].type();
  text += ") kernel {\n"
          "      %c0 = arith.constant 0 : index\n"
          "      %c1 = arith.constant 1 : index\n"
          "      %n = arith.constant " +
          std::to_string(meaning.half ? count / 2 : count) +
          " : index\n"
          "      %z = arith.constant 1.5 : f32\n"
          "      scf.for %i = %c0 to %n step %c1 {\n";
  std::string value = "%z";
  for (size_t i = meaning.readsFirst ? 0 : 1; i < arguments.size(); ++i) {
    std::string index = std::to_string(i);
    text += "        %v" + index + " = memref.load %a" + index +
            "[%i] : " + arguments[i].type() + "\n        %s" + index +
            " = arith.addf " + value + ", %v" + index + " : f32\n";
    value = "%s" + index;
  }
  text += "        memref.store " + value +
          ", %a0[%i] : " + arguments[0].type() +
          "\n      }\n      gpu.return\n    }\n";
  return text;
}

} // namespace transient::fuzz
