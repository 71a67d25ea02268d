//===- ApplyOrdering.cpp - Add the order that a plan relies on ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-apply-ordering: token operands for preconditions.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/PlanningProblem.h"
#include "transient/Analysis/Preconditions.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTAPPLYORDERINGPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

struct ApplyOrderingPass
    : public transient::impl::TransientApplyOrderingPassBase<
          ApplyOrderingPass> {
  using TransientApplyOrderingPassBase::TransientApplyOrderingPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientApplyOrderingPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    bool changed = false;
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!function->hasAttr(TransientDialect::getPreconditionsAttrName()))
        continue;
      changed = true;
      if (failed(apply(function, kernels)))
        signalPassFailure();
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

  static LogicalResult apply(FunctionOpInterface function,
                             KernelAccessCache &kernels) {
    if (function.isExternal())
      return function->emitError()
             << "has preconditions, but no body to order";
    ExecutionOrder order(function, kernels);
    FailureOr<std::vector<planner::OrderingEdge>> edges =
        getPreconditions(order);
    if (failed(edges) || failed(verifyNodeNumbers(function, order)))
      return failure();
    for (const planner::OrderingEdge &edge : *edges) {
      Operation *after = order.getNodes()[edge.to].op;
      Value token = cast<gpu::AsyncOpInterface>(order.getNodes()[edge.from].op)
                        .getAsyncToken();
      if (!llvm::is_contained(
              cast<gpu::AsyncOpInterface>(after).getAsyncDependencies(), token))
        gpu::addAsyncDependency(after, token);
    }
    setPreconditions(function, {});
    return success();
  }
};

} // namespace
