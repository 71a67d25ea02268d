//===- RunSeeds.cpp - Kept inputs, without libFuzzer ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A main function for a fuzz target where there is no libFuzzer: runs it on
// each file of the folders that it is given, and on inputs of its own, made
// from a fixed seed. RunSeeds [--random=N] FOLDER...
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  std::vector<std::filesystem::path> files;
  unsigned numRandom = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--random=", 9) == 0) {
      numRandom = static_cast<unsigned>(std::stoul(argv[i] + 9));
      continue;
    }
    for (const auto &entry : std::filesystem::directory_iterator(argv[i]))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const auto &file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream),
                        std::istreambuf_iterator<char>());
  }
  std::mt19937 random(1);
  for (unsigned i = 0; i < numRandom; ++i) {
    // A kept input with some bytes changed, or bytes without meaning.
    std::string input;
    if (!files.empty() && random() % 2)
      input = inputs[random() % files.size()];
    else
      input.resize(random() % 256);
    size_t changes =
        files.empty() || input.empty() ? input.size() : 1 + random() % 4;
    if (random() % 2)
      changes = input.size();
    for (size_t k = 0; k < changes && !input.empty(); ++k)
      input[changes == input.size() ? k : random() % input.size()] =
          static_cast<char>(random());
    inputs.push_back(std::move(input));
  }
  for (const std::string &input : inputs)
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()),
                           input.size());
  std::printf("%zu inputs, %zu of them kept ones\n", inputs.size(),
              files.size());
  return 0;
}
