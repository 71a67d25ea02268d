//===- TransientPipeline.cpp - All stages in order ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Pipelines/TransientPipeline.h"

#include "transient/Checker/Passes.h"
#include "transient/Conversion/Passes.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace transient {

void buildTransientPipeline(OpPassManager &pm,
                            const TransientPipelineOptions &options) {
  pm.addPass(createTransientResolveSizesPass());
  pm.addPass(createTransientGuardBoundsPass());
  TransientImportPassOptions import;
  import.allocations =
      options.lower == Lowering::MemRef ? AllocationPolicy::MemRef
      : options.lower == Lowering::Gpu  ? AllocationPolicy::Gpu
                                        : AllocationPolicy::Keep;
  import.splitWebs = options.splitWebs;
  pm.addPass(createTransientImportPass(import));
  if (options.inPlace) {
    TransientInPlacePassOptions inPlace;
    inPlace.target = options.target;
    pm.addPass(createTransientInPlacePass(inPlace));
  }
  pm.addPass(createTransientLivenessPass());
  TransientPlanPassOptions plan;
  plan.strategy = options.strategy;
  plan.target = options.target;
  plan.alignment = options.alignment;
  plan.maxBufferBytes = options.maxBufferBytes;
  plan.shareFirst = options.shareFirst;
  plan.orderingBudget = options.orderingBudget;
  pm.addPass(createTransientPlanPass(plan));
  if (!options.report.empty() || !options.memoryMap.empty()) {
    TransientReportPassOptions report;
    report.file = options.report;
    report.memoryMap = options.memoryMap;
    pm.addPass(createTransientReportPass(report));
  }
  if (options.orderingBudget >= 0)
    pm.addPass(createTransientApplyOrderingPass());
  TransientMaterializePassOptions materialize;
  materialize.poisonByte = options.poisonByte;
  materialize.arena = options.arena;
  pm.addPass(createTransientMaterializePass(materialize));
  if (options.sanitize)
    pm.addPass(createTransientSanitizePass());
  if (options.lower != Lowering::None) {
    pm.addPass(createConvertTransientToGpuPass());
    pm.addPass(createConvertTransientToMemRefPass());
  }
  // Programs that are to run on a device go to gpu-to-llvm next.
  if (options.lower == Lowering::Gpu)
    pm.addPass(createTransientPrepareTokensPass());
  if (options.verify)
    pm.addPass(createTransientVerifyPass());
  // The markers let addresses escape, so nothing could be proved after them.
  if (options.markTenants)
    pm.addPass(createTransientMarkTenantsPass());
}

void registerTransientPipeline() {
  PassPipelineRegistration<TransientPipelineOptions>(
      "transient-pipeline",
      "Let short-lived buffers share storage, and prove that they may: import, "
      "liveness, plan, materialize, lower, verify",
      buildTransientPipeline);
}

} // namespace transient
