//===- SlotAlgorithms.h - Reuse of whole buffers -----------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Assignment of items to whole physical buffers, all at
// offset zero. A physical buffer takes size and usage from its first tenant and
// keeps them: neither algorithm grows or widens one.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SLOTALGORITHMS_H
#define TRANSIENT_LIB_PLANNER_SLOTALGORITHMS_H

#include "Instance.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

/// One physical buffer of a slot layout.
struct SlotBuffer {
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0, space = 0;
  std::vector<Item> tenants; ///< In order of assignment.
};

struct SlotLayout {
  std::vector<SlotBuffer> slots;     ///< In order of creation.
  std::vector<std::uint32_t> slotOf; ///< By item.
  std::uint64_t comparisons = 0;
};

/// S0's planner (Q1-Q19), generalised to a partial order: see Solve.h. Over
/// intervals O(n log n) for few distinct usages; else O(n * slots).
SlotLayout slotsBestFit(const Instance &instance);

/// Largest first into the slot with the least waste and no conflicting tenant,
/// the first of equals. O(n^2).
SlotLayout slotsGreedyBySize(const Instance &instance);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SLOTALGORITHMS_H
