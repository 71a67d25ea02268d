//===- OrderingEdges.cpp - Which new order would cut the peak -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/OrderingEdges.h"

#include "EventGraph.h"
#include "Instance.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace transient::planner {

namespace {

constexpr std::size_t kMaxRounds = 256;
/// Buffers on each side that are paired, those that matter most first.
constexpr std::size_t kMaxPaired = 1024;
/// Edges times nodes up to which each edge is asked whether it is needed.
constexpr std::size_t kMaxPruned = std::size_t(1) << 19;
/// How often a plan may miss the budget by fragmentation.
constexpr std::size_t kMaxPlans = 8;

/// Nodes on the longest path that ends, and that starts, at each node; each
/// counts itself.
struct PathLengths {
  explicit PathLengths(const PartialOrder &order)
      : depth(order.numNodes(), 1), height(order.numNodes(), 1) {
    const std::vector<std::uint32_t> &nodes = order.linearExtension();
    for (NodeId node : nodes)
      for (NodeId before : order.predecessors(node))
        depth[node] = std::max(depth[node], depth[before] + 1);
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
      for (NodeId before : order.predecessors(*node))
        height[before] = std::max(height[before], height[*node] + 1);
    for (std::size_t length : depth)
      longest = std::max(longest, length);
  }

  std::vector<std::size_t> depth, height;
  std::size_t longest = 0;
};

/// `second` takes over the bytes of `first`.
struct Takeover {
  BufferIndex first = 0, second = 0;
  std::uint64_t savedAnEdge = 0, saved = 0;
  std::size_t longest = 0;
};

class Proposer {
public:
  Proposer(const Problem &problem, const OrderingOptions &options)
      : original(*problem.order), options(options), problem(problem) {
    for (auto [a, b] : problem.neverShare)
      neverShare.insert(std::minmax(a, b));
  }

  Result<OrderingProposal> run(std::uint64_t budget) {
    OrderingProposal result;
    result.order = problem.order;
    result.depthBefore = longestPath(original);
    for (std::size_t round = 0;; ++round) {
      Result<Bound> bound = lowerBound(problem);
      if (!bound)
        return bound.error();
      // With pairs, the bound may miss what the edges do.
      if (round == 0 || bound->bytes < result.bound.bytes) {
        result.bound = *bound;
        result.edges = edges;
        result.order = problem.order;
      }
      if (result.bound.bytes <= budget || round == kMaxRounds ||
          !addRound(*bound, bound->bytes - budget))
        break;
    }
    if (result.bound.bytes <= budget &&
        result.edges.size() <= kMaxPruned / (original.numNodes() + 1))
      if (auto error = prune(result, budget))
        return *error;
    result.depthAfter = longestPath(*result.order);
    return result;
  }

private:
  /// Adds edges that lower the bound, by `excess` bytes if there are enough, or
  /// at least one that leads there; false if there are none.
  bool addRound(const Bound &bound, std::uint64_t excess) {
    const Instance instance(problem);
    if (instance.interval)
      return false;
    const PathLengths lengths(*problem.order);
    std::vector<Takeover> takeovers;
    for (const std::vector<Item> &items : instance.itemsOfSpace)
      findTakeovers(instance, items, excess, lengths, takeovers);
    auto rank = [](const Takeover &a) {
      return std::make_tuple(~a.savedAnEdge, a.longest, a.first, a.second);
    };
    std::sort(takeovers.begin(), takeovers.end(),
              [&](const Takeover &a, const Takeover &b) {
                return rank(a) < rank(b);
              });
    // No pair by itself: one that lets others, which are handed on.
    if (takeovers.empty())
      if (std::optional<Takeover> takeover =
              findWithin(bound.witness, lengths))
        takeovers.push_back(*takeover);
    // Chains of one round would grow long; the next one extends them if it must.
    std::vector<bool> paired(problem.buffers.size());
    std::uint64_t saved = 0;
    std::vector<OrderingEdge> more(edges);
    for (const Takeover &takeover : takeovers) {
      if (saved >= excess)
        break;
      if (paired[takeover.first] || paired[takeover.second])
        continue;
      std::vector<OrderingEdge> missing;
      forEachMissing(takeover, [&](NodeId from, NodeId to) {
        missing.push_back({from, to});
        return true;
      });
      if (more.size() + missing.size() > options.maxEdges)
        continue;
      paired[takeover.first] = paired[takeover.second] = true;
      more.insert(more.end(), missing.begin(), missing.end());
      saved += takeover.saved;
    }
    if (more.size() == edges.size())
      return false;
    Result<std::shared_ptr<const PartialOrder>> order = addEdges(original, more);
    if (!order)
      return false;
    edges = std::move(more);
    problem.order = *order;
    return true;
  }

  /// The best takeover between two of `buffers`, which conflict, by the bytes of
  /// the smaller.
  std::optional<Takeover> findWithin(const std::vector<BufferIndex> &buffers,
                                     const PathLengths &lengths) const {
    std::optional<Takeover> best;
    auto rank = [&](const Takeover &a) {
      return std::make_tuple(~a.savedAnEdge, a.longest, a.first, a.second);
    };
    const std::size_t most = std::min(buffers.size(), kMaxPaired);
    for (std::size_t a = 0; a != most; ++a)
      for (std::size_t b = 0; b != most; ++b) {
        Takeover takeover{buffers[a], buffers[b], 0, 0, lengths.longest};
        const Buffer &first = problem.buffers[buffers[a]],
                     &second = problem.buffers[buffers[b]];
        std::size_t count = 0;
        if (a == b || first.space != second.space ||
            !canTakeOver(takeover, lengths, count) || count == 0)
          continue;
        takeover.savedAnEdge = std::min(first.bytes, second.bytes) / count;
        if (!best || rank(takeover) < rank(*best))
          best = takeover;
      }
    return best;
  }

  /// The takeovers among `items` that lower the bound.
  void findTakeovers(const Instance &instance, const std::vector<Item> &items,
                     std::uint64_t excess, const PathLengths &lengths,
                     std::vector<Takeover> &takeovers) const {
    std::optional<Antichain> chain = heaviestAntichain(
        instance, items, Relax::Lower, BoundOptions().maxFlowEvents,
        /*withTransport=*/true);
    if (!chain)
      return;
    std::vector<std::size_t> senders, receivers;
    for (std::size_t k = 0; k != items.size(); ++k) {
      if (chain->transport[k].canSend)
        senders.push_back(k);
      if (chain->transport[k].canReceive)
        receivers.push_back(k);
    }
    auto keepLargest = [&](std::vector<std::size_t> &list,
                           std::uint64_t Transport::*left) {
      std::stable_sort(list.begin(), list.end(),
                       [&](std::size_t a, std::size_t b) {
                         return chain->transport[a].*left >
                                chain->transport[b].*left;
                       });
      if (list.size() > kMaxPaired)
        list.resize(kMaxPaired);
    };
    keepLargest(senders, &Transport::unsent);
    keepLargest(receivers, &Transport::unserved);
    for (std::size_t from : senders)
      for (std::size_t to : receivers) {
        if (from == to)
          continue;
        Takeover takeover{instance.buffer[items[from]],
                          instance.buffer[items[to]], 0, 0, lengths.longest};
        std::size_t count = 0;
        if (!canTakeOver(takeover, lengths, count) || count == 0)
          continue;
        // At least so much more can be transported, if only a byte.
        takeover.saved = std::min({chain->transport[from].unsent,
                                   chain->transport[to].unserved, excess});
        takeover.saved = std::max<std::uint64_t>(takeover.saved, 1);
        takeover.savedAnEdge = takeover.saved / count;
        takeovers.push_back(takeover);
      }
  }

  /// Calls `callback` with the edges that the takeover needs and that are not
  /// there, as long as it says true.
  template <class Callback>
  bool forEachMissing(const Takeover &takeover, Callback callback) const {
    for (NodeId from : problem.buffers[takeover.first].last)
      for (NodeId to : problem.buffers[takeover.second].first)
        if (!problem.order->precedes(from, to) && !callback(from, to))
          return false;
    return true;
  }

  /// Counts the edges, and finds the longest path with them.
  bool canTakeOver(Takeover &takeover, const PathLengths &lengths,
                   std::size_t &count) const {
    if (neverShare.count(std::minmax(takeover.first, takeover.second)))
      return false;
    return forEachMissing(takeover, [&](NodeId from, NodeId to) {
      ++count;
      takeover.longest = std::max(takeover.longest,
                                  lengths.depth[from] + lengths.height[to]);
      return original.position(from) < original.position(to) &&
             (!options.canWait || options.canWait(from, to));
    });
  }

  /// Drops edges that the others imply, or without which the budget is kept.
  std::optional<Error> prune(OrderingProposal &result, std::uint64_t budget) {
    for (std::size_t i = result.edges.size(); i-- > 0;) {
      std::vector<OrderingEdge> fewer = result.edges;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      Result<std::shared_ptr<const PartialOrder>> order =
          addEdges(original, fewer);
      if (!order)
        return order.error();
      problem.order = *order;
      Result<Bound> bound = lowerBound(problem);
      if (!bound)
        return bound.error();
      if (bound->bytes > budget)
        continue;
      result.edges = std::move(fewer);
      result.order = *order;
      result.bound = std::move(*bound);
    }
    return std::nullopt;
  }

  const PartialOrder &original;
  const OrderingOptions &options;
  /// With the order as it is so far.
  Problem problem;
  std::vector<OrderingEdge> edges;
  std::set<std::pair<BufferIndex, BufferIndex>> neverShare;
};

} // namespace

std::size_t longestPath(const PartialOrder &order) {
  return PathLengths(order).longest;
}

Result<std::shared_ptr<const PartialOrder>>
addEdges(const PartialOrder &order, const std::vector<OrderingEdge> &edges) {
  std::vector<std::vector<NodeId>> predecessors(order.numNodes());
  for (NodeId node = 0; node != order.numNodes(); ++node)
    predecessors[node] = order.predecessors(node);
  for (const OrderingEdge &edge : edges) {
    if (edge.to >= order.numNodes())
      return Error(ErrorKind::UnknownNode, "",
                   "an edge leads to node " + std::to_string(edge.to) +
                       ", but there are only " +
                       std::to_string(order.numNodes()));
    predecessors[edge.to].push_back(edge.from);
  }
  Result<PartialOrder> built =
      PartialOrder::build(order.numNodes(), predecessors);
  if (!built)
    return built.error();
  return std::shared_ptr<const PartialOrder>(
      std::make_shared<PartialOrder>(std::move(*built)));
}

Result<OrderingProposal> proposeOrdering(const Problem &problem,
                                         std::uint64_t budget,
                                         const OrderingOptions &options) {
  if (auto error = validate(problem))
    return *error;
  if (problem.order)
    return Proposer(problem, options).run(budget);
  // Nothing is unordered.
  OrderingProposal result;
  Result<Bound> bound = lowerBound(problem);
  if (!bound)
    return bound.error();
  result.bound = std::move(*bound);
  return result;
}

Result<ConditionedPlan> solveWithin(const Problem &problem,
                                    std::uint64_t budget,
                                    const SolveOptions &solveOptions,
                                    const OrderingOptions &options) {
  Result<Plan> plain = solve(problem, solveOptions);
  if (!plain)
    return plain.error();
  ConditionedPlan result;
  result.plan = std::move(*plain);
  result.ordering.order = problem.order;
  std::uint64_t target = budget;
  for (std::size_t tries = 0;
       result.plan.physicalBytes > budget && tries != kMaxPlans; ++tries) {
    Result<OrderingProposal> proposal =
        proposeOrdering(problem, target, options);
    if (!proposal)
      return proposal.error();
    if (proposal->edges.empty() || proposal->bound.bytes > target)
      break;
    Problem ordered = problem;
    ordered.order = proposal->order;
    Result<Plan> plan = solve(ordered, solveOptions);
    if (!plan)
      return plan.error();
    if (plan->physicalBytes <= budget) {
      result.plan = std::move(*plan);
      result.ordering = std::move(*proposal);
      break;
    }
    // Fragmentation: aim lower by what it takes.
    const std::uint64_t over = plan->physicalBytes - budget;
    if (over >= target)
      break;
    target -= over;
  }
  return result;
}

} // namespace transient::planner
