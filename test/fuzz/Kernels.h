//===- Kernels.h - What the kernels of random programs do -----*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of each kernel and, beside it, what the interpreter takes it to do.
// The project reads the text, the interpreter the name.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_KERNELS_H
#define TRANSIENT_TEST_FUZZ_KERNELS_H

#include "Program.h"

namespace transient::fuzz {

/// What a kernel does to its first argument; it reads all others, element by
/// element.
struct KernelMeaning {
  const char *name;
  bool readsFirst;
  /// Writes the first half of the elements only.
  bool half;
};

const KernelMeaning &meaningOf(Kernel kernel);

/// The meaning of the kernel called `name`, which may end in `_` and a number;
/// null for a name of no kernel.
const KernelMeaning *findMeaning(const std::string &name);

/// A `gpu.func` of that name over arguments of these vector shapes.
std::string kernelText(Kernel kernel, const std::string &name,
                       const std::vector<Shape> &arguments);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_KERNELS_H
