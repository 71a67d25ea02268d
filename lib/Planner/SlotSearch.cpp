//===- SlotSearch.cpp - Fewer and smaller whole buffers -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items go back largest first, so a slot never has to grow for a later item and
// its first tenant says what it costs. Every ruin is undone unless the
// recreation is no larger, so the best is always at hand; accepting equals is
// what lets the search drift.
//
//===----------------------------------------------------------------------===//

#include "SlotSearch.h"

#include "Orders.h"

#include <algorithm>
#include <numeric>

namespace transient::planner {

namespace {

class Search {
public:
  Search(const Instance &instance, const SlotSearchOptions &options)
      : instance(instance), options(options), slotOf(instance.size(), ~0u) {
    std::vector<Item> all(instance.size());
    std::iota(all.begin(), all.end(), 0);
    bySize = Orders(instance, all).by(Rank::Bytes);
    placeOf.resize(instance.size());
    for (std::uint32_t k = 0; k != bySize.size(); ++k)
      placeOf[bySize[k]] = k;
  }

  SlotLayout run() {
    for (Item item : bySize)
      insert(item, false);
    while (looks < options.maxLooks && total() > options.bound &&
           slots.size() > 1 &&
           !(options.stop && options.stop->load(std::memory_order_relaxed)))
      ruinAndRecreate();
    SlotLayout layout;
    layout.comparisons = looks;
    layout.slotOf.resize(instance.size());
    for (const std::vector<Item> &tenants : slots) {
      if (tenants.empty())
        continue;
      const Buffer &first = source(tenants.front());
      for (Item item : tenants)
        layout.slotOf[item] = std::uint32_t(layout.slots.size());
      layout.slots.push_back(
          {instance.bytes[tenants.front()], first.usage, first.space, tenants});
    }
    return layout;
  }

private:
  const Buffer &source(Item item) const {
    return instance.problem.buffers[instance.buffer[item]];
  }

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::vector<Item> &tenants : slots)
      if (!tenants.empty())
        sum += instance.bytes[tenants.front()];
    return sum;
  }

  std::uint64_t random(std::uint64_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 32) % below;
  }

  /// Time that passes unused beside `item` among `tenants`, in the interval
  /// view; nothing when it may not join them.
  bool fits(const std::vector<Item> &tenants, Item item, std::uint64_t &idle) {
    const Buffer &first = source(tenants.front()), &b = source(item);
    if (first.space != b.space ||
        instance.bytes[tenants.front()] < instance.bytes[item] ||
        (b.usageRequired && (first.usage & b.usage) != b.usage))
      return false;
    std::uint64_t before = instance.numTimes, after = instance.numTimes;
    for (Item tenant : tenants) {
      ++looks;
      if (instance.conflict(tenant, item))
        return false;
      if (instance.hi[tenant] < instance.lo[item])
        before = std::min<std::uint64_t>(before, instance.lo[item] -
                                                     instance.hi[tenant]);
      else if (instance.lo[tenant] > instance.hi[item])
        after = std::min<std::uint64_t>(after, instance.lo[tenant] -
                                                   instance.hi[item]);
    }
    idle = std::min(before, after);
    return true;
  }

  /// Into the slot with the least idle time (or, `tight`, the least waste of
  /// bytes), or a new one.
  void insert(Item item, bool tight) {
    std::uint32_t best = ~0u;
    std::uint64_t bestKey = 0, bestOther = 0;
    std::uint32_t empty = ~0u;
    for (std::uint32_t s = 0; s != slots.size(); ++s) {
      if (slots[s].empty()) {
        empty = std::min(empty, s);
        continue;
      }
      std::uint64_t idle = 0;
      if (!fits(slots[s], item, idle))
        continue;
      const std::uint64_t waste =
          instance.bytes[slots[s].front()] - instance.bytes[item];
      const std::uint64_t key = tight ? waste : idle;
      const std::uint64_t other = tight ? idle : waste;
      if (best == ~0u || key < bestKey ||
          (key == bestKey && other < bestOther)) {
        best = s;
        bestKey = key;
        bestOther = other;
      }
    }
    if (best == ~0u) {
      best = empty;
      if (best == ~0u) {
        best = std::uint32_t(slots.size());
        slots.emplace_back();
      }
    }
    slots[best].push_back(item);
    slotOf[item] = best;
  }

  void ruinAndRecreate() {
    std::vector<std::uint32_t> ruined;
    const std::uint64_t count = 2 + random(2);
    for (std::uint64_t k = 0; k != count; ++k)
      ruined.push_back(std::uint32_t(random(slots.size())));
    std::sort(ruined.begin(), ruined.end());
    ruined.erase(std::unique(ruined.begin(), ruined.end()), ruined.end());
    const std::uint64_t before = total();
    const std::size_t slotsBefore = slots.size();
    std::vector<std::vector<Item>> old;
    std::vector<Item> homeless;
    for (std::uint32_t s : ruined) {
      homeless.insert(homeless.end(), slots[s].begin(), slots[s].end());
      old.push_back(std::move(slots[s]));
      slots[s].clear();
    }
    // Largest first, but now and then not quite.
    std::vector<std::pair<std::uint64_t, Item>> keys;
    for (Item item : homeless)
      keys.push_back({placeOf[item], item});
    std::sort(keys.begin(), keys.end());
    const bool tight = random(2) != 0;
    ++looks;
    for (auto [key, item] : keys)
      insert(item, random(8) ? tight : !tight);
    if (total() <= before)
      return;
    for (Item item : homeless) {
      auto &tenants = slots[slotOf[item]];
      tenants.erase(std::find(tenants.begin(), tenants.end(), item));
    }
    for (std::size_t k = 0; k != ruined.size(); ++k) {
      slots[ruined[k]] = std::move(old[k]);
      for (Item item : slots[ruined[k]])
        slotOf[item] = ruined[k];
    }
    slots.resize(slotsBefore);
  }

  const Instance &instance;
  const SlotSearchOptions &options;
  std::vector<std::vector<Item>> slots; ///< Largest tenant first.
  std::vector<std::uint32_t> slotOf, placeOf;
  std::vector<Item> bySize;
  std::uint64_t looks = 0, state = 1;
};

} // namespace

SlotLayout slotsBySearch(const Instance &instance,
                         const SlotSearchOptions &options) {
  return Search(instance, options).run();
}

} // namespace transient::planner
