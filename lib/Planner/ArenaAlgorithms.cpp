//===- ArenaAlgorithms.cpp - List placement of offsets --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First and best fit over a list of placed items kept sorted by offset. First
// fit stops at the first hole that is large enough, so it looks at few items in
// practice although the bound is quadratic. Greedy by size is Pisarchyk and Lee
// 2020 ("Efficient memory management for deep neural net inference") with
// conflicts from a partial order in place of overlapping intervals.
//
//===----------------------------------------------------------------------===//

#include "ArenaAlgorithms.h"

#include "Checked.h"

#include <algorithm>

namespace transient::planner {

namespace {

struct Placed {
  std::uint64_t offset, end;
  Item item;
  bool operator<(const Placed &other) const {
    return offset != other.offset ? offset < other.offset : item < other.item;
  }
};

/// The list placer's state for one space.
struct Placer {
  const Instance &instance;
  ArenaLayout layout;
  std::vector<Placed> placed; ///< Sorted by offset.

  void put(Item item, std::uint64_t offset) {
    Placed entry{offset, offset + instance.bytes[item], item};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), entry), entry);
    layout.offset[item] = offset;
    layout.height = std::max(layout.height, entry.end);
  }

  std::uint64_t firstFit(Item item, std::uint64_t align) {
    std::uint64_t bytes = instance.bytes[item], candidate = 0;
    for (const Placed &p : placed) {
      ++layout.comparisons;
      if (p.offset >= candidate + bytes)
        break;
      if (p.end > candidate && instance.conflict(item, p.item))
        candidate = alignTo(p.end, align);
    }
    return candidate;
  }

  std::uint64_t bestFit(Item item, std::uint64_t align) {
    std::uint64_t bytes = instance.bytes[item], top = 0;
    std::uint64_t best = 0, bestGap = UINT64_MAX;
    for (const Placed &p : placed) {
      ++layout.comparisons;
      if (!instance.conflict(item, p.item))
        continue;
      std::uint64_t start = alignTo(top, align);
      if (p.offset >= start + bytes && p.offset - top < bestGap) {
        best = start;
        bestGap = p.offset - top;
      }
      top = std::max(top, p.end);
    }
    return bestGap == UINT64_MAX ? alignTo(top, align) : best;
  }
};

} // namespace

Result<ArenaLayout> placeInOrder(const Instance &instance,
                                 const std::vector<Item> &order, Fit fit,
                                 std::uint64_t arenaAlign, bool byStart,
                                 const Patience &patience) {
  Placer placer{instance, {}, {}};
  placer.layout.offset.assign(instance.size(), 0);
  auto fixedOffset = [&](Item item) {
    return instance.problem.buffers[instance.buffer[item]].fixedOffset;
  };
  auto name = [&](Item item) {
    return "'" + instance.problem.buffers[instance.buffer[item]].id + "'";
  };

  // That something is impossible is said only of what the edges say, not of
  // what an index with dropped columns fails to prove.
  auto conflictByEdges = [&](Item a, Item b) {
    if (instance.interval || instance.problem.order->isExact() ||
        instance.surelyConflict(a, b))
      return true;
    auto before = [&](Item x, Item y) {
      for (NodeId l : instance.problem.buffers[instance.buffer[x]].last)
        for (NodeId f : instance.problem.buffers[instance.buffer[y]].first)
          if (!instance.problem.order->reaches(l, f))
            return false;
      return true;
    };
    return !before(a, b) && !before(b, a);
  };

  if (instance.hasFixed)
    for (Item item : order) {
      auto offset = fixedOffset(item);
      if (!offset)
        continue;
      for (const Placed &p : placer.placed)
        if (p.offset < *offset + instance.bytes[item] && *offset < p.end &&
            instance.conflict(item, p.item) && conflictByEdges(item, p.item))
          return Error{ErrorKind::Infeasible,
                       instance.problem.buffers[instance.buffer[item]].id,
                       "buffers " + name(p.item) + " and " + name(item) +
                           " conflict and their fixed offsets overlap"};
      placer.put(item, *offset);
    }

  // With intervals in order of start, an item that ended before the current
  // start conflicts with nothing that is still to come.
  const bool forget = byStart && instance.interval && !instance.hasPairs;
  std::size_t sweep = 0;
  for (Item item : order) {
    if (instance.hasFixed && fixedOffset(item))
      continue;
    if (placer.layout.comparisons > patience.comparisons ||
        placer.layout.height >= patience.height) {
      placer.layout.complete = false;
      break;
    }
    if (forget && placer.placed.size() > 2 * sweep + 16) {
      auto &placed = placer.placed;
      placed.erase(std::remove_if(placed.begin(), placed.end(),
                                  [&](const Placed &p) {
                                    return instance.hi[p.item] <
                                           instance.lo[item];
                                  }),
                   placed.end());
      sweep = placed.size();
    }
    std::uint64_t align = std::max(arenaAlign, instance.align(item));
    placer.put(item, fit == Fit::First ? placer.firstFit(item, align)
                                       : placer.bestFit(item, align));
  }
  return std::move(placer.layout);
}

} // namespace transient::planner
