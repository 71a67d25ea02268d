//===- TestDialect.cpp - A dialect of one's own ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TestDialect.td.
//
//===----------------------------------------------------------------------===//

#include "TestDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace transient;
using namespace transient::test;

#include "TestDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "TestTypes.cpp.inc"

#define GET_OP_CLASSES
#include "TestOps.cpp.inc"

void ExecDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TestOps.cpp.inc"
      >();
}

void ExecDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TestTypes.cpp.inc"
      >();
}

OpCompletion StartOp::getOpCompletion() { return OpCompletion::Token; }
SmallVector<Value> StartOp::getCompletionTokens() { return {getDone()}; }
SmallVector<Value> StartOp::getDependencies() {
  return SmallVector<Value>(getAfter());
}

OpCompletion SyncOp::getOpCompletion() { return OpCompletion::OnReturn; }
SmallVector<Value> SyncOp::getDependencies() {
  return SmallVector<Value>(getAfter());
}

namespace {
struct RunModel : public OrderedOpInterface::ExternalModel<RunModel, RunOp> {
  OpCompletion getOpCompletion(Operation *) const {
    return OpCompletion::OnReturn;
  }
};
} // namespace

void transient::test::registerTestDialect(DialectRegistry &registry) {
  registry.insert<ExecDialect>();
  registry.addExtension(+[](MLIRContext *context, ExecDialect *) {
    RunOp::attachInterface<RunModel>(*context);
  });
}
