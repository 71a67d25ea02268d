//===- Dive.cpp - Skyline dive over intervals -----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MiniMalloc's canonical order (Moffitt, ASPLOS 2023: offsets never decrease,
// each as low as possible) without its backtracking and without its overlap
// sets. Two structures carry it: the skyline, a list of stretches of time with
// their heights, and a k-d tree over (start, end) that answers "which unplaced
// item within [from, to] ranks best" and forgets items as they are placed.
//
// The critical dive adds what MiniMalloc infers by sections: the pressure of a
// moment, which is what is live there plus what was wasted there. Only raising
// a stretch wastes, so the item to place is one that covers the stretch's worst
// moment, and of those one that leaves the least pressure beside it.
//
//===----------------------------------------------------------------------===//

#include "Dive.h"

#include "Checked.h"
#include "Pressure.h"
#include "Skyline.h"

#include <algorithm>
#include <cassert>

namespace transient::planner {

/// The loop of both dives: `choose` names the rank to place on a stretch, or
/// kNone, after which `waste` is told what raising the stretch wastes.
template <class Choose, class Waste>
ArenaLayout Dive::fill(const std::vector<Item> &order, std::uint64_t arenaAlign,
                       const Patience &patience, const Choose &choose,
                       const Waste &waste) {
  assert(canDive(*instance) && "dive over an instance that is not intervals");
  ArenaLayout layout;
  layout.offset.assign(instance->size(), 0);
  tree.fill(order);
  Skyline skyline(std::max(instance->numTimes, 1u));
  for (std::size_t left = order.size(); left;) {
    ++layout.comparisons;
    const std::uint32_t rank = choose(skyline.valley());
    if (rank == ContainmentTree::kNone) {
      const std::uint64_t rim = skyline.rim();
      waste(skyline.valley(), rim - skyline.valley().height);
      skyline.raise(rim);
      continue;
    }
    --left;
    const Item item = order[rank];
    tree.remove(item);
    const std::uint64_t offset = alignTo(
        skyline.valley().height, std::max(arenaAlign, instance->align(item)));
    const std::uint64_t end = offset + instance->bytes[item];
    layout.offset[item] = offset;
    layout.height = std::max(layout.height, end);
    if (layout.height >= patience.height) {
      layout.complete = false;
      break;
    }
    skyline.cover(instance->lo[item], instance->hi[item], end);
  }
  return layout;
}

ArenaLayout Dive::run(const std::vector<Item> &order, std::uint64_t arenaAlign,
                      const Patience &patience) {
  return fill(
      order, arenaAlign, patience,
      [&](const Skyline::Stretch &s) { return tree.best(s.from, s.to); },
      [](const Skyline::Stretch &, std::uint64_t) {});
}

ArenaLayout Dive::runCritical(const std::vector<Item> &order,
                              std::uint64_t arenaAlign,
                              const std::vector<std::uint64_t> &start,
                              const Patience &patience) {
  Pressure pressure(start);
  return fill(
      order, arenaAlign, patience,
      [&](const Skyline::Stretch &s) {
        const std::uint32_t from = s.from, to = s.to;
        const std::uint32_t rank = tree.bestAt(
            from, pressure.worst(from, to), to,
            [&](std::uint32_t lo) {
              return lo == from ? 0 : pressure.most(from, lo - 1);
            },
            [&](std::uint32_t hi) {
              return hi == to ? 0 : pressure.most(hi + 1, to);
            });
        return rank == ContainmentTree::kNone ? tree.best(from, to) : rank;
      },
      [&](const Skyline::Stretch &s, std::uint64_t bytes) {
        pressure.add(s.from, s.to, bytes);
      });
}

} // namespace transient::planner
