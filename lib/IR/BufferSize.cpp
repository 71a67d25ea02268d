//===- BufferSize.cpp - Bytes of a memref type ----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace transient {

/// Whether the data layout can size `type` without aborting: it reports a fatal
/// error for types that it does not know.
static bool hasKnownSize(Type type) {
  if (isa<IntegerType, FloatType, IndexType>(type))
    return true;
  if (auto complex = dyn_cast<ComplexType>(type))
    return hasKnownSize(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && hasKnownSize(vector.getElementType());
  return false;
}

BufferSize getBufferSize(MemRefType type, Operation *scope) {
  return getBufferSize(type, DataLayout::closest(scope));
}

BufferSize getBufferSize(MemRefType type, const DataLayout &layout) {
  BufferSize size;
  Type element = type.getElementType();
  if (!hasKnownSize(element))
    return size;
  size.alignment = std::max<uint64_t>(1, layout.getTypeABIAlignment(element));
  if (!llvm::isPowerOf2_64(size.alignment))
    return size;
  llvm::TypeSize elementSize = layout.getTypeSize(element);
  if (elementSize.isScalable())
    return size;
  uint64_t bytes = llvm::alignTo(elementSize.getFixedValue(), size.alignment);

  if (!type.getLayout().isIdentity())
    return size;
  if (!type.hasStaticShape()) {
    size.kind = BufferSize::Dynamic;
    return size;
  }
  // An empty dimension makes the product zero whatever the others are.
  if (llvm::is_contained(type.getShape(), 0)) {
    size.kind = BufferSize::Known;
    return size;
  }
  size.kind = BufferSize::Overflow;
  for (int64_t dim : type.getShape()) {
    uint64_t product;
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dim), &product))
      return size;
    bytes = product;
  }
  if (bytes > static_cast<uint64_t>(INT64_MAX))
    return size;
  size.kind = BufferSize::Known;
  size.bytes = bytes;
  return size;
}

} // namespace transient
