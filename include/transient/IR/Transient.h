//===- Transient.h - The transient dialect -------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its attributes and its operations. Knows only MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_TRANSIENT_H
#define TRANSIENT_IR_TRANSIENT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "transient/IR/TransientDialect.h.inc"
#include "transient/IR/TransientEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "transient/IR/TransientAttributes.h.inc"

#define GET_OP_CLASSES
#include "transient/IR/TransientOps.h.inc"

#endif // TRANSIENT_IR_TRANSIENT_H
