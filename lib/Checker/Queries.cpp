//===- Queries.cpp - Sizes that were asked for ----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `gpu.X_buffer_size` gives the size of the workspace of `gpu.X`, for its very
// arguments: cuSPARSE promises nothing for other matrices, modes or types.
//
//===----------------------------------------------------------------------===//

#include "Queries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace transient::checker {

static constexpr StringLiteral querySuffix = "_buffer_size";

/// The query behind the size of the allocation behind `buffer`, or null.
static Operation *findQuery(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  Operation *allocation = buffer.getDefiningOp();
  if (!allocation || !hasEffect<MemoryEffects::Allocate>(allocation))
    return nullptr;
  // One dynamic size of bytes; the other operands are tokens.
  Value size;
  for (Value operand : allocation->getOperands()) {
    if (!operand.getType().isIndex())
      continue;
    if (size)
      return nullptr;
    size = operand;
  }
  while (size)
    if (auto cast = size.getDefiningOp<arith::IndexCastOp>())
      size = cast.getIn();
    else
      break;
  Operation *query = size ? size.getDefiningOp() : nullptr;
  return query && query->getName().getStringRef().ends_with(querySuffix)
             ? query
             : nullptr;
}

/// What a library op or its query is about: handles, in order.
static SmallVector<Value> getSubjects(Operation *op) {
  return llvm::filter_to_vector(op->getOperands(), [](Value operand) {
    return !isa<gpu::AsyncTokenType, BaseMemRefType>(operand.getType());
  });
}

/// Modes and types; segment sizes differ with the number of tokens.
static DictionaryAttr getMode(Operation *op) {
  SmallVector<NamedAttribute> mode;
  for (NamedAttribute attr : op->getPropertiesAsAttribute()
                                 ? cast<DictionaryAttr>(
                                       op->getPropertiesAsAttribute())
                                 : op->getAttrDictionary())
    if (attr.getName() != "operandSegmentSizes" &&
        attr.getName() != "resultSegmentSizes")
      mode.push_back(attr);
  return DictionaryAttr::get(op->getContext(), mode);
}

void checkQueries(Operation *function, Report &report) {
  function->walk([&](Operation *op) {
    if (!isa<gpu::SpMVOp, gpu::SpMMOp, gpu::SDDMMOp>(op))
      return;
    StringRef name = op->getName().getStringRef();
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      Operation *query = findQuery(operand);
      if (!query)
        continue;
      StringRef asked = query->getName().getStringRef().drop_back(
          querySuffix.size());
      if (asked == name && getSubjects(query) == getSubjects(op) &&
          getMode(query) == getMode(op))
        continue;
      report.add(Report::Error, op,
                 "the workspace of '" + name.str() +
                     "' has a size that was asked for with other arguments "
                     "(V10)",
                 {{query->getLoc(), "this query gave the size"}});
    }
  });
}

} // namespace transient::checker
