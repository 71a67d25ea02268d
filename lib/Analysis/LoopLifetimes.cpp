//===- LoopLifetimes.cpp - Buffers that live through a loop ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inner loops first: a buffer that spans one is in use where control enters and
// leaves it, and that counts as an access in the loops around.
//
//===----------------------------------------------------------------------===//

#include "LoopLifetimes.h"

#include "transient/Analysis/Overwrite.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace transient {

namespace {

/// A set of a loop's chains: bit 0 is the host, bit k the k-th carried token.
using ChainSet = uint64_t;

class LoopLifetimes {
public:
  LoopLifetimes(BufferRecord &record, const ExecutionOrder &order,
                SymbolTableCollection &symbols)
      : record(record), order(order), symbols(symbols) {}

  /// The nodes at which the buffer is in use inside `loop`.
  std::vector<planner::NodeId> getUsersIn(const ExecutionOrder::Loop &loop) {
    std::vector<planner::NodeId> result;
    auto add = [&](planner::NodeId node) {
      if (order.isInFrame(order.getNodes()[node].frame, loop.frame))
        result.push_back(node);
    };
    for (planner::NodeId user : record.users)
      add(user);
    for (unsigned inner : record.spannedLoops) {
      add(order.getLoops()[inner].enter);
      add(order.getLoops()[inner].exit);
    }
    return result;
  }

  /// The chains by which all uses in an iteration end before any use in a later
  /// one starts.
  ChainSet getChains(const ExecutionOrder::Loop &loop,
                     ArrayRef<planner::NodeId> users) {
    ChainSet result = 0;
    auto test = [&](unsigned bit, unsigned from, unsigned to) {
      if (llvm::all_of(users, [&](planner::NodeId user) {
            return order.endsBeforeStart(from, user) &&
                   order.endsBeforeStart(user, to);
          }))
        result |= ChainSet(1) << bit;
    };
    test(0, loop.enter, loop.exit);
    for (auto [index, carried] : llvm::enumerate(loop.carried))
      if (index < 63)
        test(index + 1, carried.received, carried.handedOn);
    return result;
  }

  /// Whether no iteration, nor what follows the loop, can see any content that
  /// an earlier iteration left.
  bool isLocal(const ExecutionOrder::Loop &loop,
               ArrayRef<planner::NodeId> users) {
    bool usedOutside = llvm::any_of(record.users, [&](planner::NodeId user) {
      return !order.isInFrame(order.getNodes()[user].frame, loop.frame);
    });
    // Each use, and each op around one, may be what overwrites it.
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (planner::NodeId user : users)
      for (Operation *op = order.getNodes()[user].op;
           op && op != loop.op && seen.insert(op).second;
           op = op->getParentOp())
        if (startsAnew(op, loop, users, usedOutside))
          return true;
    return false;
  }

private:
  /// Whether `op` overwrites the content in each iteration before anything else
  /// uses it.
  bool startsAnew(Operation *op, const ExecutionOrder::Loop &loop,
                  ArrayRef<planner::NodeId> users, bool usedOutside) {
    std::optional<unsigned> node = order.getNode(op);
    if (!node || order.getNodes()[*node].op != op)
      return false;
    const ExecutionOrder::Node &start = order.getNodes()[*node];
    if (!order.isInFrame(start.frame, loop.frame))
      return false;
    // In a branch it stands for what is in that branch, as long as nobody
    // else looks.
    if (usedOutside && !order.runsWithFrame(start.frame, loop.frame))
      return false;
    unsigned end =
        start.kind == ExecutionOrder::Node::Enter ? start.exit : *node;
    return llvm::all_of(users,
                        [&](planner::NodeId user) {
                          const ExecutionOrder::Node &other =
                              order.getNodes()[user];
                          return op->isAncestor(other.op) ||
                                 (order.endsBeforeStart(end, user) &&
                                  order.isInFrame(other.frame, start.frame));
                        }) &&
           overwritesWhole(op, record.value, record.uses, &symbols);
  }

  BufferRecord &record;
  const ExecutionOrder &order;
  SymbolTableCollection &symbols;
};

/// The first use in `loop` that may still run when the next iteration starts.
BufferUse *findLeak(BufferRecord &record, const ExecutionOrder &order,
                    const ExecutionOrder::Loop &loop) {
  for (BufferUse &use : record.uses.uses) {
    std::optional<unsigned> node = order.getNode(use.getOp());
    if (use.kind == BufferUse::Access && node &&
        order.isInFrame(order.getNodes()[*node].frame, loop.frame) &&
        !order.endsBeforeStart(*node, loop.exit))
      return &use;
  }
  return nullptr;
}

} // namespace

void findSpannedLoops(std::vector<BufferRecord> &records,
                      const ExecutionOrder &order,
                      SymbolTableCollection &symbols) {
  const std::vector<ExecutionOrder::Loop> &loops = order.getLoops();
  // Loops are numbered from the outside in.
  for (unsigned index = loops.size(); index-- > 0;) {
    const ExecutionOrder::Loop &loop = loops[index];
    struct Candidate {
      BufferRecord *record;
      std::vector<planner::NodeId> users;
      ChainSet chains;
    };
    std::vector<Candidate> candidates;
    std::vector<uint64_t> bytes(64, 0);
    for (BufferRecord &record : records) {
      if (record.kind != BufferRecord::Allocation || !record.isPlannable())
        continue;
      LoopLifetimes lifetimes(record, order, symbols);
      std::vector<planner::NodeId> users = lifetimes.getUsersIn(loop);
      if (users.empty())
        continue;
      ChainSet chains = lifetimes.getChains(loop, users);
      for (unsigned bit = 0; bit < 64; ++bit)
        if (chains >> bit & 1)
          bytes[bit] += std::min(record.size.bytes, ~bytes[bit]);
      candidates.push_back({&record, std::move(users), chains});
    }
    // One chain for all: that two buffers each follow some chain says nothing
    // about the two.
    unsigned chain = llvm::max_element(bytes) - bytes.begin();
    for (Candidate &candidate : candidates) {
      BufferRecord &record = *candidate.record;
      std::optional<unsigned> frame = order.getFrame(record.op);
      bool isInside = frame && order.isInFrame(*frame, loop.frame);
      if (isInside && !candidate.chains) {
        BufferUse *leak = findLeak(record, order, loop);
        record.blocked.push_back(
            {FactKind::CompletionEdge,
             "is accessed by asynchronous work that may still run in the next "
             "iteration",
             "await its token in the same iteration, or hand it on to the next",
             leak ? leak->getOp() : loop.op});
        continue;
      }
      bool follows = candidate.chains >> chain & 1;
      if (!follows ||
          (!isInside && !LoopLifetimes(record, order, symbols)
                             .isLocal(loop, candidate.users)))
        record.spannedLoops.push_back(index);
    }
  }
}

} // namespace transient
