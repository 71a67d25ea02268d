//===- Passes.h - The checker's passes ------------------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares `transient-verify`. The checker knows the dialect and upstream MLIR
// only; nothing of Analysis/ or Planner/ may ever be included from here.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_CHECKER_PASSES_H
#define TRANSIENT_CHECKER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace transient {

#define GEN_PASS_DECL
#include "transient/Checker/Passes.h.inc"

/// Registers `transient-verify` with the global pass registry.
#define GEN_PASS_REGISTRATION
#include "transient/Checker/Passes.h.inc"

} // namespace transient

#endif // TRANSIENT_CHECKER_PASSES_H
