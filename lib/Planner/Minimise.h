//===- Minimise.h - Lower and lower by exact search --------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Turns the yes-or-no of ExactSearch into a minimiser
// that has the best layout so far at any time, and a bound that rises with
// every capacity that is proved to be too small.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_MINIMISE_H
#define TRANSIENT_LIB_PLANNER_MINIMISE_H

#include "ArenaAlgorithms.h"
#include "ConflictGraph.h"
#include "Instance.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace transient::planner {

struct MinimiseOptions {
  std::uint64_t arenaAlign = 1;
  /// Stop at this height or below, or as soon as it is excluded.
  std::optional<std::uint64_t> target;
  std::uint64_t maxSteps = 0; ///< Of ExactSearch.
  /// Asked now and then; may be null. Stops the search when it says true.
  const std::atomic<bool> *stop = nullptr;
  /// Called after every change of either end and now and then between, with
  /// height, bound and steps so far; may be empty.
  std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> progress;
};

struct MinimiseResult {
  bool improved = false; ///< `layout` was lowered.
  bool excluded = false; ///< Proved: nothing is within the target.
  std::uint64_t steps = 0;
};

/// Lowers `layout`, a valid one, and raises `bound`, a valid one, by searches
/// within capacities between them, until they meet, the target is met, or the
/// steps are spent. Asks first for the bound itself: tight questions are the
/// easy ones. Deterministic as long as `stop` stays false.
MinimiseResult minimise(const Instance &instance, const ConflictGraph &graph,
                        const MinimiseOptions &options, ArenaLayout &layout,
                        std::uint64_t &bound);

/// The number that divides every height a canonical placement can have: heights
/// are made of sizes, fixed offsets and alignments. At least 1.
std::uint64_t granularity(const Instance &instance,
                          const std::vector<Item> &items,
                          std::uint64_t arenaAlign);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_MINIMISE_H
