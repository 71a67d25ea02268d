//===- ChainDive.cpp - The dive over chains of a partial order ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why open nodes decide: let neither of i and j be before the other. Then some
// last node l of j does not precede all of i, so l is open to i, or follows all
// of i; and some first node f of j does not follow all of i, so it is open to
// i, or precedes all of i. If neither is open, f < i < l, and then no node of i
// precedes or follows all of j. The other direction: where a node of j is open
// to i, j is not before i, for all its last nodes would precede i and so would
// every first node, each of which is or precedes one; likewise i not before j.
//
// Lowest offsets only ever rise, so the queue may hold old ones, or ones that
// are only partly known: what comes out is looked at again, and goes back in if
// anything shows that it is higher.
//
//===----------------------------------------------------------------------===//

#include "ChainDive.h"

#include "Checked.h"

#include <algorithm>
#include <queue>

namespace transient::planner {

namespace {

/// Highest end announced, over an array of leaves: maximum over a range of
/// points, or over the ranges that contain a point. A bottom-up segment tree
/// does either.
class HighestEnd {
public:
  explicit HighestEnd(std::uint32_t leaves)
      : leaves(leaves), tree(2 * leaves) {}

  void raisePoint(std::uint32_t at, std::uint64_t end) {
    for (std::uint32_t i = at + leaves; i && tree[i] < end; i /= 2)
      tree[i] = end;
  }
  std::uint64_t overRange(std::uint32_t from, std::uint32_t to) const {
    std::uint64_t best = 0;
    for (from += leaves, to += leaves; from < to; from /= 2, to /= 2) {
      if (from & 1)
        best = std::max(best, tree[from++]);
      if (to & 1)
        best = std::max(best, tree[--to]);
    }
    return best;
  }

  void raiseRange(std::uint32_t from, std::uint32_t to, std::uint64_t end) {
    for (from += leaves, to += leaves; from < to; from /= 2, to /= 2) {
      if (from & 1) {
        tree[from] = std::max(tree[from], end);
        ++from;
      }
      if (to & 1) {
        --to;
        tree[to] = std::max(tree[to], end);
      }
    }
  }
  std::uint64_t atPoint(std::uint32_t at) const {
    std::uint64_t best = 0;
    for (std::uint32_t i = at + leaves; i; i /= 2)
      best = std::max(best, tree[i]);
    return best;
  }

private:
  std::uint32_t leaves;
  std::vector<std::uint64_t> tree;
};

} // namespace

std::optional<ChainDive> ChainDive::build(const Instance &instance,
                                          const std::vector<Item> &items,
                                          std::size_t maxRanges) {
  if (instance.interval || instance.hasFixed)
    return std::nullopt;
  const PartialOrder &order = *instance.problem.order;
  const std::size_t chains = order.numChains();
  if (items.size() > maxRanges / std::max<std::size_t>(chains, 1))
    return std::nullopt;

  ChainDive dive(instance);
  std::vector<std::uint32_t> base(chains);
  for (std::size_t c = 0; c != chains; ++c) {
    base[c] = dive.leaves;
    dive.leaves += std::uint32_t(order.chainNodes(c).size());
  }
  std::vector<char> wanted(instance.size(), 0);
  for (Item i : items)
    wanted[i] = 1;
  for (Item i = 0; i != instance.size(); ++i) {
    dive.rangeBegin.push_back(std::uint32_t(dive.ranges.size()));
    dive.ownBegin.push_back(std::uint32_t(dive.own.size()));
    if (!wanted[i])
      continue;
    const Buffer &source = instance.problem.buffers[instance.buffer[i]];
    for (std::size_t c = 0; c != chains; ++c) {
      const auto &chain = order.chainNodes(c);
      std::size_t from = chain.size(), to = 0;
      for (NodeId f : source.first)
        from = std::min(from, order.chainPrefixBefore(f, c));
      for (NodeId l : source.last) {
        // The first node of the chain that l precedes.
        auto after = std::partition_point(
            chain.begin(), chain.end(),
            [&](std::uint32_t v) { return !order.precedes(l, v); });
        to = std::max(to, std::size_t(after - chain.begin()));
      }
      if (from < to)
        dive.ranges.push_back(
            {base[c] + std::uint32_t(from), base[c] + std::uint32_t(to)});
    }
    const std::size_t start = dive.own.size();
    for (const auto *nodes : {&source.first, &source.last})
      for (NodeId v : *nodes)
        dive.own.push_back(base[order.chainOf(v)] +
                           std::uint32_t(order.positionInChain(v)));
    std::sort(dive.own.begin() + start, dive.own.end());
    dive.own.erase(std::unique(dive.own.begin() + start, dive.own.end()),
                   dive.own.end());
  }
  dive.rangeBegin.push_back(std::uint32_t(dive.ranges.size()));
  dive.ownBegin.push_back(std::uint32_t(dive.own.size()));

  dive.never.resize(instance.problem.neverShare.empty() ? 0 : instance.size());
  if (!dive.never.empty()) {
    std::vector<Item> itemOf(instance.problem.buffers.size(), ~0u);
    for (Item i : items)
      itemOf[instance.buffer[i]] = i;
    for (auto [a, b] : instance.problem.neverShare)
      if (itemOf[a] != ~0u && itemOf[b] != ~0u) {
        dive.never[itemOf[a]].push_back(itemOf[b]);
        dive.never[itemOf[b]].push_back(itemOf[a]);
      }
  }
  return dive;
}

ArenaLayout ChainDive::run(const std::vector<Item> &order,
                           std::uint64_t arenaAlign,
                           const Patience &patience) const {
  ArenaLayout layout;
  layout.offset.assign(instance->size(), 0);
  HighestEnd points(std::max(leaves, 1u)), covers(std::max(leaves, 1u));
  std::vector<std::uint64_t> neverEnd(never.size(), 0);

  // Raises `end` to what some range or node of `i` shows to be above it, if any
  // does, starting with the one that did last time: of the many that keep an
  // item apart one look is then enough to put it off.
  std::vector<std::uint32_t> last(order.empty() ? 0 : instance->size(), 0);
  auto risesAbove = [&](Item i, std::uint64_t &end) {
    const std::uint32_t r = rangeBegin[i], o = ownBegin[i];
    const std::uint32_t numRanges = rangeBegin[i + 1] - r;
    const std::uint32_t all = numRanges + (ownBegin[i + 1] - o);
    for (std::uint32_t looks = 0, k = last[i]; looks != all; ++looks) {
      const std::uint64_t seen =
          k < numRanges ? points.overRange(ranges[r + k].from, ranges[r + k].to)
                        : covers.atPoint(own[o + (k - numRanges)]);
      ++layout.comparisons;
      if (seen > end) {
        end = seen;
        last[i] = k;
        return true;
      }
      k = k + 1 == all ? 0 : k + 1;
    }
    if (never.empty() || neverEnd[i] <= end)
      return false;
    end = neverEnd[i];
    return true;
  };
  using Entry = std::pair<std::uint64_t, std::uint32_t>; // Offset, rank.
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  for (std::uint32_t rank = 0; rank != order.size(); ++rank)
    queue.push({0, rank});
  while (!queue.empty()) {
    const auto [offset, rank] = queue.top();
    queue.pop();
    const Item i = order[rank];
    if (std::uint64_t now = offset; risesAbove(i, now)) {
      queue.push(
          {alignTo(now, std::max(arenaAlign, instance->align(i))), rank});
      continue;
    }
    const std::uint64_t end = offset + instance->bytes[i];
    layout.offset[i] = offset;
    layout.height = std::max(layout.height, end);
    if (layout.height >= patience.height) {
      layout.complete = false;
      break;
    }
    for (std::uint32_t r = rangeBegin[i]; r != rangeBegin[i + 1]; ++r)
      covers.raiseRange(ranges[r].from, ranges[r].to, end);
    for (std::uint32_t o = ownBegin[i]; o != ownBegin[i + 1]; ++o)
      points.raisePoint(own[o], end);
    if (!never.empty())
      for (Item j : never[i])
        neverEnd[j] = std::max(neverEnd[j], end);
  }
  return layout;
}

} // namespace transient::planner
