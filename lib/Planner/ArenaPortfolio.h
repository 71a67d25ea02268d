//===- ArenaPortfolio.h - The best arena for one space -----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to `solve`: which algorithms are run on one space, in which order,
// with how much effort, and when to stop. Every step takes the best layout so
// far and gives one that is no higher, so that whenever it stops there is a
// plan. Knows nothing of capacities over several spaces, plans or accounting.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_ARENAPORTFOLIO_H
#define TRANSIENT_LIB_PLANNER_ARENAPORTFOLIO_H

#include "ArenaAlgorithms.h"
#include "Instance.h"

#include "transient/Planner/Bound.h"
#include "transient/Planner/Plan.h"
#include "transient/Planner/Solve.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace transient::planner {

/// What is to be done for one space.
struct SpaceTask {
  const Instance &instance;
  const std::vector<Item> &items; ///< Of one space.
  const SolveOptions &options;
  /// No layout is lower.
  std::uint64_t bound = 0;
  /// A layout of this height is good enough; nothing: only the best is.
  std::optional<std::uint64_t> target;
};

/// The best layout found.
struct SpaceResult {
  ArenaLayout layout;
  std::string algorithm;
  /// No layout is lower: the task's bound, or more where a search was
  /// exhausted.
  std::uint64_t bound = 0;
  /// That there is no layout within the target was proved by search.
  bool excluded = false;
};

/// Runs the algorithm that the options name, or all that are worth running.
/// Adds to `stats`. Fails as `solve` does for one space.
Result<SpaceResult> solveSpace(const SpaceTask &task, PlanStats &stats);

/// Names in the order in which they are tried.
std::vector<std::string> arenaAlgorithmNames();

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_ARENAPORTFOLIO_H
