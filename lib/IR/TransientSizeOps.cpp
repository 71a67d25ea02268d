//===- TransientSizeOps.cpp - Sizes of workspaces -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the rules that the ODS text lists.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/Transient.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace transient;

SizeCaseAttr SizeFunctionOp::getCase(StringRef algorithm, StringRef mode) {
  for (auto sizeCase : getCases().getAsRange<SizeCaseAttr>())
    if (sizeCase.getAlgorithm() == algorithm && sizeCase.getMode() == mode)
      return sizeCase;
  return SizeCaseAttr();
}

LogicalResult SizeFunctionOp::verify() {
  llvm::DenseSet<std::pair<StringRef, StringRef>> seen;
  for (auto sizeCase : getCases().getAsRange<SizeCaseAttr>()) {
    AffineMap map = sizeCase.getBytes().getValue();
    // size_function-R1
    if (map.getNumDims() != 0 || map.getNumSymbols() != getDims().size() + 1 ||
        map.getNumResults() != 1)
      return emitOpError() << "expects a map of " << getDims().size() + 1
                           << " symbols to one result for algorithm '"
                           << sizeCase.getAlgorithm() << "', got "
                           << sizeCase.getBytes();
    // size_function-R2
    if (!seen.insert({sizeCase.getAlgorithm(), sizeCase.getMode()}).second)
      return emitOpError() << "has two cases for algorithm '"
                           << sizeCase.getAlgorithm() << "' in mode '"
                           << sizeCase.getMode() << "'";
  }
  return success();
}

LogicalResult SizeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<SizeFunctionOp>(
      *this, getFunctionAttr());
  // size-R1
  if (!function)
    return emitOpError() << "expects " << getFunctionAttr()
                         << " to be a transient.size_function";
  if (function.getDims().size() != getDims().size())
    return emitOpError() << "expects " << function.getDims().size()
                         << " dimensions, as " << getFunctionAttr()
                         << " has, got " << getDims().size();
  // size-R2
  if (!function.getCase(getAlgorithm(), getMode()))
    return emitOpError() << "has no size: " << getFunctionAttr()
                         << " says nothing of algorithm '" << getAlgorithm()
                         << "' in mode '" << getMode() << "'";
  return success();
}
