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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstdint>
#include <optional>

namespace transient {
#define GEN_PASS_DEF_TRANSIENTMARKHOSTACCESSESPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;

namespace {

/// The marker of SimRuntime.h.
constexpr StringLiteral markerName = "transientSimHostAccess";

/// What an access does, as transientSimHostAccess wants it.
enum class Mode { Read = 0, Write = 1, Atomic = 2 };

Mode modeOf(LLVM::AtomicOrdering ordering, Mode plain) {
  return ordering == LLVM::AtomicOrdering::not_atomic ? plain : Mode::Atomic;
}

/// Whether anything but loads, stores and memory intrinsics of the function at
/// hand may use the address `address`.
bool escapes(Value address) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user)) {
      if (escapes(user->getResult(0)))
        return true;
    } else if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
      if (store.getValue() == address)
        return true;
    } else if (!isa<LLVM::LoadOp, LLVM::MemcpyOp, LLVM::MemcpyInlineOp,
                    LLVM::MemmoveOp, LLVM::MemsetOp, LLVM::MemsetInlineOp,
                    LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(user)) {
      return true;
    }
  }
  return false;
}

struct MarkHostAccessesPass
    : public transient::impl::TransientMarkHostAccessesPassBase<
          MarkHostAccessesPass> {
  using TransientMarkHostAccessesPassBase::TransientMarkHostAccessesPassBase;

  void runOnOperation() override {
    declared = false;
    escaping.clear();
    SmallVector<Operation *> accesses;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isa<LLVM::LLVMDialect>(op->getDialect()))
        accesses.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : accesses)
      markAccess(op);
  }

private:
  void markAccess(Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case([&](LLVM::LoadOp load) {
          mark(op, load.getAddr(), load.getType(),
               modeOf(load.getOrdering(), Mode::Read));
        })
        .Case([&](LLVM::StoreOp store) {
          mark(op, store.getAddr(), store.getValue().getType(),
               modeOf(store.getOrdering(), Mode::Write));
        })
        .Case([&](LLVM::AtomicRMWOp update) {
          mark(op, update.getPtr(), update.getType(), Mode::Atomic);
        })
        .Case([&](LLVM::AtomicCmpXchgOp exchange) {
          mark(op, exchange.getPtr(), exchange.getVal().getType(),
               Mode::Atomic);
        })
        .Case<LLVM::MemsetOp>([&](auto set) {
          mark(op, set.getDst(), set.getLen(), Mode::Write);
        })
        .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
          mark(op, copy.getSrc(), copy.getLen(), Mode::Read);
          mark(op, copy.getDst(), copy.getLen(), Mode::Write);
        })
        .Case([&](LLVM::MemsetInlineOp set) {
          mark(op, set.getDst(), number(op, set.getLen().getZExtValue()),
               Mode::Write);
        })
        .Case([&](LLVM::MemcpyInlineOp copy) {
          Value bytes = number(op, copy.getLen().getZExtValue());
          mark(op, copy.getSrc(), bytes, Mode::Read);
          mark(op, copy.getDst(), bytes, Mode::Write);
        })
        .Case([&](LLVM::MaskedLoadOp load) {
          markLanes(op, load.getData(), load.getMask(), load.getType(),
                    Mode::Read);
        })
        .Case([&](LLVM::MaskedStoreOp store) {
          markLanes(op, store.getData(), store.getMask(),
                    store.getValue().getType(), Mode::Write);
        })
        .Case([&](LLVM::masked_gather gather) {
          markLanes(op, gather.getPtrs(), gather.getMask(), gather.getType(),
                    Mode::Read);
        })
        .Case([&](LLVM::masked_scatter scatter) {
          markLanes(op, scatter.getPtrs(), scatter.getMask(),
                    scatter.getValue().getType(), Mode::Write);
        })
        .Case([&](LLVM::masked_expandload load) {
          markPacked(op, load.getPtr(), load.getMask(), load.getType(),
                     Mode::Read);
        })
        .Case([&](LLVM::masked_compressstore store) {
          markPacked(op, store.getPtr(), store.getMask(),
                     store.getValue().getType(), Mode::Write);
        });
  }

  /// Whether `address` is in the frame of the function that uses it and nobody
  /// else knows it.
  bool isOwnStack(Value address) {
    for (;;) {
      if (auto gep = address.getDefiningOp<LLVM::GEPOp>())
        address = gep.getBase();
      else if (auto cast = address.getDefiningOp<LLVM::AddrSpaceCastOp>())
        address = cast.getArg();
      else
        break;
    }
    if (!address.getDefiningOp<LLVM::AllocaOp>())
      return false;
    auto [found, isNew] = escaping.try_emplace(address, false);
    if (isNew)
      found->second = escapes(address);
    return !found->second;
  }

  /// The bytes of an element of the vector `type`, where lanes can be told
  /// apart.
  std::optional<uint64_t> bytesOfLane(Operation *op, Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector || vector.isScalable() || vector.getRank() != 1)
      return std::nullopt;
    uint64_t bits =
        DataLayout::closest(op).getTypeSizeInBits(vector.getElementType());
    if (bits % 8 != 0)
      return std::nullopt;
    return bits / 8;
  }

  /// `bytes` where the lane is set in `mask`, else 0.
  Value bytesIfSet(Operation *op, Value mask, int64_t lane, uint64_t bytes) {
    OpBuilder builder(op);
    Location location = op->getLoc();
    Value isSet = LLVM::ExtractElementOp::create(builder, location, mask,
                                                 number(op, lane));
    return LLVM::SelectOp::create(builder, location, isSet, number(op, bytes),
                                  number(op, 0));
  }

  /// Marks the lanes of `type` that are set in `mask`; `address` is that of the
  /// first one, or a vector with one for each.
  void markLanes(Operation *op, Value address, Value mask, Type type,
                 Mode mode) {
    std::optional<uint64_t> bytes = bytesOfLane(op, type);
    if (!bytes || isOwnStack(address))
      return;
    auto vector = cast<VectorType>(type);
    OpBuilder builder(op);
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
      Value place;
      if (isa<VectorType>(address.getType()))
        place = LLVM::ExtractElementOp::create(builder, op->getLoc(), address,
                                               number(op, lane));
      else
        place = LLVM::GEPOp::create(
            builder, op->getLoc(), address.getType(), vector.getElementType(),
            address, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(lane)});
      mark(op, place, bytesIfSet(op, mask, lane, *bytes), mode);
    }
  }

  /// Marks as many lanes of `type` from `address` on as are set in `mask`.
  void markPacked(Operation *op, Value address, Value mask, Type type,
                  Mode mode) {
    std::optional<uint64_t> bytes = bytesOfLane(op, type);
    if (!bytes || isOwnStack(address))
      return;
    OpBuilder builder(op);
    Value all = number(op, 0);
    for (int64_t lane = 0; lane < cast<VectorType>(type).getNumElements();
         ++lane)
      all = LLVM::AddOp::create(builder, op->getLoc(), all,
                                bytesIfSet(op, mask, lane, *bytes));
    mark(op, address, all, mode);
  }

  Value number(Operation *op, uint64_t value) {
    OpBuilder builder(op);
    return LLVM::ConstantOp::create(
        builder, op->getLoc(), builder.getI64Type(),
        builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  }

  void mark(Operation *op, Value address, Type type, Mode mode) {
    llvm::TypeSize size = DataLayout::closest(op).getTypeSize(type);
    if (!size.isScalable() && !isOwnStack(address))
      mark(op, address, number(op, size.getFixedValue()), mode);
  }

  void mark(Operation *op, Value address, Value bytes, Mode mode) {
    if (isOwnStack(address))
      return;
    OpBuilder builder(op);
    Location location = op->getLoc();
    auto pointer = LLVM::LLVMPointerType::get(op->getContext());
    if (address.getType() != pointer)
      address =
          LLVM::AddrSpaceCastOp::create(builder, location, pointer, address);
    if (!bytes.getType().isInteger(64))
      bytes =
          LLVM::ZExtOp::create(builder, location, builder.getI64Type(), bytes);
    Value asNumber = LLVM::ConstantOp::create(
        builder, location, builder.getI32Type(),
        builder.getI32IntegerAttr(static_cast<int32_t>(mode)));
    LLVM::CallOp::create(builder, location, TypeRange(), getMarkerName(),
                         ValueRange{address, bytes, asNumber});
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
  llvm::DenseMap<Value, bool> escaping; ///< of the allocas seen so far
};

} // namespace
