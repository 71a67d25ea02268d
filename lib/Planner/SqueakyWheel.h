//===- SqueakyWheel.h - Place what stuck out sooner --------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Squeaky wheel optimisation (Joslin and Clements, JAIR
// 1999) over any placement that is driven by an order of preference: what ended
// up too high is preferred earlier the next time. For instances too large for
// an exact search, and to give one a better start.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SQUEAKYWHEEL_H
#define TRANSIENT_LIB_PLANNER_SQUEAKYWHEEL_H

#include "ArenaAlgorithms.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace transient::planner {

struct SqueakyWheelOptions {
  std::uint64_t enough = 0;                ///< Stop at this height or below.
  std::uint64_t bound = 0;                 ///< What ends above it is to blame.
  unsigned rounds = 0;                     ///< Placements tried at most.
  const std::atomic<bool> *stop = nullptr; ///< See SolveOptions.
  /// Called after every round with the best height; may be empty.
  std::function<void(std::uint64_t)> progress;
};

/// Starts from `order` and places up to `rounds` times with `place`, which gets
/// an order and the pressure of each moment (see criticalDive); `best` becomes
/// the lowest layout that is lower than it was. Returns whether it did.
/// Deterministic: its pseudo-random numbers start anew with every call. O(n log
/// n) a round besides `place`.
bool improveBySqueakyWheel(
    const Instance &instance, std::vector<Item> order,
    const std::function<ArenaLayout(const std::vector<Item> &,
                                    const std::vector<std::uint64_t> &)> &place,
    const SqueakyWheelOptions &options, ArenaLayout &best);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SQUEAKYWHEEL_H
