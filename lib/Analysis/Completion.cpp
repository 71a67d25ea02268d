//===- Completion.cpp - When an op's work is complete ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. What no interface that we know speaks about is unknown.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/Completion.h"

#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace transient {

static Completion unknown(Operation *op, const Twine &reason) {
  return {Completion::Unknown, reason.str(), op};
}

/// Whether every buffer that `call` can reach is covered by a declaration that
/// says the access is complete on return.
static bool isDeclaredCall(Operation *call, KernelAccessCache &callees) {
  for (OpOperand &operand : call->getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType()) &&
        !getDeclaredAccess(call, operand.getOperandNumber(),
                           callees.getSymbols()))
      return false;
  return llvm::any_of(call->getOpOperands(), [](OpOperand &operand) {
    return isa<BaseMemRefType>(operand.get().getType());
  });
}

/// Runs on the calling thread, what is inside included.
static bool isHostOp(Operation *op) {
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  return ordered && ordered.enclosesRegions();
}

Completion getCompletion(Operation *op, KernelAccessCache &callees) {
  if (auto ordered = dyn_cast<OrderedOpInterface>(op);
      ordered && !ordered.enclosesRegions()) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (launch && launch.getAsyncObject())
      return unknown(op, "a launch on an explicit stream completes at a time "
                         "that no token shows");
    switch (ordered.getOpCompletion()) {
    case OpCompletion::OnReturn:
      return {Completion::OnReturn, "", nullptr};
    case OpCompletion::Token:
      return {Completion::Token, "", nullptr};
    case OpCompletion::Unknown:
      break;
    }
    return unknown(op, "'" + op->getName().getStringRef() +
                           "' does not say when its work is complete");
  }
  if (isa<CallOpInterface>(op)) {
    if (isDeclaredCall(op, callees) || callees.getCallee(op))
      return {Completion::OnReturn, "", nullptr};
    return unknown(op,
                   "a call may leave work running that it does not declare");
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return {isa<FunctionOpInterface>(op->getParentOp()) &&
                    op->getNumSuccessors() == 0
                ? Completion::OnReturn
                : Completion::NoWork,
            "", nullptr};
  if (isMemoryEffectFree(op))
    return {Completion::NoWork, "", nullptr};
  if (!isHostOp(op))
    return unknown(op, "'" + op->getName().getStringRef() +
                           "' does not say when its work is complete");
  if (op->getNumRegions() != 0) {
    // The op encloses its body; whatever inside outlives the body leaks.
    Completion result{Completion::OnReturn, "", nullptr};
    op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
      // Most of what is nested computes on elements.
      if (nested == op ||
          isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
              nested->getDialect()))
        return WalkResult::advance();
      if (nested->getNumRegions() != 0 && isHostOp(nested))
        return WalkResult::advance();
      // Whatever a call reaches has escaped and is not planned; a call cannot
      // reach the other buffers of this op.
      if (isa<CallOpInterface>(nested) && nested->getNumRegions() == 0)
        return WalkResult::advance();
      // A wait touches nothing, so it does not matter when it ends.
      if (isa<gpu::WaitOp>(nested))
        return WalkResult::advance();
      Completion inner = getCompletion(nested, callees);
      if (inner.kind == Completion::Unknown) {
        result = inner;
      } else if (inner.kind == Completion::Token) {
        result = unknown(nested, "asynchronous work inside '" +
                                     op->getName().getStringRef() +
                                     "' may still run when it returns");
      }
      // The body of a device op is part of that op's work.
      if (result.kind == Completion::Unknown)
        return WalkResult::interrupt();
      return nested->getNumRegions() ? WalkResult::skip()
                                     : WalkResult::advance();
    });
    return result;
  }
  if (isa<MemoryEffectOpInterface>(op))
    return {Completion::OnReturn, "", nullptr};
  return unknown(op, "'" + op->getName().getStringRef() +
                         "' does not say what it does to memory");
}

} // namespace transient
