//===- PlannedFunctions.h - Which functions are planned ------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host functions of a module, in order.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_PLANNEDFUNCTIONS_H
#define TRANSIENT_ANALYSIS_PLANNEDFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace transient {

/// Returns the functions of `module` that have a body and run on the host, in
/// program order: no kernels, and nothing inside a `gpu.module` or a function
/// of the LLVM dialect.
std::vector<mlir::FunctionOpInterface> getPlannedFunctions(mlir::ModuleOp);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_PLANNEDFUNCTIONS_H
