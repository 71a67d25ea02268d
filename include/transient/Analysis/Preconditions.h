//===- Preconditions.h - Order that a plan relies on ---------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedule-conditioned sharing (G2b): which work can be made to wait for which,
// and what a function lists in `transient.preconditions`.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_PRECONDITIONS_H
#define TRANSIENT_ANALYSIS_PRECONDITIONS_H

#include "transient/Analysis/ExecutionOrder.h"
#include "transient/Planner/OrderingEdges.h"

#include <optional>
#include <string>
#include <vector>

namespace transient {

/// Why the work of node `start` cannot be made to wait for that of node `end`
/// by one more token operand, or nothing. Both must be asynchronous ops of the
/// gpu dialect in one block, `end` first: then its token dominates the other,
/// and the wait runs as often as both do. Nodes must exist. O(1).
std::optional<std::string> getWaitObstacle(const ExecutionOrder &order,
                                           planner::NodeId end,
                                           planner::NodeId start);

/// The preconditions of the function, or an error for the first that names a
/// node that does not exist or that cannot be realised.
mlir::FailureOr<std::vector<planner::OrderingEdge>>
getPreconditions(const ExecutionOrder &order);

/// Replaces the function's preconditions; removes the attribute if there are
/// none.
void setPreconditions(mlir::FunctionOpInterface function,
                      llvm::ArrayRef<planner::OrderingEdge> edges);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_PRECONDITIONS_H
