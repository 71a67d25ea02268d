//===- ExecutionOrder.cpp - What happens before what ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header; edges are made by the builder, reachability is the planner
// library's PartialOrder.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/ExecutionOrder.h"

#include "OrderBuilder.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient {

/// Frames with inward edges, of those around a node, for which it gets entries.
static constexpr size_t kMaxEntries = 8;

ExecutionOrder::ExecutionOrder(FunctionOpInterface function,
                               KernelAccessCache &callees)
    : function(function) {
  Region &body = function.getFunctionBody();
  if (body.empty())
    unsupported = "the function has no body";
  else
    OrderBuilder(*this, callees).visitFunction(body);

  std::vector<std::vector<planner::NodeId>> predecessors;
  predecessors.reserve(nodes.size());
  for (const Node &node : nodes)
    predecessors.push_back(node.predecessors);
  planner::Result<planner::PartialOrder> built =
      planner::PartialOrder::build(nodes.size(), predecessors);
  if (!built) {
    clear(built.error().message);
    return;
  }
  order = std::make_shared<const planner::PartialOrder>(std::move(*built));
  if (llvm::any_of(frames, [](const Frame &frame) { return frame.hasInward; }))
    buildInwardOrder();
}

/// Edges point backwards, so no order can be cyclic; should the library refuse
/// one for want of memory, nothing is ordered.
void ExecutionOrder::clear(std::string reason) {
  unsupported = std::move(reason);
  nodes.clear();
  frames.clear();
  loops.clear();
  branches.clear();
  nodeOfOp.clear();
  frameOfBlock.clear();
  order = std::make_shared<const planner::PartialOrder>(
      std::move(*planner::PartialOrder::build(0, {})));
}

/// Gives nodes their entries. What precedes a node within a frame precedes its
/// entry for that frame; what is known before that one, as far as it is known
/// in the frame or in one around it, is handed on.
void ExecutionOrder::buildInwardOrder() {
  // Of each frame, those around it that have inward edges, outermost first.
  std::vector<SmallVector<unsigned, 2>> gates(frames.size());
  for (unsigned frame = 1; frame < frames.size(); ++frame) {
    gates[frame] = gates[frames[frame].parent];
    if (frames[frame].hasInward && gates[frame].size() < kMaxEntries)
      gates[frame].push_back(frame);
  }
  entries.resize(nodes.size());
  std::vector<unsigned> firstEntry(nodes.size());
  unsigned count = nodes.size();
  for (unsigned node = 0; node < nodes.size(); ++node) {
    firstEntry[node] = count;
    count += gates[nodes[node].frame].size();
    entries[node] = count == firstEntry[node] ? node : count - 1;
  }
  std::vector<std::vector<planner::NodeId>> predecessors(count);
  for (unsigned node = 0; node < nodes.size(); ++node) {
    predecessors[node] = nodes[node].predecessors;
    ArrayRef<unsigned> around = gates[nodes[node].frame];
    auto addEdges = [&](unsigned from, size_t outermost) {
      ArrayRef<unsigned> others = gates[nodes[from].frame];
      size_t common = 0;
      while (common < std::min(around.size(), others.size()) &&
             around[common] == others[common])
        ++common;
      for (size_t gate = outermost; gate < around.size(); ++gate) {
        std::vector<planner::NodeId> &list =
            predecessors[firstEntry[node] + gate];
        list.push_back(from);
        if (common > 0)
          list.push_back(firstEntry[from] + std::min(gate, common - 1));
      }
    };
    for (planner::NodeId from : nodes[node].predecessors)
      addEdges(from, 0);
    if (nodes[node].inward.empty())
      continue;
    unsigned frame = nodes[node].frame;
    while (frames[frame].unconditional)
      frame = frames[frame].parent;
    size_t outermost = llvm::find(around, frame) - around.begin();
    for (planner::NodeId from : nodes[node].inward)
      addEdges(from, outermost);
  }
  planner::Result<planner::PartialOrder> built =
      planner::PartialOrder::build(count, predecessors);
  if (!built)
    return clear(built.error().message);
  inwardOrder =
      std::make_shared<const planner::PartialOrder>(std::move(*built));
}

std::vector<planner::NodeId>
ExecutionOrder::getFirst(const std::vector<planner::NodeId> &users) const {
  std::vector<planner::NodeId> result = order->minimal(users);
  if (!inwardOrder)
    return result;
  std::vector<planner::NodeId> vertices;
  DenseMap<planner::NodeId, planner::NodeId> nodeOf;
  for (planner::NodeId user : users) {
    vertices.push_back(entries[user]);
    nodeOf[entries[user]] = user;
  }
  // What is first with inward edges may not be first without, and the other way
  // round: neither speaks for the other.
  for (planner::NodeId vertex : inwardOrder->minimal(vertices))
    result.push_back(nodeOf.lookup(vertex));
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

std::optional<unsigned> ExecutionOrder::getNode(Operation *op) const {
  for (Operation *at = op; at && at != function; at = at->getParentOp()) {
    auto it = nodeOfOp.find(at);
    if (it == nodeOfOp.end())
      continue;
    if (at == op || nodes[it->second].kind == Node::Work)
      return it->second;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<unsigned> ExecutionOrder::getFrame(Operation *op) const {
  auto it = frameOfBlock.find(op->getBlock());
  if (it == frameOfBlock.end())
    return std::nullopt;
  return it->second;
}

bool ExecutionOrder::isInFrame(unsigned inner, unsigned outer) const {
  while (frames[inner].depth > frames[outer].depth)
    inner = frames[inner].parent;
  return inner == outer;
}

bool ExecutionOrder::runsWithFrame(unsigned inner, unsigned outer) const {
  for (; inner != outer; inner = frames[inner].parent)
    if (!frames[inner].unconditional)
      return false;
  return true;
}

bool ExecutionOrder::areExclusive(unsigned a, unsigned b) const {
  unsigned from = nodes[a].frame, to = nodes[b].frame;
  if (isInFrame(from, to) || isInFrame(to, from))
    return false;
  while (frames[from].parent != frames[to].parent) {
    if (frames[from].depth >= frames[to].depth)
      from = frames[from].parent;
    else
      to = frames[to].parent;
  }
  auto itA = branches.find(from), itB = branches.find(to);
  if (itA != branches.end() || itB != branches.end())
    return itA != branches.end() && itB != branches.end() &&
           itA->second == itB->second;
  // Blocks: neither reaches the other without starting the next iteration.
  std::optional<unsigned> loop = frames[frames[from].parent].loop;
  Block *header = loop ? loops[*loop].header : nullptr;
  auto reaches = [&](unsigned source, unsigned target) {
    SmallVector<Block *> worklist;
    llvm::DenseSet<Block *> seen;
    for (auto [block, frame] : frameOfBlock)
      if (isInFrame(frame, source))
        worklist.push_back(block);
    while (!worklist.empty())
      for (Block *block : worklist.pop_back_val()->getSuccessors()) {
        if (block == header || !seen.insert(block).second)
          continue;
        auto it = frameOfBlock.find(block);
        if (it == frameOfBlock.end() || isInFrame(it->second, target))
          return true;
        worklist.push_back(block);
      }
    return false;
  };
  return !reaches(from, to) && !reaches(to, from);
}

bool ExecutionOrder::happensBefore(Event a, Event b) const {
  if (a.node == b.node)
    return !a.isEnd && b.isEnd;
  // Every known edge leads from an end to a start, and every node starts before
  // it ends: all four kinds of pairs come down to end(a) < start(b).
  return endsBeforeStart(a.node, b.node);
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
    switch (node.kind) {
    case Node::Work:
      break;
    case Node::Enter:
      os << "enter ";
      break;
    case Node::Exit:
      os << "exit ";
      break;
    case Node::Join:
      os << "join ";
      break;
    }
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
    os << "]";
    if (!node.inward.empty()) {
      os << ", inward after [";
      llvm::interleaveComma(node.inward, os);
      os << "]";
    }
    os << "\n";
  }
  for (const Loop &loop : loops) {
    os << "  loop " << loop.enter << " to " << loop.exit;
    for (const Loop::Carried &carried : loop.carried)
      os << ", hands on " << carried.handedOn << " after " << carried.received;
    os << "\n";
  }
  os << "  chains: " << order->numChains() << "\n";
}

} // namespace transient
