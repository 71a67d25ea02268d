//===- PartialOrderTest.cpp - Tests of chains and clocks ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the index against plain reachability, its frontiers against their
// definition (C3, C4), and that dropping columns only ever loses proofs.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include <gtest/gtest.h>

#include <set>

using namespace transient::planner;
using namespace transient::planner::testing;

TEST(PartialOrder, precedesIsReachability) {
  for (std::uint64_t seed = 0; seed != 300; ++seed) {
    Lcg lcg(seed);
    std::size_t n = 1 + lcg.below(24);
    Edges edges = randomEdges(lcg, n, 5 + unsigned(lcg.below(40)));
    auto reach = closure(n, edges);
    auto order = makeOrder(n, edges);
    ASSERT_TRUE(order->isExact());
    for (NodeId a = 0; a != n; ++a)
      for (NodeId b = 0; b != n; ++b)
        ASSERT_EQ(order->precedes(a, b), reach[a][b])
            << "seed " << seed << " nodes " << a << " " << b;
  }
}

TEST(PartialOrder, droppedColumnsLoseProofsButInventNone) {
  unsigned lost = 0;
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    Lcg lcg(seed);
    std::size_t n = 4 + lcg.below(20);
    Edges edges = randomEdges(lcg, n, 12);
    auto reach = closure(n, edges);
    const std::size_t columns = lcg.below(4);
    auto order = makeOrder(n, edges, {columns, 0});
    std::vector<std::vector<bool>> proved(n, std::vector<bool>(n));
    for (NodeId a = 0; a != n; ++a)
      for (NodeId b = 0; b != n; ++b) {
        proved[a][b] = order->precedes(a, b);
        ASSERT_TRUE(!proved[a][b] || reach[a][b]);
        lost += reach[a][b] && !proved[a][b];
      }
    // What is proved is still transitive: solvers may rest on it.
    for (NodeId a = 0; a != n; ++a)
      for (NodeId b = 0; b != n; ++b)
        for (NodeId c = 0; c != n; ++c)
          ASSERT_TRUE(!proved[a][b] || !proved[b][c] || proved[a][c]);
    EXPECT_TRUE(order->numChains() > columns || order->isExact());
    for (NodeId a = 0; a != n; ++a)
      for (NodeId b = 0; b != n; ++b) {
        EXPECT_TRUE(!order->isExact() || proved[a][b] == reach[a][b]);
        EXPECT_EQ(order->reaches(a, b), reach[a][b]);
      }
  }
  EXPECT_GT(lost, 0u) << "no case had more chains than columns";
}

// Nodes without predecessors have no clock: a million of them cost no row each.
TEST(PartialOrder, isolatedNodesCostNothing) {
  const std::size_t n = 1000000;
  auto order = makeOrder(n, {{7, 999999}});
  EXPECT_TRUE(order->isExact());
  EXPECT_EQ(order->numChains(), n - 1);
  EXPECT_TRUE(order->precedes(7, 999999));
  EXPECT_FALSE(order->precedes(8, 999999));
  EXPECT_EQ(order->chainsBefore(999998), 0u);
}

TEST(PartialOrder, chainsPartitionAndAreOrdered) {
  Lcg lcg(7);
  Edges edges = randomEdges(lcg, 40, 8);
  auto reach = closure(40, edges);
  auto order = makeOrder(40, edges);
  std::set<NodeId> seen;
  for (std::size_t c = 0; c != order->numChains(); ++c) {
    const auto &chain = order->chainNodes(c);
    for (std::size_t i = 0; i != chain.size(); ++i) {
      EXPECT_TRUE(seen.insert(chain[i]).second);
      EXPECT_EQ(order->chainOf(chain[i]), c);
      EXPECT_EQ(order->positionInChain(chain[i]), i);
      if (i) {
        EXPECT_TRUE(reach[chain[i - 1]][chain[i]]);
      }
    }
  }
  EXPECT_EQ(seen.size(), 40u);
}

TEST(PartialOrder, twoStreamsAreTwoChains) {
  // 0-2-4-6 and 1-3-5-7 with a cross edge 2 -> 5.
  auto order =
      makeOrder(8, {{0, 2}, {2, 4}, {4, 6}, {1, 3}, {3, 5}, {5, 7}, {2, 5}});
  EXPECT_EQ(order->numChains(), 2u);
  EXPECT_FALSE(order->isTotal());
  EXPECT_TRUE(order->precedes(0, 7));
  EXPECT_FALSE(order->precedes(4, 7));
  EXPECT_FALSE(order->precedes(3, 4));
}

TEST(PartialOrder, aTotalOrderIsOneChainWhateverItsNumbers) {
  auto order = makeOrder(5, {{4, 2}, {2, 0}, {0, 3}, {3, 1}});
  EXPECT_TRUE(order->isTotal());
  EXPECT_EQ(order->linearExtension(),
            (std::vector<std::uint32_t>{4, 2, 0, 3, 1}));
  EXPECT_EQ(order->position(3), 3u);
}

TEST(PartialOrder, frontiersMatchTheirDefinition) {
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    Lcg lcg(seed);
    std::size_t n = 2 + lcg.below(18);
    Edges edges = randomEdges(lcg, n, 15);
    auto reach = closure(n, edges);
    auto order = makeOrder(n, edges);
    std::vector<NodeId> users;
    for (std::size_t k = 0; k != 6; ++k)
      users.push_back(lcg.below(n)); // Repetitions on purpose.
    std::set<NodeId> first, last;
    for (NodeId u : users) {
      if (std::none_of(users.begin(), users.end(),
                       [&](NodeId v) { return reach[v][u]; }))
        first.insert(u);
      if (std::none_of(users.begin(), users.end(),
                       [&](NodeId v) { return reach[u][v]; }))
        last.insert(u);
    }
    EXPECT_EQ(order->minimal(users),
              std::vector<NodeId>(first.begin(), first.end()));
    EXPECT_EQ(order->maximal(users),
              std::vector<NodeId>(last.begin(), last.end()));
  }
}

TEST(PartialOrder, diamondHasBothReadersInItsLastFrontier) {
  auto order = makeOrder(3, {{0, 1}, {0, 2}});
  EXPECT_EQ(order->maximal({0, 1, 2}), (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(order->minimal({2, 1, 0}), (std::vector<NodeId>{0}));
  EXPECT_TRUE(order->minimal({}).empty());
}

TEST(PartialOrder, pathIsShortestAndMadeOfEdges) {
  auto order = makeOrder(5, {{0, 1}, {1, 2}, {2, 4}, {0, 3}, {3, 4}});
  EXPECT_EQ(order->path(0, 4), (std::vector<NodeId>{0, 3, 4}));
  EXPECT_TRUE(order->path(4, 0).empty());
  EXPECT_TRUE(order->path(1, 3).empty());
  EXPECT_TRUE(order->path(2, 2).empty());
}

TEST(PartialOrder, cycleIsAnErrorThatShowsIt) {
  auto order = PartialOrder::build(4, {{}, {0, 3}, {1}, {2}});
  ASSERT_FALSE(order);
  EXPECT_EQ(order.error().kind, ErrorKind::CyclicOrder);
  for (const char *step : {"1 -> 2", "2 -> 3", "3 -> 1"})
    EXPECT_NE(order.error().message.find(step), std::string::npos)
        << order.error().message;
  EXPECT_EQ(PartialOrder::build(1, {{0}}).error().kind, ErrorKind::CyclicOrder);
}

TEST(PartialOrder, unknownNodesAreErrors) {
  EXPECT_EQ(PartialOrder::build(2, {{}, {2}}).error().kind,
            ErrorKind::UnknownNode);
  EXPECT_EQ(PartialOrder::build(1, {{}, {0}}).error().kind,
            ErrorKind::UnknownNode);
  EXPECT_EQ(PartialOrder::build(~std::size_t(0), {}).error().kind,
            ErrorKind::Resource);
}

TEST(PartialOrder, queriesOutsideTheOrderAnswerNo) {
  auto order = makeOrder(2, {{0, 1}});
  EXPECT_FALSE(order->precedes(0, 2));
  EXPECT_FALSE(order->precedes(~NodeId(0), 1));
  EXPECT_TRUE(order->path(0, 9).empty());
}

TEST(PartialOrder, emptyOrderIsFine) {
  auto order = makeOrder(0, {});
  EXPECT_EQ(order->numNodes(), 0u);
  EXPECT_TRUE(order->isTotal());
}

TEST(PartialOrder, manyNodesOnFewStreamsStayNearLinear) {
  // 200 000 nodes would need 40 G entries as a table.
  const std::size_t n = 200000;
  std::vector<std::vector<NodeId>> predecessors(n);
  for (std::size_t v = 4; v != n; ++v) {
    predecessors[v].push_back(v - 4);
    if (v % 97 == 0)
      predecessors[v].push_back(v - 3);
  }
  auto order = PartialOrder::build(n, predecessors);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->numChains(), 4u);
  EXPECT_TRUE(order->precedes(0, n - 4));
}
