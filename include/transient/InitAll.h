//===- InitAll.h - Registration ------------------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call for tools, plugins and embedders: the dialect, the passes and the
// pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_INITALL_H
#define TRANSIENT_INITALL_H

#include "transient/Checker/Passes.h"
#include "transient/Conversion/Passes.h"
#include "transient/IR/Transient.h"
#include "transient/Pipelines/TransientPipeline.h"
#include "transient/Transforms/Passes.h"

namespace transient {

/// Adds the transient dialect to `registry`.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<TransientDialect>();
}

/// Registers every pass and `transient-pipeline` with the global registry. Call
/// once a process.
inline void registerAllPasses() {
  registerTransientPasses();
  registerTransientConversionPasses();
  registerTransientCheckerPasses();
  registerTransientPipeline();
}

} // namespace transient

#endif // TRANSIENT_INITALL_H
