//===- EventGraph.cpp - Heaviest antichain on a DAG of events -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only nodes in which some item begins or ends matter, but all carry paths, so
// every node becomes start -> end, every edge end -> start. An item with one
// first (last) node is created at its start (released at its end). Frontiers of
// several nodes get an event of their own, shared by all items that have them
// and tied to the order chain by chain: the last node of each chain that
// precedes all first nodes; the first node of each chain that all last nodes
// precede. What is left, several last nodes before several first ones with no
// node between, is a pair of such frontiers and gets an arc.
//
//===----------------------------------------------------------------------===//

#include "EventGraph.h"

#include "MaxFlow.h"

#include <algorithm>
#include <map>

namespace transient::planner {

namespace {

/// A frontier of several nodes and its event.
struct SharedFrontier {
  const Frontier *nodes;
  std::uint32_t event;
  /// First, and last, place of its nodes in the linear extension.
  std::size_t from, to;
  /// Where it is tied to, by chain, ascending: how many nodes of a chain are in
  /// the common past, or how many are not in the common future.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ties;
};

/// Distinct frontiers of several nodes, in order of appearance.
class Frontiers {
public:
  void add(const PartialOrder &order, const Frontier &nodes) {
    if (nodes.size() <= 1 || !index.emplace(nodes, list.size()).second)
      return;
    SharedFrontier frontier{&nodes, 0, order.numNodes(), 0, {}};
    for (NodeId node : nodes) {
      frontier.from = std::min(frontier.from, order.position(node));
      frontier.to = std::max(frontier.to, order.position(node));
    }
    list.push_back(std::move(frontier));
  }
  const SharedFrontier &of(const Frontier &nodes) const {
    return list[index.at(nodes)];
  }
  std::vector<SharedFrontier> list;

private:
  std::map<Frontier, std::size_t> index;
};

/// Builds the network; event numbers are also flow nodes.
struct Network {
  const PartialOrder &order;
  MaxFlow flow;

  std::uint32_t startOf(NodeId v) const { return std::uint32_t(2 * v); }
  std::uint32_t endOf(NodeId v) const { return std::uint32_t(2 * v + 1); }
  void precede(std::uint32_t a, std::uint32_t b) {
    flow.addArc(a, b, MaxFlow::kInfinite);
  }

  /// The event follows everything that precedes all of its nodes.
  void afterCommonPast(SharedFrontier &frontier) {
    const auto &nodes = *frontier.nodes;
    auto tie = [&](std::size_t c) {
      std::size_t prefix = order.chainPrefixBefore(nodes[0], c);
      for (NodeId node : nodes)
        prefix = std::min(prefix, order.chainPrefixBefore(node, c));
      if (!prefix)
        return;
      precede(endOf(order.chainNodes(c)[prefix - 1]), frontier.event);
      frontier.ties.push_back({std::uint32_t(c), std::uint32_t(prefix)});
    };
    // Of the chains beyond a node's row, only its own has anything before it.
    const std::size_t row = order.chainsBefore(nodes[0]);
    for (std::size_t c = 0; c != row; ++c)
      tie(c);
    if (order.chainOf(nodes[0]) >= row)
      tie(order.chainOf(nodes[0]));
    for (NodeId f : nodes)
      precede(frontier.event, startOf(f));
  }

  /// Everything that all of its nodes precede follows the event.
  void beforeCommonFuture(SharedFrontier &frontier) {
    const auto &nodes = *frontier.nodes;
    for (std::size_t c = 0; c != order.numChains(); ++c) {
      const auto &chain = order.chainNodes(c);
      auto it = std::partition_point(
          chain.begin(), chain.end(), [&](std::uint32_t v) {
            return !std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
              return order.precedes(node, v);
            });
          });
      if (it == chain.end())
        continue;
      precede(frontier.event, startOf(*it));
      frontier.ties.push_back(
          {std::uint32_t(c), std::uint32_t(it - chain.begin())});
    }
    for (NodeId l : nodes)
      precede(endOf(l), frontier.event);
  }
};

/// All nodes of `last` precede all of `first`.
bool allPrecede(const PartialOrder &order, const Frontier &last,
                const Frontier &first) {
  for (NodeId l : last)
    for (NodeId f : first)
      if (!order.precedes(l, f))
        return false;
  return true;
}

/// Some node is in the common future of the one and in the common past of the
/// other, so that the graph has a path already.
bool haveNodeBetween(const SharedFrontier &last, const SharedFrontier &first) {
  for (auto future = last.ties.begin(), past = first.ties.begin();
       future != last.ties.end() && past != first.ties.end();) {
    if (future->first == past->first && future->second < past->second)
      return true;
    (future->first <= past->first ? future : past)++;
  }
  return false;
}

} // namespace

std::optional<Antichain> heaviestAntichain(const Instance &instance,
                                           const std::vector<Item> &items,
                                           Relax relax, std::size_t maxEvents,
                                           bool withTransport) {
  const PartialOrder &order = *instance.problem.order;
  auto source = [&](Item i) -> const Buffer & {
    return instance.problem.buffers[instance.buffer[i]];
  };
  Frontiers firsts, lasts;
  for (Item i : items) {
    firsts.add(order, source(i).first);
    lasts.add(order, source(i).last);
  }
  const std::size_t events =
      2 * order.numNodes() + firsts.list.size() + lasts.list.size() + 2;
  if (events > maxEvents || events > UINT32_MAX)
    return std::nullopt;

  // Infinite arcs must stay wider than all finite ones together.
  std::uint64_t total = 0;
  for (Item i : items)
    total += instance.bytes[i];
  if (total >= MaxFlow::kInfinite)
    return std::nullopt;

  Antichain result;
  // One node for all: the first, or last, in the linear extension.
  bool oneFirst = false, oneLast = false;
  Network net{order, MaxFlow(std::uint32_t(events))};
  for (NodeId v = 0; v != order.numNodes(); ++v) {
    net.precede(net.startOf(v), net.endOf(v));
    for (NodeId p : order.predecessors(v))
      net.precede(net.endOf(p), net.startOf(v));
  }

  if (!order.isExact() && (!firsts.list.empty() || !lasts.list.empty())) {
    result.exact = false;
    oneFirst = oneLast = relax == Relax::Lower;
  }
  auto next = std::uint32_t(2 * order.numNodes());
  if (!oneLast)
    for (SharedFrontier &frontier : lasts.list) {
      frontier.event = next++;
      net.beforeCommonFuture(frontier);
    }
  if (!oneFirst) {
    std::size_t looks = 64 * (maxEvents / 2), arcs = maxEvents;
    std::vector<std::pair<SharedFrontier *, SharedFrontier *>> direct;
    for (SharedFrontier &frontier : firsts.list) {
      frontier.event = next++;
      net.afterCommonPast(frontier);
    }
    bool affordable =
        lasts.list.empty() || firsts.list.size() <= looks / lasts.list.size();
    for (SharedFrontier &last : lasts.list)
      for (SharedFrontier &first : firsts.list) {
        if (!affordable)
          break;
        if (last.to >= first.from || haveNodeBetween(last, first) ||
            !allPrecede(order, *last.nodes, *first.nodes))
          continue;
        direct.push_back({&last, &first});
        affordable = direct.size() <= arcs;
      }
    if (affordable)
      for (auto [last, first] : direct)
        net.precede(last->event, first->event);
    else {
      result.exact = false;
      oneFirst = relax == Relax::Lower;
    }
  }

  std::vector<std::uint32_t> create(instance.size()), release(instance.size());
  auto sooner = [&](NodeId a, NodeId b) {
    return order.position(a) < order.position(b);
  };
  for (Item i : items) {
    const Buffer &b = source(i);
    create[i] = oneFirst || b.first.size() == 1
                    ? net.startOf(*std::min_element(b.first.begin(),
                                                    b.first.end(), sooner))
                    : firsts.of(b.first).event;
    release[i] =
        oneLast || b.last.size() == 1
            ? net.endOf(*std::max_element(b.last.begin(), b.last.end(), sooner))
            : lasts.of(b.last).event;
    // Where the order is not proved that far, an item still ends after it
    // begins.
    if (!order.isExact() && relax == Relax::Upper)
      net.precede(create[i], release[i]);
  }

  const std::uint32_t from = next++, to = next++;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (Item i : items) {
    const std::uint32_t sent =
        net.flow.addArc(from, release[i], instance.bytes[i]);
    const std::uint32_t served =
        net.flow.addArc(create[i], to, instance.bytes[i]);
    if (withTransport)
      arcs.emplace_back(sent, served);
  }
  const std::uint64_t cut = total - net.flow.run(from, to);
  const auto &side = net.flow.sourceSide();
  for (Item i : items)
    if (side[release[i]] && !side[create[i]]) {
      result.items.push_back(i);
      result.bytes += instance.bytes[i];
    }
  const std::vector<char> sink =
      withTransport ? net.flow.sinkSide(to) : std::vector<char>();
  for (std::size_t k = 0; k != arcs.size(); ++k)
    result.transport.push_back({net.flow.residual(arcs[k].first),
                                net.flow.residual(arcs[k].second),
                                side[release[items[k]]] != 0,
                                sink[create[items[k]]] != 0});
  // Relaxed, an item may begin after it ends and count against the cut; what
  // was found is an antichain without it.
  if (relax == Relax::Upper)
    result.bytes = std::max(result.bytes, cut);
  return result;
}

} // namespace transient::planner
