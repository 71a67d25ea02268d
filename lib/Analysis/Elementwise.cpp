//===- Elementwise.cpp - Element for element, read before write -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First: do both operands show their whole buffer in the same shape, so that
// equal indices mean equal bytes? Then: does the op use equal indices, each in
// one iteration or thread only?
//
// In a kernel it would not do to say that two threads which store one element
// race in the given program already. Threads past the end often repeat the work
// on the last element: they all store the same value, and no run shows it. Over
// one buffer the second of them would read what the first has written. So the
// indices are proved to tell all threads and iterations apart. Then it does not
// matter which threads wait for which, nor whether all of them store.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "StoreCoverage.h"

#include "transient/Analysis/Overwrite.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace transient {

static InPlaceObstacle obstacle(StringRef reason, Operation *op = nullptr) {
  return {reason.str(), op, "here"};
}

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

/// Each iteration has an element of each buffer to itself, the same of both.
static bool isElementwise(linalg::LinalgOp op, OpOperand &read,
                          OpOperand &write) {
  AffineMap map = op.getMatchingIndexingMap(&write);
  return op.getNumLoops() == op.getNumParallelLoops() && map.isPermutation() &&
         op.getMatchingIndexingMap(&read) == map && op.isDpsInput(&read) &&
         op.isDpsInit(&write);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Calls `accept` with each use of `memref` in `kernel`, or of a cast of it, in
/// program order. Returns the first op of whose use it does not want to know.
static Operation *findOther(FunctionOpInterface kernel, Value memref,
                            llvm::function_ref<bool(OpOperand &)> accept) {
  llvm::SmallDenseSet<Value> names = {memref};
  Operation *other = nullptr;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands()) {
      if (!names.contains(use.get()))
        continue;
      if (auto cast = dyn_cast<memref::CastOp>(op))
        names.insert(cast.getResult());
      else if (!accept(use))
        other = op;
      if (other)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return other;
}

static std::optional<InPlaceObstacle>
findKernelObstacle(gpu::LaunchFuncOp launch, FunctionOpInterface kernel,
                   unsigned operand, unsigned result) {
  // That no other argument is the same memory, for instance.
  for (unsigned index : {operand, result})
    if (DictionaryAttr attrs = kernel.getArgAttrDict(index);
        attrs && !attrs.empty())
      return obstacle(
          "the kernel's argument has attributes, which may not hold "
          "where two arguments are one buffer",
          kernel);
  SmallVector<memref::LoadOp> loads;
  if (Operation *other =
          findOther(kernel, kernel.getArgument(operand), [&](OpOperand &use) {
            auto load = dyn_cast<memref::LoadOp>(use.getOwner());
            if (load)
              loads.push_back(load);
            return static_cast<bool>(load);
          }))
    return obstacle(
        "the kernel uses the operand by something else than 'memref.load'",
        other);
  memref::StoreOp store;
  if (Operation *other =
          findOther(kernel, kernel.getArgument(result), [&](OpOperand &use) {
            auto next = dyn_cast<memref::StoreOp>(use.getOwner());
            if (!next || &next.getMemrefMutable() != &use || store)
              return false;
            store = next;
            return true;
          }))
    return obstacle("the kernel uses the result by something else than one "
                    "'memref.store'",
                    other);
  for (memref::LoadOp load : loads) {
    if (!llvm::equal(load.getIndices(), store.getIndices()))
      return obstacle("the kernel loads the operand at other indices than it "
                      "stores the result at",
                      load);
    // What is around both loops over the indices, or runs once.
    Operation *next = load->getBlock()->findAncestorOpInBlock(*store);
    if (!next || !load->isBeforeInBlock(next))
      return obstacle("the kernel may load the operand after it has stored the "
                      "result",
                      load);
  }
  if (!storesEachOnce(launch, kernel, store))
    return obstacle("several threads or iterations of the kernel may store one "
                    "element of the result",
                    store);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

/// The type in which `value` shows its buffer, whatever it is cast to.
static MemRefType getShownType(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  return dyn_cast<MemRefType>(value.getType());
}

/// Whether equal indices into the two are the same place in the two buffers:
/// both show all of it, row by row, in one shape.
static bool showSameElements(Value read, Value operand, Value write,
                             Value result) {
  MemRefType type = getShownType(read);
  return type && type == getShownType(write) && type.hasStaticShape() &&
         type.getLayout().isIdentity() && isWholeAlias(read, operand) &&
         isWholeAlias(write, result);
}

std::optional<InPlaceObstacle>
findElementwiseObstacle(const InPlacePair &pair, Value operand, Value result,
                        SymbolTableCollection &symbols) {
  bool isSame =
      showSameElements(pair.read->get(), operand, pair.write->get(), result);
  if (auto op = dyn_cast<linalg::LinalgOp>(pair.op)) {
    if (isSame && isElementwise(op, *pair.read, *pair.write))
      return std::nullopt;
    InPlaceObstacle expected;
    expected.isExpected = true;
    return expected;
  }
  if (!isSame)
    return obstacle("this op sees the operand and the result in part only, or "
                    "in two shapes");
  auto launch = cast<gpu::LaunchFuncOp>(pair.op);
  // It has a body, for otherwise nobody would know what is read and written.
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      launch, launch.getKernelAttr());
  unsigned begin = launch.getKernelOperands().getBeginOperandIndex();
  return findKernelObstacle(launch, kernel,
                            pair.read->getOperandNumber() - begin,
                            pair.write->getOperandNumber() - begin);
}

} // namespace transient
