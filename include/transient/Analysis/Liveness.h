//===- Liveness.h - When a buffer is in use ------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lifetimes as frontiers in the order of events (C3-C5). Sets from the first
// line on: one last user is the special case.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_LIVENESS_H
#define TRANSIENT_ANALYSIS_LIVENESS_H

#include "transient/Analysis/BufferInventory.h"
#include "transient/Analysis/ExecutionOrder.h"

namespace transient {

/// Returns the derived lifetime of `record`, which must have users:
///   - `first`: the users that no other user ends before,
///   - `last`: the users that end before no other user starts,
///   - `creation`: the first among the users that may write.
/// Every node of a function with one block runs in every activation, so any
/// user may stand in for one that it follows. O(k log k + k w) for k users in
/// w chains.
LifetimeAttr deriveLifetime(const BufferRecord &record,
                            const ExecutionOrder &order);

/// Checks a declared lifetime against the derived one (Q16): execution must be
/// proved to follow the order of the node ids, and the interval must cover all
/// users. Emits errors at the allocation with a note at the op that is left
/// out.
mlir::LogicalResult verifyDeclaredLifetime(AllocOp op, LifetimeAttr declared,
                                           const BufferRecord &record,
                                           const ExecutionOrder &order);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_LIVENESS_H
