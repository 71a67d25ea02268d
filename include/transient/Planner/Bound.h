//===- Bound.h - What no plan can beat ---------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers about a problem that hold whatever plan is made for it. Every number
// says whether it is exact, by which method it was found, and brings the
// buffers that show it. Sizes are the aligned ones (F1). Knows no algorithm
// that places anything.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_BOUND_H
#define TRANSIENT_PLANNER_BOUND_H

#include "transient/Planner/Problem.h"
#include "transient/Planner/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace transient::planner {

/// A number and what it rests on.
struct Bound {
  std::uint64_t bytes = 0;
  /// lowerBound: `bytes` is the most that buffers in pairwise conflict weigh
  /// (summed over spaces). peakUpper: some execution reaches `bytes`.
  bool exact = false;
  /// "load", "max-weight-antichain", "min-cut", ..., with the reason where
  /// `exact` is false.
  std::string method;
  /// Sorted buffer indices. lowerBound: pairwise in conflict within each space,
  /// weighing exactly `bytes` together. peakUpper: the residents of the cut.
  std::vector<BufferIndex> witness;
};

/// Limits that keep a bound affordable; counts, so the same everywhere.
struct BoundOptions {
  /// Largest flow network, in events, for which a flow is computed. Beyond it
  /// the load of one linear extension stands in: valid, not exact. As many arcs
  /// may tie frontiers of several nodes directly to each other; beyond it one
  /// first node stands for several.
  std::size_t maxFlowEvents = 2000000;
};

/// Bytes that every plan without new ordering edges needs, the sum over
/// spaces of the heaviest set of pairwise conflicting buffers.
///
/// Total order: LOAD, the most bytes live at one node; O(n log n), exact.
/// Partial order: heaviest antichain of "before", by one maximum flow on the
/// DAG of events (weighted Dilworth: sum of weights minus the largest
/// transport from releases to later creations); exact. It is an antichain of
/// the given edges, whatever columns the order's index dropped, and at least
/// the load of the linear extension; where it may not be the heaviest, `exact`
/// is false. With `neverShare` or
/// `exclusive` pairs the heaviest clique is no longer an antichain: the bound
/// is then certified by `witness`, and exact only where the relaxation without
/// those pairs agrees.
/// Fails as `validate`.
Result<Bound> lowerBound(const Problem &problem, const BoundOptions & = {});

/// The most bytes live at once over ALL executions that respect the order
/// (E2's P_upper), over all spaces together, by a minimum cut on the event DAG
/// with one release event a buffer. Exact when every buffer has one first and
/// one last node and no pair is exclusive; otherwise an upper bound, because a
/// join of several last users is modelled as an event that may lag (the exact
/// value is NP-hard: Touati's register saturation).
/// Fails as `validate`.
Result<Bound> peakUpper(const Problem &problem, const BoundOptions & = {});

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_BOUND_H
