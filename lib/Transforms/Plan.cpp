//===- Plan.cpp - Place requests in shared physical buffers ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-plan: gather, build the planner library's problem, solve,
// verify, write placements. Nothing else in the IR changes (Q3, Q8), but for
// requests that stand for what private callees need.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/CallTree.h"
#include "transient/Analysis/Liveness.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/Analysis/Preconditions.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"
#include "transient/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace transient {
#define GEN_PASS_DEF_TRANSIENTPLANPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

struct PlanPass : public transient::impl::TransientPlanPassBase<PlanPass> {
  using TransientPlanPassBase::TransientPlanPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientPlanPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
    registerValueBoundsModels(registry);
  }

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
    if (orderingBudget < -1) {
      emitError(getOperation().getLoc())
          << "transient-plan: expects 'ordering-budget' to be bytes or -1, got "
          << orderingBudget.getValue();
      return signalPassFailure();
    }
    if (maxBufferBytes < -1) {
      emitError(getOperation().getLoc())
          << "transient-plan: expects 'max-buffer-bytes' to be bytes or -1, got "
          << maxBufferBytes.getValue();
      return signalPassFailure();
    }
    ModuleOp module = getOperation();
    bool changedOps = false;
    module->walk([&](AllocOp request) {
      request.removePlacementAttr();
      if (request.getWorkspaceAttr()) {
        request.erase();
        changedOps = true;
      }
    });
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    CallTree calls(module, kernels);
    // Callees first: what they need is a buffer of their callers.
    for (FunctionOpInterface function : calls.getBottomUp()) {
      FailureOr<planner::Plan> plan = planFunction(function, kernels);
      if (failed(plan)) {
        signalPassFailure();
        continue;
      }
      ArrayRef<func::CallOp> sites = calls.getServingCalls(function);
      addWorkspaces(function, *plan, sites, kernels);
      changedOps |= !sites.empty();
    }
    // Otherwise only attributes have changed.
    if (!changedOps)
      markAllAnalysesPreserved();
  }

  /// Requests before each of `calls` what `callee` needs by its plan.
  static void addWorkspaces(FunctionOpInterface callee,
                            const planner::Plan &plan,
                            ArrayRef<func::CallOp> calls,
                            KernelAccessCache &kernels) {
    // One request of each physical buffer tells its kind and memory space.
    std::vector<AllocOp> tenants(plan.physicals.size());
    callee->walk([&](AllocOp request) {
      if (PlacementAttr placement = request.getPlacementAttr())
        if (static_cast<size_t>(placement.getPhysical()) < tenants.size())
          tenants[placement.getPhysical()] = request;
    });
    if (calls.empty() || !llvm::all_of(tenants, [](AllocOp op) { return op; }) ||
        !endsAtReturns(callee, ExecutionOrder(callee, kernels)))
      return;
    for (func::CallOp call : calls)
      for (auto [index, physical] : llvm::enumerate(plan.physicals)) {
        OpBuilder builder(call);
        AllocOp tenant = tenants[index];
        auto type = MemRefType::get({static_cast<int64_t>(physical.bytes)},
                                    builder.getI8Type(),
                                    MemRefLayoutAttrInterface(),
                                    tenant.getMemRefType().getMemorySpace());
        AllocOp::create(
            builder, call.getLoc(), type, ValueRange(), tenant.getKind(),
            ResourceClassAttr::get(builder.getContext(),
                                   ResourceClass::Workspace),
            tenant.getUsageAttr()
                ? UsageAttr::get(builder.getContext(),
                                 static_cast<Usage>(physical.usage))
                : UsageAttr(),
            builder.getI64IntegerAttr(physical.alignment), tenant.getOwnerAttr(),
            LifetimeAttr(), PlacementAttr(), IntegerAttr(), IntegerAttr(),
            WorkspaceAttr::get(builder.getContext(), call.getCalleeAttr(),
                               static_cast<int64_t>(index)));
      }
  }

  /// Gives the workspaces in `function` their lifetimes, and the other requests
  /// theirs anew: in a loop all that share must follow one chain of tokens, or the
  /// host, and the workspaces were not there when that was chosen. What was declared
  /// stays.
  static void addWorkspaceLifetimes(FunctionOpInterface function,
                                    const ExecutionOrder &order,
                                    KernelAccessCache &kernels) {
    bool hasWorkspaces = false;
    function->walk([&](AllocOp request) {
      hasWorkspaces |= static_cast<bool>(request.getWorkspaceAttr());
    });
    if (!hasWorkspaces)
      return;
    BufferInventory inventory(function, order, kernels,
                              /*allocationsOnly=*/true);
    for (const BufferRecord &record : inventory.getRecords()) {
      auto request = dyn_cast_or_null<AllocOp>(record.op);
      if (!request || !record.isPlannable())
        continue;
      LifetimeAttr lifetime = request.getLifetimeAttr();
      if (request.getWorkspaceAttr() ||
          (lifetime && lifetime.getOrigin() == LifetimeOrigin::Derived))
        request.setLifetimeAttr(deriveLifetime(record, order));
    }
  }

  PlacementRules getRules() const {
    PlacementRules rules{alignment, "option"};
    uint64_t required =
        target == Target::Vulkan || target == Target::WebGpu ? 256 : 1;
    if (required > rules.minAlignment)
      rules = {required, "target"};
    return rules;
  }

  FailureOr<planner::Plan> planFunction(FunctionOpInterface function,
                                        KernelAccessCache &kernels) {
    bool hasRequests = false;
    function->walk([&](AllocOp op) {
      hasRequests |= op.getLifetimeAttr() || op.getWorkspaceAttr();
    });
    if (!hasRequests)
      return planner::Plan();
    ExecutionOrder order(function, kernels);
    addWorkspaceLifetimes(function, order, kernels);
    FailureOr<PlanningProblem> built =
        buildPlanningProblem(function, order, getRules());
    if (failed(built))
      return failure();
    planner::Problem shared = built->problem;
    keepApart(shared);
    planner::SolveOptions options;
    options.strategy = strategy == PlacementStrategy::Slots
                           ? planner::Strategy::Slots
                           : planner::Strategy::Arena;
    if (maxBufferBytes >= 0)
      options.maxBufferBytes = maxBufferBytes;
    planner::Result<planner::Plan> plan =
        orderingBudget < 0 ? planner::solve(shared, options)
                           : solveWithin(shared, options, *built, order);
    if (!plan)
      return emitPlannerError(function, *built, plan.error());
    // The library's checker shares no code with its solvers.
    for (const planner::Violation &violation :
         planner::verify(built->problem, *plan))
      return emitError(function.getLoc())
             << "transient-plan: refused its own plan: " << violation.message;
    if (failed(verifyFitsIR(*built, *plan)))
      return failure();
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
    return std::move(*plan);
  }

  /// A plan within the budget, with more preconditions if it needs any.
  planner::Result<planner::Plan>
  solveWithin(const planner::Problem &problem,
              const planner::SolveOptions &options, PlanningProblem &built,
              const ExecutionOrder &order) const {
    planner::OrderingOptions ordering;
    ordering.canWait = [&](planner::NodeId end, planner::NodeId start) {
      return !getWaitObstacle(order, end, start);
    };
    planner::Result<planner::ConditionedPlan> result =
        planner::solveWithin(problem, orderingBudget, options, ordering);
    if (!result)
      return result.error();
    FunctionOpInterface function = order.getFunction();
    if (result->plan.physicalBytes > static_cast<uint64_t>(orderingBudget))
      emitRemark(function.getLoc())
          << "transient-plan: found no order with which the storage takes "
          << orderingBudget.getValue() << " bytes; it takes "
          << result->plan.physicalBytes;
    const std::vector<planner::OrderingEdge> &edges = result->ordering.edges;
    if (edges.empty())
      return std::move(result->plan);
    for (const planner::OrderingEdge &edge : edges) {
      InFlightDiagnostic remark =
          emitRemark(order.getNodes()[edge.to].op->getLoc())
          << "transient-plan: this is to wait for other work, so that buffers may share storage";
      remark.attachNote(order.getNodes()[edge.from].op->getLoc())
          << "this is to end before it starts";
    }
    built.problem.order = result->ordering.order;
    llvm::append_range(built.preconditions, edges);
    setPreconditions(function, built.preconditions);
    return std::move(result->plan);
  }

  /// Lets only the first `share-first` buffers share: to the planner, the others
  /// are in use from the first node to the last.
  void keepApart(planner::Problem &problem) const {
    if (shareFirst < 0 ||
        static_cast<uint64_t>(shareFirst) >= problem.buffers.size())
      return;
    const planner::PartialOrder &nodes = *problem.order;
    std::vector<planner::NodeId> heads, tails;
    for (size_t chain = 0; chain < nodes.numChains(); ++chain) {
      heads.push_back(nodes.chainNodes(chain).front());
      tails.push_back(nodes.chainNodes(chain).back());
    }
    heads = nodes.minimal(heads);
    tails = nodes.maximal(tails);
    for (size_t i = shareFirst; i < problem.buffers.size(); ++i) {
      problem.buffers[i].first = heads;
      problem.buffers[i].last = tails;
    }
  }

  /// The library counts bytes in 64 bits without sign, the IR with one.
  static LogicalResult verifyFitsIR(PlanningProblem &built,
                                    const planner::Plan &plan) {
    constexpr uint64_t limit = std::numeric_limits<int64_t>::max();
    for (auto [index, placement] : llvm::enumerate(plan.placements)) {
      if (!placement.physical || (placement.offset <= limit &&
                                  placement.bytes <= limit - placement.offset))
        continue;
      const std::vector<planner::Buffer> &buffers = built.problem.buffers;
      InFlightDiagnostic diagnostic =
          built.requests[index].emitOpError()
          << "overflow: " << buffers[index].id << " of " << placement.bytes
          << " bytes would be placed at byte " << placement.offset
          << " and end past 2^63 - 1";
      for (auto [other, place] : llvm::enumerate(plan.placements))
        if (other != index && place.physical == placement.physical &&
            place.offset <= limit && place.bytes <= limit - place.offset)
          diagnostic.attachNote(built.requests[other].getLoc())
              << buffers[other].id << " of " << place.bytes
              << " bytes is in the same physical buffer";
      return failure();
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
