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
#include "ContainmentTree.h"
#include "Instance.h"

#include <vector>

namespace transient::planner {

/// True when `Dive` applies to `instance`.
inline bool canDive(const Instance &instance) {
  return instance.interval && !instance.hasFixed && !instance.hasPairs;
}

/// Built once for the items of a space, then run for any order of them.
class Dive {
public:
  /// O(n log n). Precondition: canDive(instance), which outlives this.
  Dive(const Instance &instance, const std::vector<Item> &items)
      : instance(&instance), tree(instance, items) {}

  /// Repeats: take the lowest stretch of the skyline (leftmost of equals);
  /// place at its height the best of the unplaced items whose lifetime lies
  /// within it, best meaning earliest in `order`; where none fits, raise the
  /// stretch to its lower neighbour. About O(n log n) in practice, O(n sqrt n)
  /// at worst.
  ArenaLayout run(const std::vector<Item> &order, std::uint64_t arenaAlign,
                  const Patience &patience = {});

  /// The same, but best are the items that cover the moment of the stretch at
  /// which the most must still be held, of these one that leaves the least
  /// pressure to the moments beside it, and only then the earliest in `order`.
  /// `start` is the pressure by time at first: the live bytes, or more where
  /// an earlier layout was too high. A few times the cost of `run`.
  ArenaLayout runCritical(const std::vector<Item> &order,
                          std::uint64_t arenaAlign,
                          const std::vector<std::uint64_t> &start,
                          const Patience &patience = {});

private:
  template <class Choose, class Waste>
  ArenaLayout fill(const std::vector<Item> &order, std::uint64_t arenaAlign,
                   const Patience &patience, const Choose &choose,
                   const Waste &waste);

  const Instance *instance;
  ContainmentTree tree;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_DIVE_H
