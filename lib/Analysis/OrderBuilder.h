//===- OrderBuilder.h - From a function to its order ----------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a function along its host paths and collects nodes, frames, loops and
// direct edges. Each edge goes from a smaller node number to a larger one.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_ANALYSIS_ORDERBUILDER_H
#define TRANSIENT_LIB_ANALYSIS_ORDERBUILDER_H

#include "transient/Analysis/ExecutionOrder.h"

#include "mlir/IR/Dominance.h"

namespace transient {

class OrderBuilder {
public:
  OrderBuilder(ExecutionOrder &order, KernelAccessCache &callees)
      : order(order), callees(callees) {}

  void visitFunction(mlir::Region &body);

private:
  /// The node that whatever the host has waited for so far precedes, or is.
  using Host = std::optional<unsigned>;

  Host visitRegion(mlir::Region &region, unsigned frame, Host host);
  Host visitBlock(mlir::Block &block, unsigned frame, Host host);
  /// Visits `blocks`, which control enters at `entry`; edges back to it, if
  /// `isLoop`, are not followed.
  Host visitBlocks(llvm::ArrayRef<mlir::Block *> blocks, mlir::Block *entry,
                   bool isLoop, unsigned frame, Host host);
  void visitOp(mlir::Operation *op, unsigned frame, Host &host);
  void visitLeaf(mlir::Operation *op, unsigned frame, Host &host);
  void visitBranches(mlir::Operation *op, unsigned frame, Host &host);
  void visitFor(mlir::Operation *op, unsigned frame, Host &host);
  void visitWhile(mlir::Operation *op, unsigned frame, Host &host);
  void visitOnce(mlir::Operation *op, unsigned frame, Host &host);
  void visitAsyncExecute(mlir::Operation *op, unsigned frame, Host &host);

  unsigned addNode(ExecutionOrder::Node::Kind kind, mlir::Operation *op,
                   unsigned frame, Completion completion, Host host);
  unsigned addEnter(mlir::Operation *op, unsigned frame, Host host);
  unsigned addExit(mlir::Operation *op, unsigned frame, Host host,
                   unsigned enter);
  unsigned addJoin(mlir::Operation *op, unsigned frame, Host host);
  unsigned addFrame(unsigned parent, bool unconditional);
  unsigned addLoop(mlir::Operation *op, mlir::Block *header, unsigned frame,
                   unsigned enter);
  void addEdge(unsigned from, unsigned to);

  /// Records that `user` starts after what `token` proves.
  void addTokenEdge(mlir::Value token, unsigned user);
  bool mayCross(unsigned from, unsigned to) const;
  /// Records that `user` starts after the end of `source`, for what follows in
  /// its branch only.
  void addInwardEdge(unsigned source, unsigned user);
  /// The nodes outside of the branches of `op`, apart from the host's, that end
  /// before `source` starts, or are `source`.
  llvm::SmallVector<unsigned> getProvedOutside(unsigned source,
                                               mlir::Operation *op);
  /// Records that `join` starts after what all of `proved` lead back to. `op`
  /// is in `frame`, and control has entered it at `enter`.
  void addCommonEdges(llvm::ArrayRef<llvm::SmallVector<unsigned>> proved,
                      unsigned join, unsigned frame, unsigned enter);
  bool isPostDominated(mlir::Block *block, mlir::Block *by);
  /// Makes `result` stand for the tokens that the branches hand to it.
  void joinResult(mlir::Operation *op, unsigned frame, mlir::Value result,
                  llvm::ArrayRef<mlir::Value> sources, Host host,
                  unsigned enter);
  /// A path of edges leads from `from` to `to`.
  bool isPath(unsigned from, unsigned to) const;
  /// Whether values of this type are evidence of completion.
  bool isToken(mlir::Value value) const;
  /// Notes which users of a token are not followed.
  void checkUsers(mlir::Value token);

  ExecutionOrder &order;
  KernelAccessCache &callees;
  /// The node whose end a token proves.
  llvm::DenseMap<mlir::Value, unsigned> tokens;
  /// Types of the tokens seen so far, of any dialect.
  llvm::DenseSet<mlir::Type> tokenTypes;
  std::unique_ptr<mlir::PostDominanceInfo> postDominance;
  /// Nodes looked at so far to find what branches prove.
  size_t searched = 0;
};

} // namespace transient

#endif // TRANSIENT_LIB_ANALYSIS_ORDERBUILDER_H
