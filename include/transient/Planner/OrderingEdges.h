//===- OrderingEdges.h - Which new order would cut the peak ------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reuse costs concurrency: two buffers of unordered work share only if one of
// the two waits. Planning never adds such waits. Here they are proposed, edge by
// edge, for somebody to accept (G2b, schedule-conditioned sharing). The
// literature knows the problem as reducing the register saturation of a DAG
// (Touati, LCPC 2001); to add the fewest edges is NP-hard, so this is a
// heuristic whose result is exact about itself: the bound and the plan hold for
// the order with the edges.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_ORDERINGEDGES_H
#define TRANSIENT_PLANNER_ORDERINGEDGES_H

#include "transient/Planner/Bound.h"
#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"
#include "transient/Planner/Solve.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace transient::planner {

/// `from` is to end before `to` starts, which nothing has demanded so far.
struct OrderingEdge {
  NodeId from = 0, to = 0;

  friend bool operator==(const OrderingEdge &a, const OrderingEdge &b) {
    return a.from == b.from && a.to == b.to;
  }
};

struct OrderingOptions {
  /// Whether somebody can make `to` wait for `from`. Empty: always. Only asked
  /// where `from` comes first in the order's linear extension.
  std::function<bool(NodeId from, NodeId to)> canWait;
  /// More edges than this are not proposed.
  std::size_t maxEdges = 4096;
};

/// Edges, and what they lead to.
struct OrderingProposal {
  /// In the order in which they were chosen. None is implied by the others, as
  /// long as there are few.
  std::vector<OrderingEdge> edges;
  /// The problem's order with them; the problem's own if there are none.
  std::shared_ptr<const PartialOrder> order;
  /// `lowerBound` of the problem under `order`.
  Bound bound;
  /// `longestPath` without and with the edges.
  std::size_t depthBefore = 0, depthAfter = 0;
};

/// `order` with `edges`. Fails with CyclicOrder or UnknownNode.
Result<std::shared_ptr<const PartialOrder>>
addEdges(const PartialOrder &order, const std::vector<OrderingEdge> &edges);

/// Nodes on the longest path of `order`: what it leaves of concurrency, if all
/// work takes the same time. O(n + edges).
std::size_t longestPath(const PartialOrder &order);

/// Chooses edges with which the lower bound is at most `budget` bytes, or with
/// which it is as near as was found. The bound is what the largest transport of
/// bytes from releases to later creations leaves over (weighted Dilworth), so
/// order between two buffers lowers it exactly if the residual network has room
/// on both sides. In each round such buffers are paired, most bytes an edge
/// first, then the shortest longest path, then the smallest numbers. All edges follow the linear extension of the problem's order, so
/// they never form a cycle. A budget that the buffers would keep in that total
/// order is reached, if `canWait` allows all edges and limits permit. With few
/// edges, those that turn out not to be needed are dropped again. A problem in
/// total order gets none. Deterministic; a flow and at most 2^20 pairs a round, at most
/// 256 rounds. Fails as
/// `validate`.
Result<OrderingProposal> proposeOrdering(const Problem &problem,
                                         std::uint64_t budget,
                                         const OrderingOptions &options = {});

/// A plan, and the edges on which it depends.
struct ConditionedPlan {
  Plan plan;
  OrderingProposal ordering;
};

/// A plan of at most `budget` bytes, with new edges if there must be, and with
/// none if it cannot be had: edges that do not serve their purpose are not worth
/// what they cost. The plan then is that of `solve`. Fails as `solve`.
Result<ConditionedPlan> solveWithin(const Problem &problem,
                                    std::uint64_t budget,
                                    const SolveOptions &solveOptions = {},
                                    const OrderingOptions &options = {});

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_ORDERINGEDGES_H
