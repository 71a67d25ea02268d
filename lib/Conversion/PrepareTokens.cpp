//===- PrepareTokens.cpp - The form of tokens that gpu-to-llvm lowers -----===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-prepare-tokens. Adds joins and forks; the order of work stays
// what the tokens said before. Tokens that control flow or calls hand on are
// refused: the stock lowering takes their stream for an event. So are those
// that a loop takes from outside: it destroys what is behind them each time.
//
//===----------------------------------------------------------------------===//

#include "transient/Conversion/Passes.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTPREPARETOKENSPASS
#include "transient/Conversion/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// The stream ops whose dependencies we may rewrite.
bool isStreamOp(Operation *op) {
  return isa<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp,
             gpu::LaunchFuncOp>(op);
}

void setDependency(Operation *op, Value token) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp,
            gpu::LaunchFuncOp>([&](auto streamOp) {
        streamOp.getAsyncDependenciesMutable().assign(token);
      });
}

Value createJoin(OpBuilder &builder, Location location, ValueRange tokens) {
  return gpu::WaitOp::create(builder, location,
                             builder.getType<gpu::AsyncTokenType>(), tokens)
      .getAsyncToken();
}

/// Whether `use` hands the stream of its token on, or ends it. A join only
/// looks at it: it records an event where the token is made.
bool takesStream(OpOperand &use) {
  auto wait = dyn_cast<gpu::WaitOp>(use.getOwner());
  return !wait || !wait.getAsyncToken();
}

/// Whether the stock lowering makes an event of `token`: what goes into an
/// async.execute or comes out of an async.await. Only a wait can take that.
bool isEvent(Value token) {
  if (auto argument = dyn_cast<BlockArgument>(token))
    return isa<async::ExecuteOp>(argument.getOwner()->getParentOp());
  return token.getDefiningOp<async::AwaitOp>() != nullptr;
}

/// The stock lowering tells streams from events by what made them. A token that
/// went through a loop, a branch, a call or a select is a stream of which it
/// makes an event, and no pass complains.
LogicalResult checkTokens(Operation *op) {
  for (Value token : op->getOperands()) {
    if (!isa<gpu::AsyncTokenType>(token.getType()) ||
        token.getDefiningOp<gpu::AsyncOpInterface>() || isEvent(token))
      continue;
    auto argument = dyn_cast<BlockArgument>(token);
    Operation *carrier =
        argument ? argument.getOwner()->getParentOp() : token.getDefiningOp();
    InFlightDiagnostic error = op->emitOpError("takes a token that ")
                               << (argument ? "a block of '" : "'")
                               << carrier->getName()
                               << "' hands on: gpu-to-llvm lowers only tokens "
                                  "used where a gpu operation made them";
    error.attachNote(carrier->getLoc()) << "handed on here";
    return error;
  }
  return success();
}

/// Whether `block` can be reached from itself, other than through `without`.
bool isInCycle(Block *block, Block *without) {
  SmallPtrSet<Block *, 8> seen;
  SmallVector<Block *> worklist(block->getSuccessors());
  while (!worklist.empty()) {
    Block *next = worklist.pop_back_val();
    if (next == block)
      return true;
    if (next != without && seen.insert(next).second)
      llvm::append_range(worklist, next->getSuccessors());
  }
  return false;
}

/// What makes `user` run more often than `token` is made: a region op, or an op
/// in a cycle of blocks; null if nothing does.
Operation *findRepeater(Value token, Operation *user) {
  Region *home = token.getParentRegion();
  for (Operation *op = user; op; op = op->getParentOp()) {
    bool isHome = op->getParentRegion() == home;
    if (op->getBlock() != token.getParentBlock() &&
        isInCycle(op->getBlock(), isHome ? token.getParentBlock() : nullptr))
      return op;
    if (isHome)
      return nullptr;
    Operation *parent = op->getParentOp();
    auto branch = dyn_cast<RegionBranchOpInterface>(parent);
    // What is not known to run its region once may be a loop.
    if (isa<LoopLikeOpInterface>(parent) || !branch ||
        branch.isRepetitiveRegion(op->getParentRegion()->getRegionNumber()))
      return parent;
  }
  return nullptr;
}

/// Where the stock lowering is done with a token, it destroys the event or
/// stream behind it; the next iteration would use that.
LogicalResult checkIterations(Operation *op) {
  for (Value token : op->getOperands()) {
    if (!isa<gpu::AsyncTokenType>(token.getType()))
      continue;
    Operation *repeater = findRepeater(token, op);
    if (!repeater)
      continue;
    InFlightDiagnostic error = op->emitOpError(
        "takes in each iteration a token from before the loop: "
        "gpu-to-llvm destroys in the first one what is behind it");
    error.attachNote(token.getLoc()) << "made here";
    return error;
  }
  return success();
}

struct PrepareTokensPass
    : public transient::impl::TransientPrepareTokensPassBase<
          PrepareTokensPass> {
  using TransientPrepareTokensPassBase::TransientPrepareTokensPassBase;

  void runOnOperation() override {
    bool refused = false;
    getOperation()->walk([&](gpu::AsyncOpInterface op) {
      refused |= failed(checkTokens(op)) || failed(checkIterations(op));
    });
    if (refused)
      return signalPassFailure();
    SmallVector<Operation *> streamOps;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isStreamOp(op))
        streamOps.push_back(op);
    });
    for (Operation *op : streamOps)
      prepareDependencies(makeAsync(op));
    SmallVector<Value> tokens;
    getOperation()->walk<WalkOrder::PreOrder>([&](gpu::AsyncOpInterface op) {
      if (Value token = op.getAsyncToken())
        tokens.push_back(token);
    });
    DenseMap<Operation *, unsigned> positions;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      unsigned position = positions.size();
      positions[op] = position;
    });
    for (Value token : tokens)
      fork(token, positions);
  }

  /// The stock lowering takes blocking copies and fills, and blocking
  /// allocations of device memory, in their asynchronous form only: the op,
  /// then a wait for it.
  static Operation *makeAsync(Operation *op) {
    auto async = cast<gpu::AsyncOpInterface>(op);
    if (async.getAsyncToken() || isa<gpu::LaunchFuncOp>(op))
      return op;
    if (auto alloc = dyn_cast<gpu::AllocOp>(op); alloc && alloc.getHostShared())
      return op;
    OpBuilder builder(op);
    Location location = op->getLoc();
    Type token = builder.getType<gpu::AsyncTokenType>();
    ValueRange dependencies = async.getAsyncDependencies();
    Operation *created =
        llvm::TypeSwitch<Operation *, Operation *>(op)
            .Case([&](gpu::AllocOp alloc) {
              auto replacement = gpu::AllocOp::create(
                  builder, location, alloc.getMemref().getType(), token,
                  dependencies, alloc.getDynamicSizes(),
                  alloc.getSymbolOperands(), false);
              alloc.getMemref().replaceAllUsesWith(replacement.getMemref());
              return replacement;
            })
            .Case([&](gpu::DeallocOp dealloc) {
              return gpu::DeallocOp::create(builder, location, token,
                                            dependencies, dealloc.getMemref());
            })
            .Case([&](gpu::MemcpyOp copy) {
              return gpu::MemcpyOp::create(builder, location, token,
                                           dependencies, copy.getDst(),
                                           copy.getSrc());
            })
            .Case([&](gpu::MemsetOp fill) {
              return gpu::MemsetOp::create(builder, location, token,
                                           dependencies, fill.getDst(),
                                           fill.getValue());
            });
    created->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    gpu::WaitOp::create(
        builder, location, Type(),
        ValueRange(cast<gpu::AsyncOpInterface>(created).getAsyncToken()));
    op->erase();
    return created;
  }

  /// An op on a stream depends on exactly one token.
  void prepareDependencies(Operation *op) {
    auto async = cast<gpu::AsyncOpInterface>(op);
    SmallVector<Value> dependencies(async.getAsyncDependencies());
    // A blocking launch without dependencies makes a stream for itself, and
    // blocking host-shared memory has none.
    if (!async.getAsyncToken() && dependencies.empty())
      return;
    if (dependencies.size() == 1 && !separateStreams &&
        !isEvent(dependencies.front()))
      return;
    OpBuilder builder(op);
    setDependency(op, createJoin(builder, op->getLoc(), dependencies));
  }

  /// A token's stream goes to one op; each further one gets a stream of its own
  /// that starts where the token is ready.
  static void fork(Value token,
                   const DenseMap<Operation *, unsigned> &positions) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : token.getUses())
      if (takesStream(use))
        uses.push_back(&use);
    if (uses.size() < 2)
      return;
    // The use list has no order that means anything; the walk has.
    llvm::sort(uses, [&](OpOperand *a, OpOperand *b) {
      return std::make_pair(positions.lookup(a->getOwner()),
                            a->getOperandNumber()) <
             std::make_pair(positions.lookup(b->getOwner()),
                            b->getOperandNumber());
    });
    for (OpOperand *use : llvm::drop_begin(uses)) {
      OpBuilder builder(use->getOwner());
      use->set(createJoin(builder, use->getOwner()->getLoc(), token));
    }
  }
};

} // namespace
