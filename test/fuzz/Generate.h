//===- Generate.h - Random asynchronous programs --------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes random programs that are free of races by construction: the generator
// knows for each buffer which tokens prove that its last writers and readers
// have ended, and what each token proves through joins, branches, loops and
// calls.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_GENERATE_H
#define TRANSIENT_TEST_FUZZ_GENERATE_H

#include "Program.h"

namespace transient::fuzz {

/// The program of `seed`, of about `size` steps. One in sixteen leaves a
/// dependency out now and then. With `settled`, `@main` waits for all of its work
/// before it returns.
Program generate(uint64_t seed, unsigned size, bool settled = false);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_GENERATE_H
