//===- PlannedFunctions.cpp - Which functions are planned -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/PlannedFunctions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace transient {

std::vector<FunctionOpInterface> getPlannedFunctions(ModuleOp module) {
  std::vector<FunctionOpInterface> functions;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return WalkResult::advance();
    if (!function.isExternal() && !isa<LLVM::LLVMFuncOp>(op))
      functions.push_back(function);
    return WalkResult::skip();
  });
  return functions;
}

} // namespace transient
