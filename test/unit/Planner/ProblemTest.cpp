//===- ProblemTest.cpp - Tests of validity and conflicts ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One test for each thing that can be wrong with a problem, the golden sizes of
// F1, and conflicts() against its definition.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

static std::uint64_t rounded(std::uint64_t q, std::uint64_t a) {
  Buffer b = interval("b", q, 0, 0);
  b.alignment = a;
  auto bytes = alignedBytes(b);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : ~0ull;
}

// Golden vector: (q, a) -> b.
TEST(Problem, goldenAlignedBytes) {
  EXPECT_EQ(rounded(1, 256), 256u);
  EXPECT_EQ(rounded(256, 256), 256u);
  EXPECT_EQ(rounded(257, 256), 512u);
  EXPECT_EQ(rounded(0, 256), 0u);
  EXPECT_EQ(rounded(5, 1), 5u);
  EXPECT_EQ(rounded(~0ull, 1), ~0ull);
}

TEST(Problem, capacityCountsNotBytes) {
  Buffer b = interval("b", 5, 0, 0);
  b.alignment = 256;
  b.capacity = 257;
  EXPECT_EQ(*alignedBytes(b), 512u);
}

TEST(Problem, alignedBytesErrorsNameTheBuffer) {
  Buffer b = interval("huge", ~0ull, 0, 0);
  b.alignment = 2;
  auto overflow = alignedBytes(b);
  ASSERT_FALSE(overflow);
  EXPECT_EQ(overflow.error().kind, ErrorKind::Overflow);
  EXPECT_EQ(overflow.error().buffer, "huge");
  EXPECT_NE(overflow.error().message.find("overflow"), std::string::npos);
  EXPECT_NE(overflow.error().message.find("'huge'"), std::string::npos);

  b = interval("small", 5, 0, 0);
  b.capacity = 4;
  EXPECT_EQ(alignedBytes(b).error().kind, ErrorKind::CapacityTooSmall);
  for (std::uint64_t bad : {0, 3, 12}) {
    b = interval("odd", 5, 0, 0);
    b.alignment = bad;
    EXPECT_EQ(alignedBytes(b).error().kind, ErrorKind::BadAlignment);
  }
}

static ErrorKind kindOf(const Problem &problem, const std::string &buffer) {
  auto error = validate(problem);
  EXPECT_TRUE(error) << "accepted a bad problem";
  if (!error)
    return ErrorKind::Io;
  EXPECT_EQ(error->buffer, buffer) << error->message;
  EXPECT_EQ(error->message.find('\n'), std::string::npos);
  return error->kind;
}

TEST(Problem, ids) {
  Problem p;
  p.buffers = {interval("a", 1, 0, 1), interval("", 1, 0, 1)};
  EXPECT_EQ(kindOf(p, ""), ErrorKind::EmptyId);
  p.buffers[1].id = "a";
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::DuplicateId);
}

TEST(Problem, lifetimes) {
  Problem p;
  p.buffers = {interval("x", 1, 2, 1)};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers = {used("x", 1, {}, {1})};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers = {used("x", 1, {1}, {})};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers[0].unused = true;
  EXPECT_FALSE(validate(p));

  p.order = makeOrder(3, {{0, 1}});
  p.buffers = {used("x", 1, {0}, {3})};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::UnknownNode);
  p.buffers = {used("x", 1, {1}, {0})};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers = {used("x", 1, {0}, {2})}; // Unordered: no user joins them.
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers = {used("x", 1, {0}, {1, 2})};
  EXPECT_EQ(kindOf(p, "x"), ErrorKind::BadLifetime);
  p.buffers = {used("x", 1, {0, 2}, {1, 2})};
  EXPECT_FALSE(validate(p));
}

// Two branches in sequence: neither stands in for the other, so both nodes are
// in both frontiers although one precedes the other.
TEST(Problem, conditionalUsersMayFollowEachOther) {
  Problem p;
  p.order = makeOrder(2, {{0, 1}});
  p.buffers = {used("x", 1, {0, 1}, {0, 1})};
  EXPECT_FALSE(validate(p));
}

TEST(Problem, sizes) {
  Problem p;
  p.buffers = {interval("a", ~0ull - 5, 0, 1), interval("b", 6, 0, 1)};
  EXPECT_EQ(kindOf(p, "b"), ErrorKind::Overflow);
  p.buffers = {interval("a", 5, 0, 1)};
  p.buffers[0].capacity = 1;
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::CapacityTooSmall);
  p.buffers[0].capacity = 0;
  p.buffers[0].alignment = 24;
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::BadAlignment);
  p.buffers[0].alignment = 8;
  p.buffers[0].fixedOffset = 12;
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::BadAlignment);
  p.buffers[0].fixedOffset = ~7ull;
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::Overflow);
}

TEST(Problem, zeroBytesAreLegal) {
  Problem p;
  p.buffers = {interval("a", 0, 0, 1)};
  EXPECT_FALSE(validate(p));
  EXPECT_FALSE(needsStorage(p.buffers[0]));
}

TEST(Problem, pairs) {
  Problem p;
  p.buffers = {interval("a", 1, 0, 1), interval("b", 1, 0, 1)};
  p.neverShare = {{0, 2}};
  EXPECT_EQ(kindOf(p, ""), ErrorKind::UnknownBuffer);
  p.neverShare = {};
  p.exclusive = {{1, 1}};
  EXPECT_EQ(kindOf(p, "b"), ErrorKind::Layout);
}

TEST(Problem, errorsComeInBufferOrder) {
  Problem p;
  p.buffers = {interval("a", 1, 3, 1), interval("b", 1, 0, 1),
               interval("b", 1, 0, 1)};
  EXPECT_EQ(kindOf(p, "a"), ErrorKind::BadLifetime);
}

TEST(Problem, conflictsMatchTheirDefinition) {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    RandomDag dag = randomDag(seed, 10, 8, 20, 3);
    ASSERT_FALSE(validate(dag.problem)) << validate(dag.problem)->message;
    dag.problem.neverShare = {{0, 1}};
    dag.problem.exclusive = {{2, 3}};
    for (BufferIndex a = 0; a != 8; ++a)
      for (BufferIndex b = 0; b != 8; ++b)
        if (a != b) {
          EXPECT_EQ(conflicts(dag.problem, a, b),
                    mustNotShare(dag.problem, a, b, &dag.reach));
        }
  }
}

TEST(Problem, inclusiveEndsConflict) {
  Problem p;
  p.buffers = {interval("a", 1, 0, 3), interval("b", 1, 3, 5),
               interval("c", 1, 4, 5)};
  EXPECT_TRUE(conflicts(p, 0, 1));
  EXPECT_FALSE(conflicts(p, 0, 2));
  EXPECT_TRUE(isBefore(p, 0, 2));
  EXPECT_FALSE(isBefore(p, 2, 0));
  EXPECT_FALSE(conflicts(p, 0, 0));
}
