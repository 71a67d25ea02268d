//===- TestProblems.h - Small problems for planner tests --------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builders of problems and random instances, and the textbook definitions that
// oracles use. Definitions here are written anew, without the library's
// conflict or order queries, so that tests do not compare the library with
// itself.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_UNIT_PLANNER_TESTPROBLEMS_H
#define TRANSIENT_TEST_UNIT_PLANNER_TESTPROBLEMS_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace transient::planner::testing {

/// The LCG of Numerical Recipes; upper bits only.
class Lcg {
public:
  explicit Lcg(std::uint64_t seed) : state(seed * 2654435761u + 1) {}
  std::uint64_t below(std::uint64_t bound) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % bound;
  }

private:
  std::uint64_t state;
};

inline Buffer interval(const std::string &id, std::uint64_t bytes, NodeId first,
                       NodeId last) {
  Buffer b;
  b.id = id;
  b.bytes = bytes;
  b.first = {first};
  b.last = {last};
  return b;
}

inline Buffer used(const std::string &id, std::uint64_t bytes,
                   std::vector<NodeId> first, std::vector<NodeId> last) {
  Buffer b;
  b.id = id;
  b.bytes = bytes;
  b.first = std::move(first);
  b.last = std::move(last);
  return b;
}

using Edges = std::vector<std::pair<NodeId, NodeId>>;

inline std::shared_ptr<const PartialOrder>
makeOrder(std::size_t n, const Edges &edges,
          const PartialOrderOptions &options = {}) {
  std::vector<std::vector<NodeId>> predecessors(n);
  for (auto [a, b] : edges)
    predecessors[b].push_back(a);
  auto order = PartialOrder::build(n, predecessors, options);
  EXPECT_TRUE(order) << (order ? "" : order.error().message);
  return order ? std::make_shared<const PartialOrder>(std::move(*order))
               : nullptr;
}

/// Reachability by Warshall: the oracle of `precedes`.
inline std::vector<std::vector<bool>> closure(std::size_t n,
                                              const Edges &edges) {
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (auto [a, b] : edges)
    reach[a][b] = true;
  for (std::size_t k = 0; k != n; ++k)
    for (std::size_t a = 0; a != n; ++a)
      if (reach[a][k])
        for (std::size_t b = 0; b != n; ++b)
          if (reach[k][b])
            reach[a][b] = true;
  return reach;
}

/// Random edges in a randomly numbered order.
inline Edges randomEdges(Lcg &lcg, std::size_t n, unsigned percent) {
  std::vector<NodeId> name(n);
  for (std::size_t i = 0; i != n; ++i)
    name[i] = i;
  for (std::size_t i = n; i > 1; --i)
    std::swap(name[i - 1], name[lcg.below(i)]);
  Edges edges;
  for (std::size_t a = 0; a != n; ++a)
    for (std::size_t b = a + 1; b != n; ++b)
      if (lcg.below(100) < percent)
        edges.push_back({name[a], name[b]});
  return edges;
}

/// A random problem over a random DAG, with what the oracles need to know.
struct RandomDag {
  std::size_t nodes;
  Edges edges;
  std::vector<std::vector<bool>> reach;
  /// Users of each buffer, writer first.
  std::vector<std::vector<NodeId>> users;
  Problem problem;
};

inline RandomDag randomDag(std::uint64_t seed, std::size_t nodes,
                           std::size_t buffers, unsigned percent,
                           unsigned maxReaders, std::uint64_t maxBytes = 9) {
  Lcg lcg(seed);
  RandomDag dag;
  dag.nodes = nodes;
  dag.edges = randomEdges(lcg, nodes, percent);
  dag.reach = closure(nodes, dag.edges);
  for (std::size_t i = 0; i != buffers; ++i) {
    NodeId writer = lcg.below(nodes);
    std::vector<NodeId> later, users{writer};
    for (NodeId v = 0; v != nodes; ++v)
      if (dag.reach[writer][v])
        later.push_back(v);
    for (unsigned r = 0; r != maxReaders && !later.empty(); ++r)
      users.push_back(later[lcg.below(later.size())]);
    dag.users.push_back(users);
    // Frontiers by definition.
    std::vector<NodeId> first, last;
    for (NodeId u : users) {
      bool isFirst = true, isLast = true;
      for (NodeId v : users) {
        isFirst &= !dag.reach[v][u];
        isLast &= !dag.reach[u][v];
      }
      if (isFirst && std::find(first.begin(), first.end(), u) == first.end())
        first.push_back(u);
      if (isLast && std::find(last.begin(), last.end(), u) == last.end())
        last.push_back(u);
    }
    std::sort(last.begin(), last.end());
    dag.problem.buffers.push_back(
        used("b" + std::to_string(i), 1 + lcg.below(maxBytes), first, last));
  }
  dag.problem.order = makeOrder(nodes, dag.edges);
  return dag;
}

/// Frontiers with several elements at both ends: buffers used by unrelated
/// nodes, with no writer before them all.
inline RandomDag rootless(std::uint64_t seed, std::size_t nodes,
                          std::size_t buffers) {
  RandomDag dag = randomDag(seed, nodes, 0, 20, 0);
  Lcg lcg(seed + 77);
  for (std::size_t i = 0; i != buffers; ++i) {
    std::vector<NodeId> users;
    for (std::uint64_t k = 1 + lcg.below(4); k-- > 0;)
      users.push_back(lcg.below(nodes));
    dag.users.push_back(users);
    dag.problem.buffers.push_back(used(
        "b" + std::to_string(i), 1 + lcg.below(9),
        dag.problem.order->minimal(users), dag.problem.order->maximal(users)));
  }
  return dag;
}

inline Problem randomIntervals(std::uint64_t seed, std::size_t buffers,
                               std::uint64_t times,
                               std::uint64_t maxBytes = 9) {
  Lcg lcg(seed);
  Problem problem;
  for (std::size_t i = 0; i != buffers; ++i) {
    NodeId a = lcg.below(times), b = lcg.below(times);
    problem.buffers.push_back(interval("b" + std::to_string(i),
                                       1 + lcg.below(maxBytes), std::min(a, b),
                                       std::max(a, b)));
  }
  return problem;
}

/// May not share a byte, by definition, over a reachability table (null: the
/// order of the integers).
inline bool mustNotShare(const Problem &problem, BufferIndex a, BufferIndex b,
                         const std::vector<std::vector<bool>> *reach) {
  auto listed = [&](const BufferPairs &pairs) {
    for (auto [x, y] : pairs)
      if ((x == a && y == b) || (x == b && y == a))
        return true;
    return false;
  };
  if (listed(problem.neverShare))
    return true;
  if (listed(problem.exclusive))
    return false;
  auto before = [&](const Buffer &x, const Buffer &y) {
    for (NodeId l : x.last)
      for (NodeId f : y.first)
        if (reach ? !(*reach)[l][f] : l >= f)
          return false;
    return true;
  };
  return !before(problem.buffers[a], problem.buffers[b]) &&
         !before(problem.buffers[b], problem.buffers[a]);
}

/// True when no two buffers that must not share overlap in bytes.
inline bool isDisjoint(const Problem &problem, const Plan &plan,
                       const std::vector<std::vector<bool>> *reach) {
  for (BufferIndex a = 0; a != problem.buffers.size(); ++a)
    for (BufferIndex b = a + 1; b != problem.buffers.size(); ++b) {
      const Placement &x = plan.placements[a], &y = plan.placements[b];
      if (x.physical && y.physical && *x.physical == *y.physical &&
          x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes &&
          mustNotShare(problem, a, b, reach))
        return false;
    }
  return true;
}

/// Smallest arena for `problem` (alignments 1), by trying every order of
/// placement with each buffer at its lowest free offset: some order gives an
/// optimal packing. For at most 7 buffers.
inline std::uint64_t optimalArena(const Problem &problem,
                                  const std::vector<std::vector<bool>> *reach) {
  const std::size_t n = problem.buffers.size();
  std::vector<std::vector<bool>> apart(n, std::vector<bool>(n, false));
  for (BufferIndex a = 0; a != n; ++a)
    for (BufferIndex b = 0; b != n; ++b)
      apart[a][b] = a != b && mustNotShare(problem, a, b, reach);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i != n; ++i)
    order[i] = i;
  std::uint64_t best = ~0ull;
  do {
    std::vector<std::uint64_t> offset(n);
    std::uint64_t height = 0;
    for (std::size_t k = 0; k != n && height < best; ++k) {
      std::size_t i = order[k];
      // Candidate offsets: zero and the ends of what is placed.
      std::uint64_t lowest = ~0ull;
      for (std::size_t c = 0; c != k + 1; ++c) {
        std::uint64_t at =
            c == k ? 0 : offset[order[c]] + problem.buffers[order[c]].bytes;
        bool free = true;
        for (std::size_t m = 0; m != k; ++m) {
          std::size_t j = order[m];
          free &= !apart[i][j] || at >= offset[j] + problem.buffers[j].bytes ||
                  offset[j] >= at + problem.buffers[i].bytes;
        }
        if (free)
          lowest = std::min(lowest, at);
      }
      offset[i] = lowest;
      height = std::max(height, lowest + problem.buffers[i].bytes);
    }
    best = std::min(best, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return n ? best : 0;
}

/// Weight of the heaviest set of buffers that pairwise must not share, by
/// enumeration. For at most 20 buffers.
inline std::uint64_t
heaviestClique(const Problem &problem,
               const std::vector<std::vector<bool>> *reach) {
  const std::size_t n = problem.buffers.size();
  std::vector<std::uint32_t> apart(n, 0);
  for (BufferIndex a = 0; a != n; ++a)
    for (BufferIndex b = 0; b != n; ++b)
      if (a != b && mustNotShare(problem, a, b, reach))
        apart[a] |= 1u << b;
  std::uint64_t best = 0;
  for (std::uint32_t set = 0; set != 1u << n; ++set) {
    std::uint64_t weight = 0;
    bool clique = true;
    for (std::size_t i = 0; i != n && clique; ++i)
      if (set >> i & 1) {
        clique = (set & ~apart[i]) == (1u << i);
        weight += problem.buffers[i].bytes;
      }
    if (clique)
      best = std::max(best, weight);
  }
  return best;
}

} // namespace transient::planner::testing

#endif // TRANSIENT_TEST_UNIT_PLANNER_TESTPROBLEMS_H
