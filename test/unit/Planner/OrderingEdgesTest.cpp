//===- OrderingEdgesTest.cpp - Tests of proposed ordering edges -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is proposed, against enumeration: the bound holds for the order with the
// edges, the edges make no cycle, and a budget that is possible is reached.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/OrderingEdges.h"
#include "transient/Planner/Verify.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

/// `count` nodes without order, each with a temporary of its own.
static Problem fanOut(std::size_t count, std::uint64_t bytes) {
  Problem problem;
  problem.order = makeOrder(count, {});
  for (NodeId node = 0; node != count; ++node)
    problem.buffers.push_back(
        used("t" + std::to_string(node), bytes, {node}, {node}));
  return problem;
}

static OrderingProposal propose(const Problem &problem, std::uint64_t budget,
                                const OrderingOptions &options = {}) {
  auto result = proposeOrdering(problem, budget, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : OrderingProposal();
}

TEST(OrderingEdges, halvesFourBranchesWithTwoEdges) {
  Problem problem = fanOut(4, 1 << 20);
  OrderingProposal result = propose(problem, 2 << 20);
  EXPECT_EQ(result.edges, (std::vector<OrderingEdge>{{0, 1}, {2, 3}}));
  EXPECT_EQ(result.bound.bytes, std::uint64_t(2) << 20);
  EXPECT_EQ(result.depthBefore, 1u);
  EXPECT_EQ(result.depthAfter, 2u);
}

TEST(OrderingEdges, addsNothingWithinTheBudget) {
  Problem problem = fanOut(4, 1 << 20);
  OrderingProposal result = propose(problem, 4 << 20);
  EXPECT_TRUE(result.edges.empty());
  EXPECT_EQ(result.order, problem.order);
  EXPECT_EQ(result.bound.bytes, std::uint64_t(4) << 20);
}

TEST(OrderingEdges, oneEdgeCutsAWideFanOut) {
  const std::uint64_t bytes = 403177472;
  OrderingProposal result = propose(fanOut(723, bytes), 723 * bytes - 1);
  EXPECT_EQ(result.edges, (std::vector<OrderingEdge>{{0, 1}}));
  EXPECT_EQ(result.bound.bytes, 722 * bytes);
  result = propose(fanOut(723, bytes), 10 * bytes);
  EXPECT_EQ(result.bound.bytes, 10 * bytes);
  EXPECT_EQ(result.edges.size(), 713u);
}

TEST(OrderingEdges, takesOnlyEdgesThatCanBeHad) {
  OrderingOptions options;
  options.canWait = [](NodeId from, NodeId) { return from == 2; };
  OrderingProposal result = propose(fanOut(4, 8), 16, options);
  // Best effort: one edge helps, the budget is out of reach.
  EXPECT_EQ(result.edges, (std::vector<OrderingEdge>{{2, 3}}));
  EXPECT_EQ(result.bound.bytes, 24u);
}

TEST(OrderingEdges, neverShareStays) {
  Problem problem = fanOut(2, 8);
  problem.neverShare = {{1, 0}};
  EXPECT_TRUE(propose(problem, 8).edges.empty());
}

TEST(OrderingEdges, spacesStayApart) {
  Problem problem = fanOut(2, 8);
  problem.buffers[1].space = 1;
  OrderingProposal result = propose(problem, 8);
  EXPECT_TRUE(result.edges.empty());
  EXPECT_EQ(result.bound.bytes, 16u);
}

TEST(OrderingEdges, totalOrderHasNone) {
  Problem problem;
  problem.buffers = {interval("a", 4, 0, 2), interval("b", 4, 1, 3)};
  OrderingProposal result = propose(problem, 4);
  EXPECT_TRUE(result.edges.empty());
  EXPECT_EQ(result.bound.bytes, 8u);
  auto plan = solveWithin(problem, 4);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->plan.physicalBytes, 8u);
}

TEST(OrderingEdges, cyclesAreRefused) {
  auto order = makeOrder(2, {{0, 1}});
  auto result = addEdges(*order, {{1, 0}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::CyclicOrder);
  result = addEdges(*order, {{1, 2}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::UnknownNode);
}

/// Most bytes of buffers that are pairwise unordered, by enumeration.
static std::uint64_t heaviest(const Problem &problem,
                              const std::vector<std::vector<bool>> &reach) {
  const std::size_t n = problem.buffers.size();
  auto isBefore = [&](std::size_t a, std::size_t b) {
    for (NodeId from : problem.buffers[a].last)
      for (NodeId to : problem.buffers[b].first)
        if (!reach[from][to])
          return false;
    return true;
  };
  std::uint64_t best = 0;
  for (std::uint32_t set = 0; set != 1u << n; ++set) {
    std::uint64_t bytes = 0;
    bool unordered = true;
    for (std::size_t a = 0; a != n; ++a) {
      if (!(set >> a & 1))
        continue;
      bytes += problem.buffers[a].bytes;
      for (std::size_t b = 0; b != a; ++b)
        if (set >> b & 1)
          unordered &= !isBefore(a, b) && !isBefore(b, a);
    }
    if (unordered)
      best = std::max(best, bytes);
  }
  return best;
}

TEST(OrderingEdges, holdsOnRandomDags) {
  std::size_t withEdges = 0;
  for (std::uint64_t seed = 0; seed != 400; ++seed) {
    RandomDag dag = randomDag(seed, 10, 9, 15, 2);
    // What the linear extension needs can always be had.
    std::vector<std::uint64_t> load(dag.nodes);
    for (const Buffer &buffer : dag.problem.buffers) {
      std::size_t first = dag.nodes, last = 0;
      for (NodeId node : buffer.first)
        first = std::min(first, dag.problem.order->position(node));
      for (NodeId node : buffer.last)
        last = std::max(last, dag.problem.order->position(node));
      for (std::size_t at = first; at <= last; ++at)
        load[at] += buffer.bytes;
    }
    const std::uint64_t possible = *std::max_element(load.begin(), load.end());
    const std::uint64_t before = heaviest(dag.problem, dag.reach);
    for (std::uint64_t budget = possible; budget <= before; ++budget) {
      OrderingProposal result = propose(dag.problem, budget);
      Edges edges = dag.edges;
      for (const OrderingEdge &edge : result.edges)
        edges.push_back({edge.from, edge.to});
      auto reach = closure(dag.nodes, edges);
      for (NodeId node = 0; node != dag.nodes; ++node)
        EXPECT_FALSE(reach[node][node]) << "seed " << seed;
      EXPECT_EQ(result.bound.bytes, heaviest(dag.problem, reach))
          << "seed " << seed;
      EXPECT_LE(result.bound.bytes, budget) << "seed " << seed;
      EXPECT_EQ(result.edges.empty(), before <= budget) << "seed " << seed;
      // No edge is idle.
      for (std::size_t skip = 0; skip != result.edges.size(); ++skip) {
        Edges fewer = dag.edges;
        for (std::size_t i = 0; i != result.edges.size(); ++i)
          if (i != skip)
            fewer.push_back({result.edges[i].from, result.edges[i].to});
        EXPECT_GT(heaviest(dag.problem, closure(dag.nodes, fewer)), budget)
            << "seed " << seed;
      }
      withEdges += !result.edges.empty();
    }
  }
  EXPECT_GT(withEdges, 400u);
}

TEST(OrderingEdges, plansWithinTheBudget) {
  std::size_t withEdges = 0;
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    RandomDag dag = randomDag(seed, 14, 12, 15, 2, 40);
    auto plain = solve(dag.problem);
    ASSERT_TRUE(plain);
    const std::uint64_t budget = plain->physicalBytes * 3 / 4;
    auto result = solveWithin(dag.problem, budget);
    ASSERT_TRUE(result);
    Problem ordered = dag.problem;
    ordered.order = result->ordering.order;
    EXPECT_TRUE(verify(ordered, result->plan).empty()) << "seed " << seed;
    if (result->ordering.edges.empty())
      EXPECT_EQ(result->plan.physicalBytes, plain->physicalBytes);
    else
      EXPECT_LE(result->plan.physicalBytes, budget);
    withEdges += !result->ordering.edges.empty();
  }
  EXPECT_GT(withEdges, 100u);
}
