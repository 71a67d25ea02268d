//===- ArenaAlgorithms.h - List placement of offsets -------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Placement of items at byte offsets, one after another
// in a given order, each at an offset that is free among its conflicts. Works
// for every kind of instance; the skyline dive (Dive.h) is faster where it
// applies.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_ARENAALGORITHMS_H
#define TRANSIENT_LIB_PLANNER_ARENAALGORITHMS_H

#include "Instance.h"

#include "transient/Planner/Result.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

/// Offsets of the items of one space.
struct ArenaLayout {
  /// By item of the instance; only those of the space are meaningful.
  std::vector<std::uint64_t> offset;
  std::uint64_t height = 0; ///< Highest end.
  std::uint64_t comparisons = 0;
  bool complete = true; ///< False: given up, and nothing else is meaningful.
};

/// When a layout is given up.
struct Patience {
  std::uint64_t height = UINT64_MAX; ///< Once it is as high as that.
  /// After about as many; only lists look.
  std::uint64_t comparisons = UINT64_MAX;
};

/// Where among the free places an item goes.
enum class Fit {
  First, ///< Lowest offset.
  Best,  ///< Smallest free gap between conflicting items, ties lowest; above
         ///< all of them only when there is none.
};

/// Places `order`, fixed offsets first, at multiples of `arenaAlign` and of
/// each item's alignment. Fails with Infeasible when two fixed offsets
/// contradict, naming both buffers. `byStart` says that `order` is Rank::Start,
/// which lets expired intervals be forgotten.
Result<ArenaLayout> placeInOrder(const Instance &instance,
                                 const std::vector<Item> &order, Fit fit,
                                 std::uint64_t arenaAlign, bool byStart,
                                 const Patience &patience);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_ARENAALGORITHMS_H
