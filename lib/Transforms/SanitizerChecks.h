//===- SanitizerChecks.h - Code that fills and looks at bytes --*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels and the function that transient-sanitize adds to a module. Private
// to that pass; knows nothing of tenants or plans.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_TRANSFORMS_SANITIZERCHECKS_H
#define TRANSIENT_LIB_TRANSFORMS_SANITIZERCHECKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace transient {

/// Makes what a module needs when it is first needed, each once. All loop over
/// `memref<?xi8>`; the kernels with any number of threads and blocks.
class SanitizerChecks {
public:
  /// Each byte of a red zone is to be `canary`.
  SanitizerChecks(mlir::ModuleOp module, uint8_t canary)
      : module(module), canary(canary) {}

  /// Kernel (bytes, i8 value): sets every byte. The stock lowering of
  /// `gpu.memset` takes elements of two and four bytes only.
  mlir::gpu::GPUFuncOp getFill();
  /// Kernel (zone, flag): sets the first byte of `flag` to 1 if one of the zone
  /// is not what it is to be.
  mlir::gpu::GPUFuncOp getCheck();
  /// Function (zone) -> i1: false if a byte is not what it is to be.
  mlir::func::FuncOp getHostCheck();

private:
  /// A kernel whose threads together run `body` for each index of its first
  /// argument.
  mlir::gpu::GPUFuncOp
  makeKernel(llvm::StringRef name, mlir::Type second,
             llvm::function_ref<void(mlir::OpBuilder &, mlir::gpu::GPUFuncOp,
                                     mlir::Value index)>
                 body);

  mlir::ModuleOp module;
  uint8_t canary;
  mlir::gpu::GPUModuleOp kernels;
  mlir::gpu::GPUFuncOp fill, check;
  mlir::func::FuncOp hostCheck;
};

} // namespace transient

#endif // TRANSIENT_LIB_TRANSFORMS_SANITIZERCHECKS_H
