//===- TransientAttributes.cpp - Attributes -------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enums, lifetimes and placements, with the rules their ODS text lists.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/Transient.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace transient;

#include "transient/IR/TransientEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "transient/IR/TransientAttributes.cpp.inc"

void TransientDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "transient/IR/TransientAttributes.cpp.inc"
      >();
}

/// `lifetime-R2` for one set.
static LogicalResult verifyNodeSet(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef name, ArrayRef<int64_t> nodes) {
  int64_t previous = -1;
  for (int64_t node : nodes) {
    if (node < 0)
      return emitError() << "expects node ids in '" << name
                         << "' to be non-negative, got " << node;
    if (node <= previous)
      return emitError() << "expects node ids in '" << name
                         << "' to be strictly increasing, got " << node
                         << " after " << previous;
    previous = node;
  }
  return success();
}

LogicalResult LifetimeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   LifetimeOrigin origin,
                                   ArrayRef<int64_t> creation,
                                   ArrayRef<int64_t> first,
                                   ArrayRef<int64_t> last) {
  if (first.empty() || last.empty()) // lifetime-R1
    return emitError() << "expects 'first' and 'last' to be non-empty";
  if (failed(verifyNodeSet(emitError, "creation", creation)) ||
      failed(verifyNodeSet(emitError, "first", first)) ||
      failed(verifyNodeSet(emitError, "last", last)))
    return failure();
  if (origin == LifetimeOrigin::Declared) { // lifetime-R3
    if (first.size() != 1 || last.size() != 1)
      return emitError() << "expects a declared lifetime to be an interval: "
                            "one node in 'first' and one in 'last'";
    if (first.front() > last.front())
      return emitError() << "expects a declared lifetime to begin before it "
                            "ends, got ["
                         << first.front() << ", " << last.front() << "]";
  }
  return success();
}

LogicalResult
PlacementAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t physical, int64_t offset, int64_t bytes) {
  if (physical < 0 || offset < 0 || bytes < 0) // placement-R1
    return emitError() << "expects 'physical', 'offset' and 'bytes' to be "
                          "non-negative, got "
                       << physical << ", " << offset << ", " << bytes;
  int64_t end;
  if (__builtin_add_overflow(offset, bytes, &end)) // placement-R2
    return emitError() << "overflow: 'offset' " << offset << " plus 'bytes' "
                       << bytes << " does not fit 64 bits";
  return success();
}

LogicalResult
PreconditionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t end, int64_t start) {
  if (end < 0 || end >= start) // precondition-R1
    return emitError() << "expects 'end' to be non-negative and less than "
                          "'start', got "
                       << end << " and " << start;
  return success();
}

LogicalResult
WorkspaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      FlatSymbolRefAttr, int64_t physical) {
  if (physical < 0) // workspace-R1
    return emitError() << "expects 'physical' to be non-negative, got "
                       << physical;
  return success();
}
