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

  const auto &duration = instance.duration;
  struct Entry {
    std::uint64_t first, second;
    Item item;
  };
  const auto entry = [&](Item i) -> Entry {
    const std::uint64_t bytes = instance.bytes[i];
    const Wide area = Wide(bytes) * duration[i];
    switch (rank) {
    case Rank::Start:
      return {~std::uint64_t(instance.lo[i]), bytes, i};
    case Rank::Bytes:
      return {bytes, duration[i], i};
    case Rank::Area:
      return {std::uint64_t(area >> 64), std::uint64_t(area), i};
    case Rank::Duration:
      return {duration[i], bytes, i};
    case Rank::TotalArea:
      return {peak[i], std::uint64_t(std::min<Wide>(area, UINT64_MAX)), i};
    case Rank::TotalWidth:
      return {peak[i], duration[i], i};
    case Rank::Breadth:
      return {peak[i], bytes, i};
    }
    return {};
  };
  std::vector<Entry> entries;
  entries.reserve(items.size());
  for (Item i : items)
    entries.push_back(entry(i));
  const auto &last = rank == Rank::TotalArea || rank == Rank::Breadth
                         ? duration
                         : instance.bytes;
  // Larger ones first, then what is left of the criteria, then smaller items.
  std::sort(entries.begin(), entries.end(),
            [&](const Entry &a, const Entry &b) {
              if (a.first != b.first)
                return a.first > b.first;
              if (a.second != b.second)
                return a.second > b.second;
              const std::uint64_t x = last[a.item], y = last[b.item];
              return x != y ? x > y : a.item < b.item;
            });
  std::vector<Item> order;
  order.reserve(items.size());
  for (const Entry &it : entries)
    order.push_back(it.item);
  return order;
}

} // namespace transient::planner
