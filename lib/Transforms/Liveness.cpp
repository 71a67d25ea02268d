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
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"
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

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientLivenessPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      if (failed(runOnFunction(function, kernels)))
        signalPassFailure();
    // Only attributes have changed.
    markAllAnalysesPreserved();
  }

  static LogicalResult runOnFunction(FunctionOpInterface function,
                                     KernelAccessCache &kernels) {
    bool hasRequests = false;
    function->walk([&](AllocOp) { hasRequests = true; });
    if (!hasRequests)
      return success();
    ExecutionOrder order(function, kernels);
    BufferInventory inventory(function, order, kernels,
                              /*allocationsOnly=*/true);

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

  /// A declared class must not claim more freedom than the program shows (B1).
  /// `required_output` and `escaped` claim none; the others claim that nobody
  /// outside has the buffer, and a workspace that nothing is left in it.
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
    if (*declared == ResourceClass::Workspace)
      return verifyWorkspace(request, record);
    return success();
  }

  /// The content of a workspace means nothing once its owner has completed, so
  /// an op that reads it has to write it too (B4).
  static LogicalResult verifyWorkspace(AllocOp request,
                                       const BufferRecord &record) {
    DenseSet<Operation *> writers;
    for (const BufferUse &use : record.uses.uses)
      if (use.kind == BufferUse::Access && writes(use.mode))
        writers.insert(use.getOp());
    for (const BufferUse &use : record.uses.uses) {
      if (use.kind != BufferUse::Access || !reads(use.mode) ||
          writers.contains(use.getOp()))
        continue;
      InFlightDiagnostic diagnostic =
          request.emitOpError()
          << "is declared 'workspace', but an op reads what another one left "
             "in it";
      diagnostic.attachNote(use.getOp()->getLoc()) << "here";
      return failure();
    }
    return success();
  }
};

} // namespace
