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
/// How an item takes part in the largest transport of bytes from releases to
/// later creations. The bound is what is not transported.
struct Transport {
  /// Bytes that nobody took over, and that were taken over from nobody.
  std::uint64_t unsent = 0, unserved = 0;
  /// More would be transported if something else came later than its release,
  /// and if its creation came later than something else. Where one item has the
  /// first and another the second, order between them lowers the bound.
  bool canSend = false, canReceive = false;
};

struct Antichain {
  std::uint64_t bytes = 0;
  std::vector<Item> items; ///< Sorted; weighs `bytes`.
  /// It is the heaviest by the given edges. False where "before" had to be
  /// taken for more, or for less, than it is.
  bool exact = true;
  /// If asked for, one for each of the items, in their order.
  std::vector<Transport> transport;
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
                                           Relax relax, std::size_t maxEvents,
                                           bool withTransport = false);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_EVENTGRAPH_H
