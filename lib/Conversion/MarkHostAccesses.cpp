//===- MarkHostAccesses.cpp - Name what host code touches at run time -----===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-mark-host-accesses. Knows the llvm dialect and the ABI of
// SimRuntime.h.
//
//===----------------------------------------------------------------------===//

#include "transient/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTMARKHOSTACCESSESPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;

namespace {

/// The marker of SimRuntime.h.
constexpr StringLiteral markerName = "transientSimHostAccess";

/// Whether `address` is in the stack frame of the function that uses it.
bool isOnStack(Value address) {
  for (;;) {
    if (auto gep = address.getDefiningOp<LLVM::GEPOp>())
      address = gep.getBase();
    else if (auto cast = address.getDefiningOp<LLVM::AddrSpaceCastOp>())
      address = cast.getArg();
    else
      return static_cast<bool>(address.getDefiningOp<LLVM::AllocaOp>());
  }
}

struct MarkHostAccessesPass
    : public transient::impl::TransientMarkHostAccessesPassBase<
          MarkHostAccessesPass> {
  using TransientMarkHostAccessesPassBase::TransientMarkHostAccessesPassBase;

  void runOnOperation() override {
    declared = false;
    SmallVector<Operation *> accesses;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
              LLVM::MemsetOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op))
        accesses.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : accesses)
      markAccess(op);
  }

private:
  void markAccess(Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      mark(op, load.getAddr(), load.getType(), false);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      mark(op, store.getAddr(), store.getValue().getType(), true);
    else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
      mark(op, update.getPtr(), update.getType(), true);
    else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      mark(op, exchange.getPtr(), exchange.getVal().getType(), true);
    else if (auto set = dyn_cast<LLVM::MemsetOp>(op))
      mark(op, set.getDst(), set.getLen(), true);
    else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
      markCopy(copy);
    else if (auto move = dyn_cast<LLVM::MemmoveOp>(op))
      markCopy(move);
  }

  template <typename CopyOp>
  void markCopy(CopyOp copy) {
    mark(copy, copy.getSrc(), copy.getLen(), false);
    mark(copy, copy.getDst(), copy.getLen(), true);
  }

  void mark(Operation *op, Value address, Type type, bool write) {
    llvm::TypeSize size = DataLayout::closest(op).getTypeSize(type);
    if (size.isScalable() || isOnStack(address))
      return;
    OpBuilder builder(op);
    mark(op, address,
         LLVM::ConstantOp::create(
             builder, op->getLoc(), builder.getI64Type(),
             builder.getI64IntegerAttr(size.getFixedValue())),
         write);
  }

  void mark(Operation *op, Value address, Value bytes, bool write) {
    if (isOnStack(address))
      return;
    OpBuilder builder(op);
    Location location = op->getLoc();
    auto pointer = LLVM::LLVMPointerType::get(op->getContext());
    if (address.getType() != pointer)
      address =
          LLVM::AddrSpaceCastOp::create(builder, location, pointer, address);
    if (!bytes.getType().isInteger(64))
      bytes = LLVM::ZExtOp::create(builder, location, builder.getI64Type(),
                                   bytes);
    Value mode = LLVM::ConstantOp::create(
        builder, location, builder.getI32Type(),
        builder.getI32IntegerAttr(write ? 1 : 0));
    LLVM::CallOp::create(builder, location, TypeRange(), getMarkerName(),
                         ValueRange{address, bytes, mode});
  }

  FlatSymbolRefAttr getMarkerName() {
    if (!declared && !getOperation().lookupSymbol(markerName)) {
      OpBuilder builder(getOperation().getBodyRegion());
      auto type = LLVM::LLVMFunctionType::get(
          LLVM::LLVMVoidType::get(&getContext()),
          {LLVM::LLVMPointerType::get(&getContext()), builder.getI64Type(),
           builder.getI32Type()});
      LLVM::LLVMFuncOp::create(builder, getOperation().getLoc(), markerName,
                               type);
    }
    declared = true;
    return FlatSymbolRefAttr::get(&getContext(), markerName);
  }

  bool declared = false;
};

} // namespace
