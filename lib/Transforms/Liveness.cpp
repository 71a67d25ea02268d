//===- Liveness.cpp - Derive lifetimes ------------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-liveness: node ids on ops, frontiers on requests.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/Liveness.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/IR/Transient.h"
#include "transient/Transforms/BlockedRemarks.h"
#include "transient/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTLIVENESSPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

struct LivenessPass
    : public transient::impl::TransientLivenessPassBase<LivenessPass> {
  using TransientLivenessPassBase::TransientLivenessPassBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      if (failed(runOnFunction(function, kernels)))
        signalPassFailure();
  }

  static LogicalResult runOnFunction(FunctionOpInterface function,
                                     KernelAccessCache &kernels) {
    bool hasRequests = false;
    function->walk([&](AllocOp) { hasRequests = true; });
    if (!hasRequests)
      return success();
    ExecutionOrder order(function, kernels);
    BufferInventory inventory(function, order, kernels);

    Builder builder(function->getContext());
    StringRef name = TransientDialect::getNodeAttrName();
    function->walk([&](Operation *op) { op->removeDiscardableAttr(name); });
    for (auto [index, node] : llvm::enumerate(order.getNodes()))
      if (order.getNode(node.op) == index)
        node.op->setDiscardableAttr(name, builder.getI64IntegerAttr(index));

    LogicalResult result = success();
    for (const BufferRecord &record : inventory.getRecords()) {
      if (record.kind != BufferRecord::Allocation)
        continue;
      auto request = dyn_cast<AllocOp>(record.op);
      if (!request)
        continue;
      if (failed(verifyClass(request, record))) {
        result = failure();
        continue;
      }
      LifetimeAttr lifetime = request.getLifetimeAttr();
      bool declared =
          lifetime && lifetime.getOrigin() == LifetimeOrigin::Declared;
      if (!record.isPlannable()) {
        remarkNotPlanned(record);
        request.removeLifetimeAttr();
      } else if (declared) {
        if (failed(verifyDeclaredLifetime(request, lifetime, record, order)))
          result = failure();
      } else {
        request.setLifetimeAttr(deriveLifetime(record, order));
      }
    }
    return result;
  }

  /// The inferred class is as strict as the declared one, or stricter (B1).
  static LogicalResult verifyClass(AllocOp request,
                                   const BufferRecord &record) {
    std::optional<ResourceClass> declared = request.getResourceClass();
    if (!declared || *declared == ResourceClass::RequiredOutput ||
        *declared == ResourceClass::Escaped)
      return success();
    for (const BufferUse &use : record.uses.uses) {
      if (use.kind != BufferUse::Escape)
        continue;
      InFlightDiagnostic diagnostic = request.emitOpError()
                                      << "is declared '"
                                      << stringifyResourceClass(*declared)
                                      << "', but the buffer " << use.route;
      diagnostic.attachNote(use.getOp()->getLoc()) << "here";
      return failure();
    }
    return success();
  }
};

} // namespace
