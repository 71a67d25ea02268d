//===- Orders.cpp - Orders of preference ----------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is compared is written beside each item before it is sorted: comparisons
// that look items up in four arrays cost more than everything else here.
//
//===----------------------------------------------------------------------===//

#include "Orders.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace transient::planner {

__extension__ typedef unsigned __int128 Wide;

std::vector<std::uint64_t> liveBytes(const Instance &instance,
                                     const std::vector<Item> &items) {
  // Differences wrap and unwrap again; the running sums are sums of live sizes,
  // which validation bounds.
  std::vector<std::uint64_t> live(instance.numTimes + 1, 0);
  for (Item i : items) {
    live[instance.lo[i]] += instance.bytes[i];
    live[instance.hi[i] + 1] -= instance.bytes[i];
  }
  std::uint64_t sum = 0;
  for (std::uint64_t &value : live)
    value = sum += value;
  live.pop_back();
  return live;
}

/// By item: the most bytes live during it. One sweep over time, which keeps the
/// moments that no later one tops. O(n log n).
static std::vector<std::uint64_t> peakDuring(const Instance &instance,
                                             const std::vector<Item> &items) {
  const std::vector<std::uint64_t> live = liveBytes(instance, items);
  std::vector<std::uint32_t> place(live.size() + 1, 0); // By end.
  for (Item i : items)
    ++place[instance.hi[i] + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Item> byEnd(items.size());
  for (Item i : items)
    byEnd[place[instance.hi[i]]++] = i;

  std::vector<std::uint64_t> peak(instance.size(), 0);
  std::vector<std::uint32_t> untopped;
  auto item = byEnd.begin();
  for (std::uint32_t t = 0; t != live.size(); ++t) {
    while (!untopped.empty() && live[untopped.back()] <= live[t])
      untopped.pop_back();
    untopped.push_back(t);
    for (; item != byEnd.end() && instance.hi[*item] == t; ++item)
      peak[*item] = live[*std::lower_bound(untopped.begin(), untopped.end(),
                                           instance.lo[*item])];
  }
  return peak;
}

std::vector<Item> Orders::by(Rank rank) {
  if (peak.empty() && (rank == Rank::TotalArea || rank == Rank::TotalWidth ||
                       rank == Rank::Breadth))
    peak = peakDuring(instance, items);

  /// Larger ones first, then the smaller item.
  struct Entry {
    std::uint64_t first, second, third;
    Item item;
    bool operator<(const Entry &other) const {
      return std::tie(other.first, other.second, other.third, item) <
             std::tie(first, second, third, other.item);
    }
  };
  const auto entry = [&](Item i) -> Entry {
    const std::uint64_t bytes = instance.bytes[i];
    const std::uint64_t duration = instance.duration[i];
    const Wide area = Wide(bytes) * duration;
    switch (rank) {
    case Rank::Start:
      return {~std::uint64_t(instance.lo[i]), bytes, 0, i};
    case Rank::Bytes:
      return {bytes, duration, 0, i};
    case Rank::Area:
      return {std::uint64_t(area >> 64), std::uint64_t(area), bytes, i};
    case Rank::Duration:
      return {duration, bytes, 0, i};
    case Rank::TotalArea:
      return {peak[i], std::uint64_t(std::min<Wide>(area, UINT64_MAX)),
              duration, i};
    case Rank::TotalWidth:
      return {peak[i], duration, bytes, i};
    case Rank::Breadth:
      return {peak[i], bytes, duration, i};
    }
    return {};
  };
  std::vector<Entry> entries;
  entries.reserve(items.size());
  for (Item i : items)
    entries.push_back(entry(i));
  std::sort(entries.begin(), entries.end());
  std::vector<Item> order;
  order.reserve(items.size());
  for (const Entry &it : entries)
    order.push_back(it.item);
  return order;
}

} // namespace transient::planner
