//===- TransientToMemRef.cpp - Lower planned storage to memref ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass convert-transient-to-memref.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Conversion/Passes.h"
#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace transient {
#define GEN_PASS_DEF_CONVERTTRANSIENTTOMEMREFPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

void setManual(Operation *op) {
  op->setDiscardableAttr(
      bufferization::BufferizationDialect::kManualDeallocation,
      UnitAttr::get(op->getContext()));
}

/// Frees the result of `alloc` before the return, if that is known to be safe.
void freeAtReturn(memref::AllocOp alloc, const ReleasePoint &release) {
  setManual(alloc);
  for (Operation *terminator : release.returns) {
    OpBuilder builder(terminator);
    setManual(
        memref::DeallocOp::create(builder, alloc.getLoc(), alloc.getResult()));
  }
}

struct ConvertToMemRefPass
    : public transient::impl::ConvertTransientToMemRefPassBase<
          ConvertToMemRefPass> {
  using ConvertTransientToMemRefPassBase::ConvertTransientToMemRefPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTransientToMemRefPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      runOnFunction(function, kernels);
    lowerContracts(getOperation());
  }

  /// Contracts become what the bufferization dialect calls them, as far as it
  /// does.
  static void lowerContracts(ModuleOp module) {
    StringRef contract = TransientDialect::getContractAttrName();
    module->walk([&](FunctionOpInterface function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        Attribute attr = function.getArgAttr(i, contract);
        if (!attr)
          continue;
        function.removeArgAttr(
            i, StringAttr::get(function->getContext(), contract));
        function.setArgAttr(
            i, bufferization::BufferizationDialect::kBufferAccessAttrName,
            attr);
      }
    });
  }

  static void runOnFunction(FunctionOpInterface function,
                            KernelAccessCache &kernels) {
    SmallVector<ArenaOp> arenas;
    SmallVector<AllocOp> requests;
    SmallVector<memref::AllocOp> allocations;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto arena = dyn_cast<ArenaOp>(op);
          arena && arena.getKind() == AllocKind::MemRef)
        arenas.push_back(arena);
      if (auto request = dyn_cast<AllocOp>(op);
          request && request.getKind() == AllocKind::MemRef)
        requests.push_back(request);
    });
    for (AllocOp request : requests) {
      OpBuilder builder(request);
      auto alloc = memref::AllocOp::create(
          builder, request.getLoc(), request.getMemRefType(),
          request.getDynamicSizes(), request.getAlignmentAttr());
      request.getBuffer().replaceAllUsesWith(alloc.getResult());
      request.erase();
    }
    for (ArenaOp arena : arenas) {
      OpBuilder builder(arena);
      auto alloc = memref::AllocOp::create(
          builder, arena.getLoc(), arena.getStorage().getType(), ValueRange(),
          arena.getAlignmentAttr());
      lowerViews(arena, alloc.getResult());
      arena.erase();
      setManual(alloc);
    }
    // What is left are views of storage that callers pass in.
    function->walk([](ViewOp view) {
      if (!view.getSource().getDefiningOp<ArenaOp>())
        lowerView(view, view.getSource());
    });
    // All storage of the function that has no deallocation: arenas, and
    // allocations that were left unplanned.
    function->walk<WalkOrder::PreOrder>(
        [&](memref::AllocOp alloc) { allocations.push_back(alloc); });
    if (allocations.empty())
      return;
    ExecutionOrder order(function, kernels);
    BufferUseAnalysis uses(function, kernels);
    for (memref::AllocOp alloc : allocations)
      release(alloc, uses.collect(alloc.getResult()), order);
  }

  static void release(memref::AllocOp alloc, const BufferUses &uses,
                      const ExecutionOrder &order) {
    for (const BufferUse &use : uses.uses)
      if (use.kind == BufferUse::Free || use.returned)
        return; // Freed already, or the caller's from here on.
    ReleasePoint release = findReleasePoint(alloc.getResult(), uses, order);
    if (!release.unknown && !release.tokens.empty()) {
      // No wait is added for the sake of a free.
      release.unknown = "a user may still run at the return";
      release.culprit = release.tokens.front().getDefiningOp();
    }
    if (release.unknown)
      return remarkNotFreed(alloc.getLoc(), release);
    freeAtReturn(alloc, release);
  }
};

} // namespace
