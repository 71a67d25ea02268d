//===- ConflictGraph.h - Conflicts of few items, written out -----*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the exact search and to what improves plans of partial orders.
// Who conflicts with whom, as lists, and cliques that between them contain
// every conflict. Over intervals the cliques are the maximal sections of time;
// over anything else they are grown greedily. Only for instances small enough
// to be written out; everything near-linear stays away from this.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_CONFLICTGRAPH_H
#define TRANSIENT_LIB_PLANNER_CONFLICTGRAPH_H

#include "Instance.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace transient::planner {

/// Conflicts among the items of one space. Vertices are positions in `items`,
/// in that order.
struct ConflictGraph {
  using Vertex = std::uint32_t;

  /// Limits past which `build` gives nothing.
  struct Limits {
    std::size_t vertices = 4096;  ///< Quadratic work for partial orders.
    std::size_t pairs = 1u << 22; ///< Conflicts, and clique memberships.
  };

  /// The graph of `items`, or nothing when it is past `limits`. O(n log n +
  /// conflicts) over intervals; else O(n^2) conflict tests and the cliques.
  static std::optional<ConflictGraph> build(const Instance &instance,
                                            const std::vector<Item> &items,
                                            const Limits &limits);

  std::size_t size() const { return items.size(); }

  /// Iteration over one compressed row.
  struct Row {
    const Vertex *first, *last;
    const Vertex *begin() const { return first; }
    const Vertex *end() const { return last; }
    std::size_t size() const { return std::size_t(last - first); }
  };
  Row neighbours(Vertex v) const { return row(neighbourBegin, adjacent, v); }
  /// Sorted numbers of the cliques that hold `v`; each vertex is in one.
  Row cliquesOf(Vertex v) const { return row(cliqueBegin, cliqueList, v); }

  std::vector<Item> items;
  std::size_t numCliques = 0;

private:
  static Row row(const std::vector<std::size_t> &begin,
                 const std::vector<Vertex> &list, Vertex v) {
    return {list.data() + begin[v], list.data() + begin[v + 1]};
  }

  bool sections(const Instance &instance, const Limits &limits);
  bool cover(const Instance &instance, const Limits &limits);

  std::vector<std::size_t> neighbourBegin, cliqueBegin;
  std::vector<Vertex> adjacent, cliqueList;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_CONFLICTGRAPH_H
