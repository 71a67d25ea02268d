//===- Plan.cpp - Place requests in shared physical buffers ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-plan: gather, build the planner library's problem, solve,
// verify, write placements. Nothing else in the IR changes (Q3, Q8).
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/IR/Transient.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"
#include "transient/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTPLANPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

struct PlanPass : public transient::impl::TransientPlanPassBase<PlanPass> {
  using TransientPlanPassBase::TransientPlanPassBase;

  void runOnOperation() override {
    if (!llvm::isPowerOf2_64(alignment)) {
      emitError(getOperation().getLoc())
          << "transient-plan: expects 'alignment' to be "
             "a power of two, got "
          << alignment.getValue();
      return signalPassFailure();
    }
    if (target == Target::WebGpu && strategy == PlacementStrategy::Arena) {
      // Usage scopes track whole buffers: a dispatch may not read one part of
      // a buffer and write another.
      emitError(getOperation().getLoc())
          << "transient-plan: target=webgpu validates usage per whole buffer; "
             "use strategy=slots";
      return signalPassFailure();
    }
    SymbolTableCollection symbols;
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      if (failed(planFunction(function, symbols)))
        signalPassFailure();
  }

  PlacementRules getRules() const {
    PlacementRules rules{alignment, "option"};
    uint64_t required =
        target == Target::Vulkan || target == Target::WebGpu ? 256 : 1;
    if (required > rules.minAlignment)
      rules = {required, "target"};
    return rules;
  }

  LogicalResult planFunction(FunctionOpInterface function,
                             SymbolTableCollection &symbols) {
    bool hasLifetimes = false;
    function->walk([&](AllocOp op) {
      op.removePlacementAttr();
      hasLifetimes |= static_cast<bool>(op.getLifetimeAttr());
    });
    if (!hasLifetimes)
      return success();
    ExecutionOrder order(function, symbols);
    FailureOr<PlanningProblem> built =
        buildPlanningProblem(function, order, getRules());
    if (failed(built))
      return failure();
    planner::SolveOptions options;
    options.strategy = strategy == PlacementStrategy::Slots
                           ? planner::Strategy::Slots
                           : planner::Strategy::Arena;
    planner::Result<planner::Plan> plan =
        planner::solve(built->problem, options);
    if (!plan)
      return emitPlannerError(function, *built, plan.error());
    // The library's checker shares no code with its solvers.
    for (const planner::Violation &violation :
         planner::verify(built->problem, *plan))
      return emitError(function.getLoc())
             << "transient-plan: refused its own plan: " << violation.message;
    for (auto [index, request] : llvm::enumerate(built->requests)) {
      const planner::Placement &placement = plan->placements[index];
      std::optional<uint32_t> physical = placement.physical;
      // A buffer of no bytes takes no storage: any physical buffer of its space
      // can hold the view. Where there is none, the allocation stays.
      if (!physical)
        physical = findPhysical(*plan, built->problem.buffers[index].space);
      if (!physical)
        continue;
      request.setPlacementAttr(PlacementAttr::get(function->getContext(),
                                                  *physical, placement.offset,
                                                  placement.bytes));
    }
    return success();
  }

  static std::optional<uint32_t> findPhysical(const planner::Plan &plan,
                                              uint32_t space) {
    for (auto [index, physical] : llvm::enumerate(plan.physicals))
      if (physical.space == space)
        return index;
    return std::nullopt;
  }

  static LogicalResult emitPlannerError(FunctionOpInterface function,
                                        PlanningProblem &built,
                                        const planner::Error &error) {
    for (auto [buffer, request] :
         llvm::zip_equal(built.problem.buffers, built.requests))
      if (buffer.id == error.buffer)
        return request.emitOpError() << error.message;
    return emitError(function.getLoc()) << "transient-plan: " << error.message;
  }
};

} // namespace
