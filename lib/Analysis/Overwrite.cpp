//===- Overwrite.cpp - Does an op replace a buffer's content? -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions, answered one after the other: does the operand name the whole
// buffer, and does the op write all of what the operand names? Reads are not
// looked for here: the caller's list of uses has them all.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/Overwrite.h"

#include "StoreCoverage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace transient {

//===----------------------------------------------------------------------===//
// Views of all of a buffer
//===----------------------------------------------------------------------===//

/// Whether a static strided type with offset 0 lists the elements 0 to n-1 of
/// its base, each once. O(rank log rank).
static bool isDensePermutation(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    if (size != 1)
      dims.push_back({stride, size});
  // A dynamic stride is the smallest number, so it comes first and fails.
  llvm::sort(dims);
  int64_t expected = 1;
  for (auto [stride, size] : dims) {
    if (stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

/// Whether `alias` has the base address of `buffer` and its element type,
/// whatever part it shows.
static bool hasSameBase(Value alias, Value buffer) {
  while (alias != buffer) {
    Operation *op = alias.getDefiningOp();
    if (!isa_and_nonnull<memref::CastOp, memref::SubViewOp,
                         memref::ExpandShapeOp, memref::CollapseShapeOp,
                         memref::ReinterpretCastOp, memref::TransposeOp,
                         memref::MemorySpaceCastOp, memref::AssumeAlignmentOp,
                         memref::ExtractStridedMetadataOp>(op))
      return false;
    alias = op->getOperand(0);
  }
  return true;
}

static bool isFullSubView(memref::SubViewOp view) {
  MemRefType source = view.getSourceType();
  auto is = [](int64_t value) {
    return [value](OpFoldResult got) { return isConstantIntValue(got, value); };
  };
  return source.hasStaticShape() &&
         llvm::all_of(view.getMixedOffsets(), is(0)) &&
         llvm::all_of(view.getMixedStrides(), is(1)) &&
         llvm::all_of(llvm::zip_equal(view.getMixedSizes(), source.getShape()),
                      [](auto pair) {
                        auto [got, size] = pair;
                        return isConstantIntValue(got, size);
                      });
}

/// Whether a `memref.view` shows every byte of its source, and writing all its
/// elements writes them all.
static bool isFullView(memref::ViewOp view) {
  auto source = cast<MemRefType>(view.getSource().getType());
  MemRefType type = view.getType();
  if (!source.hasStaticShape() || !type.hasStaticShape() ||
      !type.getLayout().isIdentity() || !type.getElementType().isIntOrFloat() ||
      !isConstantIntValue(view.getByteShift(), 0))
    return false;
  // Other widths have bits or bytes between elements that no store reaches.
  unsigned width = type.getElementTypeBitWidth();
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return false;
  int64_t bytes = 0;
  return !llvm::MulOverflow<int64_t>(type.getNumElements(), width / 8, bytes) &&
         bytes == source.getNumElements();
}

bool isWholeAlias(Value alias, Value buffer) {
  while (alias != buffer) {
    Operation *op = alias.getDefiningOp();
    if (!op)
      return false;
    if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
      // Counts elements from the base, whatever the source shows of it.
      auto whole = dyn_cast<MemRefType>(buffer.getType());
      return whole && whole.hasStaticShape() &&
             whole.getLayout().isIdentity() &&
             hasSameBase(cast.getSource(), buffer) &&
             isDensePermutation(cast.getType()) &&
             cast.getType().getNumElements() == whole.getNumElements();
    }
    if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      if (!isFullSubView(view))
        return false;
    } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
      if (!isFullView(view))
        return false;
    } else if (!isa<memref::CastOp, memref::ExpandShapeOp,
                    memref::CollapseShapeOp, memref::ReshapeOp,
                    memref::TransposeOp, memref::MemorySpaceCastOp,
                    memref::AssumeAlignmentOp>(op)) {
      return false;
    }
    alias = op->getOperand(0);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Writes of all that an operand names
//===----------------------------------------------------------------------===//

/// Whether the iteration space of `op` reaches every element of `init`, and the
/// payload takes nothing from there.
static bool coversInit(linalg::LinalgOp op, OpOperand &init) {
  auto type = dyn_cast<MemRefType>(init.get().getType());
  if (!type || !op.isDpsInit(&init) || op.payloadUsesValueFromOperand(&init))
    return false;
  AffineMap map = op.getMatchingIndexingMap(&init);
  // The operand whose shape says how far a loop runs: the first that is indexed
  // by it alone, as in the stock lowering. Other shapes must agree with it.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned begin = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (&operand == &init)
      break;
    begin += op.getMatchingIndexingMap(&operand).getNumResults();
  }
  AffineMap toLoops = op.getShapesToLoopsMap();
  if (!toLoops || toLoops.getNumResults() != ranges.size())
    return false;
  llvm::SmallBitVector seen(ranges.size());
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    int64_t size = type.getDimSize(index);
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (constant.getValue() != 0 || size != 1)
        return false;
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
    bool sameStatic =
        !ShapedType::isDynamic(size) && ranges[dim.getPosition()] == size;
    auto source = dyn_cast<AffineDimExpr>(toLoops.getResult(dim.getPosition()));
    bool isOwn = source && source.getPosition() == begin + index;
    if (!sameStatic && !isOwn)
      return false;
  }
  // A loop that only repeats writes must run at all.
  for (auto [index, range] : llvm::enumerate(ranges))
    if (!seen.test(index) && (ShapedType::isDynamic(range) || range == 0))
      return false;
  return true;
}

static bool isZero(Value value) {
  return isConstantIntValue(getAsOpFoldResult(value), 0);
}

static bool coversTarget(vector::TransferWriteOp write) {
  auto type = dyn_cast<MemRefType>(write.getShapedType());
  VectorType vector = write.getVectorType();
  AffineMap map = write.getPermutationMap();
  // A vector has every one of its elements: no mask, no scalable dimension, and
  // one vector dimension for each memref dimension.
  if (!type || write.getMask() || vector.isScalable() ||
      type.getElementType() != vector.getElementType() ||
      !map.isPermutation() || !llvm::all_of(write.getIndices(), isZero))
    return false;
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    if (type.getDimSize(cast<AffineDimExpr>(expr).getPosition()) !=
        vector.getDimSize(index))
      return false;
  return true;
}

static bool coversTarget(vector::StoreOp store) {
  MemRefType type = store.getMemRefType();
  VectorType vector = store.getVectorType();
  if (type.getElementType() == vector)
    return type.hasStaticShape() && type.getNumElements() == 1;
  if (vector.isScalable() || type.getElementType() != vector.getElementType() ||
      vector.getRank() > type.getRank() ||
      !llvm::all_of(store.getIndices(), isZero))
    return false;
  size_t leading = type.getRank() - vector.getRank();
  return llvm::all_of(type.getShape().take_front(leading),
                      [](int64_t size) { return size == 1; }) &&
         type.getShape().drop_front(leading) == vector.getShape();
}

/// Whether `op` writes every element that `target` names each time it executes.
static bool coversTarget(Operation *op, OpOperand &target) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return coversInit(linalgOp, target);
  // Source and target have the same shape, dynamic dimensions included.
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return &copy.getTargetMutable() == &target;
  if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
    return &copy.getDstMutable() == &target;
  if (auto set = dyn_cast<gpu::MemsetOp>(op))
    return &set.getDstMutable() == &target;
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return &write.getBaseMutable() == &target && coversTarget(write);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return &store.getBaseMutable() == &target && coversTarget(store);
  auto isSingle = [&] {
    auto type = dyn_cast<MemRefType>(target.get().getType());
    return type && type.hasStaticShape() && type.getNumElements() == 1;
  };
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return &store.getMemrefMutable() == &target && isSingle();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return &store.getMemrefMutable() == &target && isSingle();
  return false;
}

static bool coversArgument(gpu::LaunchFuncOp launch, OpOperand &operand,
                           SymbolTableCollection &symbols) {
  OperandRange arguments = launch.getKernelOperands();
  unsigned begin = arguments.empty() ? 0 : arguments.getBeginOperandIndex();
  if (arguments.empty() || operand.getOperandNumber() < begin)
    return false;
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      launch, launch.getKernelAttr());
  return kernel && !kernel.isExternal() &&
         storesAllInKernel(launch, kernel, operand.getOperandNumber() - begin);
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

bool overwritesWhole(Operation *op, Value buffer, ArrayRef<BufferUse> usesInOp,
                     SymbolTableCollection *symbols) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getLayout().isIdentity())
    return false;
  for (const BufferUse &use : usesInOp)
    if (use.kind != BufferUse::Access || reads(use.mode))
      return false;
  return llvm::any_of(usesInOp, [&](const BufferUse &use) {
    if (!writes(use.mode) || !use.modeProved ||
        !isWholeAlias(use.operand->get(), buffer))
      return false;
    if (use.getOp() != op)
      return storesAllInLoop(use.getOp(), op);
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      return symbols && coversArgument(launch, *use.operand, *symbols);
    return coversTarget(op, *use.operand);
  });
}

bool overwritesWhole(Operation *op, Value buffer, const BufferUses &uses,
                     SymbolTableCollection *symbols) {
  SmallVector<BufferUse> usesInOp;
  for (const BufferUse &use : uses.uses)
    if (op->isAncestor(use.getOp()))
      usesInOp.push_back(use);
  return overwritesWhole(op, buffer, ArrayRef<BufferUse>(usesInOp), symbols);
}

} // namespace transient
