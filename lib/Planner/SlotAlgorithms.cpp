//===- SlotAlgorithms.cpp - Reuse of whole buffers ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seed S0's greedy best fit (planGPUTransientLifetimes of luma.gl) and a greedy
// by size after Pisarchyk and Lee 2020. In S0's order no later item can be
// before an earlier one, so a slot's tenants form a chain and, where "before"
// is transitive, the last tenant stands for all.
//
//===----------------------------------------------------------------------===//

#include "SlotAlgorithms.h"

#include "Orders.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace transient::planner {

namespace {

struct Slots {
  const Instance &instance;
  SlotLayout layout;

  const Buffer &source(Item item) const {
    return instance.problem.buffers[instance.buffer[item]];
  }

  /// Size, usage and space allow `item` in `slot`.
  bool fits(const SlotBuffer &slot, Item item) const {
    const Buffer &b = source(item);
    return slot.space == b.space && slot.bytes >= instance.bytes[item] &&
           (!b.usageRequired || (slot.usage & b.usage) == b.usage);
  }

  void open(Item item) {
    const Buffer &b = source(item);
    layout.slotOf[item] = std::uint32_t(layout.slots.size());
    layout.slots.push_back({instance.bytes[item], b.usage, b.space, {item}});
  }

  void join(std::uint32_t slot, Item item) {
    layout.slotOf[item] = slot;
    layout.slots[slot].tenants.push_back(item);
  }
};

std::vector<Item> allItems(const Instance &instance) {
  std::vector<Item> items(instance.size());
  for (Item i = 0; i != items.size(); ++i)
    items[i] = i;
  return items;
}

/// Best fit with free slots kept sorted by size: intervals only.
void bestFitIntervals(Slots &slots, const std::vector<Item> &order) {
  const Instance &instance = slots.instance;
  using Key = std::pair<std::uint64_t, std::uint32_t>; // bytes, slot
  std::map<std::uint32_t, std::set<Key>> freeOfSpace;
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> busy; // end
  for (Item item : order) {
    while (!busy.empty() && busy.top().first < instance.lo[item]) {
      std::uint32_t slot = busy.top().second;
      busy.pop();
      const SlotBuffer &it = slots.layout.slots[slot];
      freeOfSpace[it.space].insert({it.bytes, slot});
    }
    auto &available = freeOfSpace[slots.source(item).space];
    auto found = available.lower_bound({instance.bytes[item], 0});
    while (found != available.end()) {
      ++slots.layout.comparisons;
      if (slots.fits(slots.layout.slots[found->second], item))
        break;
      ++found;
    }
    if (found == available.end()) {
      slots.open(item);
    } else {
      slots.join(found->second, item);
      available.erase(found);
    }
    busy.push({instance.hi[item], slots.layout.slotOf[item]});
  }
}

/// Best fit by looking at every slot.
void bestFitScan(Slots &slots, const std::vector<Item> &order,
                 bool lastTenantDecides) {
  const Instance &instance = slots.instance;
  for (Item item : order) {
    std::uint32_t best = ~0u;
    for (std::uint32_t s = 0; s != slots.layout.slots.size(); ++s) {
      const SlotBuffer &slot = slots.layout.slots[s];
      ++slots.layout.comparisons;
      if (!slots.fits(slot, item) ||
          (best != ~0u && slot.bytes >= slots.layout.slots[best].bytes))
        continue;
      auto apart = [&](Item tenant) {
        return !instance.conflict(tenant, item);
      };
      if (lastTenantDecides
              ? apart(slot.tenants.back())
              : std::all_of(slot.tenants.begin(), slot.tenants.end(), apart))
        best = s;
    }
    if (best == ~0u)
      slots.open(item);
    else
      slots.join(best, item);
  }
}

} // namespace

SlotLayout slotsBestFit(const Instance &instance) {
  Slots slots{instance, {}};
  slots.layout.slotOf.assign(instance.size(), 0);
  std::vector<Item> order =
      Orders(instance, allItems(instance)).by(Rank::Start);
  if (instance.interval && !instance.hasPairs)
    bestFitIntervals(slots, order);
  else
    bestFitScan(slots, order, instance.transitive);
  return std::move(slots.layout);
}

SlotLayout slotsGreedyBySize(const Instance &instance) {
  Slots slots{instance, {}};
  slots.layout.slotOf.assign(instance.size(), 0);
  bestFitScan(slots, Orders(instance, allItems(instance)).by(Rank::Bytes),
              false);
  return std::move(slots.layout);
}

} // namespace transient::planner
