//===- Preconditions.cpp - Order that a plan relies on --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/Preconditions.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace transient {

/// The op whose work the node is, if it is an asynchronous one of the gpu
/// dialect.
static Operation *getAsyncOp(const ExecutionOrder &order,
                             planner::NodeId number) {
  const ExecutionOrder::Node &node = order.getNodes()[number];
  if (node.kind != ExecutionOrder::Node::Work ||
      node.completion.kind != Completion::Token)
    return nullptr;
  auto op = dyn_cast_or_null<gpu::AsyncOpInterface>(node.op);
  return op && op.getAsyncToken() ? node.op : nullptr;
}

std::optional<std::string> getWaitObstacle(const ExecutionOrder &order,
                                           planner::NodeId end,
                                           planner::NodeId start) {
  Operation *before = getAsyncOp(order, end);
  Operation *after = getAsyncOp(order, start);
  for (auto [node, op] : {std::pair(end, before), std::pair(start, after)})
    if (!op)
      return "node " + std::to_string(node) +
             " is no asynchronous op of the gpu dialect";
  if (before->getBlock() != after->getBlock())
    return "node " + std::to_string(end) + " and node " +
           std::to_string(start) + " are not in one block";
  if (!before->isBeforeInBlock(after))
    return "node " + std::to_string(end) + " does not come before node " +
           std::to_string(start);
  return std::nullopt;
}

FailureOr<std::vector<planner::OrderingEdge>>
getPreconditions(const ExecutionOrder &order) {
  Operation *function = order.getFunction();
  std::vector<planner::OrderingEdge> edges;
  auto list = function->getAttrOfType<ArrayAttr>(
      TransientDialect::getPreconditionsAttrName());
  if (!list)
    return edges;
  for (auto attr : list.getAsRange<PreconditionAttr>()) {
    planner::OrderingEdge edge{static_cast<planner::NodeId>(attr.getEnd()),
                               static_cast<planner::NodeId>(attr.getStart())};
    std::optional<std::string> obstacle;
    if (order.getUnsupportedReason())
      obstacle = *order.getUnsupportedReason();
    else if (edge.to >= order.getNodes().size())
      obstacle = "the function has only " +
                 std::to_string(order.getNodes().size()) + " nodes";
    else
      obstacle = getWaitObstacle(order, edge.from, edge.to);
    if (obstacle) {
      function->emitError() << "cannot realise " << attr << ": " << *obstacle;
      return failure();
    }
    edges.push_back(edge);
  }
  return edges;
}

void setPreconditions(FunctionOpInterface function,
                      ArrayRef<planner::OrderingEdge> edges) {
  StringRef name = TransientDialect::getPreconditionsAttrName();
  if (edges.empty()) {
    function->removeDiscardableAttr(name);
    return;
  }
  SmallVector<Attribute> list;
  for (const planner::OrderingEdge &edge : edges)
    list.push_back(
        PreconditionAttr::get(function->getContext(), edge.from, edge.to));
  function->setDiscardableAttr(name,
                               ArrayAttr::get(function->getContext(), list));
}

} // namespace transient
