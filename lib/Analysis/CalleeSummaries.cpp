//===- CalleeSummaries.cpp - What a function does with its arguments ------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A summary is the callee's own analysis, seen from its returns: what is
// accessed, and whether all of it has ended there.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/BufferUses.h"
#include "transient/Analysis/ExecutionOrder.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace transient {

using Argument = KernelAccessCache::Argument;

static bool mayOrderWork(Type type) {
  return isa<gpu::AsyncTokenType, async::TokenType, async::ValueType,
             async::GroupType>(type);
}

static Argument summarize(BlockArgument argument,
                          const BufferUseAnalysis &uses,
                          const ExecutionOrder &order,
                          ArrayRef<unsigned> returns) {
  Argument result{AccessMode::None, true, ""};
  auto escape = [&](const Twine &route) {
    return Argument{AccessMode::ReadWrite, false, route.str()};
  };
  for (const BufferUse &use : uses.collect(argument).uses) {
    if (use.kind == BufferUse::Free)
      return escape("is freed by the function it is passed to");
    if (use.kind == BufferUse::Escape)
      return escape(use.route + ", in the function it is passed to");
    result.mode |= use.mode;
    result.proved &= use.modeProved;
    std::optional<unsigned> node = order.getNode(use.getOp());
    if (!node)
      return escape("is accessed where the order is not known, in the function "
                    "it is passed to");
    for (unsigned end : returns)
      if (!order.endsBeforeStart(*node, end) &&
          !order.areExclusive(*node, end))
        return escape("is passed to a function that may return before its "
                      "accesses have ended");
  }
  return result;
}

const std::vector<Argument> *KernelAccessCache::getCallee(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call || llvm::any_of(op->getOperandTypes(), mayOrderWork) ||
      llvm::any_of(op->getResultTypes(), mayOrderWork))
    return nullptr;
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return nullptr;
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, symbol);
  if (!function || function.isExternal() ||
      function.getNumArguments() != call.getArgOperands().size())
    return nullptr;
  auto [it, inserted] = callees.try_emplace(function);
  std::vector<Argument> &arguments = it->second;
  if (!inserted)
    return &arguments;
  // Filled in before the body is looked at, for a function that reaches itself.
  arguments.assign(function.getNumArguments(),
                   {AccessMode::ReadWrite, false,
                    "is passed to a function that may call itself"});
  ExecutionOrder order(function, *this);
  BufferUseAnalysis uses(function, *this);
  SmallVector<unsigned> returns;
  for (Block &block : function.getFunctionBody())
    if (block.mightHaveTerminator() && block.getNumSuccessors() == 0)
      if (std::optional<unsigned> node = order.getNode(block.getTerminator()))
        returns.push_back(*node);
  std::vector<Argument> summary = arguments;
  for (BlockArgument argument : function.getArguments())
    if (isa<BaseMemRefType>(argument.getType()))
      summary[argument.getArgNumber()] =
          summarize(argument, uses, order, returns);
  arguments = std::move(summary);
  return &arguments;
}

} // namespace transient
