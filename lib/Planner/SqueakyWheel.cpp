//===- SqueakyWheel.cpp - Place what stuck out sooner ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An item to blame moves forward by a pseudo-random part of its way to the
// front, or all the way, so that items that are always to blame get there in a
// few rounds and the others keep their order. A moment at which the layout is
// too high gets pressure, so that it wastes less there the next time. The best
// order is returned to when nothing better was found for a while.
//
//===----------------------------------------------------------------------===//

#include "SqueakyWheel.h"

#include "Orders.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Adds to each moment of `pressure` a part of what `layout` has above `bound`
/// there. Higher items first; each moment is written once.
void learn(const Instance &instance, const std::vector<Item> &items,
           const ArenaLayout &layout, std::uint64_t bound,
           std::vector<std::uint64_t> &pressure) {
  constexpr std::uint64_t kPart = 4;
  const auto end = [&](Item i) { return layout.offset[i] + instance.bytes[i]; };
  std::vector<Item> high;
  for (Item i : items)
    if (end(i) > bound)
      high.push_back(i);
  std::sort(high.begin(), high.end(), [&](Item a, Item b) {
    return end(a) != end(b) ? end(a) > end(b) : a < b;
  });
  // The next moment that is not written yet; paths are halved.
  std::vector<std::uint32_t> next(pressure.size() + 1);
  for (std::size_t t = 0; t != next.size(); ++t)
    next[t] = std::uint32_t(t);
  const auto open = [&](std::uint32_t t) {
    while (next[t] != t)
      t = next[t] = next[next[t]];
    return t;
  };
  for (Item i : high)
    for (std::uint32_t t = open(instance.lo[i]); t <= instance.hi[i];
         t = open(t)) {
      pressure[t] += (end(i) - bound) / kPart;
      next[t] = t + 1;
    }
}

} // namespace

bool improveBySqueakyWheel(
    const Instance &instance, std::vector<Item> order,
    const std::function<ArenaLayout(const std::vector<Item> &,
                                    const std::vector<std::uint64_t> &)> &place,
    const SqueakyWheelOptions &options, ArenaLayout &best) {
  // Knuth's MMIX generator; the upper half is good enough.
  std::uint64_t state = 1;
  auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 32) % below;
  };
  constexpr unsigned kStale = 40;
  constexpr std::size_t kMany = 4096;
  bool improved = false;
  std::vector<std::uint64_t> pressure = liveBytes(instance, order);
  std::uint64_t here = UINT64_MAX;
  std::vector<Item> bestOrder(order);
  unsigned stale = 0;
  std::vector<std::pair<std::uint64_t, Item>> keys;
  for (unsigned round = 0; round != options.rounds; ++round) {
    if (best.height <= options.enough ||
        (options.stop && options.stop->load(std::memory_order_relaxed)))
      break;
    ArenaLayout layout = place(order, pressure);
    learn(instance, order, layout, options.bound, pressure);
    if (layout.height < here) {
      here = layout.height;
      bestOrder = order;
      stale = 0;
    } else if (++stale == kStale) {
      order = bestOrder;
      stale = 0;
    }
    const auto blamed = [&](Item i) {
      return layout.offset[i] + instance.bytes[i] > options.bound;
    };
    // Of many items a part of the way would take too many rounds.
    const bool toFront =
        order.size() > kMany ||
        100 * std::count_if(order.begin(), order.end(), blamed) <
            std::ptrdiff_t(order.size());
    keys.clear();
    for (std::size_t k = 0; k != order.size(); ++k) {
      const Item i = order[k];
      std::uint64_t key = 2 * k;
      if (k && blamed(i))
        key = toFront ? 0 : key - 1 - 2 * random(1 + k / 2);
      keys.push_back({key, i});
    }
    std::stable_sort(
        keys.begin(), keys.end(),
        [](const auto &a, const auto &b) { return a.first < b.first; });
    for (std::size_t k = 0; k != order.size(); ++k)
      order[k] = keys[k].second;
    if (layout.height < best.height) {
      best = std::move(layout);
      improved = true;
    }
    if (options.progress)
      options.progress(best.height);
  }
  return improved;
}

} // namespace transient::planner
