//===- SlotBound.cpp - What whole-buffer reuse cannot beat ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items are added largest first; after all of one size, the width so far counts
// for every byte down to the next size.
//
//===----------------------------------------------------------------------===//

#include "SlotBound.h"

#include "EventGraph.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Counts over time with additions to ranges and the maximum of all.
class Counts {
public:
  explicit Counts(std::uint32_t times) {
    while (size < times)
      size *= 2;
    most.assign(2 * size, 0);
    added.assign(2 * size, 0);
  }

  /// Adds 1 to the INCLUSIVE range.
  void add(std::uint32_t from, std::uint32_t to) { add(1, 0, size, from, to); }
  std::uint64_t maximum() const { return most[1]; }

private:
  void add(std::uint32_t node, std::uint32_t begin, std::uint32_t end,
           std::uint32_t from, std::uint32_t to) {
    if (to < begin || end <= from)
      return;
    if (from <= begin && end - 1 <= to) {
      ++added[node];
      ++most[node];
      return;
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    add(2 * node, begin, middle, from, to);
    add(2 * node + 1, middle, end, from, to);
    most[node] = added[node] + std::max(most[2 * node], most[2 * node + 1]);
  }

  std::uint32_t size = 1;
  std::vector<std::uint32_t> most, added;
};

} // namespace

std::uint64_t slotBound(const Instance &instance,
                        const std::vector<Item> &items, std::size_t maxFlows) {
  if (!instance.problem.exclusive.empty() || items.empty())
    return 0;
  std::vector<Item> order(items);
  std::sort(order.begin(), order.end(), [&](Item a, Item b) {
    return instance.bytes[a] != instance.bytes[b]
               ? instance.bytes[a] > instance.bytes[b]
               : a < b;
  });
  std::vector<std::size_t> ends; // Of each run of equal sizes.
  for (std::size_t k = 1; k <= order.size(); ++k)
    if (k == order.size() ||
        instance.bytes[order[k]] != instance.bytes[order[k - 1]])
      ends.push_back(k);

  // Sums of widths times sizes are sums of sizes of distinct items.
  std::uint64_t bound = 0;
  if (instance.interval) {
    Counts counts(instance.numTimes);
    std::size_t k = 0;
    for (std::size_t end : ends) {
      const std::uint64_t size = instance.bytes[order[k]];
      for (; k != end; ++k)
        counts.add(instance.lo[order[k]], instance.hi[order[k]]);
      const std::uint64_t next =
          end == order.size() ? 0 : instance.bytes[order[end]];
      bound += counts.maximum() * (size - next);
    }
    return bound;
  }

  Instance unit(instance);
  unit.bytes.assign(instance.size(), 1);
  const std::size_t levels =
      std::min(ends.size(), std::max<std::size_t>(maxFlows, 1));
  for (std::size_t level = 1; level <= levels; ++level) {
    const std::size_t run = level * ends.size() / levels;
    const std::size_t end = ends[run - 1];
    const std::size_t nextRun = (level + 1) * ends.size() / levels;
    const std::uint64_t next =
        level == levels ? 0 : instance.bytes[order[ends[nextRun - 1] - 1]];
    std::vector<Item> large(order.begin(), order.begin() + end);
    std::sort(large.begin(), large.end());
    auto chain = heaviestAntichain(unit, large, Relax::Lower, 2000000);
    const std::uint64_t width = chain ? chain->items.size() : 1;
    bound += width * (instance.bytes[order[end - 1]] - next);
  }
  return bound;
}

} // namespace transient::planner
