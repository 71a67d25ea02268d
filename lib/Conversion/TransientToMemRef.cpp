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
  OpBuilder builder(release.terminator);
  setManual(alloc);
  setManual(
      memref::DeallocOp::create(builder, alloc.getLoc(), alloc.getResult()));
}

struct ConvertToMemRefPass
    : public transient::impl::ConvertTransientToMemRefPassBase<
          ConvertToMemRefPass> {
  using ConvertTransientToMemRefPassBase::ConvertTransientToMemRefPassBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      runOnFunction(function, kernels);
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
    // All storage of the function that has no deallocation: arenas, and
    // allocations that were left unplanned.
    function->walk<WalkOrder::PreOrder>(
        [&](memref::AllocOp alloc) { allocations.push_back(alloc); });
    if (allocations.empty())
      return;
    ExecutionOrder order(function, kernels.getSymbols());
    BufferUseAnalysis uses(function, kernels);
    for (memref::AllocOp alloc : allocations)
      release(alloc, uses, order);
  }

  static void release(memref::AllocOp alloc, const BufferUseAnalysis &uses,
                      const ExecutionOrder &order) {
    for (const BufferUse &use : uses.collect(alloc.getResult()).uses)
      if (use.kind == BufferUse::Free || use.returned)
        return; // Freed already, or the caller's from here on.
    ReleasePoint release = findReleasePoint(alloc.getResult(), uses, order);
    if (!release.unknown && !release.tokens.empty()) {
      // No wait is added for the sake of a free.
      release.unknown = "a user may still run at the return";
      release.culprit = release.tokens.front().getDefiningOp();
    }
    if (!release.unknown && alloc->getBlock() != release.terminator->getBlock())
      release.unknown = "it is allocated in a nested region";
    if (release.unknown)
      return remarkNotFreed(alloc.getLoc(), release);
    freeAtReturn(alloc, release);
  }
};

} // namespace
