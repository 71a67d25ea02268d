//===- OrderedOpInterface.h - How an op is ordered ------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op interface by which dialects say when their work starts and ends.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_ORDEREDOPINTERFACE_H
#define TRANSIENT_IR_ORDEREDOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace transient {

/// When the work of an op has ended.
enum class OpCompletion {
  /// When the op returns to the host.
  OnReturn,
  /// When its completion tokens are ready.
  Token,
  /// Nobody can tell.
  Unknown
};

/// Adds models of OrderedOpInterface for ops of MLIR's own dialects: ops of
/// `gpu` and `async` by their tokens, and those of the dialects that run on the
/// calling thread (`memref`, `linalg`, `scf`, `func`, ...) as complete on
/// return. The passes that derive order ask for them by themselves.
void registerOrderedOpModels(mlir::DialectRegistry &registry);

} // namespace transient

#include "transient/IR/OrderedOpInterface.h.inc"

#endif // TRANSIENT_IR_ORDEREDOPINTERFACE_H
