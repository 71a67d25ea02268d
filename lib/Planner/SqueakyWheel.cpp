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
// few rounds and the others keep their order. The best order is returned to
// when nothing better was found for a while.
//
//===----------------------------------------------------------------------===//

#include "SqueakyWheel.h"

#include <algorithm>

namespace transient::planner {

bool improveBySqueakyWheel(
    const Instance &instance, std::vector<Item> order,
    const std::function<ArenaLayout(const std::vector<Item> &)> &place,
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
  std::uint64_t here = UINT64_MAX;
  std::vector<Item> bestOrder(order);
  unsigned stale = 0;
  std::vector<std::pair<std::uint64_t, Item>> keys;
  for (unsigned round = 0; round != options.rounds; ++round) {
    if (best.height <= options.enough ||
        (options.stop && options.stop->load(std::memory_order_relaxed)))
      break;
    ArenaLayout layout = place(order);
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
