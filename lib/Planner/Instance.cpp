//===- Instance.cpp - Compact form of a problem ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compresses a problem. The interval of a buffer with several first or last
// nodes runs from the earliest first to the latest last node, which is exactly
// the definition of "before" in a total order, and a necessary condition in a
// linear extension.
//
//===----------------------------------------------------------------------===//

#include "Instance.h"

#include <algorithm>
#include <cassert>

namespace transient::planner {

Instance::Instance(const Problem &problem) : problem(problem) {
  const PartialOrder *order = problem.order.get();
  interval = !order || order->isTotal();
  auto time = [&](NodeId node) -> std::uint64_t {
    return order ? order->position(node) : node;
  };

  std::vector<Item> itemOf(problem.buffers.size(), ~0u);
  // A million buffers are not to be copied as the arrays grow.
  std::vector<std::uint64_t> from, to;
  for (auto *array : {&bytes, &duration, &from, &to})
    array->reserve(problem.buffers.size());
  buffer.reserve(problem.buffers.size());
  alignLog.reserve(problem.buffers.size());
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    if (!needsStorage(b))
      continue;
    auto aligned = alignedBytes(b);
    assert(aligned && "instance of an invalid problem");
    itemOf[i] = Item(buffer.size());
    buffer.push_back(i);
    bytes.push_back(*aligned);
    alignLog.push_back(0);
    while (align(itemOf[i]) != b.alignment)
      ++alignLog.back();
    hasFixed |= b.fixedOffset.has_value();
    std::uint64_t first = ~0ull, last = 0;
    for (NodeId node : b.first)
      first = std::min(first, time(node));
    for (NodeId node : b.last)
      last = std::max(last, time(node));
    from.push_back(first);
    to.push_back(last);
    duration.push_back(last < first            ? 1
                       : last - first == ~0ull ? ~0ull
                                               : last - first + 1);
    if (spaces.empty() || spaces.back() != b.space)
      spaces.push_back(b.space);
  }

  // Ranks keep all comparisons and fit 32 bits.
  std::vector<std::uint64_t> times(from);
  times.insert(times.end(), to.begin(), to.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  lo.reserve(size());
  hi.reserve(size());
  numTimes = std::uint32_t(times.size());
  auto rank = [&](std::uint64_t t) {
    return std::uint32_t(std::lower_bound(times.begin(), times.end(), t) -
                         times.begin());
  };
  for (Item i = 0; i != size(); ++i) {
    lo.push_back(rank(from[i]));
    hi.push_back(rank(to[i]));
  }

  if (!interval) {
    // The first node in the linear extension that does not precede `node` is
    // the first such node of some chain.
    auto firstUnsettled = [&](NodeId node) {
      std::uint64_t position = order->position(node);
      for (std::size_t c = 0; c != order->numChains(); ++c) {
        const auto &chain = order->chainNodes(c);
        std::size_t prefix = order->chainPrefixBefore(node, c);
        if (prefix != chain.size())
          position =
              std::min<std::uint64_t>(position, order->position(chain[prefix]));
        // Later chains start later, and none of them precedes `node`.
        if (c >= order->chainsBefore(node) && c != order->chainOf(node))
          break;
      }
      return position;
    };
    for (Item i = 0; i != size(); ++i) {
      std::uint64_t position = order->numNodes();
      for (NodeId node : problem.buffers[buffer[i]].first)
        position = std::min(position, firstUnsettled(node));
      settled.push_back(rank(position));
    }
  }

  std::sort(spaces.begin(), spaces.end());
  spaces.erase(std::unique(spaces.begin(), spaces.end()), spaces.end());
  itemsOfSpace.resize(spaces.size());
  for (Item i = 0; i != size(); ++i) {
    std::uint32_t space = problem.buffers[buffer[i]].space;
    itemsOfSpace[std::lower_bound(spaces.begin(), spaces.end(), space) -
                 spaces.begin()]
        .push_back(i);
  }

  auto adopt = [&](const BufferPairs &pairs,
                   std::vector<std::vector<Item>> &partners) {
    for (auto [a, b] : pairs) {
      if (itemOf[a] == ~0u || itemOf[b] == ~0u)
        continue;
      partners.resize(size());
      partners[itemOf[a]].push_back(itemOf[b]);
      partners[itemOf[b]].push_back(itemOf[a]);
      hasPairs = true;
    }
    for (auto &list : partners)
      std::sort(list.begin(), list.end());
  };
  adopt(problem.neverShare, never);
  adopt(problem.exclusive, exclusive);
  transitive = !hasPairs && (!order || order->isExact());
}

bool Instance::surelyConflict(Item a, Item b) const {
  if (interval || problem.order->isExact())
    return conflict(a, b);
  const bool together = lo[a] <= hi[b] && lo[b] <= hi[a];
  return hasPairs ? conflictWithPairs(a, b, together) : together;
}

bool Instance::before(Item a, Item b) const {
  if (interval)
    return hi[a] < lo[b];
  const Buffer &x = problem.buffers[buffer[a]];
  const Buffer &y = problem.buffers[buffer[b]];
  for (NodeId l : x.last)
    for (NodeId f : y.first)
      if (!problem.order->precedes(l, f))
        return false;
  return true;
}

bool Instance::conflictWithPairs(Item a, Item b, bool base) const {
  auto has = [&](const std::vector<std::vector<Item>> &partners) {
    return !partners.empty() &&
           std::binary_search(partners[a].begin(), partners[a].end(), b);
  };
  if (has(never))
    return true;
  return base && !has(exclusive);
}

} // namespace transient::planner
