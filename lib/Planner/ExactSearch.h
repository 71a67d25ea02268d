//===- ExactSearch.h - Does a plan of this height exist? ---------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. A complete search for a placement within a capacity:
// it finds one, proves that there is none, or runs out of its budget, which is
// counted in steps and never in time. Works for every kind of instance, pairs,
// alignments and fixed offsets included, that is small enough for a
// ConflictGraph.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_EXACTSEARCH_H
#define TRANSIENT_LIB_PLANNER_EXACTSEARCH_H

#include "ConflictGraph.h"
#include "Instance.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace transient::planner {

/// See the file comment. Keeps what it learned (weights of cliques) from one
/// call of `decide` to the next, as every step of it is deterministic.
class ExactSearch {
public:
  enum class Outcome {
    Found,     ///< `offsets()` is a placement within the capacity.
    Exhausted, ///< There is none.
    OutOfSteps ///< Neither was shown.
  };

  /// Precondition: `graph` is a graph of `instance` and outlives the search.
  /// `stop`, where given, ends a search with OutOfSteps once it says true.
  ExactSearch(const Instance &instance, const ConflictGraph &graph,
              std::uint64_t arenaAlign,
              const std::atomic<bool> *stop = nullptr);

  /// Searches for offsets with all ends at most `capacity`, spending about
  /// `steps` steps at most. A step is a look at one membership of an unplaced
  /// item in a clique, a few nanoseconds.
  ///
  /// Restarts with doubling budgets, in a fixed rotation of orders of items and
  /// rules of where to branch.
  Outcome decide(std::uint64_t capacity, std::uint64_t steps);

  /// No placement is lower: what the heaviest clique takes with its padding.
  std::uint64_t bound() const;

  /// Offsets by vertex of the graph, after Found.
  const std::vector<std::uint64_t> &offsets() const { return offset; }
  /// Highest end, after Found.
  std::uint64_t height() const;
  /// Steps spent by all calls so far.
  std::uint64_t spent() const { return total; }

private:
  using Vertex = ConflictGraph::Vertex;

  struct Saved {
    Vertex vertex;
    std::uint64_t lowest, support;
  };
  /// What a node knows of a clique; valid while `epoch` is the node's.
  struct Section {
    std::uint64_t epoch = 0;
    std::uint64_t floor;     ///< Least `lowest` of its unplaced members.
    std::uint64_t second;    ///< The next larger one.
    std::uint64_t end;       ///< Where its members end if packed by `lowest`.
    std::uint64_t remaining; ///< Bytes of unplaced members, padded.
    std::uint64_t pad;       ///< Most padding of one of them.
    std::uint64_t top;       ///< Least `lowest` + bytes of unplaced members.
    std::uint64_t relief;    ///< See `choose`.
    std::uint32_t options;   ///< Members that may be next, directly.
    std::uint32_t root;      ///< Union-find of components.
  };
  struct Branch {
    std::uint32_t section = ~0u;
    std::uint64_t floor = 0;
    bool mayWait = false;
  };

  Outcome search(std::size_t begin, std::size_t end, unsigned depth);
  bool look(std::size_t begin, std::size_t end);
  Branch choose(std::size_t begin, std::size_t end);
  bool isOption(Vertex v) const;
  std::uint32_t rootOf(std::uint32_t section);

  void place(Vertex v);
  void raise(Vertex v, std::uint64_t lowest, std::uint64_t support);
  void undo(std::size_t saves, std::size_t places);

  const ConflictGraph &graph;
  const std::atomic<bool> *stop;

  // Constants of the instance, by vertex.
  std::vector<std::uint64_t> bytes, align, fixed;
  /// Sizes rounded up to the alignment that all offsets have in common.
  std::vector<std::uint64_t> padded;
  std::uint64_t commonAlign = 1;
  std::vector<Vertex> twin; ///< The previous vertex just like this one.
  std::vector<std::vector<std::uint32_t>> orders; ///< Ranks by vertex.
  std::vector<Vertex> fixedVertices;

  // State of the descent.
  std::uint64_t capacity = 0;
  std::vector<std::uint64_t> lowest;  ///< No solution in this subtree is lower.
  std::vector<std::uint64_t> support; ///< Lowest offset above what is placed.
  std::vector<std::uint64_t> offset;
  std::vector<char> isPlaced;
  std::vector<Saved> saved;
  std::vector<Vertex> placed;
  std::vector<Vertex> pool; ///< Lists of unplaced vertices, one a node.

  // Scratch and what was learned.
  std::vector<Section> sections;
  std::vector<std::uint32_t> touched;
  std::vector<std::uint64_t> weight; ///< By clique: failures met there, plus 1.
  std::uint64_t epoch = 0, budget = 0, used = 0, total = 0;
  const std::vector<std::uint32_t> *rank = nullptr;
  bool lowestFirst = false;
  bool contradiction = false; ///< Fixed offsets collide.
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_EXACTSEARCH_H
