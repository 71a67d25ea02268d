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
#include "llvm/ADT/DenseMap.h"

namespace transient {

/// Upper bounds of the sizes of one function. Remembers them: few values are the
/// sizes of many buffers.
class SizeBounds {
public:
  explicit SizeBounds(mlir::FunctionOpInterface function)
      : function(function) {}

  /// The most that `size`, an index, can be (F8), by `ValueBoundsOpInterface`
  /// and the promises of arguments; nothing where no bound is known. Looks at a
  /// bounded number of values.
  std::optional<int64_t> getUpperBound(mlir::Value size);

  /// The size of a buffer of `type` whose dynamic dimensions are all at their
  /// upper bounds. `Dynamic` where one has none, or where the bytes at the
  /// bounds do not fit 64 bits.
  BufferSize getSizeAtBounds(mlir::MemRefType type, mlir::ValueRange sizes);

private:
  mlir::FunctionOpInterface function;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known;
};

/// The promise about argument `index` of `function` (`transient.bound`), one
/// number a dimension and -1 where there is none; empty without promise.
llvm::ArrayRef<int64_t> getDeclaredBounds(mlir::FunctionOpInterface function,
                                          unsigned index);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_SIZEBOUNDS_H
