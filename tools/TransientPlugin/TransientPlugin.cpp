//===- TransientPlugin.cpp - Plugin for a stock mlir-opt ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry points that mlir-opt looks up with --load-dialect-plugin and --load-
// pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "transient/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Transient", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            transient::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Transient", LLVM_VERSION_STRING,
          []() { transient::registerAllPasses(); }};
}
