//===- PlanningProblem.cpp - From IR to the planner library ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/PlanningProblem.h"

#include "transient/Analysis/Preconditions.h"
#include "transient/IR/BufferSize.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace transient {

std::string getBufferName(unsigned index) {
  return "b" + std::to_string(index);
}

void forEachAllocation(Operation *function,
                       function_ref<void(unsigned, Operation *)> callback) {
  unsigned index = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Type type;
    if (auto alloc = dyn_cast<AllocOp>(op))
      type = alloc.getBuffer().getType();
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      type = alloc.getType();
    else if (auto alloc = dyn_cast<gpu::AllocOp>(op))
      type = alloc.getMemref().getType();
    if (isa_and_nonnull<MemRefType>(type))
      callback(index++, op);
  });
}

/// Numbers in the IR that were made for another version of the function would
/// silently give buffers the wrong lifetimes: if there are any, they must all
/// be there and right.
LogicalResult verifyNodeNumbers(FunctionOpInterface function,
                                const ExecutionOrder &order) {
  StringRef name = TransientDialect::getNodeAttrName();
  bool hasNumbers = false;
  function->walk([&](Operation *op) { hasNumbers |= op->hasAttr(name); });
  if (!hasNumbers)
    return success();
  WalkResult result = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<unsigned> node = order.getNode(op);
    if (node && order.getNodes()[*node].op != op)
      node = std::nullopt; // Part of the work of another op.
    auto attr = op->getAttrOfType<IntegerAttr>(name);
    if (!attr && !node)
      return WalkResult::advance();
    if (attr && node && static_cast<int64_t>(*node) == attr.getInt())
      return WalkResult::advance();
    op->emitError() << "'" << name << "' is out of date: expects "
                    << (node ? std::to_string(*node) : "none") << ", got "
                    << (attr ? std::to_string(attr.getInt()) : "none")
                    << "; run transient-liveness again";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// How many pairs are looked at: a limit on time, past which buffers conflict.
static constexpr size_t kMaxInwardPairs = size_t(1) << 24;

/// Adds the pairs that only inward edges order: "before" is not transitive
/// there, and the partial order knows nothing of them.
static void addInwardPairs(planner::Problem &problem,
                           const ExecutionOrder &order) {
  auto isInwardBefore = [&](const planner::Buffer &a,
                            const planner::Buffer &b) {
    return llvm::all_of(a.last, [&](planner::NodeId last) {
      return llvm::all_of(b.first, [&](planner::NodeId first) {
        return order.endsBeforeStart(last, first);
      });
    });
  };
  size_t seen = 0;
  for (planner::BufferIndex b = 0; b < problem.buffers.size(); ++b) {
    const planner::Buffer &second = problem.buffers[b];
    if (llvm::none_of(second.first, [&](planner::NodeId node) {
          return order.hasEntry(node);
        }))
      continue;
    for (planner::BufferIndex a = 0; a < problem.buffers.size(); ++a) {
      const planner::Buffer &first = problem.buffers[a];
      if (a == b || first.space != second.space)
        continue;
      if (++seen > kMaxInwardPairs)
        return;
      if (isInwardBefore(first, second) && !planner::isBefore(problem, a, b) &&
          !planner::isBefore(problem, b, a))
        problem.exclusive.push_back({a, b});
    }
  }
}

FailureOr<PlanningProblem> buildPlanningProblem(FunctionOpInterface function,
                                                const ExecutionOrder &order,
                                                const PlacementRules &rules) {
  PlanningProblem result;
  result.problem.order = order.getPartialOrder();
  DataLayout layout = DataLayout::closest(function);
  bool failedAny = false;
  forEachAllocation(function, [&](unsigned index, Operation *op) {
    auto request = dyn_cast<AllocOp>(op);
    LifetimeAttr lifetime =
        request ? request.getLifetimeAttr() : LifetimeAttr();
    if (!lifetime || failedAny)
      return;
    if (order.getUnsupportedReason()) {
      request.emitOpError()
          << "has a lifetime, but " << *order.getUnsupportedReason();
      failedAny = true;
      return;
    }
    BufferSize size = getBufferSize(request.getMemRefType(), layout);
    if (!size.isKnown()) {
      request.emitOpError()
          << (size.kind == BufferSize::Overflow
                  ? "overflow: the size does not fit 64 bits"
                  : "has a lifetime but no static size to plan");
      failedAny = true;
      return;
    }
    planner::Buffer buffer;
    buffer.id = getBufferName(index);
    buffer.bytes = size.bytes;
    uint64_t declared = request.getAlignment().value_or(1);
    buffer.alignment = size.alignment;
    buffer.alignmentSource = "abi";
    if (declared >= buffer.alignment && request.getAlignment()) {
      buffer.alignment = declared;
      buffer.alignmentSource = "op";
    }
    if (rules.minAlignment > buffer.alignment) {
      buffer.alignment = rules.minAlignment;
      buffer.alignmentSource = rules.alignmentSource;
    }
    if (request.getUsage())
      buffer.usage = static_cast<uint32_t>(*request.getUsage());
    buffer.usageRequired = request.getUsage().has_value();
    StorageSpace space{request.getKind(),
                       request.getMemRefType().getMemorySpace(),
                       request.getOwnerAttr()};
    auto found = llvm::find(result.spaces, space);
    buffer.space = found - result.spaces.begin();
    if (found == result.spaces.end())
      result.spaces.push_back(space);
    auto addNodes = [&](ArrayRef<int64_t> ids, StringRef name,
                        planner::Frontier &nodes) {
      for (int64_t id : ids) {
        if (static_cast<uint64_t>(id) >= order.getNodes().size()) {
          request.emitOpError()
              << "has node " << id << " in the '" << name
              << "' frontier of its lifetime, but the function has only "
              << order.getNodes().size() << " nodes";
          failedAny = true;
          return;
        }
        nodes.push_back(id);
      }
    };
    addNodes(lifetime.getFirst(), "first", buffer.first);
    addNodes(lifetime.getLast(), "last", buffer.last);
    result.requests.push_back(request);
    result.problem.buffers.push_back(std::move(buffer));
  });
  if (failedAny)
    return failure();
  if (!result.requests.empty() && failed(verifyNodeNumbers(function, order)))
    return failure();
  FailureOr<std::vector<planner::OrderingEdge>> preconditions =
      getPreconditions(order);
  if (failed(preconditions))
    return failure();
  if (!preconditions->empty()) {
    auto conditioned =
        planner::addEdges(*order.getPartialOrder(), *preconditions);
    if (!conditioned) {
      function->emitError() << "cannot realise the preconditions: "
                            << conditioned.error().message;
      return failure();
    }
    result.problem.order = *conditioned;
    result.preconditions = std::move(*preconditions);
  }
  addInwardPairs(result.problem, order);
  return result;
}

} // namespace transient
