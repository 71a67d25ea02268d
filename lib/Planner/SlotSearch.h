//===- SlotSearch.h - Fewer and smaller whole buffers ------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. Whole-buffer reuse beyond one greedy pass: what a few
// slots hold is taken out and put back in another way, again and again.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SLOTSEARCH_H
#define TRANSIENT_LIB_PLANNER_SLOTSEARCH_H

#include "Instance.h"
#include "SlotAlgorithms.h"

#include <atomic>
#include <cstdint>

namespace transient::planner {

struct SlotSearchOptions {
  std::uint64_t bound = 0;    ///< Stop when all slots together are this small.
  std::uint64_t maxLooks = 0; ///< Conflict tests at most, about.
  const std::atomic<bool> *stop = nullptr; ///< See SolveOptions.
};

/// Largest first, into the slot that wastes least time between its tenants
/// (greedy by size improved, Pisarchyk and Lee 2020); then ruin and recreate
/// (Schrimpf et al. 2000) of two or three slots at a time. Never worse than
/// that start. A slot is as large as its largest tenant and offers the usage of
/// that tenant, never more. Deterministic as long as `stop` stays false.
SlotLayout slotsBySearch(const Instance &instance,
                         const SlotSearchOptions &options);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SLOTSEARCH_H
