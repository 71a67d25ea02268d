//===- ResolveSizes.cpp - Numbers for sizes that are known ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-resolve-sizes. Evaluates size functions, with every step checked,
// and makes allocations static whose dynamic sizes are constants.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/Transient.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTRESOLVESIZESPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// The value of `expr`, or nothing where a step does not fit 64 bits or divides
/// by what is not positive.
std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), symbols);
  std::optional<int64_t> rhs = evaluate(binary.getRHS(), symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::checkedAdd(*lhs, *rhs);
  case AffineExprKind::Mul:
    return llvm::checkedMul(*lhs, *rhs);
  default:
    break;
  }
  if (*rhs <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  default:
    return llvm::mod(*lhs, *rhs);
  }
}

/// `type` with the dynamic sizes that are constants, or null if none is. The
/// others go to `rest`. Negative sizes are left alone.
MemRefType withConstantSizes(MemRefType type, ValueRange sizes,
                             SmallVectorImpl<Value> &rest) {
  SmallVector<int64_t> shape(type.getShape());
  bool changed = false;
  unsigned next = 0;
  for (int64_t &dim : shape) {
    if (!ShapedType::isDynamic(dim))
      continue;
    Value size = sizes[next++];
    APInt value;
    if (matchPattern(size, m_ConstantInt(&value)) && !value.isNegative()) {
      dim = value.getSExtValue();
      changed = true;
    } else {
      rest.push_back(size);
    }
  }
  return changed ? MemRefType::Builder(type).setShape(shape) : MemRefType();
}

struct ResolveSizesPass
    : public transient::impl::TransientResolveSizesPassBase<ResolveSizesPass> {
  using TransientResolveSizesPassBase::TransientResolveSizesPassBase;

  void runOnOperation() override {
    SmallVector<SizeOp> sizes;
    SmallVector<SizeFunctionOp> functions;
    SmallVector<Operation *> dynamic;
    getOperation()->walk([&](Operation *op) {
      if (auto size = dyn_cast<SizeOp>(op))
        sizes.push_back(size);
      else if (auto function = dyn_cast<SizeFunctionOp>(op))
        functions.push_back(function);
      else if (isa<memref::AllocOp, gpu::AllocOp, AllocOp>(op) &&
               !getSizes(op).empty())
        dynamic.push_back(op);
    });
    if (sizes.empty() && functions.empty() && dynamic.empty())
      return markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    for (SizeOp size : sizes)
      if (failed(resolve(size, symbols)))
        return signalPassFailure();
    for (Operation *op : dynamic)
      makeStatic(op);
    // Whoever asks from elsewhere keeps the declarations.
    for (SizeFunctionOp function : functions)
      if (SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function->erase();
  }

  LogicalResult resolve(SizeOp size, SymbolTableCollection &symbols) {
    auto function = symbols.lookupNearestSymbolFrom<SizeFunctionOp>(
        size, size.getFunctionAttr());
    AffineMap map = function.getCase(size.getAlgorithm(), size.getMode())
                        .getBytes()
                        .getValue();
    OpBuilder builder(size);
    SmallVector<int64_t> known;
    for (Value dim : size.getDims()) {
      APInt value;
      if (!matchPattern(dim, m_ConstantInt(&value)))
        break;
      known.push_back(value.getSExtValue());
    }
    Value bytes;
    if (known.size() == size.getDims().size()) {
      known.push_back(size.getAtOnce());
      std::optional<int64_t> number = evaluate(map.getResult(0), known);
      if (!number || *number < 0)
        return size.emitError()
               << "overflow: the size of algorithm '" << size.getAlgorithm()
               << "' in mode '" << size.getMode()
               << "' is negative or does not fit 64 bits";
      bytes = arith::ConstantIndexOp::create(builder, size.getLoc(), *number);
    } else {
      SmallVector<Value> symbols(size.getDims());
      symbols.push_back(arith::ConstantIndexOp::create(builder, size.getLoc(),
                                                       size.getAtOnce()));
      bytes = affine::expandAffineExpr(builder, size.getLoc(), map.getResult(0),
                                       ValueRange(), symbols);
      if (!bytes) // It divides by what is not positive, and that was said.
        return failure();
    }
    size.replaceAllUsesWith(bytes);
    size->erase();
    return success();
  }

  static void makeStatic(Operation *op) {
    Value buffer = op->getResult(0);
    auto type = dyn_cast<MemRefType>(buffer.getType());
    MutableOperandRange sizes = getSizes(op);
    if (!type || !type.getLayout().isIdentity())
      return;
    SmallVector<Value> values = llvm::map_to_vector(
        sizes, [](OpOperand &operand) { return operand.get(); });
    SmallVector<Value> rest;
    MemRefType known = withConstantSizes(type, values, rest);
    if (!known)
      return;
    sizes.assign(rest);
    buffer.setType(known);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto cast = memref::CastOp::create(builder, op->getLoc(), type, buffer);
    buffer.replaceAllUsesExcept(cast, cast);
  }

  static MutableOperandRange getSizes(Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return alloc.getDynamicSizesMutable();
    if (auto alloc = dyn_cast<gpu::AllocOp>(op))
      return alloc.getDynamicSizesMutable();
    return cast<AllocOp>(op).getDynamicSizesMutable();
  }
};

} // namespace
