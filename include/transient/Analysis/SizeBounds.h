//===- SizeBounds.h - Upper bounds of dynamic sizes -------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer whose size is known only at run time can be planned at the most that
// the size can be: what the ops that compute it show, and what
// `transient.bound` promises of the function's arguments.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_SIZEBOUNDS_H
#define TRANSIENT_ANALYSIS_SIZEBOUNDS_H

#include "transient/IR/BufferSize.h"

#include "mlir/IR/ValueRange.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace transient {

/// The most that `size`, an index in `function`, can be (F8), by
/// `ValueBoundsOpInterface`; nothing where no bound is known. Looks at no more than a fixed number of values.
std::optional<int64_t> getUpperBound(mlir::Value size,
                                     mlir::FunctionOpInterface function);

/// The size of a buffer of `type` whose dynamic dimensions are all at their
/// upper bounds. `Dynamic` where one has none, or where the bytes at the bounds
/// do not fit 64 bits.
BufferSize getSizeAtBounds(mlir::MemRefType type, mlir::ValueRange sizes,
                           mlir::FunctionOpInterface function);

/// The promise about argument `index` of `function` (`transient.bound`), one
/// number a dimension and -1 where there is none; empty without promise.
llvm::ArrayRef<int64_t> getDeclaredBounds(mlir::FunctionOpInterface function,
                                          unsigned index);

/// Attaches the `ValueBoundsOpInterface` models of MLIR's dialects.
void registerSizeBoundModels(mlir::DialectRegistry &registry);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_SIZEBOUNDS_H
