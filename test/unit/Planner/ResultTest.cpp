//===- ResultTest.cpp - Tests of errors as values -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The line of text that an error becomes, and that kinds have distinct names.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Result.h"

#include <gtest/gtest.h>

#include <set>

using namespace transient::planner;

TEST(Result, errorFormatsWithFileAndLine) {
  Error error(ErrorKind::Parse, "", "expected a number");
  EXPECT_EQ(error.format(), "expected a number");
  error.file = "x.csv";
  EXPECT_EQ(error.format(), "x.csv: expected a number");
  error.line = 3;
  EXPECT_EQ(error.format(), "x.csv:3: expected a number");
}

TEST(Result, holdsValueOrError) {
  Result<int> good(7);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 7);
  Result<int> bad(Error(ErrorKind::Io, "b", "m"));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().buffer, "b");
}

TEST(Result, everyKindHasItsOwnName) {
  std::set<std::string> names;
  const int count = int(ErrorKind::Resource) + 1;
  for (int kind = 0; kind != count; ++kind)
    names.insert(toString(ErrorKind(kind)));
  EXPECT_EQ(int(names.size()), count);
  EXPECT_EQ(names.count("unknown"), 0u);
}
