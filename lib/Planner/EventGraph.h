//===- EventGraph.h - Heaviest antichain on a DAG of events ------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the bounds. The starts and ends of nodes, with a creation and a
// release event for each item, in a graph in which a release reaches a creation
// iff the one item is before the other. Sparse: as large as the order's edges,
// never as large as the relation.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_EVENTGRAPH_H
#define TRANSIENT_LIB_PLANNER_EVENTGRAPH_H

#include "Instance.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace transient::planner {

/// The heaviest antichain of some items.
struct Antichain {
  std::uint64_t bytes = 0;
  std::vector<Item> items; ///< Sorted; weighs `bytes`.
  /// It is the heaviest by the given edges. False where "before" had to be
  /// taken for more, or for less, than it is.
  bool exact = true;
};

/// What to do where the graph cannot say exactly what is before what, because
/// the order's index dropped columns or there would be too many arcs.
enum class Relax {
  /// Take more to be before: one first node, and where columns were dropped one
  /// last node, speaks for all. What is found is an antichain all the same, and
  /// at least the load of the linear extension.
  Lower,
  /// Take less to be before: what is found weighs at least the antichain.
  Upper,
};

/// Heaviest set of `items` none of which is before another: by weighted
/// Dilworth, the sum of weights minus a maximum flow from releases to
/// creations. Pairs are not looked at. Nothing when the graph would have more
/// than `maxEvents` events. Precondition: the instance has a partial order.
std::optional<Antichain> heaviestAntichain(const Instance &instance,
                                           const std::vector<Item> &items,
                                           Relax relax, std::size_t maxEvents);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_EVENTGRAPH_H
