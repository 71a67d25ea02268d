//===- Print.h - Random programs as MLIR ----------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a program. What is switched off does not appear.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_PRINT_H
#define TRANSIENT_TEST_FUZZ_PRINT_H

#include "Program.h"

namespace transient::fuzz {

/// A module with the program's functions, `@main` last, and its kernels.
std::string print(const Program &program);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_PRINT_H
