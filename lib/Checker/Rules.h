//===- Rules.h - What must hold for shared storage ------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules V1-V4, V7-V9 over the accesses and the order of one scope.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_RULES_H
#define TRANSIENT_LIB_CHECKER_RULES_H

#include "Order.h"
#include "Report.h"

namespace transient::checker {

/// Checks one scope and adds what it finds to `report`.
void checkScope(const Scope &scope, const StorageMap &storage, Report &report);

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_RULES_H
