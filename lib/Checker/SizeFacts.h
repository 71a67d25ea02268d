//===- SizeFacts.h - What the IR shows of sizes -----------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upper bounds of index values: from the ops that compute them, from conditions
// around an op, and from every call of a private function. No attribute is
// believed.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_SIZEFACTS_H
#define TRANSIENT_LIB_CHECKER_SIZEFACTS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace transient::checker {

/// The most that `size`, an index, can be where `at` runs; nothing where the IR
/// does not show it. A condition counts if `at` is in the `then` region of its
/// `scf.if`. Looks at a bounded number of values and calls.
std::optional<int64_t> getUpperBound(mlir::Value size, mlir::Operation *at);

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_SIZEFACTS_H
