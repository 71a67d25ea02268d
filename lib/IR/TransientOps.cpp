//===- TransientOps.cpp - Operations --------------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the rules that the ODS text lists, result names and view flow.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/BufferSize.h"
#include "transient/IR/Transient.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace transient;

#define GET_OP_CLASSES
#include "transient/IR/TransientOps.cpp.inc"

void TransientDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "transient/IR/TransientOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// AllocOp
//===----------------------------------------------------------------------===//

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBuffer(), "buffer");
}

LogicalResult AllocOp::verify() {
  auto type = dyn_cast<MemRefType>(getBuffer().getType());
  if (!type)
    return emitOpError() << "expects a ranked memref, got "
                         << getBuffer().getType();
  // alloc-R1
  if (getDynamicSizes().size() != static_cast<size_t>(type.getNumDynamicDims()))
    return emitOpError() << "expects " << type.getNumDynamicDims()
                         << " dynamic sizes, got " << getDynamicSizes().size();
  // alloc-R6
  if (WorkspaceAttr workspace = getWorkspaceAttr()) {
    Operation *next = (*this)->getNextNode();
    while (isa_and_nonnull<AllocOp>(next) &&
           cast<AllocOp>(next).getWorkspaceAttr())
      next = next->getNextNode();
    auto call = dyn_cast_or_null<CallOpInterface>(next);
    if (!call || dyn_cast<SymbolRefAttr>(call.getCallableForCallee()) !=
                     workspace.getCallee())
      return emitOpError() << "expects a call of " << workspace.getCallee()
                           << " to follow the workspace for it";
  }
  PlacementAttr placement = getPlacementAttr();
  if (!placement)
    return success();
  // alloc-R5
  if (getResourceClass() == ResourceClass::RequiredOutput ||
      getResourceClass() == ResourceClass::Escaped)
    return emitOpError() << "expects no placement for a buffer of class '"
                         << stringifyResourceClass(*getResourceClass()) << "'";
  // alloc-R3
  BufferSize size = getBufferSize(type, *this);
  if (size.kind == BufferSize::Overflow)
    return emitOpError() << "overflow: the size of " << type
                         << " does not fit 64 bits";
  if (size.isKnown() &&
      static_cast<uint64_t>(placement.getBytes()) < size.bytes)
    return emitOpError() << "expects a placement of at least " << size.bytes
                         << " bytes, got " << placement.getBytes();
  // alloc-R4
  int64_t alignment = getAlignment().value_or(1);
  if (placement.getOffset() % alignment != 0)
    return emitOpError() << "expects the placement's offset to be a multiple "
                            "of the alignment "
                         << alignment << ", got " << placement.getOffset();
  return success();
}

//===----------------------------------------------------------------------===//
// ArenaOp
//===----------------------------------------------------------------------===//

void ArenaOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getStorage(), "arena");
}

/// `arena-R1`, `view-R1`.
static LogicalResult verifyArenaType(Operation *op, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return op->emitOpError()
           << "expects storage of static size and identity layout, got "
           << type;
  return success();
}

LogicalResult ArenaOp::verify() {
  return verifyArenaType(*this, getStorage().getType());
}

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

void ViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBuffer(), "view");
}

Value ViewOp::getViewSource() { return getSource(); }

void ViewOp::populateDependencies(
    bufferization::RegisterDependenciesFn registerDependencies) {
  registerDependencies(ValueRange(getSource()), ValueRange(getBuffer()));
}

uint64_t ViewOp::getSizeInBytes() {
  return getBufferSize(getBuffer().getType(), *this).bytes;
}

LogicalResult ViewOp::verify() {
  MemRefType source = getSource().getType();
  MemRefType type = getBuffer().getType();
  if (failed(verifyArenaType(*this, source))) // view-R1
    return failure();
  // view-R2
  if (source.getMemorySpace() != type.getMemorySpace())
    return emitOpError() << "expects the memory space of the source, got "
                         << type;
  BufferSize size = getBufferSize(type, *this);
  switch (size.kind) {
  case BufferSize::Overflow:
    return emitOpError() << "overflow: the size of " << type
                         << " does not fit 64 bits";
  case BufferSize::Dynamic:
  case BufferSize::Unsupported:
    return emitOpError() << "expects a result of static shape, identity "
                            "layout and an element type of known size, got "
                         << type;
  case BufferSize::Known:
    break;
  }
  // view-R3; the offset is not negative, so the difference cannot overflow.
  uint64_t capacity = static_cast<uint64_t>(source.getDimSize(0));
  uint64_t offset = static_cast<uint64_t>(getOffset());
  if (offset > capacity || size.bytes > capacity - offset)
    return emitOpError() << "expects bytes [" << offset << ", " << offset
                         << " + " << size.bytes << ") to lie in the source's "
                         << capacity << " bytes";
  return success();
}
