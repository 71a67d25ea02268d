//===- SlotBound.h - What whole-buffer reuse cannot beat ---------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers and to the check of claims: a lower bound on the bytes
// of every plan in which whole physical buffers are re-used.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SLOTBOUND_H
#define TRANSIENT_LIB_PLANNER_SLOTBOUND_H

#include "Instance.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

/// For every size s, as many buffers of at least s bytes are needed as there
/// are pairwise conflicting items of at least s bytes: the integral of that
/// width over s (weighted chain cover; the positional maxima of Pisarchyk and
/// Lee 2020 are the case of intervals). `items` are of one space.
///
/// Over intervals exactly that, O(n log n). Over a partial order one flow a
/// size, for at most `maxFlows` sizes spread over those that occur; fewer sizes
/// give a smaller bound, which is valid all the same. Never less than 0, and 0
/// where exclusive pairs make antichains no evidence.
std::uint64_t slotBound(const Instance &instance,
                        const std::vector<Item> &items,
                        std::size_t maxFlows = 64);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SLOTBOUND_H
