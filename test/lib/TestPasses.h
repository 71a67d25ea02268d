//===- TestPasses.h - Passes that print what tests look at ---- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration; only transient-opt calls it, and only when tests are built.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_LIB_TESTPASSES_H
#define TRANSIENT_TEST_LIB_TESTPASSES_H

namespace transient::test {
void registerTestPasses();
} // namespace transient::test

#endif // TRANSIENT_TEST_LIB_TESTPASSES_H
