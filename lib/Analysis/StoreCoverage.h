//===- StoreCoverage.h - Does a store reach every element? ---- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store in loops, or in a kernel, whose indices run through the whole memref.
// This is what linalg ops become in the stock lowerings to loops and to the
// GPU, so that lowering early does not hide where a value begins. And a store
// that no two threads or iterations of a kernel do to one element.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_ANALYSIS_STORECOVERAGE_H
#define TRANSIENT_LIB_ANALYSIS_STORECOVERAGE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace transient {

/// Whether `store` (a `memref.store` or `affine.store` nested in `loop`) writes
/// every element of its memref each time `loop` executes: all that is around it
/// up to and including `loop` are loops of constant bounds that run at least
/// once, and each index is a sum of their variables, with constant factors,
/// that takes every value from 0 to the dimension's size once. An index into a
/// dimension of size 1 may be anything, for it can only be 0.
/// O(depth + size of the index expressions, up to a fixed bound).
bool storesAllInLoop(mlir::Operation *store, mlir::Operation *loop);

/// Whether `kernel`, launched by `launch`, writes every element of its argument
/// `index`: it has a store of that argument in its only block, or in loops as
/// above, whose indices run through the memref as ids of blocks and threads and
/// loop variables do. The launch's sizes must be constants of at least 1.
/// Linear in the uses of the argument.
bool storesAllInKernel(mlir::gpu::LaunchFuncOp launch,
                       mlir::FunctionOpInterface kernel, unsigned index);

/// Whether no element is stored twice by `store`, in the body of `kernel`, in
/// one execution of `launch`: all that is around it are loops of constant
/// bounds and `scf.if`, and ids of blocks and threads and loop variables follow
/// from its indices. The launch's sizes must be constants of at least 1.
/// O(depth + size of the index expressions, up to a fixed bound).
bool storesEachOnce(mlir::gpu::LaunchFuncOp launch,
                    mlir::FunctionOpInterface kernel,
                    mlir::memref::StoreOp store);

} // namespace transient

#endif // TRANSIENT_LIB_ANALYSIS_STORECOVERAGE_H
