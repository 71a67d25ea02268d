//===- TransientDialect.cpp - The transient dialect -----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, discardable attributes, and the interface that lets functions
// with our ops be inlined.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/Transient.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace transient;

#include "transient/IR/TransientDialect.cpp.inc"

namespace {
/// Every op of the dialect may be inlined: requests and views mean the same in
/// the caller. An arena is allocated once per call there, as it was before.
struct TransientInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  /// Node ids belong to the function they were made in: drop them, with the
  /// lifetimes and placements that refer to them.
  void processInlinedCallBlocks(
      Operation *, iterator_range<Region::iterator> blocks) const final {
    for (Block &block : blocks)
      block.walk([](Operation *op) {
        op->removeDiscardableAttr(TransientDialect::getNodeAttrName());
        if (auto alloc = dyn_cast<AllocOp>(op)) {
          alloc.removeLifetimeAttr();
          alloc.removePlacementAttr();
        }
      });
  }
};
} // namespace

void TransientDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<TransientInlinerInterface>();
}

LogicalResult TransientDialect::verifyOperationAttribute(Operation *op,
                                                         NamedAttribute attr) {
  if (attr.getName() != getNodeAttrName())
    return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                           << "'; the transient dialect defines only '"
                           << getNodeAttrName() << "'";
  auto value = dyn_cast<IntegerAttr>(attr.getValue());
  if (!value || !value.getType().isInteger(64) || value.getInt() < 0)
    return op->emitError() << "expects '" << getNodeAttrName()
                           << "' to be a non-negative i64 attribute, got "
                           << attr.getValue();
  return success();
}
