//===- Passes.h - Transformation passes ----------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the passes in Passes.td, their option enums, and the pipeline
// that runs all stages.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TRANSFORMS_PASSES_H
#define TRANSIENT_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/CommandLine.h"

namespace transient {

/// Which op is to allocate planned storage.
enum class AllocationPolicy { Keep, MemRef, Gpu };

/// Who allocates the planned storage of a function.
enum class ArenaOwner {
  /// The function, at its entry.
  Entry,
  /// Whoever calls it, from outside of the module.
  Argument
};

/// How requests share storage.
enum class PlacementStrategy { Arena, Slots };

/// Whose rules placements follow.
enum class Target { Generic, Cuda, Rocm, Vulkan, WebGpu };

/// How far `transient-pipeline` lowers planned storage.
enum class Lowering {
  /// Storage is allocated by the kind of op that allocated its tenants.
  Auto,
  /// By `gpu.alloc`, where only the device touches the tenants.
  Gpu,
  /// By `memref.alloc`.
  MemRef,
  /// Not at all: the IR keeps `transient.arena` and `transient.view`.
  None
};

#define GEN_PASS_DECL
#include "transient/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transient/Transforms/Passes.h.inc"

} // namespace transient

#endif // TRANSIENT_TRANSFORMS_PASSES_H
