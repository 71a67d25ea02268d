//===- Lowering.h - What both lowerings share ----------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views, and when the users of a piece of storage have ended.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CONVERSION_LOWERING_H
#define TRANSIENT_LIB_CONVERSION_LOWERING_H

#include "transient/Analysis/BufferInventory.h"
#include "transient/IR/Transient.h"

#include "mlir/IR/Builders.h"

namespace transient {

/// When storage may be freed at the end of a function.
struct ReleasePoint {
  /// The function's returns.
  llvm::SmallVector<mlir::Operation *> returns;
  /// Tokens of the last users that may still run at the return (C6). Empty if
  /// there are several returns.
  llvm::SmallVector<mlir::Value> tokens;
  /// Why the end of some user is not known, and which op that is.
  std::optional<std::string> unknown;
  mlir::Operation *culprit = nullptr;
};

/// Finds when all users of `storage`, through every view, have ended. `uses`
/// are those of it (`BufferUseAnalysis::collect`).
ReleasePoint findReleasePoint(mlir::Value storage, const BufferUses &uses,
                              const ExecutionOrder &order);

/// Replaces the `transient.view`s of `arena` by `memref.view`s of `storage`
/// that keep the tenant.
void lowerViews(ArenaOp arena, mlir::Value storage);
void lowerView(ViewOp view, mlir::Value storage);

/// Emits the remark for storage that is not freed.
void remarkNotFreed(mlir::Location location, const ReleasePoint &release);

} // namespace transient

#endif // TRANSIENT_LIB_CONVERSION_LOWERING_H
