//===- TouchedBytes.cpp - How much of a buffer is ever used ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/TouchedBytes.h"

#include "transient/IR/BufferSize.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace transient {

/// The end of what `alias` names, in bytes from where its base pointer points.
static std::optional<uint64_t> getEnd(Value alias, Operation *scope) {
  auto type = dyn_cast<MemRefType>(alias.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || offset < 0)
    return std::nullopt;
  if (type.getNumElements() == 0)
    return 0;
  BufferSize element = getBufferSize(
      MemRefType::get({}, type.getElementType()), scope);
  if (!element.isKnown())
    return std::nullopt;
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    int64_t extent;
    if (ShapedType::isDynamic(stride) || stride < 0 ||
        __builtin_mul_overflow(size - 1, stride, &extent) ||
        __builtin_add_overflow(last, extent, &last))
      return std::nullopt;
  }
  uint64_t end;
  if (__builtin_mul_overflow(static_cast<uint64_t>(last) + 1, element.bytes,
                             &end))
    return std::nullopt;
  return end;
}

/// Whether all that `op` does with `alias` is to access elements of it: it keeps
/// no address from which others could be reached.
static bool accesses(Operation *op, Value alias) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op)))
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(alias, effects);
  return !effects.empty() &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

uint64_t getTouchedEnd(Value buffer, uint64_t bytes) {
  // Aliases, and where the base pointer of each points.
  llvm::SmallSetVector<Value, 8> aliases;
  SmallVector<uint64_t> bases;
  aliases.insert(buffer);
  bases.push_back(0);
  uint64_t touched = 0;
  for (size_t i = 0; i != aliases.size() && touched < bytes; ++i) {
    Value alias = aliases[i];
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      if (isa<memref::DeallocOp, gpu::DeallocOp, memref::DimOp>(user))
        continue;
      if (isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp,
              memref::ExpandShapeOp, memref::CollapseShapeOp,
              memref::TransposeOp>(user) &&
          getEnd(user->getResult(0), user)) {
        if (aliases.insert(user->getResult(0)))
          bases.push_back(bases[i]);
        continue;
      }
      auto view = dyn_cast<memref::ViewOp>(user);
      std::optional<int64_t> shift =
          view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      if (shift && *shift >= 0 &&
          static_cast<uint64_t>(*shift) <= bytes - bases[i] &&
          getEnd(view, view)) {
        if (aliases.insert(view))
          bases.push_back(bases[i] + *shift);
        continue;
      }
      std::optional<uint64_t> end;
      if (accesses(user, alias))
        end = getEnd(alias, user);
      if (!end || *end > bytes - bases[i])
        return bytes;
      touched = std::max(touched, bases[i] + *end);
    }
  }
  return std::min(touched, bytes);
}

} // namespace transient
