//===- Verify.h - Independent check of a plan --------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says whether a plan is safe, trusting nobody. Shares no code with the
// solvers: it has its own arithmetic, its own conflict rule and its own
// reachability over the raw edges, and never calls PartialOrder::precedes,
// conflicts() or alignedBytes(). Keep it that way: a mistake made twice in one
// place is a mistake nobody finds.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_VERIFY_H
#define TRANSIENT_PLANNER_VERIFY_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace transient::planner {

/// A broken rule.
struct Violation {
  enum class Rule {
    Shape,       ///< Not one placement a buffer, or an unknown physical buffer.
    Storage,     ///< A buffer that needs storage has none, or the reverse.
    Size,        ///< Placed bytes are not capacity rounded to the alignment.
    Alignment,   ///< Offset or base alignment not a multiple of what is needed.
    FixedOffset, ///< Not at the offset that was asked for.
    Bounds,      ///< Reaches past the end of the physical buffer.
    Usage,       ///< Required usage bits that the physical buffer lacks (Q12).
    Space,       ///< Tenant and physical buffer of different spaces.
    Overlap,     ///< Bytes shared by buffers not proved apart (R7, G2a).
    NeverShare,  ///< Bytes shared by a pair that must never share.
    Totals,      ///< An accounted number differs from the recomputed one.
    Claims,      ///< A bound or optimality that could not be confirmed.
  };
  Rule rule = Rule::Shape;
  /// Buffers concerned; equal when there is only one, kNone when none.
  static constexpr BufferIndex kNone = ~BufferIndex(0);
  BufferIndex a = kNone, b = kNone;
  /// Names buffers, bytes and nodes.
  std::string message;
};

/// Stable lower-case name of a rule ("overlap", "fixed-offset", ...).
const char *toString(Violation::Rule rule);

/// Limits of the check.
struct VerifyOptions {
  /// Stop after this many violations, but never before the first.
  std::size_t maxViolations = 100;
};

/// Every rule that `plan` breaks for `problem`; empty means good. Assumes the
/// problem is valid, but never crashes on one that is not. Every pair that
/// overlaps in bytes is decided: in a partial order those where one buffer
/// takes bytes over directly from another stand for all that overlap, as long
/// as "before" is transitive over them, and the others are looked at one by
/// one; so is each pair with a buffer that is in an exclusive pair.
/// O(n log n) for a total order; else O(n log n + pairs looked at +
/// (nodes + edges) * last nodes / 64).
///
/// Says nothing about `lowerBoundBytes` beyond the plan's own sums: a plan may
/// be safe without being what it says of itself. See `verifyClaims`.
std::vector<Violation> verify(const Problem &problem, const Plan &plan,
                              const VerifyOptions &options = {});

/// What the plan claims about the problem and not about bytes (rule Claims): a
/// lower bound above the one of Bound.h, an `exact` or `optimal` that it does
/// not bear out. Safety does not depend on it, so this one may and does use the
/// planner's own bound. A bound above that one is confirmed only by the same
/// exhaustive search that found it, within 3 * 10^10 steps a space. Costs
/// nothing for a plan that claims nothing.
std::vector<Violation> verifyClaims(const Problem &problem, const Plan &plan);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_VERIFY_H
