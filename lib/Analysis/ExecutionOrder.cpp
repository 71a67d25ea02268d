//===- ExecutionOrder.cpp - What happens before what ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the direct edges; reachability is the planner library's PartialOrder.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/ExecutionOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient {

/// Dialects whose ops run on the calling host thread and are complete when they
/// return. Ops of any other dialect must say so through an interface that we
/// know, or their completion is unknown.
static bool isHostDialect(Operation *op) {
  static const llvm::StringLiteral names[] = {
      "affine", "arith", "bufferization", "builtin",   "cf",   "complex",
      "func",   "index", "linalg",        "llvm",      "math", "memref",
      "scf",    "shape", "tensor",        "transient", "ub",   "vector"};
  if (!llvm::is_contained(names, op->getName().getDialectNamespace()))
    return false;
  // DMA runs on its own and completes at its wait.
  return !isa<memref::DmaStartOp, memref::DmaWaitOp, affine::AffineDmaStartOp,
              affine::AffineDmaWaitOp>(op);
}

static Completion unknown(Operation *op, const Twine &reason) {
  return {Completion::Unknown, reason.str(), op};
}

/// Whether every buffer that `call` can reach is covered by a declaration that
/// says the access is complete on return.
static bool isDeclaredCall(Operation *call, SymbolTableCollection &symbols) {
  for (OpOperand &operand : call->getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType()) &&
        !getDeclaredAccess(call, operand.getOperandNumber(), symbols))
      return false;
  return llvm::any_of(call->getOpOperands(), [](OpOperand &operand) {
    return isa<BaseMemRefType>(operand.get().getType());
  });
}

Completion getCompletion(Operation *op, SymbolTableCollection &symbols) {
  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      if (launch.getAsyncObject())
        return unknown(op, "a launch on an explicit stream completes at a time "
                           "that no token shows");
    return {async.getAsyncToken() ? Completion::Token : Completion::OnReturn,
            "", nullptr};
  }
  if (isa<CallOpInterface>(op)) {
    if (isDeclaredCall(op, symbols))
      return {Completion::OnReturn, "", nullptr};
    return unknown(op,
                   "a call may leave work running that it does not declare");
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return {isa<FunctionOpInterface>(op->getParentOp()) ? Completion::OnReturn
                                                        : Completion::NoWork,
            "", nullptr};
  if (isMemoryEffectFree(op))
    return {Completion::NoWork, "", nullptr};
  if (!isHostDialect(op))
    return unknown(op, "'" + op->getName().getStringRef() +
                           "' does not say when its work is complete");
  if (op->getNumRegions() != 0) {
    // The op encloses its body; whatever inside outlives the body leaks.
    Completion result{Completion::OnReturn, "", nullptr};
    op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
      if (nested == op)
        return WalkResult::advance();
      if (nested->getNumRegions() != 0 && isHostDialect(nested))
        return WalkResult::advance();
      // Whatever a call reaches has escaped and is not planned; a call cannot
      // reach the other buffers of this op.
      if (isa<CallOpInterface>(nested) && nested->getNumRegions() == 0)
        return WalkResult::advance();
      // A wait touches nothing, so it does not matter when it ends.
      if (isa<gpu::WaitOp>(nested))
        return WalkResult::advance();
      Completion inner = getCompletion(nested, symbols);
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

ExecutionOrder::ExecutionOrder(FunctionOpInterface function,
                               SymbolTableCollection &symbols)
    : function(function) {
  Region &body = function.getFunctionBody();
  if (body.empty())
    unsupported = "the function has no body";
  else if (!body.hasOneBlock())
    unsupported = "control flow between blocks is not analysed";

  if (!unsupported) {
    std::optional<unsigned> lastBlocking;
    for (Operation &op : body.front()) {
      // Allocations are not nodes: they order nothing and use nothing. Those
      // with tokens order work all the same.
      bool hasToken = isa<gpu::AsyncOpInterface>(op);
      if (!hasToken && isa<MemoryEffectOpInterface>(op) &&
          hasSingleEffect<MemoryEffects::Allocate>(&op) &&
          op.getNumRegions() == 0)
        continue;
      Node node;
      node.op = &op;
      node.completion = getCompletion(&op, symbols);
      if (node.completion.kind == Completion::NoWork)
        continue;
      // A call may wait for work that was started before it.
      op.walk([&](Operation *nested) {
        complete &= !isa<CallOpInterface>(nested) ||
                    getCompletion(nested, symbols).kind != Completion::Unknown;
      });
      complete &= node.completion.kind != Completion::Unknown;
      if (lastBlocking)
        node.predecessors.push_back(*lastBlocking);
      if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
        for (Value token : async.getAsyncDependencies()) {
          // Only a token that an op yields for its own completion proves
          // anything; one out of a region, a select or an argument does not
          // yet.
          auto source = token.getDefiningOp<gpu::AsyncOpInterface>();
          auto it = source && source.getAsyncToken() == token
                        ? nodeOfOp.find(source)
                        : nodeOfOp.end();
          if (it != nodeOfOp.end() &&
              nodes[it->second].completion.kind == Completion::Token)
            node.predecessors.push_back(it->second);
          else
            complete = false;
        }
        if (Value token = async.getAsyncToken())
          for (Operation *user : token.getUsers())
            complete &= isa<gpu::AsyncOpInterface>(user) &&
                        user->getBlock() == op.getBlock();
      }
      llvm::sort(node.predecessors);
      node.predecessors.erase(llvm::unique(node.predecessors),
                              node.predecessors.end());
      unsigned index = nodes.size();
      nodeOfOp[&op] = index;
      if (node.completion.kind == Completion::OnReturn)
        lastBlocking = index;
      nodes.push_back(std::move(node));
    }
  }

  std::vector<std::vector<planner::NodeId>> predecessors;
  predecessors.reserve(nodes.size());
  for (const Node &node : nodes)
    predecessors.push_back(node.predecessors);
  planner::Result<planner::PartialOrder> built =
      planner::PartialOrder::build(nodes.size(), predecessors);
  // Edges point backwards, so the order cannot be cyclic; should the library
  // refuse for want of memory, nothing is ordered.
  if (built) {
    order = std::make_shared<const planner::PartialOrder>(std::move(*built));
    return;
  }
  unsupported = built.error().message;
  nodes.clear();
  nodeOfOp.clear();
  order = std::make_shared<const planner::PartialOrder>(
      std::move(*planner::PartialOrder::build(0, {})));
}

std::optional<unsigned> ExecutionOrder::getNode(Operation *op) const {
  Region &body = const_cast<ExecutionOrder *>(this)->function.getFunctionBody();
  if (!body.hasOneBlock())
    return std::nullopt;
  Operation *ancestor = body.front().findAncestorOpInBlock(*op);
  if (!ancestor)
    return std::nullopt;
  auto it = nodeOfOp.find(ancestor);
  if (it == nodeOfOp.end())
    return std::nullopt;
  return it->second;
}

bool ExecutionOrder::happensBefore(Event a, Event b) const {
  if (a.node == b.node)
    return !a.isEnd && b.isEnd;
  // Every known edge leads from an end to a start, and every node starts before
  // it ends: all four kinds of pairs come down to end(a) < start(b).
  return order->precedes(a.node, b.node);
}

void ExecutionOrder::print(raw_ostream &os) const {
  auto function = const_cast<ExecutionOrder *>(this)->function;
  os << "order of @" << function.getName() << "\n";
  if (unsupported) {
    os << "  unsupported: " << *unsupported << "\n";
    return;
  }
  for (auto [index, node] : llvm::enumerate(nodes)) {
    os << "  " << index << " " << node.op->getName() << " ";
    switch (node.completion.kind) {
    case Completion::NoWork:
      os << "no work";
      break;
    case Completion::OnReturn:
      os << "blocking";
      break;
    case Completion::Token:
      os << "token";
      break;
    case Completion::Unknown:
      os << "unknown (" << node.completion.reason << ")";
      break;
    }
    os << " after [";
    llvm::interleaveComma(node.predecessors, os);
    os << "]\n";
  }
  os << "  chains: " << order->numChains() << "\n";
}

} // namespace transient
