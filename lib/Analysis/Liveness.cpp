//===- Liveness.cpp - When a buffer is in use -----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/Liveness.h"

using namespace mlir;

namespace transient {

static SmallVector<int64_t>
toNodeIds(const std::vector<planner::NodeId> &nodes) {
  return SmallVector<int64_t>(nodes.begin(), nodes.end());
}

/// The nodes at which the buffer is in use, sorted.
static std::vector<planner::NodeId> getLiveNodes(const BufferRecord &record,
                                                 const ExecutionOrder &order) {
  std::vector<planner::NodeId> nodes = record.users;
  for (unsigned loop : record.spannedLoops) {
    nodes.push_back(order.getLoops()[loop].enter);
    nodes.push_back(order.getLoops()[loop].exit);
  }
  llvm::sort(nodes);
  nodes.erase(llvm::unique(nodes), nodes.end());
  return nodes;
}

LifetimeAttr deriveLifetime(const BufferRecord &record,
                            const ExecutionOrder &order) {
  const planner::PartialOrder &partial = *order.getPartialOrder();
  std::vector<planner::NodeId> live = getLiveNodes(record, order);
  return LifetimeAttr::get(record.value.getContext(), LifetimeOrigin::Derived,
                           toNodeIds(partial.minimal(record.writers)),
                           toNodeIds(order.getFirst(live)),
                           toNodeIds(partial.maximal(live)));
}

LogicalResult verifyDeclaredLifetime(AllocOp op, LifetimeAttr declared,
                                     const BufferRecord &record,
                                     const ExecutionOrder &order) {
  const std::vector<ExecutionOrder::Node> &nodes = order.getNodes();
  int64_t first = declared.getFirst().front();
  int64_t last = declared.getLast().front();
  if (static_cast<uint64_t>(last) >= nodes.size())
    return op.emitOpError()
           << "declares a lifetime that ends at node " << last
           << ", but the function has only " << nodes.size() << " nodes";
  for (unsigned node = 1; node < nodes.size(); ++node) {
    if (order.getPartialOrder()->precedes(node - 1, node))
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError()
        << "declares a lifetime as an interval of node ids, but nodes "
        << node - 1 << " and " << node
        << " are not proved to run one after the other";
    diagnostic.attachNote(nodes[node - 1].op->getLoc())
        << "node " << node - 1 << " is here";
    diagnostic.attachNote(nodes[node].op->getLoc())
        << "node " << node << " is here";
    return failure();
  }
  for (planner::NodeId user : getLiveNodes(record, order)) {
    int64_t node = static_cast<int64_t>(user);
    if (first <= node && node <= last)
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "declares the lifetime [" << first << ", " << last
                         << "], but node " << node << " uses the buffer";
    diagnostic.attachNote(nodes[user].op->getLoc())
        << "node " << node << " is here";
    return failure();
  }
  return success();
}

bool endsAtReturns(FunctionOpInterface function, const ExecutionOrder &order) {
  if (!function.getFunctionBody().hasOneBlock())
    return false;
  Block &block = function.getFunctionBody().front();
  std::optional<unsigned> end = order.getNode(block.getTerminator());
  bool ended = end.has_value();
  function->walk([&](AllocOp request) {
    LifetimeAttr lifetime = request.getLifetimeAttr();
    if (!lifetime || !request.getPlacementAttr())
      return;
    for (int64_t user : lifetime.getLast())
      ended &= end && order.endsBeforeStart(user, *end);
  });
  return ended;
}

} // namespace transient
