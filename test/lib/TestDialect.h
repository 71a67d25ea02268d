//===- TestDialect.h - A dialect of one's own ----------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TestDialect.td.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_LIB_TESTDIALECT_H
#define TRANSIENT_TEST_LIB_TESTDIALECT_H

#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TestDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TestTypes.h.inc"

#define GET_OP_CLASSES
#include "TestOps.h.inc"

namespace transient::test {

/// Makes the dialect, and its external models, known to `registry`.
void registerTestDialect(mlir::DialectRegistry &registry);

} // namespace transient::test

#endif // TRANSIENT_TEST_LIB_TESTDIALECT_H
