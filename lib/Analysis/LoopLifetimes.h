//===- LoopLifetimes.h - Buffers that live through a loop ------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order relates nodes of one iteration. Whether two buffers may take turns
// within each iteration of a loop depends on how iterations relate.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_ANALYSIS_LOOPLIFETIMES_H
#define TRANSIENT_LIB_ANALYSIS_LOOPLIFETIMES_H

#include "transient/Analysis/BufferInventory.h"

namespace transient {

/// Fills in `spannedLoops` of every allocation, and blocks those of which one
/// place does not serve all iterations of a loop around them.
///
/// Two buffers that are both accessed in a loop and span it neither are, after
/// this, in one of two cases in every iteration: the accesses of both end
/// before those of any later iteration start, by one chain that serves both,
/// and neither holds content from one iteration to the next. So the order
/// within an iteration decides.
void findSpannedLoops(std::vector<BufferRecord> &records,
                      const ExecutionOrder &order,
                      mlir::SymbolTableCollection &symbols);

} // namespace transient

#endif // TRANSIENT_LIB_ANALYSIS_LOOPLIFETIMES_H
