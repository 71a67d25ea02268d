//===- MinimalConflict.h - Few items that cannot fit -------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. What to show to somebody whose capacity is too small:
// not all buffers, but few that already need more.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_MINIMALCONFLICT_H
#define TRANSIENT_LIB_PLANNER_MINIMALCONFLICT_H

#include "Instance.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

/// Of `clique`, pairwise in conflict and heavier than `capacity`, the largest
/// that are together heavier. Without any one of them they are not.
std::vector<Item> minimalOverload(const Instance &instance,
                                  std::vector<Item> clique,
                                  std::uint64_t capacity);

/// Of `items`, for which search has shown that they do not fit `capacity`, a
/// subset for which it shows the same. `minimal` becomes true when it shows for
/// each that the others fit without it. Spends about `steps` of ExactSearch a
/// question, and asks about 2 n of them. Sorted.
std::vector<Item> minimalUnplaceable(const Instance &instance,
                                     std::vector<Item> items,
                                     std::uint64_t arenaAlign,
                                     std::uint64_t capacity,
                                     std::uint64_t steps, bool &minimal);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_MINIMALCONFLICT_H
