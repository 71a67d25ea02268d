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

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace transient;

#include "transient/IR/TransientDialect.cpp.inc"

namespace {
/// Requests and views mean the same in a caller. An arena lives until its
/// function returns, so it may only move to where it still runs once a call:
/// straight into the body of a function of one block.
///
/// Node ids, lifetimes and placements that were made for the callee come along;
/// the passes that read them notice that they do not fit.
struct TransientInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *destination, bool,
                       IRMapping &) const final {
    if (!isa<ArenaOp>(op))
      return true;
    return isa_and_nonnull<FunctionOpInterface>(destination->getParentOp()) &&
           destination->hasOneBlock();
  }
};
} // namespace

void TransientDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<TransientInlinerInterface>();
}

/// The type of an argument of a function, or null where there is no function.
static Type getArgumentType(Operation *op, unsigned argument) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && argument < function.getNumArguments()
             ? function.getArgumentTypes()[argument]
             : Type();
}

static LogicalResult verifyBound(Operation *op, unsigned argument,
                                 Attribute attr) {
  Type type = getArgumentType(op, argument);
  auto memref = dyn_cast_or_null<MemRefType>(type);
  if (!memref && !isa_and_nonnull<IndexType>(type))
    return op->emitError() << "expects '"
                           << TransientDialect::getBoundAttrName()
                           << "' on an index or ranked memref argument of a "
                              "function";
  auto bounds = dyn_cast<DenseI64ArrayAttr>(attr);
  int64_t count = memref ? memref.getRank() : 1;
  if (!bounds || bounds.size() != count ||
      llvm::any_of(bounds.asArrayRef(),
                   [](int64_t bound) { return bound < -1; }))
    return op->emitError() << "expects '"
                           << TransientDialect::getBoundAttrName()
                           << "' to be an array of " << count
                           << " numbers, each a bound or -1, got " << attr;
  return success();
}

LogicalResult TransientDialect::verifyRegionArgAttribute(Operation *op,
                                                         unsigned region,
                                                         unsigned argument,
                                                         NamedAttribute attr) {
  if (attr.getName() == getBoundAttrName())
    return verifyBound(op, argument, attr.getValue());
  if (attr.getName() != getContractAttrName())
    return op->emitError() << "unknown argument attribute '"
                           << attr.getName().getValue()
                           << "'; the transient dialect defines only '"
                           << getContractAttrName() << "' and '"
                           << getBoundAttrName() << "'";
  auto value = dyn_cast<StringAttr>(attr.getValue());
  if (!value ||
      !llvm::is_contained({"none", "read", "write", "read-write"},
                          value.getValue()))
    return op->emitError() << "expects '" << getContractAttrName()
                           << "' to be \"none\", \"read\", \"write\" or "
                              "\"read-write\", got "
                           << attr.getValue();
  if (!isa_and_nonnull<BaseMemRefType>(getArgumentType(op, argument)))
    return op->emitError() << "expects '" << getContractAttrName()
                           << "' on a memref argument of a function";
  return success();
}

LogicalResult TransientDialect::verifyOperationAttribute(Operation *op,
                                                         NamedAttribute attr) {
  if (attr.getName() == getKeepApartAttrName()) {
    if (!isa<UnitAttr>(attr.getValue()) ||
        !hasEffect<MemoryEffects::Allocate>(op))
      return op->emitError() << "expects '" << getKeepApartAttrName()
                             << "' to be a unit attribute of an allocation";
    return success();
  }
  if (attr.getName() == getRequiredBytesAttrName()) {
    auto bytes = dyn_cast<IntegerAttr>(attr.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0 ||
        !isa<memref::AllocOp, gpu::AllocOp>(op))
      return op->emitError() << "expects '" << getRequiredBytesAttrName()
                             << "' to be a non-negative i64 attribute of a "
                                "'memref.alloc' or 'gpu.alloc'";
    return success();
  }
  if (attr.getName() == getPreconditionsAttrName()) {
    auto list = dyn_cast<ArrayAttr>(attr.getValue());
    if (!list || !isa<FunctionOpInterface>(op) ||
        !llvm::all_of(list, llvm::IsaPred<PreconditionAttr>))
      return op->emitError() << "expects '" << getPreconditionsAttrName()
                             << "' to be an array of "
                                "#transient.precondition on a function";
    return success();
  }
  if (attr.getName() != getNodeAttrName())
    return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                           << "'; the transient dialect defines only '"
                           << getNodeAttrName() << "', '"
                           << getKeepApartAttrName() << "', '"
                           << getRequiredBytesAttrName() << "' and '"
                           << getPreconditionsAttrName() << "'";
  auto value = dyn_cast<IntegerAttr>(attr.getValue());
  if (!value || !value.getType().isInteger(64) || value.getInt() < 0)
    return op->emitError() << "expects '" << getNodeAttrName()
                           << "' to be a non-negative i64 attribute, got "
                           << attr.getValue();
  return success();
}
