//===- SlotsTest.cpp - Tests of seed S0's planner -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The golden vectors of S0 (docs/Rules.md) and Q1-Q19, what the planner must
// not do, and its form over a partial order.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Requests.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Usage.h"
#include "transient/Planner/Verify.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

static constexpr std::uint64_t MiB = 1 << 20;

static TransientPlan planned(const std::vector<TransientRequest> &requests) {
  auto plan = planTransientRequests(requests);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *plan : TransientPlan();
}

static ErrorKind refused(const std::vector<TransientRequest> &requests,
                         const std::string &id) {
  auto plan = planTransientRequests(requests);
  EXPECT_FALSE(plan);
  if (plan)
    return ErrorKind::Io;
  EXPECT_EQ(plan.error().buffer, id);
  return plan.error().kind;
}

// Q1, Q5: the example of the seed.
TEST(Slots, q1GoldenExample) {
  TransientPlan plan = planned({{"A", 8 * MiB, 0, 0, 3},
                                {"B", 6 * MiB, 0, 5, 8},
                                {"C", 4 * MiB, 0, 2, 7}});
  EXPECT_EQ(plan.assignments, (std::vector<std::uint32_t>{0, 0, 1}));
  ASSERT_EQ(plan.allocations.size(), 2u);
  EXPECT_EQ(plan.allocations[0].bytes, 8 * MiB);
  EXPECT_EQ(plan.allocations[1].bytes, 4 * MiB);
  EXPECT_EQ(plan.logicalBytes, 18 * MiB);
  EXPECT_EQ(plan.physicalBytes, 12 * MiB);
  EXPECT_EQ(plan.savedBytes, 6 * MiB);
}

TEST(Slots, q11LifetimesAreInclusive) {
  EXPECT_EQ(planned({{"A", 8, 0, 0, 3}, {"B", 8, 0, 3, 5}}).allocations.size(),
            2u);
  EXPECT_EQ(planned({{"A", 8, 0, 0, 3}, {"B", 8, 0, 4, 5}}).allocations.size(),
            1u);
}

TEST(Slots, q14BestFitNotFirstFit) {
  TransientPlan plan =
      planned({{"X", 8, 0, 0, 1}, {"Y", 6, 0, 0, 1}, {"Z", 5, 0, 2, 3}});
  EXPECT_EQ(plan.assignments, (std::vector<std::uint32_t>{0, 1, 1}));
}

TEST(Slots, q14TiesGoToTheFirstAllocation) {
  TransientPlan plan =
      planned({{"X", 6, 0, 0, 1}, {"Y", 6, 0, 0, 1}, {"Z", 5, 0, 2, 3}});
  EXPECT_EQ(plan.assignments[2], plan.assignments[0]);
}

// Q13: no growth. The integrated planner of luma.gl would give one of 128.
TEST(Slots, q13NeverGrows) {
  TransientPlan plan = planned({{"A", 64, 0, 0, 0}, {"B", 128, 0, 1, 2}});
  EXPECT_EQ(plan.allocations.size(), 2u);
  EXPECT_EQ(plan.physicalBytes, 192u);
}

TEST(Slots, q12UsageMustBeOfferedAndIsNeverWidened) {
  TransientPlan plan = planned({{"A", 64, UsageStorage, 0, 0},
                                {"B", 64, UsageStorage | UsageIndirect, 1, 1},
                                {"C", 64, UsageStorage, 2, 2}});
  EXPECT_EQ(plan.assignments, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(plan.allocations[0].usage, UsageStorage);
  plan = planned({{"A", 64, UsageStorage | UsageIndirect, 0, 0},
                  {"B", 64, UsageStorage, 1, 1}});
  EXPECT_EQ(plan.allocations.size(), 1u);
}

// Order: first node, then bytes descending, then declaration.
TEST(Slots, q4OrderIsStartSizeDeclaration) {
  TransientPlan plan = planned({{"late", 9, 0, 1, 1},
                                {"small", 4, 0, 0, 0},
                                {"big", 8, 0, 0, 0},
                                {"same", 4, 0, 0, 0}});
  EXPECT_EQ(plan.assignments, (std::vector<std::uint32_t>{3, 1, 0, 2}));
}

// Q10: no byte threshold anywhere: tiny requests are recycled like others;
// value slots are a different kind of resource and never get here.
TEST(Slots, q10NoThresholdOnSize) {
  TransientPlan plan = planned({{"A", 1, 0, 0, 0}, {"B", 1, 0, 1, 1}});
  EXPECT_EQ(plan.allocations.size(), 1u);
}

TEST(Slots, q17RequestsAreValidated) {
  EXPECT_EQ(refused({{"", 1, 0, 0, 0}}, ""), ErrorKind::EmptyId);
  EXPECT_EQ(refused({{"A", 1, 0, 0, 0}, {"A", 1, 0, 0, 0}}, "A"),
            ErrorKind::DuplicateId);
  EXPECT_EQ(refused({{"A", 0, 0, 0, 0}}, "A"), ErrorKind::ZeroBytes);
  EXPECT_EQ(refused({{"A", 1, 0, 2, 1}}, "A"), ErrorKind::BadLifetime);
  EXPECT_EQ(refused({{"A", ~0ull, 0, 0, 1}, {"B", 1, 0, 0, 1}}, "B"),
            ErrorKind::Overflow);
}

TEST(Slots, noRequestsNoAllocations) {
  TransientPlan plan = planned({});
  EXPECT_TRUE(plan.allocations.empty());
  EXPECT_EQ(plan.physicalBytes, 0u);
}

// Q7: chunks are requests like any others: order and identity survive, and
// nothing makes them adjacent.
TEST(Slots, q7ChunksKeepTheirIdentity) {
  TransientPlan plan = planned(
      {{"chunk0", 8, 0, 0, 1}, {"chunk1", 8, 0, 0, 1}, {"chunk2", 3, 0, 0, 1}});
  EXPECT_EQ(plan.assignments, (std::vector<std::uint32_t>{0, 1, 2}));
}

static Plan solved(const Problem &problem, const char *algorithm) {
  SolveOptions options;
  options.strategy = Strategy::Slots;
  options.algorithm = algorithm;
  auto plan = solve(problem, options);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *plan : Plan();
}

TEST(Slots, q19UnusedAndEmptyBuffersGetNothing) {
  Problem p;
  p.buffers = {interval("a", 8, 0, 1), interval("none", 0, 0, 1),
               interval("idle", 8, 0, 1)};
  p.buffers[2].unused = true;
  Plan plan = solved(p, "auto");
  EXPECT_TRUE(plan.placements[0].physical);
  EXPECT_FALSE(plan.placements[1].physical);
  EXPECT_FALSE(plan.placements[2].physical);
  EXPECT_EQ(plan.logicalBytes, 8u);
  EXPECT_EQ(plan.stats.requests, 1u);
  EXPECT_TRUE(verify(p, plan).empty());
}

TEST(Slots, autoIsExactlySeedS0) {
  Problem p;
  p.buffers = {interval("A", 64, 0, 0), interval("B", 128, 1, 2)};
  EXPECT_EQ(solved(p, "auto").algorithm, "slots-best-fit");
  EXPECT_EQ(solved(p, "auto").physicalBytes, 192u);
  EXPECT_EQ(solved(p, "slots-greedy-by-size").physicalBytes, 128u);
}

TEST(Slots, inferredUsageKeepsNothingApart) {
  Problem p;
  p.buffers = {interval("A", 64, 0, 0), interval("B", 64, 1, 1)};
  p.buffers[1].usage = UsageStorage;
  EXPECT_EQ(solved(p, "auto").physicals.size(), 2u);
  p.buffers[1].usageRequired = false;
  EXPECT_EQ(solved(p, "auto").physicals.size(), 1u);
  EXPECT_TRUE(verify(p, solved(p, "auto")).empty());
}

TEST(Slots, spacesNeverMix) {
  Problem p;
  p.buffers = {interval("A", 64, 0, 0), interval("B", 64, 1, 1)};
  p.buffers[1].space = 1;
  for (const char *algorithm : {"slots-best-fit", "slots-greedy-by-size"})
    EXPECT_EQ(solved(p, algorithm).physicals.size(), 2u);
}

// Golden vector, the fork: A is read on two streams, B is created after one of
// the reads. Sharing is not unconditional.
TEST(Slots, forkDoesNotShareUntilJoined) {
  Problem p;
  p.buffers = {used("A", 8, {0}, {1, 2}), used("B", 8, {3}, {3})};
  p.order = makeOrder(4, {{0, 1}, {0, 2}, {1, 3}});
  EXPECT_EQ(solved(p, "auto").physicals.size(), 2u);
  p.order = makeOrder(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(solved(p, "auto").physicals.size(), 1u);
}

/// S0 by the letter, over intervals: the oracle of the fast version.
static std::vector<std::uint32_t> byTheLetter(const Problem &problem) {
  struct Allocation {
    std::uint64_t bytes;
    std::uint32_t usage;
    NodeId lastNode;
  };
  std::vector<BufferIndex> order;
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
    order.push_back(i);
  std::stable_sort(
      order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
        const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
        return x.first[0] != y.first[0] ? x.first[0] < y.first[0]
                                        : x.bytes > y.bytes;
      });
  std::vector<Allocation> allocations;
  std::vector<std::uint32_t> assignment(problem.buffers.size());
  for (BufferIndex i : order) {
    const Buffer &b = problem.buffers[i];
    std::size_t best = allocations.size();
    for (std::size_t a = 0; a != allocations.size(); ++a)
      if (allocations[a].lastNode < b.first[0] &&
          (allocations[a].usage & b.usage) == b.usage &&
          allocations[a].bytes >= b.bytes &&
          (best == allocations.size() ||
           allocations[a].bytes < allocations[best].bytes))
        best = a;
    if (best == allocations.size())
      allocations.push_back({b.bytes, b.usage, b.last[0]});
    allocations[best].lastNode = b.last[0];
    assignment[i] = std::uint32_t(best);
  }
  return assignment;
}

TEST(Slots, fastPathAgreesWithTheLetter) {
  for (std::uint64_t seed = 0; seed != 300; ++seed) {
    Problem p = randomIntervals(seed, 30, 25, 6);
    Lcg lcg(seed + 1000);
    for (Buffer &b : p.buffers)
      b.usage = std::uint32_t(lcg.below(4));
    Plan plan = solved(p, "slots-best-fit");
    std::vector<std::uint32_t> found;
    for (const Placement &placement : plan.placements)
      found.push_back(*placement.physical);
    ASSERT_EQ(found, byTheLetter(p)) << "seed " << seed;
    // The scan over slots, which partial orders use, agrees too: a chain is a
    // partial order, and a useless pair forces the scan.
    p.buffers.push_back(interval("far", 1, 1000, 1000));
    p.buffers.push_back(interval("farther", 1, 2000, 2000));
    p.neverShare = {{30, 31}};
    Plan scanned = solved(p, "slots-best-fit");
    for (BufferIndex i = 0; i != 30; ++i)
      ASSERT_EQ(*scanned.placements[i].physical, found[i]);
  }
}

TEST(Slots, everyAlgorithmIsSafeOnPartialOrders) {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    RandomDag dag = randomDag(seed, 14, 12, 15, 2);
    if (seed % 3 == 0) {
      dag.problem.neverShare = {{0, 1}, {2, 5}};
      dag.problem.exclusive = {{3, 4}, {6, 7}};
    }
    for (const std::string &algorithm : algorithmNames(Strategy::Slots)) {
      Plan plan = solved(dag.problem, algorithm.c_str());
      EXPECT_TRUE(isDisjoint(dag.problem, plan, &dag.reach));
      auto violations = verify(dag.problem, plan);
      EXPECT_TRUE(violations.empty()) << violations[0].message;
      EXPECT_GE(plan.physicalBytes, plan.lowerBoundBytes);
    }
  }
}

TEST(Slots, fixedOffsetsOtherThanZeroAreInfeasible) {
  Problem p;
  p.buffers = {interval("A", 64, 0, 0)};
  p.buffers[0].fixedOffset = 64;
  SolveOptions options;
  options.strategy = Strategy::Slots;
  auto plan = solve(p, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::Infeasible);
  EXPECT_EQ(plan.error().buffer, "A");
}
