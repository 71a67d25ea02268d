//===- Order.h - What has ended before what starts ------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker's own account of order. A program point, and a token, is given
// the set of nodes *all of whose instances issued so far have ended* there. The
// sets are a greatest fixed point over the host's control flow, joined by
// intersection; a node that was not issued yet is in every set. That one notion
// covers branches (a node of the other branch was not issued), loops (earlier
// iterations are instances too) and tokens that leave a region. In loops the
// instances of earlier iterations, for each loop around, and those of the one at
// hand are followed by themselves, too: one token may prove these and another one
// those.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_ORDER_H
#define TRANSIENT_LIB_CHECKER_ORDER_H

#include "Access.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace transient::checker {

/// An op that touches storage of interest.
struct Node {
  mlir::Operation *op;
  Behaviour behaviour;
};

/// The nodes of one scope (a function, or the body of a concurrent op) in
/// textual order, with the structure that relates them.
class Scope {
public:
  /// Numbers the ops inside `top`. `nodes` are in textual order.
  Scope(mlir::Operation *top, llvm::SmallVector<Node> nodes);

  mlir::Operation *getTop() const { return top; }
  llvm::ArrayRef<Node> getNodes() const { return nodes; }

  /// The node of `op`, or -1.
  int getNode(mlir::Operation *op) const {
    auto it = nodeByOp.find(op);
    return it == nodeByOp.end() ? -1 : static_cast<int>(it->second);
  }
  /// Nodes inside `op`, or `op` itself, are those in `[begin, end)`.
  std::pair<unsigned, unsigned> getSpan(mlir::Operation *op) const {
    return spans.lookup(op);
  }
  std::pair<unsigned, unsigned> getSpan(mlir::Block *block) const;
  std::pair<unsigned, unsigned> getSpan(mlir::Region *region) const;

  /// May an instance of `b` be issued after one of `a`, in one iteration of the
  /// loops that enclose both? Both directions may hold for two blocks of a CFG
  /// cycle; neither holds for exclusive branches.
  bool mayFollow(unsigned a, unsigned b) const;

  /// May an instance of `b` be issued after one of `a` before control enters
  /// `block` again?
  bool mayFollowWithout(unsigned a, unsigned b, mlir::Block *block) const;

  /// Every path passes the ops around `a` and those around `b` in this order,
  /// and no loop encloses both: they are in different ops of the only block.
  bool isStraight(unsigned a, unsigned b) const {
    return hasOneBlock && a < b && steps[a] != steps[b];
  }

  /// The loops around a node, outermost first: ops, and regions for cycles of
  /// the CFG inside them.
  llvm::ArrayRef<const void *> getLoops(unsigned node) const {
    return loops[node];
  }
  llvm::SmallVector<const void *> getLoopsOf(mlir::Operation *op) const;

  /// An op that we do not know is given a token, or returns one.
  bool hasUnknownTokens() const { return anyUnknownTokens; }
  bool hasLoops() const { return anyLoops; }
  bool hasUnstructured() const { return anyUnstructured; }

  /// Does a path lead from the end of `a` to the start of `b` in their region?
  bool reaches(mlir::Block *a, mlir::Block *b) const;

private:
  void number(mlir::Operation *op, unsigned &next);

  mlir::Operation *top;
  llvm::SmallVector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeByOp;
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> spans;
  llvm::SmallVector<llvm::SmallVector<const void *, 2>> loops;
  /// The op just below `top` that a node is in.
  llvm::SmallVector<mlir::Operation *> steps;
  bool hasOneBlock = false;
  mutable llvm::DenseMap<mlir::Block *, llvm::DenseSet<mlir::Block *>>
      reachable;
  bool anyUnknownTokens = false;
  bool anyLoops = false;
  bool anyUnstructured = false;
};

/// The sets described above for one scope. With `fresh`, a loop, instances of
/// earlier iterations of it and of loops around it are ignored: that is the
/// order seen by storage that the loop's body allocates.
class Order {
public:
  Order(const Scope &scope, mlir::Operation *fresh = nullptr,
        bool trustsUnknown = false);

  /// What might be the order: an op that we do not know and that is given a
  /// token waits for it, and a token that it returns proves everything. Differs
  /// only if there is such an op.
  const Order &getOptimistic() const;

  /// Every instance of `a` that was issued before an instance of `b` has ended
  /// when that instance of `b` starts.
  bool endsBefore(unsigned a, unsigned b) const { return before[b].test(a); }
  /// The two never run at the same time.
  bool isOrdered(unsigned a, unsigned b) const {
    return endsBefore(a, b) && endsBefore(b, a);
  }
  const llvm::BitVector &getEnded(unsigned node) const { return before[node]; }

private:
  /// Instances issued so far fall into classes: those of earlier iterations of the
  /// outermost loop around the point, or before it; those of earlier iterations
  /// of the next loop, within the iteration at hand of the first; and so on, last
  /// those of the iteration at hand of the innermost loop.
  struct State {
    /// Nodes all of whose instances have ended.
    llvm::BitVector all;
    /// Those whose instances of a class have ended: one set for each loop around,
    /// outermost first, and the last class. Empty in a scope without loops.
    llvm::SmallVector<llvm::BitVector, 2> old;
    llvm::BitVector recent;

    State() = default;
    /// The same for all nodes, at a point in `depth` loops.
    State(const Scope &scope, unsigned depth, bool value);
    /// What has ended is all that is known.
    explicit State(const Scope &scope, unsigned depth, llvm::BitVector ended);

    /// Enters the first iteration of a loop: nothing has been issued in it.
    void enterLoop();
    /// Begins another iteration of the innermost loop.
    void startIteration();
    /// Leaves the innermost loop: its iterations were part of the one around.
    void leaveLoop();
    /// What has ended in every class has ended.
    void settle();
    void reset(unsigned node);
    State &operator&=(const State &other);
    State &operator|=(const State &other);
    bool operator!=(const State &other) const {
      return all != other.all || old != other.old || recent != other.recent;
    }
  };
  struct Token {
    State ended;
    /// Nodes from this number on are after the token in the text.
    unsigned position;
    /// Where it is defined.
    mlir::Region *region;
    mlir::Block *block;
  };
  struct Exit {
    mlir::Operation *terminator;
    State state;
  };

  void visitBlock(mlir::Block &block, State &state);
  void visitOp(mlir::Operation *op, State &state);
  void visitStructured(mlir::Operation *op, State &state);
  llvm::SmallVector<Exit, 1> visitRegion(mlir::Region &region, State state);
  State getEnded(mlir::Value token, mlir::Operation *user);
  /// How many loops of the scope are around `op`.
  unsigned getDepth(mlir::Operation *op) const;
  void define(mlir::Value token, State ended, unsigned position);

  const Scope &scope;
  mlir::Operation *fresh;
  bool trustsUnknown;
  mutable std::unique_ptr<Order> optimistic;
  llvm::SmallVector<mlir::Operation *> freshLoops;
  std::vector<llvm::BitVector> before;
  llvm::DenseMap<mlir::Value, Token> tokens;
};

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_ORDER_H
