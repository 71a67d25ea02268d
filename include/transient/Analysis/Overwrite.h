//===- Overwrite.h - Does an op replace a buffer's content? --- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A proof that nothing which a buffer held before an op can be seen after it.
// Such an op begins a new value: a buffer can be split there, and what a loop
// iteration overwrites first is not carried from the one before. Says nothing
// about when the op runs; that is ExecutionOrder's part.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_OVERWRITE_H
#define TRANSIENT_ANALYSIS_OVERWRITE_H

#include "transient/Analysis/BufferUses.h"

namespace transient {

/// Whether each execution of `op` writes every byte of `buffer` that a program
/// can read, whatever path is taken inside, and reads none of them first.
///
/// `uses` are all uses of `buffer` (`BufferUseAnalysis::collect`). False when
/// there is no proof. Proved are
///   - copies, fills and `memset` whose target is the whole buffer,
///   - linalg ops whose payload ignores the old value of an output that the
///     iteration space covers: fill, copy, transpose, broadcast, map and
///     generic with a permuted or projected output map. `matmul` and the like
///     read what they accumulate on,
///   - stores of a single element or a vector that is all the buffer holds,
///   - nests of `scf.for`, `scf.parallel` and `affine.for` with constant
///   bounds,
///     and launches of constant size, whose stores reach every element because
///     loop variables, block and thread ids run through all of them, as the
///     stock lowerings of linalg ops make them. Launches need `symbols`, to
///     find their kernels.
/// An op that also reads the buffer through any operand, or in any op nested in
/// it, never qualifies, even where it would write each element after reading
/// it: an in-place update continues a value.
///
/// The op may name the buffer through casts, reshapes and views; see
/// `isWholeAlias`. Buffers of a layout other than identity are not proved.
///
/// Linear in `uses`, or in `usesInOp` for the second form, times the length of
/// the view chain; for a launch, linear in the uses of the kernel's argument.
bool overwritesWhole(mlir::Operation *op, mlir::Value buffer,
                     const BufferUses &uses,
                     mlir::SymbolTableCollection *symbols = nullptr);

/// The same for a caller that has the uses by op: `usesInOp` are exactly those
/// whose op is `op` or nested in it. They are neighbours in `BufferUses::uses`.
bool overwritesWhole(mlir::Operation *op, mlir::Value buffer,
                     llvm::ArrayRef<BufferUse> usesInOp,
                     mlir::SymbolTableCollection *symbols = nullptr);

/// Whether `alias` names exactly the elements of `buffer`, each once, possibly
/// in another shape or order: the buffer itself, casts, `expand_shape`,
/// `collapse_shape`, `reshape`, `transpose`, and `subview`, `view` and
/// `reinterpret_cast` with static sizes that leave nothing out. False for what
/// may be another buffer (selects, block arguments, region results). Linear in
/// the chain of views.
bool isWholeAlias(mlir::Value alias, mlir::Value buffer);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_OVERWRITE_H
