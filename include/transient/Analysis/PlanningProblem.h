//===- PlanningProblem.h - From IR to the planner library ----- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the planner library's problem from the lifetimes in the IR, and
// nothing else: what was declared by hand is planned as declared.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_PLANNINGPROBLEM_H
#define TRANSIENT_ANALYSIS_PLANNINGPROBLEM_H

#include "transient/Analysis/ExecutionOrder.h"
#include "transient/IR/Transient.h"
#include "transient/Planner/OrderingEdges.h"
#include "transient/Planner/Problem.h"

#include <vector>

namespace transient {

/// What a target demands of every placement.
struct PlacementRules {
  /// Offsets are multiples of this, in bytes; 1 demands nothing.
  uint64_t minAlignment = 1;
  /// Which contract imposes it: "target" or "option".
  std::string alignmentSource;
};

/// What must agree for two buffers to share a physical buffer.
struct StorageSpace {
  AllocKind kind = AllocKind::MemRef;
  mlir::Attribute memorySpace;
  mlir::StringAttr owner;

  bool operator==(const StorageSpace &other) const {
    return kind == other.kind && memorySpace == other.memorySpace &&
           owner == other.owner;
  }
};

/// A planner problem and the ops its buffers stand for.
struct PlanningProblem {
  planner::Problem problem;
  /// What the function lists as preconditions. The order of `problem` has them.
  std::vector<planner::OrderingEdge> preconditions;
  /// By buffer index of `problem`: the requests that have a lifetime, in
  /// program order.
  std::vector<AllocOp> requests;
  /// Meaning of `planner::Buffer::space`.
  std::vector<StorageSpace> spaces;
};

/// Name of a buffer in problems and reports: `b` and its index among the
/// allocations of the function in program order; the same number that views
/// carry as tenant.
std::string getBufferName(unsigned index);

/// Calls `callback` with every allocation of `function` that may hold a planned
/// buffer (`transient.alloc`, `memref.alloc`, `gpu.alloc` of a ranked type) and
/// its index, in program order.
void forEachAllocation(
    mlir::Operation *function,
    llvm::function_ref<void(unsigned index, mlir::Operation *op)> callback);

/// Whether the numbers that `transient.node` attributes give are those of
/// `order`; emits an error otherwise. Without any they are.
mlir::LogicalResult verifyNodeNumbers(mlir::FunctionOpInterface function,
                                      const ExecutionOrder &order);

/// Builds the problem of `function`. Emits an error and fails when a size is
/// not known, a lifetime names a node that does not exist, or `transient.node`
/// attributes do not match `order`, or
/// a precondition cannot be realised.
mlir::FailureOr<PlanningProblem>
buildPlanningProblem(mlir::FunctionOpInterface function,
                     const ExecutionOrder &order, const PlacementRules &rules);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_PLANNINGPROBLEM_H
