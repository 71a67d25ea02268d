//===- InstanceBound.h - Lower bound of one space ----------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private: the bound of Bound.h for one space of an instance, which is where
// solvers learn when to stop.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_INSTANCEBOUND_H
#define TRANSIENT_LIB_PLANNER_INSTANCEBOUND_H

#include "Instance.h"

#include "transient/Planner/Bound.h"

#include <vector>

namespace transient::planner {

/// Bound on what `items`, all of one space, need in one physical buffer. The
/// witness holds items, not buffers.
Bound boundOfSpace(const Instance &instance, const std::vector<Item> &items,
                   const BoundOptions &options);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_INSTANCEBOUND_H
