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
constexpr unsigned kMaxValues = 64;

ArrayRef<int64_t> getDeclaredBounds(FunctionOpInterface function,
                                    unsigned index) {
  auto bounds = function.getArgAttrOfType<DenseI64ArrayAttr>(
      index, TransientDialect::getBoundAttrName());
  return bounds ? bounds.asArrayRef() : ArrayRef<int64_t>();
}

std::optional<int64_t> getUpperBound(Value size, FunctionOpInterface function) {
  unsigned seen = 0;
  auto addPromise = [&](Value value, std::optional<int64_t> dim,
                        ValueBoundsConstraintSet &constraints) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->getParentOp() == function &&
        argument.getOwner()->isEntryBlock()) {
      ArrayRef<int64_t> bounds =
          getDeclaredBounds(function, argument.getArgNumber());
      size_t index = dim.value_or(0);
      if (index < bounds.size() && bounds[index] >= 0) {
        if (dim)
          constraints.bound(value)[*dim] <= bounds[index];
        else
          constraints.bound(value) <= bounds[index];
      }
    }
    return ++seen > kMaxValues;
  };
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, size, addPromise, /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

BufferSize getSizeAtBounds(MemRefType type, ValueRange sizes,
                           FunctionOpInterface function) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  BufferSize unknown = getBufferSize(type, function);
  if (unknown.kind != BufferSize::Dynamic)
    return unknown;
  for (int64_t &dim : shape) {
    if (!ShapedType::isDynamic(dim))
      continue;
    std::optional<int64_t> bound = getUpperBound(sizes[next++], function);
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
