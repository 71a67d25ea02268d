//===- OrderBuilder.cpp - From a function to its order --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host path is one chain of edges. Where it branches, the branches are
// visited one after the other on the same chain: of two that exclude each other
// nothing is said by an edge between them. Tokens add edges, but only such that
// every path means what an edge means (see ExecutionOrder).
//
//===----------------------------------------------------------------------===//

#include "OrderBuilder.h"

#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace transient {

using Node = ExecutionOrder::Node;
using Frame = ExecutionOrder::Frame;
using Loop = ExecutionOrder::Loop;

/// How many nodes are looked at to find what all branches of an op prove, for
/// one op and for all of a function: limits on time, past which less is proved.
static constexpr size_t kMaxSearch = 4096;
static constexpr size_t kMaxSearches = size_t(1) << 19;

//===----------------------------------------------------------------------===//
// Nodes, frames, edges
//===----------------------------------------------------------------------===//

unsigned OrderBuilder::addNode(Node::Kind kind, Operation *op, unsigned frame,
                               Completion completion, Host host) {
  Node node;
  node.kind = kind;
  node.op = op;
  node.frame = frame;
  node.completion = std::move(completion);
  if (host)
    node.predecessors.push_back(*host);
  order.nodes.push_back(std::move(node));
  return order.nodes.size() - 1;
}

unsigned OrderBuilder::addEnter(Operation *op, unsigned frame, Host host) {
  return addNode(Node::Enter, op, frame, {Completion::OnReturn, "", nullptr},
                 host);
}

unsigned OrderBuilder::addExit(Operation *op, unsigned frame, Host host,
                               unsigned enter) {
  unsigned exit = addNode(Node::Exit, op, frame,
                          {Completion::OnReturn, "", nullptr},
                          host ? host : Host(enter));
  order.nodes[enter].exit = exit;
  return exit;
}

unsigned OrderBuilder::addJoin(Operation *op, unsigned frame, Host host) {
  return addNode(Node::Join, op, frame, {Completion::Token, "", nullptr}, host);
}

unsigned OrderBuilder::addFrame(unsigned parent, bool unconditional) {
  Frame frame;
  frame.parent = parent;
  frame.depth = order.frames[parent].depth + 1;
  frame.unconditional = unconditional;
  order.frames.push_back(frame);
  return order.frames.size() - 1;
}

unsigned OrderBuilder::addLoop(Operation *op, Block *header, unsigned frame,
                               unsigned enter) {
  Loop loop;
  loop.op = op;
  loop.header = header;
  loop.frame = frame;
  loop.enter = enter;
  order.frames[frame].loop = order.loops.size();
  order.loops.push_back(std::move(loop));
  return order.loops.size() - 1;
}

void OrderBuilder::addEdge(unsigned from, unsigned to) {
  std::vector<planner::NodeId> &list = order.nodes[to].predecessors;
  auto it = llvm::lower_bound(list, from);
  if (it == list.end() || *it != from)
    list.insert(it, from);
}

bool OrderBuilder::isPostDominated(Block *block, Block *by) {
  if (!postDominance)
    postDominance =
        std::make_unique<PostDominanceInfo>(order.function.getOperation());
  return postDominance->postDominates(by, block);
}

/// Whether an edge from a node in frame `from` to one in frame `to` keeps the
/// meaning of paths: `to`'s work must run whenever `from`'s does, or paths
/// through it would prove things about executions in which it does not run.
bool OrderBuilder::mayCross(unsigned from, unsigned to) const {
  const std::vector<Frame> &frames = order.frames;
  while (frames[to].depth > frames[from].depth) {
    if (!frames[to].unconditional)
      return false;
    to = frames[to].parent;
  }
  return from == to;
}

void OrderBuilder::addTokenEdge(Value token, unsigned user) {
  auto it = tokens.find(token);
  if (it == tokens.end()) {
    order.complete = false;
    return;
  }
  unsigned source = it->second;
  unsigned from = order.nodes[source].frame, to = order.nodes[user].frame;
  if (mayCross(from, to))
    return addEdge(source, user);
  // Between blocks of one region: the later one runs whenever the earlier does.
  const std::vector<Frame> &frames = order.frames;
  unsigned below = to;
  while (frames[below].depth > frames[from].depth) {
    if (!frames[below].unconditional)
      return addInwardEdge(source, user);
    below = frames[below].parent;
  }
  Block *definition = token.getParentBlock();
  Block *use = order.nodes[user].op->getBlock();
  if (definition && use)
    use = definition->getParent()->findAncestorBlockInRegion(*use);
  if (frames[below].parent == frames[from].parent && below != from &&
      from != 0 && !frames[frames[from].parent].loop && definition && use &&
      order.frameOfBlock.lookup(definition) == from &&
      order.frameOfBlock.lookup(use) == below &&
      isPostDominated(definition, use))
    return addEdge(source, user);
  addInwardEdge(source, user);
}

void OrderBuilder::addInwardEdge(unsigned source, unsigned user) {
  // What it proves is seen in the branch only, so what is outside may still be
  // ordered, if conditions depend on each other.
  order.complete = false;
  std::vector<Frame> &frames = order.frames;
  unsigned frame = order.nodes[user].frame;
  // Of a loop that the user is not in, a token proves the last iteration only.
  for (unsigned from = order.nodes[source].frame; from != 0;
       from = frames[from].parent)
    if (frames[from].loop && !order.isInFrame(frame, from))
      return;
  while (frame != 0 && frames[frame].unconditional)
    frame = frames[frame].parent;
  if (frame == 0)
    return;
  frames[frame].hasInward = true;
  order.nodes[user].inward.push_back(source);
}

SmallVector<unsigned> OrderBuilder::getProvedOutside(unsigned source,
                                                     Operation *op) {
  auto isInside = [&](unsigned frame) {
    for (; frame != 0; frame = order.frames[frame].parent) {
      auto it = order.branches.find(frame);
      if (it != order.branches.end() && it->second == op)
        return true;
    }
    return false;
  };
  SmallVector<unsigned> result, worklist{source};
  llvm::DenseSet<unsigned> seen{source};
  auto visit = [&](ArrayRef<planner::NodeId> nodes) {
    for (planner::NodeId node : nodes)
      if (seen.insert(node).second)
        worklist.push_back(node);
  };
  while (!worklist.empty()) {
    const Node &node = order.nodes[worklist.pop_back_val()];
    if (seen.size() > kMaxSearch || ++searched > kMaxSearches) {
      order.complete = false;
      return {};
    }
    if (!isInside(node.frame)) {
      if (node.op != op)
        result.push_back(&node - order.nodes.data());
      continue;
    }
    visit(node.predecessors);
    // A wait that may not have run when `source` did proves nothing.
    if (order.isInFrame(order.nodes[source].frame, node.frame))
      visit(node.inward);
  }
  return result;
}

void OrderBuilder::addCommonEdges(ArrayRef<SmallVector<unsigned>> proved,
                                  unsigned join, unsigned frame,
                                  unsigned enter) {
  // The host's own work is known anyhow. What runs beside the host is not.
  auto isOnHost = [&](unsigned number) {
    const Node &node = order.nodes[number];
    return number <= enter && node.completion.kind == Completion::OnReturn &&
           order.isInFrame(frame, node.frame) &&
           !(node.kind == Node::Enter &&
             order.nodes[node.exit].completion.kind != Completion::OnReturn);
  };
  // How many of `proved` lead back to a node.
  llvm::DenseMap<unsigned, unsigned> count;
  size_t visited = 0;
  for (ArrayRef<unsigned> nodes : proved) {
    SmallVector<unsigned> worklist;
    llvm::DenseSet<unsigned> seen;
    auto visit = [&](auto &&list) {
      for (unsigned number : list) {
        if (isOnHost(number) || !seen.insert(number).second)
          continue;
        ++count[number];
        ++visited;
        worklist.push_back(number);
      }
    };
    visit(nodes);
    while (!worklist.empty() && visited <= kMaxSearch &&
           searched <= kMaxSearches) {
      ++searched;
      const Node &node = order.nodes[worklist.pop_back_val()];
      visit(node.predecessors);
      if (order.isInFrame(frame, node.frame))
        visit(node.inward);
    }
  }
  if (visited > kMaxSearch || searched > kMaxSearches) {
    order.complete = false;
    return;
  }
  SmallVector<unsigned> common;
  for (auto [number, times] : count) {
    if (times != proved.size())
      continue;
    // What is inside of something else does not speak for what is around it.
    if (order.isInFrame(frame, order.nodes[number].frame))
      common.push_back(number);
    else
      order.complete = false;
  }
  llvm::sort(common);
  llvm::DenseSet<unsigned> covered;
  for (unsigned number : common)
    covered.insert(order.nodes[number].predecessors.begin(),
                   order.nodes[number].predecessors.end());
  for (unsigned number : common) {
    if (covered.contains(number))
      continue;
    if (mayCross(order.nodes[number].frame, frame))
      addEdge(number, join);
    else
      addInwardEdge(number, join);
  }
}

bool OrderBuilder::isPath(unsigned from, unsigned to) const {
  if (from == to)
    return true;
  SmallVector<unsigned> worklist{to};
  llvm::DenseSet<unsigned> seen;
  while (!worklist.empty())
    for (planner::NodeId node :
         order.nodes[worklist.pop_back_val()].predecessors) {
      if (node == from)
        return true;
      if (node > from && seen.insert(node).second)
        worklist.push_back(node);
    }
  return false;
}

bool OrderBuilder::isToken(Value value) const {
  return isa<gpu::AsyncTokenType, async::TokenType>(value.getType()) ||
         tokenTypes.contains(value.getType());
}

/// Whether `op`, which is given `token`, depends on it, or is control flow that
/// takes it where we follow it.
static bool isFollowed(Operation *op, Value token) {
  if (isa<scf::YieldOp, affine::AffineYieldOp>(op))
    return isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp, affine::AffineForOp,
               affine::AffineIfOp>(op->getParentOp());
  if (isa<scf::ForOp, affine::AffineForOp>(op))
    return true;
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  return ordered && llvm::is_contained(ordered.getDependencies(), token);
}

void OrderBuilder::checkUsers(Value token) {
  order.complete &= llvm::all_of(token.getUsers(), [&](Operation *user) {
    return isFollowed(user, token);
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void OrderBuilder::visitLeaf(Operation *op, unsigned frame, Host &host) {
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  SmallVector<Value> dependencies, yielded;
  if (ordered) {
    dependencies = ordered.getDependencies();
    yielded = ordered.getCompletionTokens();
  }
  // Allocations are not nodes: they order nothing and use nothing. Those with
  // tokens order work all the same; so do those of the device, which block.
  if (dependencies.empty() && yielded.empty() && !isa<gpu::AllocOp>(op) &&
      op->getNumRegions() == 0 && op->getNumResults() == 1 &&
      isa<MemoryEffectOpInterface>(op) &&
      hasSingleEffect<MemoryEffects::Allocate>(op))
    return;
  Completion completion = getCompletion(op, callees);
  if (completion.kind == Completion::NoWork)
    return;
  // A call may wait for work that was started before it.
  op->walk([&](Operation *nested) {
    order.complete &=
        !isa<CallOpInterface>(nested) ||
        getCompletion(nested, callees).kind != Completion::Unknown;
  });
  order.complete &= completion.kind != Completion::Unknown;
  bool blocks = completion.kind == Completion::OnReturn;
  bool yieldsToken = completion.kind == Completion::Token;
  unsigned node = addNode(Node::Work, op, frame, std::move(completion), host);
  order.nodeOfOp[op] = node;
  for (Value token : dependencies)
    addTokenEdge(token, node);
  for (Value token : yielded) {
    tokenTypes.insert(token.getType());
    checkUsers(token);
    if (yieldsToken)
      tokens[token] = node;
  }
  if (blocks)
    host = node;
}

void OrderBuilder::joinResult(Operation *op, unsigned frame, Value result,
                              ArrayRef<Value> sources, Host host,
                              unsigned enter) {
  unsigned join = addJoin(op, frame, host);
  tokens[result] = join;
  checkUsers(result);
  SmallVector<unsigned> known;
  for (Value source : sources) {
    auto it = tokens.find(source);
    if (it == tokens.end())
      order.complete = false;
    else
      known.push_back(it->second);
  }
  bool isKnown = known.size() == sources.size();
  // What is inside a branch ran only if that branch handed its token on; what
  // is outside must be proved by all of them.
  SmallVector<SmallVector<unsigned>> proved;
  for (unsigned source : known) {
    if (order.nodes[source].frame != frame &&
        order.isInFrame(order.nodes[source].frame, frame))
      addEdge(source, join);
    else if (isKnown && llvm::all_equal(known))
      addEdge(source, join);
    else
      order.complete = false;
    proved.push_back(getProvedOutside(source, op));
  }
  if (isKnown && !llvm::all_equal(known))
    addCommonEdges(proved, join, frame, enter);
}

/// Branches that exclude each other.
void OrderBuilder::visitBranches(Operation *op, unsigned frame, Host &host) {
  unsigned enter = addEnter(op, frame, host);
  order.nodeOfOp[op] = enter;
  Host path = enter;
  SmallVector<Operation *> terminators;
  // What each branch has waited for when it ends.
  SmallVector<SmallVector<unsigned>> waited;
  for (Region &region : op->getRegions()) {
    waited.emplace_back();
    if (region.empty())
      continue;
    unsigned branch = addFrame(frame, /*unconditional=*/false);
    order.branches[branch] = op;
    path = visitRegion(region, branch, path);
    if (order.isInFrame(order.nodes[*path].frame, branch))
      waited.back() = getProvedOutside(*path, op);
    terminators.push_back(region.front().getTerminator());
  }
  host = addExit(op, frame, path, enter);
  if (llvm::all_of(waited,
                   [](ArrayRef<unsigned> nodes) { return !nodes.empty(); }))
    addCommonEdges(waited, *host, frame, enter);
  for (OpResult result : op->getResults()) {
    if (!isToken(result))
      continue;
    SmallVector<Value> sources;
    for (Operation *terminator : terminators)
      sources.push_back(terminator->getOperand(result.getResultNumber()));
    joinResult(op, frame, result, sources, host, enter);
  }
}

/// Whether constant bounds show that the loop has an iteration.
static bool hasIteration(Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return loop.hasConstantBounds() &&
           loop.getConstantUpperBound() > loop.getConstantLowerBound();
  auto loop = cast<scf::ForOp>(op);
  APInt lower, upper;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return false;
  return loop.getUnsignedCmp() ? upper.ugt(lower) : upper.sgt(lower);
}

void OrderBuilder::visitFor(Operation *op, unsigned frame, Host &host) {
  auto loopLike = cast<LoopLikeOpInterface>(op);
  unsigned enter = addEnter(op, frame, host);
  order.nodeOfOp[op] = enter;
  unsigned body = addFrame(frame, hasIteration(op));
  unsigned loop = addLoop(op, nullptr, body, enter);

  struct Argument {
    Value init, argument, yielded, result;
    unsigned received;
  };
  SmallVector<Argument> arguments;
  if (!loopLike.getRegionIterArgs().empty())
    // Not by the interface, which `affine.for` implements in part.
    for (auto [init, argument, yielded, result] : llvm::zip_equal(
             loopLike.getInits(), loopLike.getRegionIterArgs(),
             op->getRegion(0).front().getTerminator()->getOperands(),
             op->getResults())) {
      if (!isToken(argument))
        continue;
      unsigned received = addJoin(op, body, Host(enter));
      tokens[argument] = received;
      checkUsers(argument);
      arguments.push_back({init, argument, yielded, result, received});
    }
  Host path = visitRegion(op->getRegion(0), body, enter);
  SmallVector<unsigned> handedOn;
  for (const Argument &argument : arguments) {
    unsigned join = addJoin(op, body, Host(enter));
    handedOn.push_back(join);
    auto it = tokens.find(argument.yielded);
    if (it == tokens.end())
      order.complete = false;
    else if (order.isInFrame(order.nodes[it->second].frame, body))
      addEdge(it->second, join);
  }
  unsigned exit = addExit(op, frame, path, enter);
  order.loops[loop].exit = exit;
  host = exit;
  for (auto [argument, join] : llvm::zip_equal(arguments, handedOn)) {
    unsigned result = addJoin(op, frame, host);
    tokens[argument.result] = result;
    checkUsers(argument.result);
    // Without a chain only the last iteration is proved, and none if there were
    // no iterations.
    if (!isPath(argument.received, join)) {
      order.complete = false;
      continue;
    }
    order.loops[loop].carried.push_back({argument.received, join});
    addEdge(join, result);
    addTokenEdge(argument.init, result);
    // The first iteration starts after the init token, so all do.
    addTokenEdge(argument.init, argument.received);
  }
}

void OrderBuilder::visitWhile(Operation *op, unsigned frame, Host &host) {
  unsigned enter = addEnter(op, frame, host);
  order.nodeOfOp[op] = enter;
  unsigned body = addFrame(frame, /*unconditional=*/true);
  unsigned loop = addLoop(op, nullptr, body, enter);
  auto whileOp = cast<scf::WhileOp>(op);
  // The first region runs at least once; each further time after the second.
  Host path = visitRegion(whileOp.getBefore(), body, enter);
  unsigned after = addFrame(body, /*unconditional=*/false);
  path = visitRegion(whileOp.getAfter(), after, path);
  host = addExit(op, frame, path, enter);
  order.loops[loop].exit = *host;
}

/// A region that runs once.
void OrderBuilder::visitOnce(Operation *op, unsigned frame, Host &host) {
  unsigned enter = addEnter(op, frame, host);
  order.nodeOfOp[op] = enter;
  unsigned body = addFrame(frame, /*unconditional=*/true);
  Host path = visitRegion(op->getRegion(0), body, enter);
  host = addExit(op, frame, path, enter);
  // Tokens that leave are not followed.
}

/// Another host path; only its token proves its end.
void OrderBuilder::visitAsyncExecute(Operation *op, unsigned frame,
                                     Host &host) {
  auto execute = cast<async::ExecuteOp>(op);
  unsigned enter = addEnter(op, frame, host);
  order.nodeOfOp[op] = enter;
  for (Value dependency : execute->getOperands())
    addTokenEdge(dependency, enter);
  unsigned body = addFrame(frame, /*unconditional=*/true);
  Host path = visitRegion(execute.getBodyRegion(), body, enter);
  unsigned exit = addExit(op, frame, path, enter);
  order.nodes[exit].completion.kind = Completion::Token;
  tokens[execute.getToken()] = exit;
  checkUsers(execute.getToken());
  // Awaiting a value waits for the body, too.
  for (Value result : execute.getBodyResults()) {
    tokens[result] = exit;
    checkUsers(result);
  }
}

void OrderBuilder::visitOp(Operation *op, unsigned frame, Host &host) {
  if (isa<scf::IfOp, scf::IndexSwitchOp, affine::AffineIfOp>(op))
    return visitBranches(op, frame, host);
  if (isa<scf::ForOp, affine::AffineForOp>(op))
    return visitFor(op, frame, host);
  if (isa<scf::WhileOp>(op))
    return visitWhile(op, frame, host);
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op))
    return visitOnce(op, frame, host);
  if (isa<async::ExecuteOp>(op))
    return visitAsyncExecute(op, frame, host);
  visitLeaf(op, frame, host);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

OrderBuilder::Host OrderBuilder::visitBlock(Block &block, unsigned frame,
                                            Host host) {
  order.frameOfBlock[&block] = frame;
  for (Operation &op : block)
    visitOp(&op, frame, host);
  return host;
}

OrderBuilder::Host OrderBuilder::visitRegion(Region &region, unsigned frame,
                                             Host host) {
  if (region.empty())
    return host;
  if (region.hasOneBlock())
    return visitBlock(region.front(), frame, host);
  SmallVector<Block *> blocks;
  for (Block *block : llvm::ReversePostOrderTraversal<Block *>(&region.front()))
    blocks.push_back(block);
  return visitBlocks(blocks, &region.front(), /*isLoop=*/false, frame, host);
}

namespace {

/// The strongly connected components of a set of blocks, in an order in which
/// no edge leads back, apart from edges to `header`.
class Components {
public:
  Components(ArrayRef<Block *> blocks, Block *header)
      : member(blocks.begin(), blocks.end()), header(header) {
    for (Block *block : blocks)
      if (!index.count(block))
        visit(block);
    std::reverse(result.begin(), result.end());
  }

  std::vector<SmallVector<Block *>> result;

private:
  struct Visit {
    Block *block;
    unsigned nextSuccessor;
  };

  /// Tarjan's algorithm, with a stack of its own: functions may have any number
  /// of blocks.
  void visit(Block *root) {
    SmallVector<Visit> visits{{root, 0}};
    open(root);
    while (!visits.empty()) {
      Visit &top = visits.back();
      if (top.nextSuccessor < top.block->getNumSuccessors()) {
        Block *next = top.block->getSuccessor(
            top.block->getNumSuccessors() - ++top.nextSuccessor);
        if (next == header || !member.contains(next))
          continue;
        if (!index.count(next)) {
          open(next);
          visits.push_back({next, 0});
        } else if (onStack.contains(next)) {
          low[top.block] = std::min(low[top.block], index[next]);
        }
        continue;
      }
      Block *block = top.block;
      visits.pop_back();
      if (!visits.empty())
        low[visits.back().block] =
            std::min(low[visits.back().block], low[block]);
      if (low[block] == index[block])
        close(block);
    }
  }

  void open(Block *block) {
    low[block] = index[block] = index.size();
    stack.push_back(block);
    onStack.insert(block);
  }

  void close(Block *root) {
    SmallVector<Block *> component;
    Block *block;
    do {
      block = stack.pop_back_val();
      onStack.erase(block);
      component.push_back(block);
    } while (block != root);
    llvm::sort(component,
               [&](Block *a, Block *b) { return index[a] < index[b]; });
    result.push_back(std::move(component));
  }

  llvm::SmallPtrSet<Block *, 16> member, onStack;
  Block *header;
  DenseMap<Block *, unsigned> index, low;
  SmallVector<Block *> stack;
};

} // namespace

OrderBuilder::Host OrderBuilder::visitBlocks(ArrayRef<Block *> blocks,
                                             Block *entry, bool isLoop,
                                             unsigned frame, Host host) {
  for (const SmallVector<Block *> &component :
       Components(blocks, isLoop ? entry : nullptr).result) {
    Block *first = component.front();
    bool isCycle =
        component.size() > 1 || (llvm::is_contained(first->getSuccessors(),
                                                    first) &&
                                 !(isLoop && first == entry));
    if (!isCycle) {
      // In a loop, a block that all paths lead through may still be left out of
      // the last iteration.
      bool unconditional =
          first == entry || (!isLoop && isPostDominated(entry, first));
      host = visitBlock(*first, addFrame(frame, unconditional), host);
      continue;
    }
    llvm::SmallPtrSet<Block *, 8> members(component.begin(), component.end());
    Block *header = nullptr;
    unsigned entries = 0;
    for (Block *block : component)
      if (block->isEntryBlock() ||
          llvm::any_of(block->getPredecessors(), [&](Block *predecessor) {
            return !members.contains(predecessor);
          })) {
        header = block;
        ++entries;
      }
    if (entries != 1) {
      // Nothing inside gets a node: whatever is used there is blocked.
      order.complete = false;
      continue;
    }
    unsigned enter = addEnter(header->getTerminator(), frame, host);
    unsigned body = addFrame(frame, /*unconditional=*/false);
    unsigned loop = addLoop(header->getTerminator(), header, body, enter);
    Host path = visitBlocks(component, header, /*isLoop=*/true, body, enter);
    host = addExit(header->getTerminator(), frame, path, enter);
    order.loops[loop].exit = *host;
  }
  return host;
}

void OrderBuilder::visitFunction(Region &body) {
  order.frames.push_back(Frame());
  visitRegion(body, 0, std::nullopt);
}

} // namespace transient
