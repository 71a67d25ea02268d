//===- Elementwise.h - Element for element, read before write - -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op does to single elements of two of its operands: the proof that
// they could be one buffer as far as the op itself is concerned. Says nothing
// about other ops.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_ANALYSIS_ELEMENTWISE_H
#define TRANSIENT_LIB_ANALYSIS_ELEMENTWISE_H

#include "transient/Analysis/InPlace.h"

namespace transient {

/// Why `pair.op` may go wrong if operand and result are one buffer, although
/// it uses each by one operand only; nothing if it is proved not to: one
/// iteration, or one thread, reads an element of the operand for the last time
/// before it writes the same element of the result, and no other touches that
/// element of either. `operand` and `result` are the two buffers.
///
/// `linalg` ops and `gpu.launch_func` are understood. Linear in the kernel.
std::optional<InPlaceObstacle>
findElementwiseObstacle(const InPlacePair &pair, mlir::Value operand,
                        mlir::Value result,
                        mlir::SymbolTableCollection &symbols);

} // namespace transient

#endif // TRANSIENT_LIB_ANALYSIS_ELEMENTWISE_H
