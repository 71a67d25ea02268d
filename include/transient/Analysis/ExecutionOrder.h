//===- ExecutionOrder.h - What happens before what ------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The partial order of start and end events of a function's nodes, from
// completion evidence only: async tokens, blocking waits and ops that block the
// host. The position of an op in its block decides nothing. Where evidence is
// missing there is no order.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_EXECUTIONORDER_H
#define TRANSIENT_ANALYSIS_EXECUTIONORDER_H

#include "transient/Analysis/Completion.h"
#include "transient/Planner/PartialOrder.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transient {

/// A node and one of its two events.
struct Event {
  unsigned node = 0;
  bool isEnd = false;

  static Event start(unsigned node) { return {node, false}; }
  static Event end(unsigned node) { return {node, true}; }
};

/// The order of one activation of a function.
///
/// Nodes are the ops that touch memory or order work, at any depth of
/// structured control flow, numbered in host order from 0. What `a` before `b`
/// means, for nodes in branches and loops:
///
///   in every execution, for an instance of `a` and one of `b` in the same
///   iteration of all loops that enclose both, end(a) < start(b).
///
/// Between iterations, see `Loop`. Nodes of exclusive branches never run both,
/// so the branch that stands first counts as before the other. This is a
/// partial order because an edge crosses the border of conditional work only at
/// the nodes where control enters and leaves it: a path through work that may
/// not run never proves anything about what is outside (C12).
///
/// A wait in a branch for work outside of it is such an edge across the border.
/// It holds for what follows in the branch, and for nothing after the branch:
/// with it "before" is not transitive. Such *inward* edges are kept apart. They
/// lead not to the node but to an *entry* of it, one for each conditional frame
/// around it that has inward edges: a vertex with what is known before the node
/// as seen from within that frame. Nothing leads from an entry to a node, so
/// nothing leaves the frame, and nodes and entries are partially ordered again.
///
/// Building is linear in the function for the usual few chains; a query is
/// O(1).
class ExecutionOrder {
public:
  struct Node {
    enum Kind {
      /// The work of one op.
      Work,
      /// Control enters, or has left, a region op or a cycle of blocks. What
      /// precedes the first precedes all that is inside; whatever inside blocks
      /// the host precedes the second.
      Enter,
      Exit,
      /// A token that stands for others: a region's argument or result. It
      /// comes after what every source of it proves.
      Join
    };
    Kind kind = Work;
    /// For `Work` the op; for the others the region op, or for a cycle of
    /// blocks the terminator of its first block.
    mlir::Operation *op = nullptr;
    Completion completion;
    /// Nodes whose end this node's start is directly known to follow, sorted.
    std::vector<planner::NodeId> predecessors;
    /// The same by inward edges, in the order in which they were found.
    std::vector<planner::NodeId> inward;
    /// Which frame the node is in.
    unsigned frame = 0;
    /// For `Enter`, the node where control has left.
    unsigned exit = 0;
  };

  /// A piece of the function that runs as a whole or not at all: its body, a
  /// region of a region op, a block or a cycle of blocks.
  struct Frame {
    unsigned parent = 0;
    unsigned depth = 0;
    /// It runs whenever its parent does (at least once, for a loop).
    bool unconditional = true;
    /// Inward edges lead to nodes that run whenever it does.
    bool hasInward = false;
    /// The loop whose body this frame is, or nothing.
    std::optional<unsigned> loop;
  };

  /// A loop: a region op that repeats its body, or a cycle of blocks with one
  /// entry. What is in a cycle with several entries has no nodes.
  struct Loop {
    /// The region op, or the terminator of the first block of the cycle.
    mlir::Operation *op = nullptr;
    /// Null for a region op.
    mlir::Block *header = nullptr;
    unsigned frame = 0;
    unsigned enter = 0, exit = 0;
    /// Tokens that each iteration hands to the next, and that are chained: the
    /// one handed on is after the one received. Everything in an iteration that
    /// ends before `handedOn` ends before everything in *any* later iteration
    /// that starts after `received`. The host itself is one more such chain,
    /// from `enter` to `exit`.
    struct Carried {
      unsigned received = 0, handedOn = 0;
    };
    std::vector<Carried> carried;
  };

  ExecutionOrder(mlir::FunctionOpInterface function,
                 KernelAccessCache &callees);

  mlir::FunctionOpInterface getFunction() const { return function; }
  const std::vector<Node> &getNodes() const { return nodes; }
  const std::vector<Frame> &getFrames() const { return frames; }
  const std::vector<Loop> &getLoops() const { return loops; }

  /// Why no two events are ordered at all, or nothing.
  std::optional<std::string> getUnsupportedReason() const {
    return unsupported;
  }

  /// Whether everything that orders work is understood: each token is followed
  /// from the op that makes it to the ops that depend on it, and no op may wait
  /// for work behind our back. If not, two events that are not proved to be
  /// ordered may be ordered all the same: nothing may be called an error for
  /// want of order.
  bool isComplete() const { return complete; }

  /// The node whose work `op` is, or is part of; nothing for an op that does no
  /// work. For an op that encloses nodes: the node where control enters it.
  std::optional<unsigned> getNode(mlir::Operation *op) const;

  /// The frame that `op` is in; nothing if it is inside the work of a node.
  std::optional<unsigned> getFrame(mlir::Operation *op) const;
  /// Whether `inner` is `outer` or inside it.
  bool isInFrame(unsigned inner, unsigned outer) const;
  /// Whether frame `inner` runs whenever `outer`, which it is inside, does.
  bool runsWithFrame(unsigned inner, unsigned outer) const;
  /// Whether no execution of one iteration of the loops around both runs both.
  bool areExclusive(unsigned a, unsigned b) const;

  /// Whether `a` is proved to happen before `b` in every execution.
  bool happensBefore(Event a, Event b) const;
  /// `happensBefore(end(a), start(b))`. Not transitive where `hasEntry`.
  bool endsBeforeStart(unsigned a, unsigned b) const {
    return order->precedes(a, b) ||
           (hasEntry(b) && inwardOrder->precedes(a, entries[b]));
  }
  /// Whether more may be known before `node` than the partial order says.
  bool hasEntry(unsigned node) const {
    return inwardOrder && entries[node] != node;
  }
  /// The first users of a buffer (C4) among `nodes`: what is before all of
  /// them, by the partial order or by `endsBeforeStart`, is before all of
  /// `nodes`. Sorted.
  std::vector<planner::NodeId>
  getFirst(const std::vector<planner::NodeId> &nodes) const;

  /// The order without inward edges, as the planner library takes it.
  const std::shared_ptr<const planner::PartialOrder> &getPartialOrder() const {
    return order;
  }

  /// Prints nodes, completion and direct predecessors, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  friend class OrderBuilder;

  void clear(std::string reason);
  void buildInwardOrder();

  mlir::FunctionOpInterface function;
  std::optional<std::string> unsupported;
  bool complete = true;
  std::vector<Node> nodes;
  std::vector<Frame> frames;
  std::vector<Loop> loops;
  /// The region op whose branches exclude each other, by the frame of a branch.
  llvm::DenseMap<unsigned, mlir::Operation *> branches;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOfOp;
  llvm::DenseMap<mlir::Block *, unsigned> frameOfBlock;
  std::shared_ptr<const planner::PartialOrder> order;
  /// Nodes by their numbers, then entries; null without inward edges.
  std::shared_ptr<const planner::PartialOrder> inwardOrder;
  /// The vertex with all that is known before a node: the entry for the
  /// innermost frame, or the node itself.
  std::vector<unsigned> entries;
};

} // namespace transient

#endif // TRANSIENT_ANALYSIS_EXECUTIONORDER_H
