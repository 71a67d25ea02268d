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

/// Returns the derived lifetime of `record`, which must have users. It is in
/// use at its users, and where control enters and leaves the loops it spans;
///   - `first`: the nodes of these that no other one ends before,
///   - `last`: those that end before no other one starts,
///   - `creation`: the first among the users that may write.
/// Work in a branch or a loop never stands in for work outside (see
/// ExecutionOrder). O(k log k + k w) for k nodes in w chains.
LifetimeAttr deriveLifetime(const BufferRecord &record,
                            const ExecutionOrder &order);

/// Whether all that uses the placed requests of `function` has ended when it
/// returns. False for several blocks: with several returns, last users do not
/// stand for the others. Linear in the requests and their last users.
bool endsAtReturns(mlir::FunctionOpInterface function,
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
