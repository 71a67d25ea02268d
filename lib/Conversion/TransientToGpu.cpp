//===- TransientToGpu.cpp - Lower planned storage to gpu ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass convert-transient-to-gpu. Adds one entry wait and one exit join for each
// arena, nothing else.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Conversion/Passes.h"
#include "transient/IR/BufferSize.h"
#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace transient {
#define GEN_PASS_DEF_CONVERTTRANSIENTTOGPUPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// Allocates device memory and waits for it. The stock lowering takes only the
/// form with one dependency, except for host-shared memory, where it takes only
/// the form without tokens.
Value allocate(OpBuilder &builder, Location location, MemRefType type,
               ValueRange dynamicSizes, bool hostShared) {
  if (hostShared)
    return gpu::AllocOp::create(builder, location, type, Type(), ValueRange(),
                                dynamicSizes, ValueRange(), true)
        .getMemref();
  auto token = builder.getType<gpu::AsyncTokenType>();
  auto ready = gpu::WaitOp::create(builder, location, token, ValueRange());
  auto alloc = gpu::AllocOp::create(builder, location, type, token,
                                    ValueRange(ready.getAsyncToken()),
                                    dynamicSizes, ValueRange(), false);
  gpu::WaitOp::create(builder, location, Type(),
                      ValueRange(alloc.getAsyncToken()));
  return alloc.getMemref();
}

/// Frees `storage` after a join of its last users, at every return.
void deallocate(Location location, Value storage, const ReleasePoint &release) {
  for (Operation *terminator : release.returns) {
    OpBuilder builder(terminator);
    auto token = builder.getType<gpu::AsyncTokenType>();
    auto join = gpu::WaitOp::create(builder, location, token, release.tokens);
    auto free = gpu::DeallocOp::create(
        builder, location, token, ValueRange(join.getAsyncToken()), storage);
    if (release.tokens.empty())
      gpu::WaitOp::create(builder, location, Type(),
                          ValueRange(free.getAsyncToken()));
  }
}

bool isGpuKind(AllocKind kind) { return kind != AllocKind::MemRef; }

struct ConvertToGpuPass
    : public transient::impl::ConvertTransientToGpuPassBase<ConvertToGpuPass> {
  using ConvertTransientToGpuPassBase::ConvertTransientToGpuPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTransientToGpuPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    bool changed = false;
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      changed |= runOnFunction(function, kernels);
    if (!changed)
      markAllAnalysesPreserved();
  }

  static bool runOnFunction(FunctionOpInterface function,
                            KernelAccessCache &kernels) {
    SmallVector<Operation *> storageOps;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto arena = dyn_cast<ArenaOp>(op);
      auto request = dyn_cast<AllocOp>(op);
      if ((arena && isGpuKind(arena.getKind())) ||
          (request && isGpuKind(request.getKind())))
        storageOps.push_back(op);
    });
    if (storageOps.empty())
      return false;
    // Releases are found while views are still there; the order does not change
    // with what is allocated where.
    ExecutionOrder order(function, kernels);
    BufferUseAnalysis uses(function, kernels);
    std::vector<ReleasePoint> releases;
    std::vector<bool> returned;
    for (Operation *op : storageOps) {
      BufferUses own = uses.collect(op->getResult(0));
      releases.push_back(findReleasePoint(op->getResult(0), own, order));
      returned.push_back(llvm::any_of(
          own.uses, [](const BufferUse &use) { return use.returned; }));
    }
    for (auto [op, release, isReturned] :
         llvm::zip_equal(storageOps, releases, returned)) {
      OpBuilder builder(op);
      Location location = op->getLoc();
      Value storage;
      if (auto arena = dyn_cast<ArenaOp>(op)) {
        if (static_cast<uint64_t>(arena.getAlignment()) > kDeviceBaseAlignment)
          arena.emitRemark() << "gpu.alloc does not promise an alignment of "
                             << arena.getAlignment() << "; device allocators "
                             << "give " << kDeviceBaseAlignment;
        storage =
            allocate(builder, location, arena.getStorage().getType(),
                     ValueRange(), arena.getKind() == AllocKind::GpuHostShared);
        lowerViews(arena, storage);
      } else {
        auto request = cast<AllocOp>(op);
        storage = allocate(builder, location, request.getMemRefType(),
                           request.getDynamicSizes(),
                           request.getKind() == AllocKind::GpuHostShared);
        request.getBuffer().replaceAllUsesWith(storage);
      }
      op->erase();
      if (isReturned)
        continue;
      if (release.unknown)
        remarkNotFreed(location, release);
      else
        deallocate(location, storage, release);
    }
    return true;
  }
};

} // namespace
