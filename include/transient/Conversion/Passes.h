//===- Passes.h - Lowering passes ----------------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_CONVERSION_PASSES_H
#define TRANSIENT_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace transient {

#define GEN_PASS_DECL
#include "transient/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transient/Conversion/Passes.h.inc"

} // namespace transient

#endif // TRANSIENT_CONVERSION_PASSES_H
