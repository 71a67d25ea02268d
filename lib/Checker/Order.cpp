//===- Order.cpp - What has ended before what starts ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A token's set speaks of the moment it was made. Where it is used, the nodes
// that may have been issued in between are taken out again: those between the
// two in the text, and all of a loop that the use is in and the token is not.
//
//===----------------------------------------------------------------------===//

#include "Order.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace transient::checker {

/// Of the device, or of another host path.
static bool isToken(Value value) {
  return isa<gpu::AsyncTokenType, async::TokenType, async::ValueType>(
      value.getType());
}

/// An op that does something with tokens that we do not know.
static bool handlesUnknown(Operation *op) {
  return !isa<gpu::AsyncOpInterface, async::ExecuteOp, async::AwaitOp,
              arith::SelectOp, BranchOpInterface,
              RegionBranchTerminatorOpInterface>(op) &&
         (llvm::any_of(op->getOperands(), isToken) ||
          llvm::any_of(op->getResults(), isToken));
}

/// Calls `visit` for the unknown handlers of tokens in what is one step.
static void forEachUnknown(Operation *step,
                           llvm::function_ref<void(Operation *)> visit) {
  if (step->getNumRegions() == 0) {
    if (handlesUnknown(step))
      visit(step);
    return;
  }
  if (step->getDialect() && isa<linalg::LinalgOp>(step))
    return;
  step->walk([&](Operation *op) {
    // On another host path even a plain wait is one.
    if (handlesUnknown(op) || isa<gpu::WaitOp, async::AwaitOp>(op))
      visit(op);
  });
}

static bool isLoop(Operation *op) {
  return isStructured(op) && isa<LoopLikeOpInterface>(op);
}

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

Scope::Scope(Operation *top, SmallVector<Node> list)
    : top(top), nodes(std::move(list)) {
  for (auto [index, node] : llvm::enumerate(nodes))
    nodeByOp[node.op] = index;
  unsigned next = 0;
  for (Region &region : top->getRegions()) {
    anyUnstructured |= !region.empty() && !region.hasOneBlock();
    for (Block &block : region)
      for (Operation &op : block)
        number(&op, next);
  }
  for (Node &node : nodes) {
    SmallVector<const void *> around = getLoopsOf(node.op);
    loops.emplace_back(around.begin(), around.end());
    Operation *step = node.op;
    while (step->getParentOp() != top)
      step = step->getParentOp();
    steps.push_back(step);
  }
  hasOneBlock = top->getNumRegions() == 1 && top->getRegion(0).hasOneBlock();
}

void Scope::number(Operation *op, unsigned &next) {
  unsigned begin = next;
  if (getShape(op) == OpShape::Leaf || getShape(op) == OpShape::Atomic)
    forEachUnknown(op, [&](Operation *) { anyUnknownTokens = true; });
  if (nodeByOp.count(op)) {
    ++next;
  } else if (getShape(op) == OpShape::Structured) {
    anyLoops |= isLoop(op);
    for (Region &region : op->getRegions()) {
      anyUnstructured |= !region.empty() && !region.hasOneBlock();
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner, next);
    }
  }
  spans[op] = {begin, next};
}

std::pair<unsigned, unsigned> Scope::getSpan(Block *block) const {
  if (!block->empty())
    return {spans.lookup(&block->front()).first,
            spans.lookup(&block->back()).second};
  // An empty block has no position of its own; its parent's start is as good.
  unsigned position = spans.lookup(block->getParentOp()).first;
  return {position, position};
}

std::pair<unsigned, unsigned> Scope::getSpan(Region *region) const {
  return {getSpan(&region->front()).first, getSpan(&region->back()).second};
}

bool Scope::reaches(Block *a, Block *b) const {
  auto [it, inserted] = reachable.try_emplace(a);
  if (inserted) {
    SmallVector<Block *> worklist(a->getSuccessors());
    DenseSet<Block *> seen;
    while (!worklist.empty()) {
      Block *block = worklist.pop_back_val();
      if (seen.insert(block).second)
        llvm::append_range(worklist, block->getSuccessors());
    }
    it->second = std::move(seen);
  }
  return it->second.contains(b);
}

SmallVector<const void *> Scope::getLoopsOf(Operation *op) const {
  SmallVector<const void *> result;
  for (; op && op != top; op = op->getParentOp()) {
    if (isLoop(op))
      result.push_back(op);
    Block *block = op->getBlock();
    if (block && !block->getParent()->hasOneBlock() && reaches(block, block))
      result.push_back(block->getParent());
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// The ops from just below `top` down to `op`.
static SmallVector<Operation *> getPath(Operation *op, Operation *top) {
  SmallVector<Operation *> path;
  for (; op && op != top; op = op->getParentOp())
    path.push_back(op);
  std::reverse(path.begin(), path.end());
  return path;
}

/// Does control reach region `b` of `op` after region `a`, without entering
/// `op` again?
static bool regionReaches(Operation *op, Region *a, Region *b) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return true;
  SmallVector<Region *> worklist{a};
  DenseSet<Region *> seen;
  while (!worklist.empty()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(*worklist.pop_back_val(), successors);
    for (RegionSuccessor &successor : successors) {
      Region *region = successor.getSuccessor();
      if (region == b)
        return true;
      if (region && seen.insert(region).second)
        worklist.push_back(region);
    }
  }
  return false;
}

bool Scope::mayFollow(unsigned a, unsigned b) const {
  if (a == b)
    return false;
  SmallVector<Operation *> pathA = getPath(nodes[a].op, top);
  SmallVector<Operation *> pathB = getPath(nodes[b].op, top);
  for (auto [stepA, stepB] : llvm::zip(pathA, pathB)) {
    if (stepA == stepB)
      continue;
    Block *blockA = stepA->getBlock(), *blockB = stepB->getBlock();
    if (blockA == blockB)
      return a < b;
    Region *regionA = blockA->getParent(), *regionB = blockB->getParent();
    if (regionA == regionB)
      return reaches(blockA, blockB);
    // Later regions only: the way back is the next iteration.
    return regionA->getRegionNumber() < regionB->getRegionNumber() &&
           regionReaches(stepA->getParentOp(), regionA, regionB);
  }
  return true;
}

/// Does a path of edges lead from `from` to `to` that does not enter `without`?
static bool reachesWithout(Block *from, Block *to, Block *without) {
  SmallVector<Block *> worklist(from->getSuccessors());
  DenseSet<Block *> seen;
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (block == without || !seen.insert(block).second)
      continue;
    if (block == to)
      return true;
    llvm::append_range(worklist, block->getSuccessors());
  }
  return false;
}

bool Scope::mayFollowWithout(unsigned a, unsigned b, Block *block) const {
  SmallVector<Operation *> pathA = getPath(nodes[a].op, top);
  SmallVector<Operation *> pathB = getPath(nodes[b].op, top);
  for (auto [stepA, stepB] : llvm::zip(pathA, pathB)) {
    Block *blockA = stepA->getBlock(), *blockB = stepB->getBlock();
    Region *regionA = blockA->getParent(), *regionB = blockB->getParent();
    if (regionA != regionB)
      return regionA->getRegionNumber() < regionB->getRegionNumber() &&
             regionReaches(stepA->getParentOp(), regionA, regionB);
    if (!regionA->hasOneBlock() &&
        reachesWithout(blockA, blockB,
                       regionA->findAncestorBlockInRegion(*block)))
      return true;
    if (stepA != stepB)
      return blockA == blockB && a < b;
    // Around a loop that the block is not in.
    if (isLoop(stepA) && !stepA->isAncestor(block->getParentOp()))
      return true;
  }
  return a < b;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Order::State::State(const Scope &scope, unsigned depth, bool value)
    : State(scope, depth, llvm::BitVector(scope.getNodes().size(), value)) {}

Order::State::State(const Scope &scope, unsigned depth, llvm::BitVector ended)
    : all(std::move(ended)) {
  if (!scope.hasLoops())
    return;
  old.assign(depth, all);
  recent = all;
}

void Order::State::enterLoop() {
  old.push_back(recent);
  recent.set();
}

void Order::State::startIteration() {
  old.back() &= recent;
  recent.set();
}

void Order::State::leaveLoop() {
  recent &= old.back();
  old.pop_back();
}

void Order::State::settle() {
  llvm::BitVector both = recent;
  for (const llvm::BitVector &ended : old)
    both &= ended;
  all |= both;
}

void Order::State::reset(unsigned node) {
  all.reset(node);
  if (!recent.empty())
    recent.reset(node);
}

Order::State &Order::State::operator&=(const State &other) {
  all &= other.all;
  for (auto [ended, others] : llvm::zip_equal(old, other.old))
    ended &= others;
  recent &= other.recent;
  return *this;
}

Order::State &Order::State::operator|=(const State &other) {
  all |= other.all;
  for (auto [ended, others] : llvm::zip_equal(old, other.old))
    ended |= others;
  recent |= other.recent;
  return *this;
}

Order::Order(const Scope &scope, Operation *fresh, bool trustsUnknown)
    : scope(scope), fresh(fresh), trustsUnknown(trustsUnknown) {
  for (Operation *op = fresh; op && op != scope.getTop();
       op = op->getParentOp())
    if (isLoop(op))
      freshLoops.push_back(op);
  unsigned n = scope.getNodes().size();
  before.assign(n, llvm::BitVector(n, true));
  // Nothing was issued yet when the scope is entered.
  for (Region &region : scope.getTop()->getRegions())
    visitRegion(region, State(scope, 0, true));
}

unsigned Order::getDepth(Operation *op) const {
  unsigned depth = 0;
  for (Operation *parent = op->getParentOp();
       parent && parent != scope.getTop(); parent = parent->getParentOp())
    depth += isLoop(parent);
  return depth;
}

const Order &Order::getOptimistic() const {
  if (trustsUnknown || !scope.hasUnknownTokens())
    return *this;
  if (!optimistic)
    optimistic = std::make_unique<Order>(scope, fresh, /*trustsUnknown=*/true);
  return *optimistic;
}

void Order::define(Value token, State ended, unsigned position) {
  tokens[token] = {std::move(ended), position, token.getParentRegion(),
                   token.getParentBlock()};
}

/// What is known to have ended when `token` is complete, as seen by `user`.
Order::State Order::getEnded(Value token, Operation *user) {
  auto it = tokens.find(token);
  if (it == tokens.end())
    return State(scope, getDepth(user), false);
  const Token &known = it->second;
  unsigned position = scope.getSpan(user).first;
  // The ancestor of the user beside the token, the loops between, innermost first,
  // the outermost of those whose earlier iterations matter, and branches that
  // were not taken to get to the user.
  Operation *ancestor = user;
  Operation *loop = nullptr;
  unsigned depth = known.ended.old.size();
  SmallVector<Operation *> between;
  bool hasNoCycle = known.region->hasOneBlock();
  SmallVector<std::pair<unsigned, unsigned>> notTaken;
  while (ancestor->getParentRegion() != known.region) {
    Region *taken = ancestor->getParentRegion();
    ancestor = ancestor->getParentOp();
    if (!ancestor || ancestor == scope.getTop())
      return State(scope, getDepth(user), false);
    for (Region &other : ancestor->getRegions())
      if (&other != taken && !other.empty() &&
          !regionReaches(ancestor, &other, taken))
        notTaken.push_back(scope.getSpan(&other));
    hasNoCycle &= taken->hasOneBlock();
    if (!isLoop(ancestor))
      continue;
    between.push_back(ancestor);
    if (!llvm::is_contained(freshLoops, ancestor))
      loop = ancestor;
  }
  SmallVector<std::pair<unsigned, unsigned>> issued;
  if (ancestor->getBlock() == known.block) {
    issued.push_back({known.position, position});
  } else {
    // In a CFG: blocks on a path from the token to the user that does not pass
    // the token again, where it would be made anew.
    Block *use = ancestor->getBlock();
    for (Block &block : *known.region) {
      auto [first, last] = scope.getSpan(&block);
      if (&block == known.block)
        first = std::max(first, known.position);
      else if (!scope.reaches(known.block, &block))
        continue;
      else if (&block == use && !reachesWithout(use, use, known.block))
        last = std::min(last, position);
      else if (&block != use && !reachesWithout(&block, use, known.block))
        continue;
      issued.push_back({first, last});
    }
  }
  auto clear = [&](llvm::BitVector &ended, std::pair<unsigned, unsigned> span) {
    if (span.first < span.second)
      ended.reset(span.first, span.second);
  };
  auto getRest = [&](const llvm::BitVector &known) {
    llvm::BitVector ended = known;
    for (auto span : issued)
      clear(ended, span);
    for (auto span : notTaken)
      for (unsigned i = span.first; i < span.second; ++i)
        if (known.test(i))
          ended.set(i);
    if (loop)
      clear(ended, scope.getSpan(loop));
    return ended;
  };
  State ended(scope, depth + between.size(), getRest(known.ended.all));
  if (!hasNoCycle || !scope.hasLoops())
    return ended;
  // What belongs to earlier iterations of the loops around the token does so still.
  for (unsigned i = 0; i < depth; ++i)
    ended.old[i] |= known.ended.old[i];
  (between.empty() ? ended.recent : ended.old[depth]) |=
      getRest(known.ended.recent);
  if (between.empty())
    return ended;
  // An iteration of the outermost loop issues only nodes of that loop, and by the
  // time that it is inside the next loop, or at the user, only those up to there.
  unsigned begin = scope.getSpan(between.back()).first;
  auto addRest = [&](llvm::BitVector &known, unsigned end) {
    llvm::BitVector notIssued(known.size(), true);
    clear(notIssued, {begin, end});
    known |= notIssued;
  };
  for (unsigned i = 1; i < between.size(); ++i)
    addRest(ended.old[depth + i],
            scope.getSpan(between[between.size() - 1 - i]).second);
  addRest(ended.recent, position);
  return ended;
}

void Order::visitBlock(Block &block, State &state) {
  for (Operation &op : block)
    visitOp(&op, state);
}

void Order::visitOp(Operation *op, State &state) {
  if (getShape(op) == OpShape::Structured)
    return visitStructured(op, state);
  unsigned position = scope.getSpan(op).second;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (!isToken(select.getResult()))
      return;
    State ended = getEnded(select.getTrueValue(), op);
    ended &= getEnded(select.getFalseValue(), op);
    return define(select.getResult(), std::move(ended), position);
  }
  if (auto await = dyn_cast<async::AwaitOp>(op))
    state |= getEnded(await.getOperand(), op);
  int node = scope.getNode(op);
  auto async = dyn_cast<gpu::AsyncOpInterface>(op);
  // It starts after its operands, and all its results are there when it ends.
  auto execute = dyn_cast<async::ExecuteOp>(op);
  if (trustsUnknown)
    forEachUnknown(op, [&](Operation *unknown) {
      for (Value operand : unknown->getOperands())
        if (isToken(operand) && tokens.count(operand))
          state |= getEnded(operand, op);
      if (unknown == op)
        for (Value result : op->getResults())
          if (isToken(result))
            define(result, State(scope, getDepth(op), true), position);
    });
  if (node < 0 && !async && !execute)
    return;

  State started = state;
  if (async)
    for (Value dependency : async.getAsyncDependencies())
      started |= getEnded(dependency, op);
  if (execute)
    for (Value dependency : execute->getOperands())
      if (isToken(dependency))
        started |= getEnded(dependency, op);
  started.settle();
  Completion completion = Completion::Blocking;
  if (node >= 0) {
    before[node] = started.all;
    completion = scope.getNodes()[node].behaviour.completion;
  } else if (execute || async.getAsyncToken()) {
    completion = Completion::Token;
  } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    if (launch.getAsyncObject())
      completion = Completion::Unknown;
  }
  // `started` has the node's own bit if its earlier instances have ended. With
  // this instance's end, all have.
  for (Value result : op->getResults()) {
    if (!isToken(result) || !(async || execute))
      continue;
    State ended = started;
    if (node >= 0 && completion == Completion::Unknown)
      ended.reset(node);
    define(result, std::move(ended), position);
  }
  if (completion == Completion::Blocking)
    state |= started;
  else if (node >= 0)
    state.reset(node);
}

void Order::visitStructured(Operation *op, State &state) {
  unsigned numRegions = op->getNumRegions();
  // The last slot stands for the op's end.
  std::vector<State> in(numRegions + 1);
  SmallVector<bool> reached(numRegions + 1, false);
  SmallVector<bool> dirty(numRegions, false);
  DenseMap<Value, State> inputs;
  auto [spanBegin, spanEnd] = scope.getSpan(op);

  // An iteration of scf.while goes on where its condition holds.
  auto startsIteration = [&](unsigned region) {
    return !(isa<scf::WhileOp>(op) && region == 1);
  };
  // What is known at one end of an edge, as the other end sees it.
  auto along = [&](State known, Operation *at, Region *region) {
    if (!isLoop(op) || !scope.hasLoops())
      return known;
    if (at == op && region)
      known.enterLoop();
    else if (at != op && !region)
      known.leaveLoop();
    else if (region && startsIteration(region->getRegionNumber()))
      known.startIteration();
    return known;
  };
  auto merge = [&](Region *region, ValueRange sources, ValueRange targets,
                   const State &from, Operation *at) {
    unsigned slot = region ? region->getRegionNumber() : numRegions;
    bool changed = !reached[slot];
    State joined = along(from, at, region);
    if (reached[slot])
      joined &= in[slot];
    if (!reached[slot] || joined != in[slot]) {
      in[slot] = std::move(joined);
      changed = true;
    }
    reached[slot] = true;
    for (auto [source, target] : llvm::zip(sources, targets)) {
      if (!isToken(target))
        continue;
      // What the host has waited for when it hands the token on has ended, too.
      State ended = getEnded(source, at);
      ended |= from;
      ended = along(std::move(ended), at, region);
      auto [it, inserted] = inputs.try_emplace(target, ended);
      if (inserted) {
        changed = true;
        continue;
      }
      ended &= it->second;
      if (ended != it->second) {
        it->second = std::move(ended);
        changed = true;
      }
    }
    if (region && changed)
      dirty[slot] = true;
  };

  forEachRegionEdge(op, [&](Operation *terminator, Region *region,
                            ValueRange sources, ValueRange targets) {
    if (!terminator)
      merge(region, sources, targets, state, op);
  });
  bool isFresh = llvm::is_contained(freshLoops, op) && spanBegin < spanEnd;
  // Storage that the body allocates knows nothing of earlier iterations.
  auto forget = [&](State &known) {
    if (!isFresh)
      return;
    known.all.set(spanBegin, spanEnd);
    for (llvm::BitVector &ended : known.old)
      ended.set(spanBegin, spanEnd);
  };
  unsigned depth = state.old.size();
  for (unsigned i = 0; i < numRegions;) {
    if (!dirty[i]) {
      ++i;
      continue;
    }
    dirty[i] = false;
    Region &region = op->getRegion(i);
    if (region.empty())
      continue;
    State entry = in[i];
    forget(entry);
    unsigned position = scope.getSpan(&region).first;
    for (Value argument : region.getArguments()) {
      if (!isToken(argument))
        continue;
      auto it = inputs.find(argument);
      State ended = it == inputs.end()
                        ? State(scope, entry.old.size(), false)
                        : it->second;
      forget(ended);
      define(argument, std::move(ended), position);
    }
    SmallVector<Exit, 1> exits = visitRegion(region, std::move(entry));
    for (Exit &exit : exits)
      forEachRegionEdge(op, [&](Operation *terminator, Region *to,
                                ValueRange sources, ValueRange targets) {
        if (terminator == exit.terminator)
          merge(to, sources, targets, exit.state, terminator);
      });
    i = 0;
  }
  for (Value result : op->getResults())
    if (isToken(result)) {
      auto it = inputs.find(result);
      define(result,
             it == inputs.end() ? State(scope, depth, false) : it->second,
             spanEnd);
    }
  // Without a way to its end nothing behind it runs.
  state = reached[numRegions] ? std::move(in[numRegions])
                              : State(scope, depth, true);
}

SmallVector<Order::Exit, 1> Order::visitRegion(Region &region, State entry) {
  SmallVector<Exit, 1> exits;
  if (region.empty())
    return exits;
  auto finish = [&](Block &block, State &state) {
    if (!block.empty() && block.back().getNumSuccessors() == 0)
      exits.push_back({&block.back(), std::move(state)});
  };
  if (region.hasOneBlock()) {
    visitBlock(region.front(), entry);
    finish(region.front(), entry);
    return exits;
  }

  // All blocks in reverse post order, until a pass changes nothing: a token may
  // be used in blocks that its change does not reach in any other way.
  DenseMap<Block *, State> in;
  DenseMap<Value, State> inputs;
  SmallVector<Block *> order;
  for (Block *block : llvm::ReversePostOrderTraversal<Block *>(&region.front()))
    order.push_back(block);
  in[&region.front()] = std::move(entry);
  DenseMap<Block *, State> out;
  for (bool again = true; again;) {
    again = false;
    for (Block *block : order) {
      for (Value argument : block->getArguments())
        if (isToken(argument) && !block->isEntryBlock()) {
          auto it = inputs.find(argument);
          define(argument,
                 it == inputs.end()
                     ? State(scope, in[block].old.size(), false)
                     : it->second,
                 scope.getSpan(block).first);
        }
      State state = in[block];
      visitBlock(*block, state);
      out[block] = state;
      Operation *terminator = block->empty() ? nullptr : &block->back();
      auto branch = dyn_cast_or_null<BranchOpInterface>(terminator);
      for (auto [index, successor] : llvm::enumerate(block->getSuccessors())) {
        auto [it, inserted] = in.try_emplace(successor, state);
        bool changed = inserted;
        State joined = it->second;
        joined &= state;
        if (joined != it->second) {
          it->second = std::move(joined);
          changed = true;
        }
        for (BlockArgument argument : successor->getArguments()) {
          if (!isToken(argument))
            continue;
          Value source;
          if (branch)
            source =
                branch.getSuccessorOperands(index)[argument.getArgNumber()];
          // What the host has waited for by then has ended, too.
          State ended = state;
          if (source)
            ended |= getEnded(source, terminator);
          auto [slot, isNew] = inputs.try_emplace(argument, ended);
          ended &= slot->second;
          if (isNew || ended != slot->second) {
            slot->second = std::move(ended);
            changed = true;
          }
        }
        again |= changed;
      }
    }
  }
  for (Block *block : order)
    finish(*block, out[block]);
  return exits;
}

} // namespace transient::checker
