//===- BoundTest.cpp - Tests of bounds against brute force ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LOAD, the heaviest antichain and peak_upper against enumeration, their
// certificates, and how they must move when edges are added.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Bound.h"
#include "transient/Planner/Solve.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

static Bound lower(const Problem &problem) {
  auto bound = lowerBound(problem);
  EXPECT_TRUE(bound) << (bound ? "" : bound.error().message);
  return bound ? *bound : Bound();
}
static Bound upper(const Problem &problem) {
  auto bound = peakUpper(problem);
  EXPECT_TRUE(bound) << (bound ? "" : bound.error().message);
  return bound ? *bound : Bound();
}

/// The certificate: pairwise in conflict, and weighing what is claimed.
static void expectCertified(const Problem &problem, const Bound &bound,
                            const std::vector<std::vector<bool>> *reach) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i != bound.witness.size(); ++i) {
    sum += problem.buffers[bound.witness[i]].bytes;
    for (std::size_t j = 0; j != i; ++j)
      EXPECT_TRUE(
          mustNotShare(problem, bound.witness[i], bound.witness[j], reach));
  }
  EXPECT_EQ(sum, bound.bytes);
}

/// Most bytes live at once over all executions: every down-closed set of
/// completed nodes, with everything that may run running. A buffer is live from
/// when its first user may start until all its users completed.
static std::uint64_t peakByStates(const RandomDag &dag) {
  std::uint64_t best = 0;
  for (std::uint32_t done = 0; done != 1u << dag.nodes; ++done) {
    bool closed = true;
    for (NodeId v = 0; v != dag.nodes; ++v)
      for (NodeId u = 0; u != dag.nodes; ++u)
        closed &= !(done >> v & 1) || !dag.reach[u][v] || (done >> u & 1);
    if (!closed)
      continue;
    std::uint64_t live = 0;
    for (std::size_t i = 0; i != dag.users.size(); ++i) {
      bool started = false, finished = true;
      for (NodeId u : dag.users[i]) {
        bool ready = true;
        for (NodeId p = 0; p != dag.nodes; ++p)
          ready &= !dag.reach[p][u] || (done >> p & 1);
        started |= ready;
        finished &= (done >> u & 1) != 0;
      }
      if (started && !finished)
        live += dag.problem.buffers[i].bytes;
    }
    best = std::max(best, live);
  }
  return best;
}

TEST(Bound, loadIsTheBusiestNode) {
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    Problem p = randomIntervals(seed, 1 + seed % 30, 12);
    std::uint64_t load = 0;
    for (NodeId t = 0; t != 12; ++t) {
      std::uint64_t live = 0;
      for (const Buffer &b : p.buffers)
        if (b.first[0] <= t && t <= b.last[0])
          live += b.bytes;
      load = std::max(load, live);
    }
    Bound bound = lower(p);
    EXPECT_EQ(bound.bytes, load);
    EXPECT_TRUE(bound.exact);
    EXPECT_EQ(bound.method, "load");
    expectCertified(p, bound, nullptr);
    EXPECT_EQ(upper(p).bytes, load);
    EXPECT_TRUE(upper(p).exact);
  }
}

TEST(Bound, antichainMatchesEnumeration) {
  for (std::uint64_t seed = 0; seed != 400; ++seed) {
    RandomDag dag =
        randomDag(seed, 4 + seed % 9, 10, 10 + seed % 30, unsigned(seed % 4));
    Bound bound = lower(dag.problem);
    EXPECT_EQ(bound.bytes, heaviestClique(dag.problem, &dag.reach))
        << "seed " << seed;
    EXPECT_TRUE(bound.exact);
    expectCertified(dag.problem, bound, &dag.reach);
  }
}

TEST(Bound, antichainWithWideFrontiersMatchesEnumeration) {
  unsigned wide = 0;
  for (std::uint64_t seed = 0; seed != 400; ++seed) {
    RandomDag dag = rootless(seed, 4 + seed % 9, 10);
    for (const Buffer &b : dag.problem.buffers)
      wide += b.first.size() > 1 && b.last.size() > 1;
    Bound bound = lower(dag.problem);
    ASSERT_EQ(bound.bytes, heaviestClique(dag.problem, &dag.reach))
        << "seed " << seed;
    expectCertified(dag.problem, bound, &dag.reach);
    EXPECT_GE(upper(dag.problem).bytes, peakByStates(dag));
  }
  EXPECT_GT(wide, 100u);
}

TEST(Bound, peakUpperMatchesAllStatesForSingleReleases) {
  unsigned belowClique = 0;
  for (std::uint64_t seed = 0; seed != 400; ++seed) {
    RandomDag dag =
        randomDag(seed, 3 + seed % 8, 8, 10 + seed % 40, seed % 2 ? 1 : 2);
    Bound bound = upper(dag.problem);
    std::uint64_t truth = peakByStates(dag);
    bool single = true;
    for (const Buffer &b : dag.problem.buffers)
      single &= b.last.size() == 1;
    EXPECT_EQ(bound.exact, single);
    if (single)
      EXPECT_EQ(bound.bytes, truth) << "seed " << seed;
    else
      EXPECT_GE(bound.bytes, truth) << "seed " << seed;
    belowClique += truth < lower(dag.problem).bytes;
  }
  (void)belowClique;
}

// Golden vector: i is read by u1 and u2; j is created after u1, k
// after u2. Pairwise all conflict (3), together never (2). The bound says 3 and
// says that it is a bound.
TEST(Bound, multiTerminalTriple) {
  RandomDag dag;
  dag.nodes = 5; // 0 writes i; 1, 2 read i; 3 creates j; 4 creates k.
  dag.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 4}};
  dag.reach = closure(5, dag.edges);
  dag.users = {{0, 1, 2}, {3}, {4}};
  dag.problem.order = makeOrder(5, dag.edges);
  dag.problem.buffers = {used("i", 1, {0}, {1, 2}), used("k", 1, {3}, {3}),
                         used("j", 1, {4}, {4})};
  EXPECT_EQ(lower(dag.problem).bytes, 3u);
  EXPECT_TRUE(lower(dag.problem).exact);
  EXPECT_EQ(peakByStates(dag), 2u);
  Bound bound = upper(dag.problem);
  EXPECT_EQ(bound.bytes, 3u);
  EXPECT_FALSE(bound.exact);
  EXPECT_NE(bound.method.find("lags"), std::string::npos);
}

TEST(Bound, addingEdgesNeverRaisesTheBounds) {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    RandomDag dag = randomDag(seed, 12, 10, 8, 2);
    Lcg lcg(seed);
    std::uint64_t low = lower(dag.problem).bytes,
                  high = upper(dag.problem).bytes;
    for (int step = 0; step != 6; ++step) {
      NodeId a = lcg.below(12), b = lcg.below(12);
      if (a == b || dag.reach[b][a])
        continue;
      dag.edges.push_back({a, b});
      dag.reach = closure(12, dag.edges);
      dag.problem.order = makeOrder(12, dag.edges);
      std::uint64_t low2 = lower(dag.problem).bytes,
                    high2 = upper(dag.problem).bytes;
      EXPECT_LE(low2, low);
      EXPECT_LE(high2, high);
      low = low2;
      high = high2;
    }
  }
}

TEST(Bound, oneScheduleNeverNeedsMoreThanTheAntichain) {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    RandomDag dag = randomDag(seed, 15, 12, 10, 2);
    Problem serial;
    for (const Buffer &b : dag.problem.buffers) {
      NodeId from = ~0ull, to = 0;
      for (NodeId v : b.first)
        from = std::min<NodeId>(from, dag.problem.order->position(v));
      for (NodeId v : b.last)
        to = std::max<NodeId>(to, dag.problem.order->position(v));
      serial.buffers.push_back(interval(b.id, b.bytes, from, to));
    }
    EXPECT_LE(lower(serial).bytes, lower(dag.problem).bytes);
  }
}

TEST(Bound, relabellingNodesChangesNothing) {
  for (std::uint64_t seed = 0; seed != 60; ++seed) {
    RandomDag dag = randomDag(seed, 10, 9, 18, 2);
    Problem other = dag.problem;
    Edges edges;
    auto renamed = [](NodeId v) { return (v * 7 + 3) % 10; };
    auto allRenamed = [&](const Frontier &nodes) {
      std::vector<NodeId> result;
      for (NodeId v : nodes)
        result.push_back(renamed(v));
      return Frontier(result);
    };
    for (auto [a, b] : dag.edges)
      edges.push_back({renamed(a), renamed(b)});
    other.order = makeOrder(10, edges);
    for (Buffer &b : other.buffers) {
      b.first = allRenamed(b.first);
      b.last = allRenamed(b.last);
    }
    EXPECT_EQ(lower(other).bytes, lower(dag.problem).bytes);
    EXPECT_EQ(upper(other).bytes, upper(dag.problem).bytes);
  }
}

// Pairs: whatever is claimed is certified, never above the truth, and equal to
// it when called exact.
TEST(Bound, pairsKeepTheBoundHonest) {
  unsigned exact = 0;
  for (std::uint64_t seed = 0; seed != 300; ++seed) {
    RandomDag dag = randomDag(seed, 10, 9, 15, 2);
    Lcg lcg(seed);
    for (std::uint64_t k = lcg.below(5); k-- > 0;) {
      auto a = BufferIndex(lcg.below(9)), b = BufferIndex(lcg.below(9));
      if (a != b)
        (lcg.below(2) ? dag.problem.exclusive : dag.problem.neverShare)
            .push_back({a, b});
    }
    Bound bound = lower(dag.problem);
    std::uint64_t truth = heaviestClique(dag.problem, &dag.reach);
    EXPECT_LE(bound.bytes, truth) << "seed " << seed;
    expectCertified(dag.problem, bound, &dag.reach);
    if (bound.exact) {
      EXPECT_EQ(bound.bytes, truth) << "seed " << seed;
      ++exact;
    }
    Problem p = randomIntervals(seed, 9, 9);
    p.exclusive = dag.problem.exclusive;
    p.neverShare = dag.problem.neverShare;
    bound = lower(p);
    truth = heaviestClique(p, nullptr);
    EXPECT_LE(bound.bytes, truth);
    expectCertified(p, bound, nullptr);
    if (bound.exact) {
      EXPECT_EQ(bound.bytes, truth);
    }
  }
  EXPECT_GT(exact, 50u);
}

TEST(Bound, spacesAddUp) {
  Problem p;
  p.buffers = {interval("a", 10, 0, 1), interval("b", 20, 2, 3)};
  EXPECT_EQ(lower(p).bytes, 20u);
  p.buffers[1].space = 1;
  EXPECT_EQ(lower(p).bytes, 30u);
  EXPECT_EQ(lower(p).witness, (std::vector<BufferIndex>{0, 1}));
  EXPECT_EQ(upper(p).bytes, 20u); // Never live at once all the same.
}

TEST(Bound, alignedSizesCount) {
  Problem p;
  p.buffers = {interval("a", 10, 0, 1)};
  p.buffers[0].alignment = 256;
  EXPECT_EQ(lower(p).bytes, 256u);
}

TEST(Bound, unusedBuffersAreNeverLive) {
  Problem p;
  p.buffers = {interval("a", 10, 0, 1), interval("b", 10, 0, 1)};
  p.buffers[1].unused = true;
  EXPECT_EQ(lower(p).bytes, 10u);
}

TEST(Bound, tooLargeForAFlowIsSaidSo) {
  RandomDag dag = randomDag(4, 12, 10, 10, 2);
  BoundOptions small;
  small.maxFlowEvents = 4;
  auto bound = lowerBound(dag.problem, small);
  ASSERT_TRUE(bound);
  EXPECT_FALSE(bound->exact);
  EXPECT_LE(bound->bytes, lower(dag.problem).bytes);
  EXPECT_NE(bound->method.find("linear extension"), std::string::npos);
  expectCertified(dag.problem, *bound, &dag.reach);
  auto peak = peakUpper(dag.problem, small);
  ASSERT_TRUE(peak);
  EXPECT_FALSE(peak->exact);
  EXPECT_GE(peak->bytes, upper(dag.problem).bytes);
}

TEST(Bound, droppedColumnsGiveAValidBound) {
  unsigned inexact = 0;
  for (std::uint64_t seed = 0; seed != 60; ++seed) {
    RandomDag dag = rootless(seed, 12, 9);
    Problem coarse = dag.problem;
    coarse.order = makeOrder(12, dag.edges, {1, 0});
    if (coarse.order->isExact() || validate(coarse))
      continue;
    // Certified by the edges, not by what is left of the index.
    Bound bound = lower(coarse);
    const std::uint64_t truth = heaviestClique(dag.problem, &dag.reach);
    expectCertified(coarse, bound, &dag.reach);
    EXPECT_LE(bound.bytes, truth);
    EXPECT_TRUE(!bound.exact || bound.bytes == truth);
    inexact += !bound.exact;
    EXPECT_GE(upper(coarse).bytes, peakByStates(dag));
    for (std::uint64_t k = 0; k != 3; ++k) {
      coarse.exclusive.push_back({BufferIndex(k), BufferIndex(k + 3)});
      coarse.neverShare.push_back({BufferIndex(k), BufferIndex(k + 5)});
    }
    bound = lower(coarse);
    expectCertified(coarse, bound, &dag.reach);
    EXPECT_TRUE(!bound.exact ||
                bound.bytes == heaviestClique(coarse, &dag.reach));
  }
  EXPECT_GT(inexact, 20u);
}

// 838 of 20 000 chains have columns, and none of those that matter does.
TEST(Bound, droppedColumnsAreNoConflicts) {
  Problem p;
  p.order = makeOrder(
      20000, {{19996, 19998}, {19996, 19999}, {19997, 19998}, {19997, 19999}});
  ASSERT_FALSE(p.order->isExact());
  p.buffers = {used("I", 8, {19996, 19997}, {19996, 19997}),
               used("J", 8, {19998, 19999}, {19998, 19999})};
  Bound bound = lower(p);
  EXPECT_EQ(bound.bytes, 8u);
  EXPECT_FALSE(bound.exact);
  Plan plan = *solve(p);
  EXPECT_FALSE(plan.optimal);
  SolveOptions options;
  options.capacity = 8; // There is such a plan, so nothing is infeasible.
  EXPECT_EQ(solve(p, options).error().kind, ErrorKind::DoesNotFit);
  p.buffers[0].fixedOffset = p.buffers[1].fixedOffset = 0;
  EXPECT_TRUE(solve(p));
}

// Limits between what the nodes and what all the frontiers need: every way to
// do with less stays on its side of the truth.
TEST(Bound, tooManyJoinsStillGiveABound) {
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    RandomDag dag = rootless(seed, 9, 10);
    const std::uint64_t truth = heaviestClique(dag.problem, &dag.reach);
    const std::uint64_t peak = peakByStates(dag);
    for (std::size_t limit : {20u, 30u, 34u, 38u}) {
      BoundOptions options;
      options.maxFlowEvents = limit;
      auto low = lowerBound(dag.problem, options);
      auto high = peakUpper(dag.problem, options);
      ASSERT_TRUE(low && high);
      expectCertified(dag.problem, *low, &dag.reach);
      EXPECT_LE(low->bytes, truth);
      EXPECT_TRUE(!low->exact || low->bytes == truth);
      EXPECT_GE(high->bytes, peak);
    }
  }
}

// Rounds of work on 32 streams: what a stage makes is read by several streams
// of the next. Far more pairs of frontiers than may be arcs, nearly all with a
// node between.
TEST(Bound, manyJoinsOnManyStreams) {
  const std::size_t streams = 32, rounds = 200, n = streams * rounds;
  Lcg lcg(1);
  Edges edges;
  for (NodeId v = streams; v < n; ++v) {
    edges.push_back({v - streams, v});
    edges.push_back({v / streams * streams - 1 - lcg.below(streams), v});
  }
  Problem p;
  p.order = makeOrder(n, edges);
  for (std::size_t i = 0; i != 2500; ++i) {
    const NodeId round = 3 + lcg.below(rounds - 6);
    std::vector<NodeId> users;
    for (int k = 0; k != 4; ++k)
      users.push_back((round + lcg.below(3)) * streams + lcg.below(streams));
    p.buffers.push_back(used("b" + std::to_string(i), 1 + lcg.below(1000),
                             p.order->minimal(users), p.order->maximal(users)));
  }
  Bound bound = lower(p);
  EXPECT_TRUE(bound.exact) << bound.method;
  for (std::size_t i = 0; i != bound.witness.size(); ++i)
    for (std::size_t j = 0; j != i; ++j)
      ASSERT_TRUE(conflicts(p, bound.witness[i], bound.witness[j]));
}

TEST(Bound, invalidProblemsAreErrors) {
  Problem p;
  p.buffers = {interval("a", 8, 2, 1)};
  EXPECT_EQ(lowerBound(p).error().kind, ErrorKind::BadLifetime);
  EXPECT_EQ(peakUpper(p).error().kind, ErrorKind::BadLifetime);
}
