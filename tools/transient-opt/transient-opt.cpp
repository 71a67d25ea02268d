//===- transient-opt.cpp - The pass driver --------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with the transient dialect and passes on top of everything that MLIR
// registers.
//
//===----------------------------------------------------------------------===//

#include "transient/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/TargetSelect.h"

#ifdef TRANSIENT_BUILD_TESTS
#include "TestDialect.h"
#include "TestPasses.h"
#endif

int main(int argc, char **argv) {
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  mlir::registerAllPasses();
  transient::registerAllPasses();
#ifdef TRANSIENT_BUILD_TESTS
  transient::test::registerTestPasses();
#endif
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  transient::registerAllDialects(registry);
#ifdef TRANSIENT_BUILD_TESTS
  transient::test::registerTestDialect(registry);
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Transient optimizer driver\n", registry));
}
