//===- SplitArenas.h - Several physical buffers of limited size --*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For executors whose allocations may not exceed some size. Private to the
// planner; `solve` comes here when `SolveOptions::maxBufferBytes` is set.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SPLITARENAS_H
#define TRANSIENT_LIB_PLANNER_SPLITARENAS_H

#include "transient/Planner/Solve.h"

namespace transient::planner {

/// A plan of which no physical buffer has more than `options.maxBufferBytes`
/// bytes. Arenas are cut off one after the other: of a plan for what is left,
/// all that lies within the limit stays, the rest is planned anew. The first plan
/// is made with the effort asked for, what is left with the least. No buffer is
/// torn apart. Fails as `solve`, and with Infeasible, naming the buffer, for
/// one that is larger than the limit or fixed beyond it.
Result<Plan> solveSplit(const Problem &problem, const SolveOptions &options);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SPLITARENAS_H
