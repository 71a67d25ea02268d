//===- Replan.h - A plan that keeps what it can of an old one ----*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning after a small change of a program: addresses that are still right
// stay what they are, because captured graphs, caches and people depend on
// them. Nothing of the old plan is trusted: what is kept is kept because it is
// right for the new problem.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_REPLAN_H
#define TRANSIENT_PLANNER_REPLAN_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"
#include "transient/Planner/Solve.h"

#include <cstddef>
#include <vector>

namespace transient::planner {

/// A new plan and what became of the old one. Each list is sorted.
struct Replan {
  Plan plan;
  std::vector<BufferIndex> kept;  ///< At their old offset.
  std::vector<BufferIndex> moved; ///< Were in the old plan, lie elsewhere now.
  std::vector<BufferIndex> added; ///< Were not in the old plan.
};

/// Plans `problem`, an arena a space, with every buffer that has the id of a
/// buffer of `old` at the offset it has in `oldPlan`, unless that offset is not
/// a multiple of its alignment any more, or is taken away by a fixed offset, or
/// two kept buffers would overlap that conflict now: then the one with more
/// such overlaps gives way, the later one of equals. The rest is placed around
/// what is kept. If the result exceeds `options.capacity`, buffers that end
/// beyond it give way too, and at last all do.
///
/// `oldPlan` is a plan of `old`, one physical buffer a space. Fails as `solve`
/// does, with MismatchedPlan when `oldPlan` is not a plan for `old`, and with
/// UnknownAlgorithm for slots. O(n log n + overlaps in bytes among kept
/// buffers), besides one `solve` without search.
Result<Replan> planFrom(const Problem &problem, const Problem &old,
                        const Plan &oldPlan, const SolveOptions &options = {});

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_REPLAN_H
