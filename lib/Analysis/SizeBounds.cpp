//===- SizeBounds.cpp - Upper bounds of dynamic sizes ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/SizeBounds.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/GPU/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

namespace transient {

/// Values that one bound may depend on; eliminating them takes more than linear
/// time.
constexpr unsigned kMaxValues = 256;

ArrayRef<int64_t> getDeclaredBounds(FunctionOpInterface function,
                                    unsigned index) {
  auto bounds = function.getArgAttrOfType<DenseI64ArrayAttr>(
      index, TransientDialect::getBoundAttrName());
  return bounds ? bounds.asArrayRef() : ArrayRef<int64_t>();
}

namespace {

/// Bounds of one value, by `ValueBoundsOpInterface` and what it has no model for:
/// the promises of arguments, and ops whose bounds no affine constraint gives.
class Finder {
public:
  explicit Finder(FunctionOpInterface function) : function(function) {}

  std::optional<int64_t> find(presburger::BoundType type, Value value) {
    auto addFacts = [&](Value value, std::optional<int64_t> dim,
                        ValueBoundsConstraintSet &constraints) {
      if (++seen > kMaxValues)
        return true;
      if (auto argument = dyn_cast<BlockArgument>(value))
        addPromise(argument, dim, constraints);
      else if (!dim)
        addArithmetic(value, constraints);
      return false;
    };
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        type, value, addFacts, /*closedUB=*/true);
    return failed(bound) ? std::nullopt : std::optional<int64_t>(*bound);
  }

private:
  void addPromise(BlockArgument argument, std::optional<int64_t> dim,
                  ValueBoundsConstraintSet &constraints) {
    if (argument.getOwner() != &function.getFunctionBody().front())
      return;
    ArrayRef<int64_t> bounds =
        getDeclaredBounds(function, argument.getArgNumber());
    size_t index = dim.value_or(0);
    if (index >= bounds.size() || bounds[index] < 0)
      return;
    if (dim) {
      constraints.bound(argument)[*dim] <= bounds[index];
      return;
    }
    // Who breaks a promise takes another way, and a negative size breaks it.
    constraints.bound(argument) <= bounds[index];
    constraints.bound(argument) >= 0;
  }

  void addArithmetic(Value value, ValueBoundsConstraintSet &constraints) {
    Operation *op = value.getDefiningOp();
    if (!isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp,
             arith::MulIOp>(op))
      return;
    std::optional<int64_t> least[2], most[2];
    for (unsigned i : {0, 1}) {
      least[i] = find(presburger::BoundType::LB, op->getOperand(i));
      most[i] = find(presburger::BoundType::UB, op->getOperand(i));
    }
    bool isNatural = least[0] && least[1] && *least[0] >= 0 && *least[1] >= 0;
    // Unsigned ops take a negative number for a large one, and a product that
    // wraps around is none.
    if (!isNatural && !isa<arith::MaxSIOp, arith::MinSIOp>(op))
      return;
    bool isMin = isa<arith::MinSIOp, arith::MinUIOp>(op);
    std::optional<int64_t> hi;
    if (isa<arith::MulIOp>(op)) {
      int64_t product;
      if (most[0] && most[1] &&
          !__builtin_mul_overflow(*most[0], *most[1], &product))
        hi = product;
    } else if (most[0] && most[1]) {
      hi = isMin ? std::min(*most[0], *most[1]) : std::max(*most[0], *most[1]);
    } else if (isMin) {
      hi = most[0] ? most[0] : most[1];
    }
    if (hi)
      constraints.bound(value) <= *hi;
    if (isNatural && (hi || !isa<arith::MulIOp>(op)))
      constraints.bound(value) >= 0;
  }

  FunctionOpInterface function;
  unsigned seen = 0;
};

} // namespace

std::optional<int64_t> SizeBounds::getUpperBound(Value size) {
  auto [it, isNew] = known.try_emplace(size);
  if (isNew)
    it->second = Finder(function).find(presburger::BoundType::UB, size);
  return it->second;
}

BufferSize SizeBounds::getSizeAtBounds(MemRefType type, ValueRange sizes) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  BufferSize unknown = getBufferSize(type, function);
  if (unknown.kind != BufferSize::Dynamic)
    return unknown;
  for (int64_t &dim : shape) {
    if (!ShapedType::isDynamic(dim))
      continue;
    std::optional<int64_t> bound = getUpperBound(sizes[next++]);
    if (!bound)
      return unknown;
    // A negative size is the program's fault; nothing is stored then.
    dim = std::max<int64_t>(*bound, 0);
  }
  BufferSize size =
      getBufferSize(MemRefType::Builder(type).setShape(shape), function);
  return size.isKnown() ? size : unknown;
}

void registerSizeBoundModels(DialectRegistry &registry) {
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  gpu::registerValueBoundsOpInterfaceExternalModels(registry);
  linalg::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
}

} // namespace transient
