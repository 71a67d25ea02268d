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
// first (last) node is created at its start (released at its end). One with
// several gets an event of its own, tied to the order chain by chain: the last
// node of each chain that precedes all its first nodes; the first node of each
// chain that all its last nodes precede. What is left, several last nodes
// directly before several first ones, is a pair of such items and gets an arc.
//
//===----------------------------------------------------------------------===//

#include "EventGraph.h"

#include "MaxFlow.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Builds the network; event numbers are also flow nodes.
struct Network {
  const PartialOrder &order;
  MaxFlow flow;

  std::uint32_t startOf(NodeId v) const { return std::uint32_t(2 * v); }
  std::uint32_t endOf(NodeId v) const { return std::uint32_t(2 * v + 1); }
  void precede(std::uint32_t a, std::uint32_t b) {
    flow.addArc(a, b, MaxFlow::kInfinite);
  }

  /// `event` follows everything that precedes all of `nodes`.
  void afterCommonPast(std::uint32_t event, const std::vector<NodeId> &nodes) {
    for (std::size_t c = 0; c != order.numChains(); ++c) {
      std::size_t prefix = order.chainPrefixBefore(nodes[0], c);
      for (NodeId node : nodes)
        prefix = std::min(prefix, order.chainPrefixBefore(node, c));
      if (prefix)
        precede(endOf(order.chainNodes(c)[prefix - 1]), event);
    }
  }

  /// Everything that all of `nodes` precede follows `event`.
  void beforeCommonFuture(std::uint32_t event,
                          const std::vector<NodeId> &nodes) {
    for (std::size_t c = 0; c != order.numChains(); ++c) {
      const auto &chain = order.chainNodes(c);
      auto it = std::partition_point(
          chain.begin(), chain.end(), [&](std::uint32_t v) {
            return !std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
              return order.precedes(node, v);
            });
          });
      if (it != chain.end())
        precede(event, startOf(*it));
    }
  }
};

} // namespace

std::optional<Antichain> heaviestAntichain(const Instance &instance,
                                           const std::vector<Item> &items,
                                           std::size_t maxEvents) {
  const PartialOrder &order = *instance.problem.order;
  auto source = [&](Item i) -> const Buffer & {
    return instance.problem.buffers[instance.buffer[i]];
  };
  std::vector<Item> manyFirst, manyLast;
  for (Item i : items) {
    if (source(i).first.size() > 1)
      manyFirst.push_back(i);
    if (source(i).last.size() > 1)
      manyLast.push_back(i);
  }
  std::size_t events =
      2 * order.numNodes() + manyFirst.size() + manyLast.size() + 2;
  if (events > maxEvents ||
      (manyFirst.size() && manyLast.size() > maxEvents / manyFirst.size()))
    return std::nullopt;

  // Infinite arcs must stay wider than all finite ones together.
  std::uint64_t total = 0;
  for (Item i : items)
    total += instance.bytes[i];
  if (total >= MaxFlow::kInfinite)
    return std::nullopt;

  Network net{order, MaxFlow(std::uint32_t(events))};
  for (NodeId v = 0; v != order.numNodes(); ++v) {
    net.precede(net.startOf(v), net.endOf(v));
    for (NodeId p : order.predecessors(v))
      net.precede(net.endOf(p), net.startOf(v));
  }

  std::vector<std::uint32_t> create(instance.size()), release(instance.size());
  auto next = std::uint32_t(2 * order.numNodes());
  for (Item i : items) {
    const Buffer &b = source(i);
    if (b.first.size() == 1) {
      create[i] = net.startOf(b.first[0]);
    } else {
      create[i] = next++;
      net.afterCommonPast(create[i], b.first);
      for (NodeId f : b.first)
        net.precede(create[i], net.startOf(f));
    }
    if (b.last.size() == 1) {
      release[i] = net.endOf(b.last[0]);
    } else {
      release[i] = next++;
      net.beforeCommonFuture(release[i], b.last);
      for (NodeId l : b.last)
        net.precede(net.endOf(l), release[i]);
    }
    // Where the order is not proved that far, an item still ends after it
    // begins.
    if (!order.isExact())
      net.precede(create[i], release[i]);
  }
  for (Item i : manyLast)
    for (Item j : manyFirst)
      if (i != j && instance.before(i, j))
        net.precede(release[i], create[j]);

  const std::uint32_t from = next++, to = next++;
  for (Item i : items) {
    net.flow.addArc(from, release[i], instance.bytes[i]);
    net.flow.addArc(create[i], to, instance.bytes[i]);
  }
  Antichain result;
  result.bytes = total - net.flow.run(from, to);
  const auto &side = net.flow.sourceSide();
  for (Item i : items)
    if (side[release[i]] && !side[create[i]])
      result.items.push_back(i);
  return result;
}

} // namespace transient::planner
