//===- PartialOrder.cpp - Chain decomposition and vector clocks -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the index in one pass over a topological order. Invariant kept
// throughout: row v holds, for each chain with a column, how many of its nodes
// precede v; since a chain is totally ordered, that number decides every query.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/PartialOrder.h"

#include <algorithm>
#include <new>
#include <queue>

namespace transient::planner {

namespace {

/// Text of one cycle among the nodes with `left[v] > 0` unfinished
/// predecessors. Walking predecessors that are themselves stuck must repeat.
std::string describeCycle(const std::vector<std::uint32_t> &predBegin,
                          const std::vector<std::uint32_t> &preds,
                          const std::vector<std::uint32_t> &left) {
  std::uint32_t start = 0;
  while (!left[start])
    ++start;
  std::vector<std::uint32_t> walk;
  std::vector<std::uint32_t> seenAt(left.size(), ~0u);
  std::uint32_t v = start;
  while (seenAt[v] == ~0u) {
    seenAt[v] = std::uint32_t(walk.size());
    walk.push_back(v);
    for (std::uint32_t e = predBegin[v]; e != predBegin[v + 1]; ++e)
      if (left[preds[e]]) {
        v = preds[e];
        break;
      }
  }
  // The walk went backwards; print it forwards, ending where it began.
  std::string text = std::to_string(v);
  std::size_t shown = 0;
  for (std::size_t i = walk.size(); i-- > seenAt[v];) {
    if (++shown > 12 && i > seenAt[v])
      continue;
    text += (shown > 13 ? " -> ... -> " : " -> ") + std::to_string(walk[i]);
  }
  return text;
}

} // namespace

Result<PartialOrder>
PartialOrder::build(std::size_t numNodes,
                    const std::vector<std::vector<NodeId>> &predecessors,
                    const PartialOrderOptions &options) try {
  if (numNodes >= 0xfffffffeu)
    return Error{ErrorKind::Resource, "",
                 "order has " + std::to_string(numNodes) +
                     " nodes, expected fewer than 2^32-2"};
  if (predecessors.size() > numNodes)
    return Error{ErrorKind::UnknownNode, "",
                 "predecessors are given for " +
                     std::to_string(predecessors.size()) + " nodes, expected " +
                     std::to_string(numNodes)};

  PartialOrder result;
  const auto n = std::uint32_t(numNodes);

  // Edges in compressed rows, sorted and unique so that nothing below depends
  // on the order in which a caller found them.
  result.predBegin.assign(n + 1, 0);
  for (std::uint32_t v = 0; v != n; ++v) {
    result.predBegin[v] = std::uint32_t(result.preds.size());
    if (v >= predecessors.size())
      continue;
    for (NodeId p : predecessors[v]) {
      if (p >= numNodes)
        return Error{ErrorKind::UnknownNode, "",
                     "node " + std::to_string(v) + " has predecessor " +
                         std::to_string(p) + ", expected less than " +
                         std::to_string(numNodes)};
      result.preds.push_back(std::uint32_t(p));
    }
    if (result.preds.size() >= 0xfffffffeu)
      return Error{ErrorKind::Resource, "",
                   "order has 2^32-2 edges or more, expected fewer"};
    auto begin = result.preds.begin() + result.predBegin[v];
    std::sort(begin, result.preds.end());
    result.preds.erase(std::unique(begin, result.preds.end()),
                       result.preds.end());
  }
  result.predBegin[n] = std::uint32_t(result.preds.size());

  // Smallest-number-first topological order.
  std::vector<std::uint32_t> left(n), succBegin(n + 1, 0);
  std::vector<std::uint32_t> succs(result.preds.size());
  for (std::uint32_t p : result.preds)
    ++succBegin[p + 1];
  for (std::uint32_t v = 0; v != n; ++v)
    succBegin[v + 1] += succBegin[v];
  {
    std::vector<std::uint32_t> next(succBegin.begin(), succBegin.end() - 1);
    for (std::uint32_t v = 0; v != n; ++v)
      for (std::uint32_t e = result.predBegin[v]; e != result.predBegin[v + 1];
           ++e)
        succs[next[result.preds[e]]++] = v;
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>,
                      std::greater<std::uint32_t>>
      ready;
  for (std::uint32_t v = 0; v != n; ++v) {
    left[v] = result.predBegin[v + 1] - result.predBegin[v];
    if (!left[v])
      ready.push(v);
  }
  result.order.reserve(n);
  while (!ready.empty()) {
    std::uint32_t v = ready.top();
    ready.pop();
    result.order.push_back(v);
    for (std::uint32_t e = succBegin[v]; e != succBegin[v + 1]; ++e)
      if (!--left[succs[e]])
        ready.push(succs[e]);
  }
  if (result.order.size() != n)
    return Error{ErrorKind::CyclicOrder, "",
                 "order has a cycle: " +
                     describeCycle(result.predBegin, result.preds, left) +
                     ", expected an acyclic order"};
  result.rank.resize(n);
  for (std::uint32_t i = 0; i != n; ++i)
    result.rank[result.order[i]] = i;

  // Chains and clocks. `clock` is the dense row of the node at hand.
  const std::size_t cap =
      std::max(options.maxChains, n ? options.maxEntries / n : 0);
  result.chain.assign(n, 0);
  result.place.assign(n, 0);
  result.clockBegin.assign(n, 0);
  result.rowLength.assign(n, 0);
  std::vector<std::uint32_t> clock, toCome(n);
  for (std::uint32_t v = 0; v != n; ++v)
    toCome[v] = succBegin[v + 1] - succBegin[v];
  for (std::uint32_t v : result.order) {
    clock.clear();
    for (std::uint32_t e = result.predBegin[v]; e != result.predBegin[v + 1];
         ++e) {
      std::uint32_t p = result.preds[e];
      std::size_t needed = result.rowLength[p];
      if (result.chain[p] < cap)
        needed = std::max<std::size_t>(needed, result.chain[p] + 1);
      if (clock.size() < needed)
        clock.resize(needed, 0);
      for (std::size_t c = 0; c != result.rowLength[p]; ++c)
        clock[c] = std::max(clock[c], result.clocks[result.clockBegin[p] + c]);
      if (result.chain[p] < cap)
        clock[result.chain[p]] =
            std::max(clock[result.chain[p]], result.place[p] + 1);
    }
    // A predecessor's chain first: that is what keeps streams whole. Of
    // several, the one with the fewest other successors to come: a stream that
    // is only waited for goes on by itself.
    std::size_t home = result.chains.size();
    std::uint32_t fewest = ~0u;
    for (std::uint32_t e = result.predBegin[v]; e != result.predBegin[v + 1];
         ++e) {
      std::uint32_t p = result.preds[e], c = result.chain[p];
      --toCome[p];
      if (result.chains[c].back() == p &&
          (toCome[p] < fewest || (toCome[p] == fewest && c < home))) {
        fewest = toCome[p];
        home = c;
      }
    }
    if (home == result.chains.size())
      for (std::size_t c = 0; c != clock.size(); ++c)
        if (clock[c] == result.chains[c].size()) {
          home = c;
          break;
        }
    if (home == result.chains.size())
      result.chains.emplace_back();
    // What precedes v in a chain without a column is known only through the
    // place in its own chain.
    for (std::uint32_t e = result.predBegin[v]; e != result.predBegin[v + 1];
         ++e) {
      const std::size_t c = result.chain[result.preds[e]];
      result.exact &= c < cap || c == home;
    }
    result.chain[v] = std::uint32_t(home);
    result.place[v] = std::uint32_t(result.chains[home].size());
    result.chains[home].push_back(v);
    result.clockBegin[v] = result.clocks.size();
    result.rowLength[v] = std::uint32_t(clock.size());
    result.clocks.insert(result.clocks.end(), clock.begin(), clock.end());
  }
  return result;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "",
               "out of memory while indexing an order"};
}

std::size_t PartialOrder::chainPrefixBefore(NodeId node,
                                            std::size_t index) const {
  if (chain[node] == index)
    return place[node];
  if (index >= rowLength[node])
    return 0;
  return clocks[clockBegin[node] + index];
}

bool PartialOrder::precedes(NodeId a, NodeId b) const {
  if (a >= chain.size() || b >= chain.size())
    return false;
  return place[a] < chainPrefixBefore(b, chain[a]);
}

bool PartialOrder::reaches(NodeId a, NodeId b) const {
  return precedes(a, b) || (!exact && !path(a, b).empty());
}

namespace {

/// Of each chain, the node of `nodes` that `better` prefers; sorted by chain.
template <class Better>
std::vector<NodeId> onePerChain(const PartialOrder &order,
                                std::vector<NodeId> nodes, Better better) {
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    if (order.chainOf(a) != order.chainOf(b))
      return order.chainOf(a) < order.chainOf(b);
    return better(order.positionInChain(a), order.positionInChain(b));
  });
  nodes.erase(std::unique(nodes.begin(), nodes.end(),
                          [&](NodeId a, NodeId b) {
                            return order.chainOf(a) == order.chainOf(b);
                          }),
              nodes.end());
  return nodes;
}

template <class Dominated>
std::vector<NodeId> antichain(std::vector<NodeId> candidates,
                              Dominated dominated) {
  std::vector<NodeId> kept;
  for (NodeId u : candidates)
    if (std::none_of(candidates.begin(), candidates.end(),
                     [&](NodeId v) { return dominated(u, v); }))
      kept.push_back(u);
  std::sort(kept.begin(), kept.end());
  return kept;
}

} // namespace

std::vector<NodeId>
PartialOrder::minimal(const std::vector<NodeId> &nodes) const {
  return antichain(onePerChain(*this, nodes, std::less<std::size_t>()),
                   [&](NodeId u, NodeId v) { return precedes(v, u); });
}

std::vector<NodeId>
PartialOrder::maximal(const std::vector<NodeId> &nodes) const {
  return antichain(onePerChain(*this, nodes, std::greater<std::size_t>()),
                   [&](NodeId u, NodeId v) { return precedes(u, v); });
}

std::vector<NodeId> PartialOrder::predecessors(NodeId node) const {
  return {preds.begin() + predBegin[node], preds.begin() + predBegin[node + 1]};
}

std::vector<NodeId> PartialOrder::path(NodeId a, NodeId b) const {
  if (a >= numNodes() || b >= numNodes() || a == b)
    return {};
  // Breadth first from b over predecessors; nodes before a cannot lead to a.
  std::vector<std::uint32_t> towards(numNodes(), ~0u);
  std::vector<std::uint32_t> frontier{std::uint32_t(b)};
  towards[b] = std::uint32_t(b);
  while (!frontier.empty() && towards[a] == ~0u) {
    std::vector<std::uint32_t> next;
    std::sort(frontier.begin(), frontier.end());
    for (std::uint32_t v : frontier)
      for (std::uint32_t e = predBegin[v]; e != predBegin[v + 1]; ++e) {
        std::uint32_t p = preds[e];
        if (towards[p] != ~0u || rank[p] < rank[a])
          continue;
        towards[p] = v;
        next.push_back(p);
      }
    frontier = std::move(next);
  }
  if (towards[a] == ~0u)
    return {};
  std::vector<NodeId> nodes{a};
  while (nodes.back() != b)
    nodes.push_back(towards[nodes.back()]);
  return nodes;
}

} // namespace transient::planner
