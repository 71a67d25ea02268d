//===- InPlace.h - Results that may take an operand's buffer -- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that reads one buffer and writes another can do with one, if the first
// dies there, the second begins there, and the op itself does not mind. All
// three are proved; what is not proved is an obstacle that has a name and a
// place in the program.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_INPLACE_H
#define TRANSIENT_ANALYSIS_INPLACE_H

#include "transient/Analysis/BufferInventory.h"

#include <optional>
#include <string>
#include <vector>

namespace transient {

/// An op, a request that it reads and no more, and one of the same type that it
/// writes and no more.
struct InPlacePair {
  mlir::Operation *op = nullptr;
  /// Indices into the records that the pair was found in.
  unsigned operand = 0, result = 0;
  /// One use of each by `op`.
  mlir::OpOperand *read = nullptr, *write = nullptr;
};

/// Why a result is not written in place of an operand.
struct InPlaceObstacle {
  /// A clause about "the operand", "the result" and "this op".
  std::string reason;
  /// Where the reason stands in the program, and what to say there; null if
  /// there is no such place.
  mlir::Operation *op = nullptr;
  std::string note;
  /// Nobody would expect otherwise: the op is not elementwise by its kind, or
  /// is not by its kernel and something else is in the way, too.
  bool isExpected = false;
};

/// Returns the pairs of `records` to look at, ordered by op in program order,
/// then by the place of the result, then of the operand, among the operands of
/// the op. `linalg` ops and `gpu.launch_func` only. O(u log u) for u uses.
std::vector<InPlacePair>
findInPlacePairs(const std::vector<BufferRecord> &records,
                 const BufferUseAnalysis &uses);

/// What keeps the result of `pair` from being written in place of the operand;
/// nothing if both are proved to do with one buffer (R5, M10):
///   - but for the op, every access of the operand ends before the op starts,
///     and every access of the result starts after it has ended, in every
///     execution (C1);
///   - both are requested in the block of the op, agree in all that a request
///     says, and are understood from the first access to the last;
///   - the op is elementwise on them (lib/Analysis/Elementwise.h).
///
/// `operand` and `result` are the records of the two, as they are by now.
/// Linear in their uses.
std::optional<InPlaceObstacle>
findInPlaceObstacle(const InPlacePair &pair, const BufferRecord &operand,
                    const BufferRecord &result, const ExecutionOrder &order,
                    mlir::SymbolTableCollection &symbols);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_INPLACE_H
