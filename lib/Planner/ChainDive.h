//===- ChainDive.h - The dive over chains of a partial order -----*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. What the skyline dive (Dive.h) is for a total order,
// for a partial order that is covered by few chains: lowest place first, in
// near-linear time and without ever looking at a conflict pair. Built once for
// an instance, then run for any order of preference.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_CHAINDIVE_H
#define TRANSIENT_LIB_PLANNER_CHAINDIVE_H

#include "ArenaAlgorithms.h"
#include "Instance.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace transient::planner {

/// Two items conflict iff a first or last node of one is *open* to the other:
/// neither proved to precede all its first nodes nor to follow all its last
/// nodes. On each chain what is open to an item is one range. So a placed item
/// is announced in two ways, as points at its own nodes and as ranges open to
/// it, and the lowest offset of an item is a maximum over its own ranges of
/// points and over its own nodes of ranges: O(chains * log nodes), instead of
/// one look at each conflict.
///
/// Pairs: an item is kept apart from those it must never share with; exclusive
/// pairs are not made use of.
class ChainDive {
public:
  /// Nothing when `instance` is a total order or has fixed offsets, or when
  /// items times chains are more than `maxRanges`.
  static std::optional<ChainDive> build(const Instance &instance,
                                        const std::vector<Item> &items,
                                        std::size_t maxRanges);

  /// Repeats: of the unplaced items whose lowest offset is least, places the
  /// first in `order`. `order` holds the items given to `build`.
  ArenaLayout run(const std::vector<Item> &order, std::uint64_t arenaAlign,
                  const Patience &patience = {}) const;

private:
  explicit ChainDive(const Instance &instance) : instance(&instance) {}

  /// Part of one chain, as leaves of one array of all chains; half-open.
  struct Range {
    std::uint32_t from, to;
  };

  const Instance *instance;
  std::uint32_t leaves = 0; ///< Nodes, chain after chain.
  /// By item: the ranges that are not empty, and the leaves of first and last
  /// nodes, without repetitions.
  std::vector<std::uint32_t> rangeBegin, ownBegin;
  std::vector<Range> ranges;
  std::vector<std::uint32_t> own;
  std::vector<std::vector<Item>> never;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_CHAINDIVE_H
