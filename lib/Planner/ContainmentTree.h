//===- ContainmentTree.h - The best interval within a stretch ----*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the dives. A k-d tree over the (start, end) of items that answers
// "which item within [from, to] ranks best" and forgets items as they are
// placed. Its shape depends on the items alone, so one tree serves any number
// of orders of preference.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_CONTAINMENTTREE_H
#define TRANSIENT_LIB_PLANNER_CONTAINMENTTREE_H

#include "Instance.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace transient::planner {

/// See the file comment. Ranks are positions in the order of preference, the
/// least is the best. About 22 bytes an item.
class ContainmentTree {
public:
  static constexpr std::uint32_t kNone = ~0u;

  /// Holds nothing until `fill`. O(n log n).
  ContainmentTree(const Instance &instance, const std::vector<Item> &items);

  /// Holds all items again, ranked by `order`, a permutation of them. O(n).
  void fill(const std::vector<Item> &order);

  /// Rank of the best item with from <= lo and hi <= to, or kNone. O(sqrt n),
  /// in practice O(log n).
  std::uint32_t best(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t found = kNone;
    search(1, from, to, found);
    return found;
  }

  /// Rank of the best item with from <= lo <= at <= hi <= to, or kNone, as far
  /// as kLooks go. Best is the least of max(left(lo), right(hi)), then of rank;
  /// left must not fall as lo rises, nor right rise as hi does.
  template <class Left, class Right>
  std::uint32_t bestAt(std::uint32_t from, std::uint32_t at, std::uint32_t to,
                       const Left &left, const Right &right) const {
    Found found;
    searchAt(1, {from, at, to}, left, right, found);
    return found.rank;
  }

  /// Forgets `item`, which is held. O(log n) at worst.
  void remove(Item item);

private:
  static constexpr std::uint32_t kBucket = 8;
  /// Nodes looked at for one item: where many cost the same, nothing is pruned.
  static constexpr unsigned kLooks = 200;

  struct Point {
    std::uint32_t lo, hi;
    std::uint32_t rank; ///< kNone: not held. While building, the item.
  };
  struct Node {
    /// Of the items below that are held.
    std::uint32_t minLo = kNone, maxLo = 0, minHi = kNone, maxHi = 0;
    std::uint32_t best = kNone;
    bool operator==(const Node &other) const {
      return best == other.best && minLo == other.minLo &&
             maxLo == other.maxLo && minHi == other.minHi &&
             maxHi == other.maxHi;
    }
  };
  struct Found {
    std::uint64_t cost = UINT64_MAX;
    std::uint32_t rank = kNone;
    unsigned looks = 0;
    bool isBetterThan(std::uint64_t otherCost, std::uint32_t otherRank) const {
      return cost != otherCost ? cost < otherCost : rank <= otherRank;
    }
  };
  struct Box {
    std::uint32_t from, at, to;
  };

  bool isLeaf(std::size_t index) const { return 2 * index >= nodes.size(); }
  /// The points of a leaf, some of which may not be held.
  const Point *begin(std::size_t leaf) const {
    return points.data() +
           std::min((leaf - nodes.size() / 2) * kBucket, points.size());
  }
  const Point *end(std::size_t leaf) const { return begin(leaf + 1); }

  void build(std::size_t index, std::size_t from, std::size_t to,
             std::size_t room, bool byHi);
  Node summary(std::size_t index) const;

  void search(std::size_t index, std::uint32_t from, std::uint32_t to,
              std::uint32_t &found) const {
    const Node &node = nodes[index];
    if (node.best >= found || node.maxLo < from || node.minHi > to)
      return;
    if (node.minLo >= from && node.maxHi <= to) {
      found = node.best;
      return;
    }
    if (isLeaf(index)) {
      for (const Point *p = begin(index), *stop = end(index); p != stop; ++p)
        if (p->lo >= from && p->hi <= to)
          found = std::min(found, p->rank);
      return;
    }
    std::size_t near = 2 * index, far = near + 1;
    if (nodes[far].best < nodes[near].best)
      std::swap(near, far);
    search(near, from, to, found);
    search(far, from, to, found);
  }

  template <class Left, class Right>
  void searchAt(std::size_t index, const Box &box, const Left &left,
                const Right &right, Found &found) const {
    const Node &node = nodes[index];
    if (node.best == kNone || node.maxLo < box.from || node.minLo > box.at ||
        node.maxHi < box.at || node.minHi > box.to)
      return;
    if (found.rank != kNone && ++found.looks > kLooks)
      return;
    if (found.rank != kNone) {
      const std::uint64_t leftCost = left(std::max(node.minLo, box.from));
      if (leftCost > found.cost ||
          found.isBetterThan(
              std::max(leftCost, right(std::min(node.maxHi, box.to))),
              node.best))
        return;
    }
    if (isLeaf(index)) {
      for (const Point *p = begin(index), *stop = end(index); p != stop; ++p) {
        if (p->rank == kNone || p->lo < box.from || p->lo > box.at ||
            p->hi < box.at || p->hi > box.to)
          continue;
        const std::uint64_t leftCost = left(p->lo);
        if (leftCost > found.cost)
          continue;
        const std::uint64_t cost = std::max(leftCost, right(p->hi));
        if (!found.isBetterThan(cost, p->rank)) {
          found.cost = cost;
          found.rank = p->rank;
        }
      }
      return;
    }
    std::size_t near = 2 * index, far = near + 1;
    if (nodes[far].best < nodes[near].best)
      std::swap(near, far);
    searchAt(near, box, left, right, found);
    searchAt(far, box, left, right, found);
  }

  std::vector<Point> points;         ///< By leaf.
  std::vector<Node> nodes;           ///< Implicit binary tree, root 1.
  std::vector<std::uint32_t> slotOf; ///< By item of the instance: its point.
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_CONTAINMENTTREE_H
