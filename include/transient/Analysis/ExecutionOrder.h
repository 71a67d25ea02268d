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

#include "transient/Analysis/BufferUses.h"
#include "transient/Planner/PartialOrder.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transient {

/// When an op's own work is complete, seen from the host.
struct Completion {
  enum Kind {
    /// It touches no memory and orders nothing.
    NoWork,
    /// When the op returns to the host.
    OnReturn,
    /// When its token is ready.
    Token,
    /// Nobody can tell; `reason` says why and `culprit` which op.
    Unknown
  };
  Kind kind = Unknown;
  std::string reason;
  mlir::Operation *culprit = nullptr;
};

/// Classifies `op` by its interfaces (design: blocking is a fact of an op's
/// interface, not the mere absence of a token). A region op completes on return
/// when everything inside does; linear in what is nested.
Completion getCompletion(mlir::Operation *op, mlir::SymbolTableCollection &);

/// A node and one of its two events.
struct Event {
  unsigned node = 0;
  bool isEnd = false;

  static Event start(unsigned node) { return {node, false}; }
  static Event end(unsigned node) { return {node, true}; }
};

/// The order of one activation of a function.
///
/// Nodes are the ops of the function's entry block that touch memory or order
/// work, numbered in host order from 0. A region op is one node that encloses
/// what is inside. `end(a) < start(b)` is known when
///   - `a` blocks the host for its own completion and precedes `b` on the host
///     path, or
///   - `b` depends on a token of `a`,
/// and by transitivity. Building is linear in the function for the usual few
/// chains; a query is O(1).
///
/// A function with several blocks has no order yet: `getUnsupportedReason`.
class ExecutionOrder {
public:
  struct Node {
    mlir::Operation *op = nullptr;
    Completion completion;
    /// Nodes whose end this node's start is directly known to follow, sorted.
    std::vector<planner::NodeId> predecessors;
  };

  ExecutionOrder(mlir::FunctionOpInterface function,
                 mlir::SymbolTableCollection &symbols);

  mlir::FunctionOpInterface getFunction() const { return function; }
  const std::vector<Node> &getNodes() const { return nodes; }

  /// Why no two events are ordered at all, or nothing.
  std::optional<std::string> getUnsupportedReason() const {
    return unsupported;
  }

  /// Whether everything that orders work is understood: each token is followed
  /// from the op that makes it to the ops that depend on it, and no op may wait
  /// for work behind our back. If not, two events that are not proved to be ordered may be
  /// ordered all the same: nothing may be called an error for want of order.
  bool isComplete() const { return complete; }

  /// The node that `op` is or is nested in; nothing for an op that does no work
  /// and is in no node.
  std::optional<unsigned> getNode(mlir::Operation *op) const;

  /// Whether `a` is proved to happen before `b` in every execution.
  bool happensBefore(Event a, Event b) const;
  /// `happensBefore(end(a), start(b))`.
  bool endsBeforeStart(unsigned a, unsigned b) const {
    return order->precedes(a, b);
  }

  /// The order as the planner library takes it.
  const std::shared_ptr<const planner::PartialOrder> &getPartialOrder() const {
    return order;
  }

  /// Prints nodes, completion and direct predecessors, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  mlir::FunctionOpInterface function;
  std::optional<std::string> unsupported;
  bool complete = true;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOfOp;
  std::shared_ptr<const planner::PartialOrder> order;
};

} // namespace transient

#endif // TRANSIENT_ANALYSIS_EXECUTIONORDER_H
