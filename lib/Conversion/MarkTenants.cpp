//===- MarkTenants.cpp - Name the tenants of an operation at run time -----===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-mark-tenants. Views of an arena have no identity once lowered;
// the calls that this pass adds keep it for the simulated device. Knows the
// `tenant` attribute of views and the ABI of SimRuntime.h, nothing of plans.
//
//===----------------------------------------------------------------------===//

#include "transient/Conversion/Passes.h"

#include "transient/IR/BufferSize.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTMARKTENANTSPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// The marker of SimRuntime.h.
constexpr StringLiteral markerName = "transientSimTenant";

/// Whether the device's runtime enqueues `op` as work that touches memory.
bool isDeviceWork(Operation *op) {
  return isa<gpu::LaunchFuncOp, gpu::LaunchOp, gpu::MemcpyOp, gpu::MemsetOp>(
      op);
}

IntegerAttr getTenant(Operation *op) {
  return op->getAttrOfType<IntegerAttr>(
      TransientDialect::getTenantAttrName());
}

/// The view that names a tenant, if `value` is one.
memref::ViewOp getTenantView(Value value) {
  auto view = value.getDefiningOp<memref::ViewOp>();
  return view && getTenant(view) ? view : nullptr;
}

/// The buffer that `value` is a view of, through one definition after another.
Value findRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    Value source = view.getViewSource();
    if (!isa<BaseMemRefType>(source.getType()))
      break;
    value = source;
  }
  return value;
}

/// The size of `view` with every dynamic extent as 1.
BufferSize sizeOfStaticPart(memref::ViewOp view) {
  MemRefType type = view.getType();
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = 1;
  return getBufferSize(MemRefType::get(shape, type.getElementType()), view);
}

/// What an op uses: views by arena, and arenas that it may reach otherwise.
struct ArenaUses {
  llvm::MapVector<Value, SmallVector<memref::ViewOp>> views;
  llvm::SmallSetVector<Value, 4> reachedOtherwise;
};

/// Sorts out `operand` of a device op. A value with one source through views is
/// that source; one that control flow chose may be any of several.
void addOperand(Value operand, const BufferViewFlowAnalysis &flow,
                ArenaUses &uses) {
  for (Value at = operand;;) {
    if (memref::ViewOp view = getTenantView(at)) {
      auto &known = uses.views[findRoot(at)];
      if (!llvm::is_contained(known, view))
        known.push_back(view);
      if (!sizeOfStaticPart(view).isKnown())
        uses.reachedOtherwise.insert(findRoot(at));
      return;
    }
    auto view = at.getDefiningOp<ViewLikeOpInterface>();
    if (!view || !isa<BaseMemRefType>(view.getViewSource().getType()))
      break;
    at = view.getViewSource();
  }
  for (Value source : flow.resolveReverse(operand))
    uses.reachedOtherwise.insert(findRoot(source));
}

ArenaUses findUses(Operation *op, const BufferViewFlowAnalysis &flow) {
  llvm::SetVector<Value> values;
  values.insert(op->operand_begin(), op->operand_end());
  // The body of a gpu.launch uses what it names.
  getUsedValuesDefinedAbove(op->getRegions(), values);
  ArenaUses uses;
  for (Value value : values)
    if (isa<BaseMemRefType>(value.getType()))
      addOperand(value, flow, uses);
  return uses;
}

/// Emits the markers of one function.
class MarkerBuilder {
public:
  explicit MarkerBuilder(func::FuncOp marker) : marker(marker) {}

  void emit(Operation *op, memref::ViewOp view) {
    OpBuilder builder(op);
    Location location = op->getLoc();
    Type int64 = builder.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, location, int64, value);
    };
    Value offset = arith::IndexCastOp::create(builder, location, int64,
                                              view.getByteShift());
    func::CallOp::create(builder, location, marker,
                         ValueRange{getPointer(view.getSource()), offset,
                                    getBytes(builder, location, view),
                                    constant(getTenant(view).getInt())});
  }

private:
  /// The address of `arena`, taken once, where the arena is made.
  Value getPointer(Value arena) {
    Value &pointer = pointers[arena];
    if (pointer)
      return pointer;
    OpBuilder builder(arena.getContext());
    builder.setInsertionPointAfterValue(arena);
    Location location = arena.getLoc();
    Value index = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, location, arena);
    Value number = arith::IndexCastOp::create(builder, location,
                                              builder.getI64Type(), index);
    pointer = LLVM::IntToPtrOp::create(
        builder, location, LLVM::LLVMPointerType::get(arena.getContext()),
        number);
    return pointer;
  }

  /// The bytes of `view`: a constant, or the product of its extents.
  static Value getBytes(OpBuilder &builder, Location location,
                        memref::ViewOp view) {
    Type int64 = builder.getI64Type();
    Value product = arith::ConstantIntOp::create(
        builder, location, int64,
        static_cast<int64_t>(sizeOfStaticPart(view).bytes));
    for (Value extent : view.getSizes())
      product = arith::MulIOp::create(
          builder, location, product,
          arith::IndexCastOp::create(builder, location, int64, extent));
    return product;
  }

  func::FuncOp marker;
  DenseMap<Value, Value> pointers;
};

struct MarkTenantsPass
    : public transient::impl::TransientMarkTenantsPassBase<MarkTenantsPass> {
  using TransientMarkTenantsPassBase::TransientMarkTenantsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<FunctionOpInterface> functions;
    WalkResult walked =
        module->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
          if (isa<gpu::GPUModuleOp>(op))
            return WalkResult::skip();
          if (isa<ArenaOp, AllocOp>(op)) {
            op->emitError() << "transient-mark-tenants expects lowered "
                               "storage; run convert-transient-to-gpu first";
            return WalkResult::interrupt();
          }
          if (auto function = dyn_cast<FunctionOpInterface>(op))
            functions.push_back(function);
          return WalkResult::advance();
        });
    if (walked.wasInterrupted())
      return signalPassFailure();
    for (FunctionOpInterface function : functions)
      if (failed(markFunction(function)))
        return signalPassFailure();
  }

  static LogicalResult markFunction(FunctionOpInterface function) {
    bool hasTenants = false;
    SmallVector<Operation *> work;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      hasTenants |= isa<memref::ViewOp>(op) && getTenant(op);
      if (isDeviceWork(op) && op->getParentOfType<FunctionOpInterface>() ==
                                  function.getOperation())
        work.push_back(op);
    });
    if (!hasTenants || work.empty())
      return success();
    // Found for all before anything changes: markers are uses too.
    BufferViewFlowAnalysis flow(function);
    SmallVector<ArenaUses> uses;
    for (Operation *op : work)
      uses.push_back(findUses(op, flow));
    std::optional<MarkerBuilder> builder;
    for (auto [op, used] : llvm::zip_equal(work, uses))
      for (auto &[arena, views] : used.views) {
        if (used.reachedOtherwise.contains(arena))
          continue;
        if (!builder) {
          FailureOr<func::FuncOp> marker = declareMarker(function);
          if (failed(marker))
            return failure();
          builder.emplace(*marker);
        }
        for (memref::ViewOp view : views)
          builder->emit(op, view);
      }
    return success();
  }

  /// The marker's declaration in the symbol table around `function`.
  static FailureOr<func::FuncOp> declareMarker(FunctionOpInterface function) {
    Operation *table = SymbolTable::getNearestSymbolTable(
        function->getParentOp());
    OpBuilder builder(table->getContext());
    Type int64 = builder.getI64Type();
    auto type = builder.getFunctionType(
        {LLVM::LLVMPointerType::get(table->getContext()), int64, int64, int64},
        {});
    if (Operation *known = SymbolTable::lookupSymbolIn(table, markerName)) {
      auto marker = dyn_cast<func::FuncOp>(known);
      if (marker && marker.isExternal() && marker.getFunctionType() == type)
        return marker;
      return known->emitError()
             << "transient-mark-tenants expects '" << markerName
             << "' to be a declaration of type " << type;
    }
    builder.setInsertionPointToStart(&table->getRegion(0).front());
    auto marker = func::FuncOp::create(builder, function->getLoc(), markerName,
                                       type);
    marker.setPrivate();
    return marker;
  }
};

} // namespace
