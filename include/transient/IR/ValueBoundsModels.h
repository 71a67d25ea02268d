//===- ValueBoundsModels.h - What MLIR knows of sizes -----------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever asks for value bounds must have attached what answers.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_VALUEBOUNDSMODELS_H
#define TRANSIENT_IR_VALUEBOUNDSMODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace transient {

/// Attaches the `ValueBoundsOpInterface` models of MLIR's dialects.
void registerValueBoundsModels(mlir::DialectRegistry &registry);

} // namespace transient

#endif // TRANSIENT_IR_VALUEBOUNDSMODELS_H
