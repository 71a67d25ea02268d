//===- VerifyTest.cpp - Tests that bad plans are refused ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each rule a plan that breaks it and nothing else, and the verdict on
// randomly corrupted plans against the definition.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"

#include <gtest/gtest.h>

#include <set>

using namespace transient::planner;
using namespace transient::planner::testing;
using Rule = Violation::Rule;

/// A good plan of three buffers over intervals, to be broken in one place.
struct Broken {
  Problem problem;
  Plan plan;
  Broken() {
    problem.buffers = {interval("A", 100, 0, 3), interval("B", 50, 2, 5),
                       interval("C", 64, 4, 6)};
    problem.buffers[0].alignment = 64;
    problem.buffers[2].alignment = 64;
    problem.buffers[1].usage = 0x80;
    plan = *solve(problem);
    EXPECT_TRUE(verify(problem, plan).empty());
  }
  /// The only rule broken, and by whom.
  Violation only() {
    auto violations = verify(problem, plan);
    EXPECT_EQ(violations.size(), 1u);
    for (const Violation &v : violations)
      EXPECT_FALSE(v.message.empty());
    return violations.empty() ? Violation() : violations[0];
  }
  std::set<Rule> rules() {
    std::set<Rule> found;
    for (const Violation &v : verify(problem, plan))
      found.insert(v.rule);
    return found;
  }
};

TEST(Verify, shapeMissingPlacement) {
  Broken it;
  it.plan.placements.pop_back();
  EXPECT_EQ(it.only().rule, Rule::Shape);
}

TEST(Verify, shapeUnknownPhysicalBuffer) {
  Broken it;
  it.plan.placements[1].physical = 3;
  Violation v = it.only();
  EXPECT_EQ(v.rule, Rule::Shape);
  EXPECT_EQ(v.a, 1u);
}

TEST(Verify, storageMissingOrSuperfluous) {
  Broken it;
  it.plan.placements[1].physical.reset();
  EXPECT_TRUE(it.rules().count(Rule::Storage));
  Broken other;
  other.problem.buffers[1].unused = true;
  EXPECT_TRUE(other.rules().count(Rule::Storage));
}

TEST(Verify, sizeIsRounded) {
  Broken it;
  it.plan.placements[0].bytes = 100; // Not rounded to 64.
  it.plan.paddingBytes -= 28;
  EXPECT_EQ(it.only().rule, Rule::Size);
}

TEST(Verify, alignmentOfOffset) {
  Broken it;
  // B has alignment 1, C 64: move C off by one within bounds.
  it.plan.placements[2].offset += 1;
  it.plan.physicals[0].bytes += 1;
  EXPECT_TRUE(it.rules().count(Rule::Alignment));
}

TEST(Verify, alignmentOfBase) {
  Broken it;
  it.plan.physicals[0].alignment = 32;
  auto violations = verify(it.problem, it.plan);
  ASSERT_EQ(violations.size(), 2u); // A and C.
  EXPECT_EQ(violations[0].rule, Rule::Alignment);
  EXPECT_EQ(violations[1].rule, Rule::Alignment);
  it.plan.physicals[0].alignment = 0;
  EXPECT_TRUE(it.rules().count(Rule::Alignment));
}

TEST(Verify, fixedOffset) {
  Broken it;
  it.problem.buffers[1].fixedOffset = it.plan.placements[1].offset + 1;
  EXPECT_EQ(it.only().rule, Rule::FixedOffset);
}

TEST(Verify, bounds) {
  Broken it;
  std::uint64_t cut = 1;
  it.plan.physicals[0].bytes -= cut;
  it.plan.physicalBytes -= cut;
  it.plan.lowerBoundBytes -= cut;
  it.plan.savedBytes += cut;
  EXPECT_EQ(it.only().rule, Rule::Bounds);
}

TEST(Verify, boundsDoNotWrap) {
  Broken it;
  it.plan.placements[1].offset = ~0ull - 10;
  EXPECT_TRUE(it.rules().count(Rule::Bounds));
}

TEST(Verify, usage) {
  Broken it;
  it.plan.physicals[0].usage = 0x04;
  Violation v = it.only();
  EXPECT_EQ(v.rule, Rule::Usage);
  EXPECT_EQ(v.a, 1u);
  it.problem.buffers[1].usageRequired = false;
  EXPECT_TRUE(verify(it.problem, it.plan).empty());
}

TEST(Verify, space) {
  Broken it;
  it.problem.buffers[2].space = 1;
  EXPECT_EQ(it.only().rule, Rule::Space);
}

TEST(Verify, overlapNamesBothAndTheBytes) {
  Broken it;
  it.plan.placements[1].offset = 64; // Into A's last bytes.
  auto violations = verify(it.problem, it.plan);
  ASSERT_FALSE(violations.empty());
  bool named = false;
  for (const Violation &v : violations)
    named |= v.rule == Rule::Overlap &&
             v.message.find("'A'") != std::string::npos &&
             v.message.find("'B'") != std::string::npos &&
             v.message.find("[64, 114)") != std::string::npos;
  EXPECT_TRUE(named) << violations[0].message;
}

// Inclusive ends: touching is overlapping.
TEST(Verify, overlapAtOneNode) {
  Problem p;
  p.buffers = {interval("A", 8, 0, 3), interval("B", 8, 4, 5)};
  Plan plan = *solve(p);
  ASSERT_EQ(plan.physicalBytes, 8u);
  EXPECT_TRUE(verify(p, plan).empty());
  p.buffers[1].first = {3};
  EXPECT_EQ(verify(p, plan)[0].rule, Rule::Overlap);
}

// One proved reader of two is not enough (C5, M3).
TEST(Verify, overlapWithOneOfTwoLastUsers) {
  Problem p;
  p.buffers = {used("A", 8, {0}, {1, 2}), used("B", 8, {3}, {3})};
  p.order = makeOrder(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  Plan plan = *solve(p);
  ASSERT_EQ(plan.physicalBytes, 8u);
  EXPECT_TRUE(verify(p, plan).empty());
  p.order = makeOrder(4, {{0, 1}, {0, 2}, {1, 3}});
  auto violations = verify(p, plan);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].rule, Rule::Overlap);
  EXPECT_NE(violations[0].message.find("node 2"), std::string::npos)
      << violations[0].message;
  p.exclusive = {{0, 1}};
  EXPECT_TRUE(verify(p, plan).empty());
}

// A sits below B below C; A and C share no instant with each other's bytes but
// do overlap: neighbours in order of time are not enough.
TEST(Verify, everyOverlappingPairIsChecked) {
  Problem p;
  p.buffers = {used("A", 8, {0}, {0}), used("B", 8, {1}, {1}),
               used("C", 8, {2}, {2})};
  p.order = makeOrder(3, {{0, 1}, {1, 2}});
  Plan plan = *solve(p);
  ASSERT_EQ(plan.physicalBytes, 8u);
  EXPECT_TRUE(verify(p, plan).empty());
  // Now A before B and B before C are claimed by exclusivity only; A and C are
  // not ordered.
  p.order = makeOrder(3, {});
  p.exclusive = {{0, 1}, {1, 2}};
  auto violations = verify(p, plan);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].a + violations[0].b, 2u);
}

// A before B before C says nothing about A and C where B's last node does not
// come after a first one: takeovers alone would let this pass.
TEST(Verify, takeoversOfALooseTenantProveNothing) {
  Problem p;
  p.buffers = {used("A", 8, {0}, {0}), used("B", 8, {1}, {2}),
               used("C", 8, {3}, {3})};
  p.order = makeOrder(4, {{0, 1}, {1, 2}, {2, 3}});
  Plan plan = *solve(p);
  ASSERT_EQ(plan.physicalBytes, 8u);
  p.order = makeOrder(4, {{0, 1}, {2, 3}, {0, 2}});
  EXPECT_TRUE(verify(p, plan).empty());
  p.order = makeOrder(4, {{0, 1}, {2, 3}});
  auto violations = verify(p, plan);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].rule, Rule::Overlap);
  EXPECT_EQ(violations[0].a + violations[0].b, 2u);
}

TEST(Verify, neverShare) {
  Problem p;
  p.buffers = {interval("A", 8, 0, 1), interval("B", 8, 2, 3)};
  Plan plan = *solve(p);
  p.neverShare = {{0, 1}};
  auto violations = verify(p, plan);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].rule, Rule::NeverShare);
}

TEST(Verify, totals) {
  for (auto field :
       {&Plan::logicalBytes, &Plan::physicalBytes, &Plan::paddingBytes,
        &Plan::savedBytes, &Plan::fragmentationBytes, &Plan::lowerBoundBytes}) {
    Broken it;
    it.plan.*field += 1;
    std::set<Rule> rules = it.rules();
    EXPECT_EQ(rules, std::set<Rule>{Rule::Totals});
  }
  Broken it;
  it.plan.lowerBoundBytes -= 1;
  it.plan.fragmentationBytes += 1;
  it.plan.optimal = true;
  EXPECT_EQ(it.only().rule, Rule::Totals);
}

TEST(Verify, stopsAtTheLimit) {
  Problem p;
  for (int i = 0; i != 50; ++i)
    p.buffers.push_back(interval("b" + std::to_string(i), 8, 0, 1));
  Plan plan = *solve(p);
  for (Placement &placement : plan.placements)
    placement.offset = 0;
  VerifyOptions options;
  options.maxViolations = 7;
  EXPECT_EQ(verify(p, plan, options).size(), 7u);
}

// A limit of none must not make a bad plan look good.
TEST(Verify, noLimitIsNoExcuse) {
  Broken it;
  it.plan.placements[1].offset = 64;
  VerifyOptions options;
  options.maxViolations = 0;
  EXPECT_EQ(verify(it.problem, it.plan, options).size(), 1u);
}

// An assignment of no bytes has a wrong size, and no bytes to take over.
TEST(Verify, assignmentsOfNoBytes) {
  for (bool partial : {false, true})
    for (bool exclusive : {false, true})
      for (std::uint64_t offset : {std::uint64_t(0), std::uint64_t(4)}) {
        Problem p;
        p.buffers = {used("A", 8, {0}, {0}), used("B", 8, {1}, {1}),
                     used("C", 8, {0}, {1})};
        p.order = partial ? makeOrder(3, {{0, 1}}) : nullptr;
        Plan plan = *solve(p);
        if (exclusive)
          p.exclusive = {{0, 2}};
        p.neverShare = {{0, 1}};
        plan.placements[0].bytes = 0;
        plan.placements[0].offset = offset;
        plan.placements[1].offset = 0;
        plan.placements[2].offset = 8;
        auto violations = verify(p, plan);
        ASSERT_EQ(violations.size(), 1u) << violations[1].message;
        EXPECT_EQ(violations[0].rule, Rule::Size);
        plan.placements[2].offset = 0; // B and C meet all the same.
        bool overlap = false;
        for (const Violation &v : verify(p, plan))
          overlap |= v.rule == Rule::Overlap && v.a + v.b == 3;
        EXPECT_TRUE(overlap);
      }
}

// One exclusive pair in a long chain of tenants: only pairs with its buffers
// are looked at, and all of those are.
TEST(Verify, exclusivePairsCostOnlyThemselves) {
  const std::size_t n = 20000;
  for (bool partial : {false, true}) {
    Problem p;
    Edges edges;
    for (NodeId v = 0; v != n; ++v) {
      if (v)
        edges.push_back({v - 1, v});
      p.buffers.push_back(used("b" + std::to_string(v), 8, {v}, {v}));
    }
    // One more node, beside all others but the last.
    edges.push_back({n, n - 1});
    if (partial)
      p.order = makeOrder(n + 1, edges);
    Plan plan = *solve(p);
    ASSERT_EQ(plan.physicalBytes, 8u);
    p.exclusive = {{5, 6}};
    EXPECT_TRUE(verify(p, plan).empty());
    if (!partial) // Would take minutes if every pair were looked at.
      continue;
    p.buffers[7].first = p.buffers[7].last = {n};
    p.exclusive = {{7, 8}};
    VerifyOptions options;
    options.maxViolations = 2 * n;
    EXPECT_EQ(verify(p, plan, options).size(), n - 3);
  }
}

TEST(Verify, claims) {
  Problem p;
  p.buffers = {interval("A", 8, 0, 0), interval("B", 8, 1, 1)};
  Plan plan = *solve(p);
  EXPECT_TRUE(verifyClaims(p, plan).empty());
  auto refused = [&] {
    auto violations = verifyClaims(p, plan);
    for (const Violation &v : violations)
      EXPECT_EQ(v.rule, Rule::Claims);
    return violations.size();
  };
  // Consistent with itself, hence no matter of `verify`.
  plan.placements[1].offset = 8;
  plan.physicals[0].bytes = plan.physicalBytes = plan.lowerBoundBytes = 16;
  plan.savedBytes = 0;
  plan.lowerBoundExact = plan.optimal = true;
  EXPECT_TRUE(verify(p, plan).empty());
  EXPECT_EQ(refused(), 2u);
  plan.optimal = false;
  EXPECT_EQ(refused(), 1u);
  plan.lowerBoundBytes = 7; // Valid, but not exact.
  EXPECT_EQ(refused(), 1u);
  plan.lowerBoundExact = false;
  EXPECT_EQ(refused(), 0u);
  plan.lowerBoundBytes = 0;
  plan.optimal = true;
  EXPECT_EQ(refused(), 1u);
  plan.optimal = false;
  p.buffers[0].first = {9}; // Nothing claimed, nothing asked.
  EXPECT_EQ(refused(), 0u);
}

TEST(Verify, everyRuleHasItsOwnName) {
  std::set<std::string> names;
  const int count = int(Rule::Claims) + 1;
  for (int rule = 0; rule != count; ++rule)
    names.insert(toString(Rule(rule)));
  EXPECT_EQ(int(names.size()), count);
}

TEST(Verify, survivesInvalidProblems) {
  Broken it;
  it.problem.buffers[0].first.clear();
  it.problem.buffers[0].last.clear();
  it.problem.buffers[1].alignment = 0;
  it.problem.neverShare = {{0, 99}};
  verify(it.problem, it.plan);
  RandomDag dag = randomDag(1, 6, 6, 20, 2);
  Plan plan = *solve(dag.problem);
  for (Placement &placement : plan.placements)
    placement.offset = 0;
  dag.problem.buffers[0].last = {77};
  dag.problem.buffers[1].first = {77};
  dag.problem.buffers[2].first.clear();
  EXPECT_FALSE(verify(dag.problem, plan).empty());
}

/// Recomputes what a plan must say about itself after offsets were moved.
static void refit(const Problem &problem, Plan &plan) {
  for (PhysicalBuffer &it : plan.physicals)
    it.bytes = 0;
  plan.physicalBytes = 0;
  for (const Placement &it : plan.placements)
    if (it.physical)
      plan.physicals[*it.physical].bytes =
          std::max(plan.physicals[*it.physical].bytes, it.offset + it.bytes);
  for (const PhysicalBuffer &it : plan.physicals)
    plan.physicalBytes += it.bytes;
  plan.savedBytes = plan.logicalBytes > plan.physicalBytes
                        ? plan.logicalBytes - plan.physicalBytes
                        : 0;
  plan.lowerBoundBytes = 0;
  plan.fragmentationBytes = plan.physicalBytes;
  plan.optimal = false;
}

// The verdict on offsets is the definition's: accepted iff disjoint.
TEST(Verify, verdictMatchesTheDefinitionOnCorruptedPlans) {
  unsigned accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed != 600; ++seed) {
    Lcg lcg(seed);
    const bool partial = seed % 2;
    RandomDag dag = randomDag(seed, 14, 12, 15, 2);
    if (!partial)
      dag.problem = randomIntervals(seed, 12, 14);
    if (seed % 5 == 0)
      dag.problem.exclusive = {{0, 1}, {2, 3}, {5, 9}};
    if (seed % 7 == 0)
      dag.problem.neverShare = {{1, 4}, {2, 3}};
    const auto *reach = partial ? &dag.reach : nullptr;
    auto plan = solve(dag.problem);
    ASSERT_TRUE(plan);
    ASSERT_TRUE(verify(dag.problem, *plan).empty());
    for (std::uint64_t k = 1 + lcg.below(2); k-- > 0;)
      plan->placements[lcg.below(12)].offset =
          lcg.below(plan->physicalBytes + 1);
    refit(dag.problem, *plan);
    bool good = verify(dag.problem, *plan).empty();
    EXPECT_EQ(good, isDisjoint(dag.problem, *plan, reach)) << "seed " << seed;
    (good ? accepted : refused)++;
  }
  EXPECT_GT(accepted, 20u);
  EXPECT_GT(refused, 200u);
}

// More source nodes than one pass of the reachability sweep holds.
TEST(Verify, manySourcesTakeSeveralPasses) {
  const std::size_t n = 1500;
  Edges edges;
  for (NodeId v = 2; v != n; ++v)
    edges.push_back({v - 2, v}); // Two unrelated streams.
  Problem p;
  p.order = makeOrder(n, edges);
  for (NodeId v = 0; v != n; ++v)
    p.buffers.push_back(used("b" + std::to_string(v), 8, {v}, {v}));
  Plan plan = *solve(p);
  ASSERT_EQ(plan.physicalBytes, 16u);
  EXPECT_TRUE(verify(p, plan).empty());
  // The last buffer moves over to the other stream's bytes.
  Placement &last = plan.placements[n - 1];
  last.offset = last.offset ? 0 : 8;
  auto violations = verify(p, plan);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].rule, Rule::Overlap);
}
