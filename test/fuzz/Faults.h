//===- Faults.h - Damage to planned programs ------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mistakes that a planner, a lowering or a person may make, each in one
// place. None adds, removes or moves an access, so that a damaged program can
// be compared with the program as it was.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_FAULTS_H
#define TRANSIENT_TEST_FUZZ_FAULTS_H

#include "Random.h"

#include "mlir/IR/BuiltinOps.h"

namespace transient::fuzz {

enum class FaultKind {
  DropToken,
  LastToken,
  StaleToken,
  DropWait,
  LateWait,
  Unblock,
  ForgetBranchToken,
  ForgetLoopToken,
  StaleLoopToken,
  ForgetCalleeToken,
  ForgetAllocToken,
  ShiftView,
  HalfOpen,
  AliasTenants,
  AliasAcrossLoop,
  SwapOffsets,
  Misalign,
  ShrinkArena,
  OffsetOverflow,
  EarlyFree,
  FreeForgetsUser,
  DoubleFree
};

constexpr unsigned numFaultKinds =
    static_cast<unsigned>(FaultKind::DoubleFree) + 1;

const char *toString(FaultKind kind);

/// Whether the fault is one of offsets and sizes, which a plan consists of.
bool isFaultOfPlacement(FaultKind kind);

/// Damages `module` in one place chosen by `random`; false if it has none, or
/// if the result is not valid IR.
bool damage(mlir::ModuleOp module, FaultKind kind, Random &random);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_FAULTS_H
