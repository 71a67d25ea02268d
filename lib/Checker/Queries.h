//===- Queries.h - Sizes that were asked for --------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rule V10.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_QUERIES_H
#define TRANSIENT_LIB_CHECKER_QUERIES_H

#include "Report.h"

namespace transient::checker {

/// Finds library ops in `function` whose workspace has the size that a query
/// gave for something else. A size that no query gave is not judged.
void checkQueries(mlir::Operation *function, Report &report);

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_QUERIES_H
