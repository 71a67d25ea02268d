//===- Import.cpp - Turn allocations into requests ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-import. Decides from the inventory which allocations can be
// planned at all, and replaces those; the rest stays as it is and is explained.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/BufferInventory.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Analysis/ValueWebs.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"
#include "transient/Transforms/BlockedRemarks.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTIMPORTPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// Emits the errors for frees that do not wait for every access (C6).
LogicalResult verifyFrees(const BufferRecord &record,
                          const ExecutionOrder &order) {
  LogicalResult result = success();
  for (const UnorderedFree &unordered : findUnorderedFrees(record, order)) {
    InFlightDiagnostic diagnostic =
        unordered.free->emitError()
        << "frees " << record.getName()
        << " before every access to it is proved to have ended";
    diagnostic.attachNote(record.op->getLoc()) << "allocated here";
    for (Operation *access : unordered.accesses)
      diagnostic.attachNote(access->getLoc())
          << "this access may still run, or start, when the free starts";
    result = failure();
  }
  return result;
}

/// Replaces an asynchronous op by a join of its dependencies. A blocking one
/// becomes a blocking wait, if there is anything to wait for.
void replaceByWait(gpu::AsyncOpInterface op) {
  OpBuilder builder(op);
  SmallVector<Value> dependencies(op.getAsyncDependencies());
  Value token = op.getAsyncToken();
  if (!token && dependencies.empty())
    return;
  auto wait = gpu::WaitOp::create(
      builder, op.getLoc(),
      token ? builder.getType<gpu::AsyncTokenType>() : Type(), dependencies);
  if (token)
    token.replaceAllUsesWith(wait.getAsyncToken());
}

AllocKind getKind(const BufferRecord &record, AllocationPolicy policy) {
  switch (policy) {
  case AllocationPolicy::Keep:
    return record.allocKind;
  case AllocationPolicy::MemRef:
    return AllocKind::MemRef;
  case AllocationPolicy::Gpu:
    // What the host touches must stay where the host can reach it, and what
    // needs more than a device allocator promises, where it gets it.
    return record.allocKind == AllocKind::MemRef && record.deviceOnly &&
                   record.alignment <= kDeviceBaseAlignment
               ? AllocKind::Gpu
               : record.allocKind;
  }
  return record.allocKind;
}

struct ImportPass
    : public transient::impl::TransientImportPassBase<ImportPass> {
  using TransientImportPassBase::TransientImportPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientImportPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      if (failed(importFunction(function, kernels)))
        signalPassFailure();
  }

  LogicalResult importFunction(FunctionOpInterface function,
                               KernelAccessCache &kernels) {
    ExecutionOrder order(function, kernels);
    BufferInventory inventory(function, order, kernels,
                              /*allocationsOnly=*/true);
    // Check everything before anything changes.
    LogicalResult result = success();
    for (const BufferRecord &record : inventory.getRecords()) {
      if (!isCandidate(record))
        continue;
      if (record.size.kind == BufferSize::Overflow)
        return record.op->emitError()
               << "overflow: the size of " << record.getName()
               << " does not fit 64 bits";
      if (record.isPlannable() && failed(verifyFrees(record, order)))
        result = failure();
    }
    if (failed(result))
      return result;
    // The order speaks of the program as it is.
    std::vector<std::vector<ValueWeb>> webs(inventory.getRecords().size());
    if (splitWebs)
      for (const BufferRecord &record : inventory.getRecords())
        // No view of a part is proved to overwrite the whole.
        if (isCandidate(record) && !record.hasSpareBytes)
          webs[record.id] = findValueWebs(record, order, kernels.getSymbols());
    eraseFrees(inventory);
    int64_t nextGroup = getFirstFreeGroup(function);
    for (const BufferRecord &record : inventory.getRecords()) {
      if (!isCandidate(record))
        continue;
      if (record.isPlannable())
        replace(record, webs[record.id], nextGroup);
      else
        remarkNotPlanned(record);
    }
    return success();
  }

  /// Drops the frees of what is planned; one free may be of several buffers, as
  /// control flow decides.
  static void eraseFrees(const BufferInventory &inventory) {
    llvm::SetVector<Operation *> frees;
    for (const BufferRecord &record : inventory.getRecords()) {
      if (!isCandidate(record) || !record.isPlannable())
        continue;
      for (const BufferUse &use : record.uses.uses)
        if (use.kind == BufferUse::Free)
          frees.insert(use.getOp());
    }
    for (Operation *free : frees) {
      if (auto async = dyn_cast<gpu::AsyncOpInterface>(free))
        replaceByWait(async);
      free->erase();
    }
  }

  /// The first number that names no allocation which was split before.
  static int64_t getFirstFreeGroup(FunctionOpInterface function) {
    int64_t next = 0;
    function->walk([&](AllocOp request) {
      if (std::optional<uint64_t> group = request.getWebOf())
        next = std::max<int64_t>(next, *group + 1);
    });
    return next;
  }

  static bool isCandidate(const BufferRecord &record) {
    return record.kind == BufferRecord::Allocation && !isa<AllocOp>(record.op);
  }

  void replace(const BufferRecord &record, ArrayRef<ValueWeb> webs,
               int64_t &nextGroup) {
    OpBuilder builder(record.op);
    if (auto async = dyn_cast<gpu::AsyncOpInterface>(record.op))
      replaceByWait(async);
    // An arena of another plan is a buffer of this one; numbers of its tenants
    // mean nothing here.
    for (Value alias : record.uses.aliases)
      if (auto view = alias.getDefiningOp<memref::ViewOp>())
        view->removeDiscardableAttr(TransientDialect::getTenantAttrName());
    bool isSplit = webs.size() > 1;
    IntegerAttr group =
        isSplit ? builder.getI64IntegerAttr(nextGroup++) : IntegerAttr();
    SmallVector<Value> requests;
    for (size_t web = 0; web < (isSplit ? webs.size() : 1); ++web)
      requests.push_back(createRequest(builder, record, group));
    if (isSplit)
      splitIntoWebs(record, webs, requests);
    Value value = record.value;
    value.replaceAllUsesWith(
        record.hasSpareBytes ? viewPart(builder, record, requests.front())
                         : requests.front());
    record.op->erase();
  }

  /// The part of a request for the most bytes that the program asked for.
  static Value viewPart(OpBuilder &builder, const BufferRecord &record,
                        Value bytes) {
    Location location = record.op->getLoc();
    auto gpu = dyn_cast<gpu::AllocOp>(record.op);
    ValueRange sizes =
        gpu ? ValueRange(gpu.getDynamicSizes())
            : ValueRange(cast<memref::AllocOp>(record.op).getDynamicSizes());
    return memref::ViewOp::create(builder, location, record.type, bytes,
                                  arith::ConstantIndexOp::create(builder, location, 0), sizes);
  }

  AllocOp createRequest(OpBuilder &builder, const BufferRecord &record,
                        IntegerAttr group) {
    MemRefType type = record.type;
    if (record.hasSpareBytes)
      type = MemRefType::get({static_cast<int64_t>(record.size.bytes)},
                             builder.getI8Type(), MemRefLayoutAttrInterface(),
                             type.getMemorySpace());
    return AllocOp::create(
        builder, record.op->getLoc(), type, ValueRange(),
        getKind(record, allocations),
        ResourceClassAttr::get(builder.getContext(), record.resourceClass),
        UsageAttr(),
        record.alignmentSource != "abi" || record.hasSpareBytes
            ? builder.getI64IntegerAttr(record.alignment)
            : IntegerAttr(),
        StringAttr(), LifetimeAttr(), PlacementAttr(), group, IntegerAttr(),
        WorkspaceAttr());
  }
};

} // namespace
