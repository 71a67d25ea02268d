//===- Require.h - How a fuzz target says that it found something -*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_PLANNER_FUZZ_REQUIRE_H
#define TRANSIENT_TEST_PLANNER_FUZZ_REQUIRE_H

#include <cstdio>
#include <cstdlib>
#include <string>

/// Ends the process, which the fuzzer takes for a finding, unless `condition`.
inline void require(bool condition, const std::string &otherwise) {
  if (condition)
    return;
  std::fprintf(stderr, "FOUND: %s\n", otherwise.c_str());
  std::abort();
}

#endif // TRANSIENT_TEST_PLANNER_FUZZ_REQUIRE_H
