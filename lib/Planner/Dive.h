//===- Dive.h - Skyline dive over intervals ----------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Placement of intervals from the bottom up, always at
// the lowest place that can be filled, without ever looking at a conflict pair.
// Only for interval instances without fixed offsets and pairs.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_DIVE_H
#define TRANSIENT_LIB_PLANNER_DIVE_H

#include "ArenaAlgorithms.h"
#include "Instance.h"

#include <vector>

namespace transient::planner {

/// True when `dive` applies to `instance`.
inline bool canDive(const Instance &instance) {
  return instance.interval && !instance.hasFixed && !instance.hasPairs;
}

/// Repeats: take the lowest stretch of the skyline (leftmost of equals); place
/// at its height the best of the unplaced items whose lifetime lies within it,
/// best meaning earliest in `order`; where none fits, raise the stretch to its
/// lower neighbour. About O(n log n) in practice, O(n sqrt n) at worst.
/// Precondition: canDive(instance).
ArenaLayout dive(const Instance &instance, const std::vector<Item> &order,
                 std::uint64_t arenaAlign);

/// The same, but best are the items that cover the moment of the stretch at
/// which the most must still be held, of these one that leaves the least
/// pressure to the moments beside it, and only then the earliest in `order`.
/// `start` is the pressure by time at first: the live bytes, or more where an
/// earlier layout was too high. A few times the cost of `dive`.
ArenaLayout criticalDive(const Instance &instance,
                         const std::vector<Item> &order,
                         std::uint64_t arenaAlign,
                         const std::vector<std::uint64_t> &start);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_DIVE_H
