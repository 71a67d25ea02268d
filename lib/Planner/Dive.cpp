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

#include <algorithm>
#include <cassert>
#include <queue>

namespace transient::planner {

namespace {

constexpr std::uint32_t kNone = ~0u;

/// k-d tree over the points (lo, hi) of items, with the best rank a subtree.
class ContainmentTree {
public:
  ContainmentTree(const Instance &instance, const std::vector<Item> &order)
      : points(order.size()), leafOf(order.size()) {
    for (std::uint32_t rank = 0; rank != order.size(); ++rank)
      points[rank] = {instance.lo[order[rank]], instance.hi[order[rank]], rank};
    std::size_t leaves = 1;
    while (leaves * kBucket < points.size())
      leaves *= 2;
    nodes.resize(2 * leaves);
    build(1, 0, std::uint32_t(points.size()), false);
  }

  /// Rank of the best item with from <= lo and hi <= to, or kNone.
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

  void remove(std::uint32_t rank) {
    std::uint32_t index = leafOf[rank];
    Node &leaf = nodes[index];
    for (std::uint32_t p = leaf.begin; p != leaf.end; ++p)
      if (points[p].rank == rank) {
        std::swap(points[p], points[--leaf.end]);
        break;
      }
    summarise(leaf);
    while (index /= 2)
      join(index);
  }

private:
  static constexpr std::uint32_t kBucket = 8;

  struct Point {
    std::uint32_t lo, hi, rank;
  };
  struct Node {
    std::uint32_t minLo = kNone, maxLo = 0, minHi = kNone, maxHi = 0;
    std::uint32_t best = kNone;
    std::uint32_t begin = 0, end = 0;
  };

  void summarise(Node &leaf) {
    std::uint32_t begin = leaf.begin, end = leaf.end;
    leaf = Node();
    leaf.begin = begin;
    leaf.end = end;
    for (std::uint32_t p = begin; p != end; ++p) {
      leaf.minLo = std::min(leaf.minLo, points[p].lo);
      leaf.maxLo = std::max(leaf.maxLo, points[p].lo);
      leaf.minHi = std::min(leaf.minHi, points[p].hi);
      leaf.maxHi = std::max(leaf.maxHi, points[p].hi);
      leaf.best = std::min(leaf.best, points[p].rank);
    }
  }

  void join(std::uint32_t index) {
    Node &node = nodes[index];
    const Node &a = nodes[2 * index], &b = nodes[2 * index + 1];
    node.minLo = std::min(a.minLo, b.minLo);
    node.maxLo = std::max(a.maxLo, b.maxLo);
    node.minHi = std::min(a.minHi, b.minHi);
    node.maxHi = std::max(a.maxHi, b.maxHi);
    node.best = std::min(a.best, b.best);
  }

  bool isLeaf(std::uint32_t index) const { return 2 * index >= nodes.size(); }

  void build(std::uint32_t index, std::uint32_t begin, std::uint32_t end,
             bool byHi) {
    if (isLeaf(index)) {
      nodes[index].begin = begin;
      nodes[index].end = end;
      for (std::uint32_t p = begin; p != end; ++p)
        leafOf[points[p].rank] = index;
      summarise(nodes[index]);
      return;
    }
    std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(points.begin() + begin, points.begin() + middle,
                     points.begin() + end,
                     [byHi](const Point &a, const Point &b) {
                       std::uint32_t x = byHi ? a.hi : a.lo;
                       std::uint32_t y = byHi ? b.hi : b.lo;
                       return x != y ? x < y : a.rank < b.rank;
                     });
    build(2 * index, begin, middle, !byHi);
    build(2 * index + 1, middle, end, !byHi);
    join(index);
  }

  void search(std::uint32_t index, std::uint32_t from, std::uint32_t to,
              std::uint32_t &found) const {
    const Node &node = nodes[index];
    if (node.best >= found || node.maxLo < from || node.minHi > to)
      return;
    if (node.minLo >= from && node.maxHi <= to) {
      found = node.best;
      return;
    }
    if (isLeaf(index)) {
      for (std::uint32_t p = node.begin; p != node.end; ++p)
        if (points[p].lo >= from && points[p].hi <= to)
          found = std::min(found, points[p].rank);
      return;
    }
    std::uint32_t near = 2 * index, far = near + 1;
    if (nodes[far].best < nodes[near].best)
      std::swap(near, far);
    search(near, from, to, found);
    search(far, from, to, found);
  }

  /// Nodes looked at for one item: where many cost the same, nothing is pruned.
  static constexpr unsigned kLooks = 200;

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

  template <class Left, class Right>
  void searchAt(std::uint32_t index, const Box &box, const Left &left,
                const Right &right, Found &found) const {
    const Node &node = nodes[index];
    if (node.best == kNone || node.maxLo < box.from || node.minLo > box.at ||
        node.maxHi < box.at || node.minHi > box.to)
      return;
    if (found.rank != kNone && ++found.looks > kLooks)
      return;
    if (found.rank != kNone &&
        found.isBetterThan(std::max(left(std::max(node.minLo, box.from)),
                                    right(std::min(node.maxHi, box.to))),
                           node.best))
      return;
    if (isLeaf(index)) {
      for (std::uint32_t p = node.begin; p != node.end; ++p) {
        const Point &point = points[p];
        if (point.lo < box.from || point.lo > box.at || point.hi < box.at ||
            point.hi > box.to)
          continue;
        const std::uint64_t cost = std::max(left(point.lo), right(point.hi));
        if (!found.isBetterThan(cost, point.rank)) {
          found.cost = cost;
          found.rank = point.rank;
        }
      }
      return;
    }
    std::uint32_t near = 2 * index, far = near + 1;
    if (nodes[far].best < nodes[near].best)
      std::swap(near, far);
    searchAt(near, box, left, right, found);
    searchAt(far, box, left, right, found);
  }

  std::vector<Point> points;
  std::vector<Node> nodes; ///< Implicit binary tree, root 1.
  std::vector<std::uint32_t> leafOf;
};

/// A maximal stretch of time at one height; both ends inclusive.
struct Stretch {
  std::uint32_t from, to;
  std::uint64_t height;
  std::uint32_t left, right; ///< Neighbours in time, or kNone.
  std::uint32_t version = 0; ///< Bumped at every change; dead ones never match.
};

class Skyline {
public:
  explicit Skyline(std::uint32_t numTimes) {
    stretches.push_back({0, numTimes - 1, 0, kNone, kNone});
    touch(0);
  }

  /// The lowest stretch, leftmost of equals.
  std::uint32_t lowest() {
    while (stretches[queue.top().stretch].version != queue.top().version)
      queue.pop();
    return queue.top().stretch;
  }

  const Stretch &operator[](std::uint32_t s) const { return stretches[s]; }

  /// Raises [from, to] within stretch `s` to `height`.
  void cover(std::uint32_t s, std::uint32_t from, std::uint32_t to,
             std::uint64_t height) {
    if (stretches[s].from < from) {
      std::uint32_t rest = insertBefore(s, stretches[s].from, from - 1);
      touch(rest);
    }
    if (to < stretches[s].to) {
      std::uint32_t rest = insertAfter(s, to + 1, stretches[s].to);
      touch(rest);
    }
    stretches[s].from = from;
    stretches[s].to = to;
    raise(s, height);
  }

  /// Raises all of `s` to `height`, joining neighbours of that height.
  void raise(std::uint32_t s, std::uint64_t height) {
    stretches[s].height = height;
    absorb(s, stretches[s].left);
    absorb(s, stretches[s].right);
    touch(s);
  }

  /// Height of the lower neighbour, or the largest number without any.
  std::uint64_t rim(std::uint32_t s) const {
    std::uint64_t height = UINT64_MAX;
    for (std::uint32_t n : {stretches[s].left, stretches[s].right})
      if (n != kNone)
        height = std::min(height, stretches[n].height);
    return height;
  }

private:
  struct Entry {
    std::uint64_t height;
    std::uint32_t from, stretch, version;
    bool operator<(const Entry &other) const { // Top = lowest, leftmost.
      return height != other.height ? height > other.height : from > other.from;
    }
  };

  void touch(std::uint32_t s) {
    Stretch &it = stretches[s];
    queue.push({it.height, it.from, s, ++it.version});
  }

  std::uint32_t insertBefore(std::uint32_t s, std::uint32_t from,
                             std::uint32_t to) {
    std::uint32_t left = stretches[s].left, fresh = make(s, from, to);
    link(left, fresh);
    link(fresh, s);
    return fresh;
  }
  std::uint32_t insertAfter(std::uint32_t s, std::uint32_t from,
                            std::uint32_t to) {
    std::uint32_t right = stretches[s].right, fresh = make(s, from, to);
    link(fresh, right);
    link(s, fresh);
    return fresh;
  }
  std::uint32_t make(std::uint32_t model, std::uint32_t from,
                     std::uint32_t to) {
    const Stretch fresh{from, to, stretches[model].height, kNone, kNone};
    if (unused.empty()) {
      stretches.push_back(fresh);
      return std::uint32_t(stretches.size() - 1);
    }
    const std::uint32_t s = unused.back();
    unused.pop_back();
    const std::uint32_t version = stretches[s].version;
    stretches[s] = fresh;
    stretches[s].version = version; // What is queued for the dead one stays so.
    return s;
  }
  void link(std::uint32_t left, std::uint32_t right) {
    if (left != kNone)
      stretches[left].right = right;
    if (right != kNone)
      stretches[right].left = left;
  }

  void absorb(std::uint32_t s, std::uint32_t neighbour) {
    if (neighbour == kNone ||
        stretches[neighbour].height != stretches[s].height)
      return;
    Stretch &dead = stretches[neighbour];
    ++dead.version;
    unused.push_back(neighbour);
    if (dead.to < stretches[s].from) {
      stretches[s].from = dead.from;
      stretches[s].left = kNone;
      link(dead.left, s);
    } else {
      stretches[s].to = dead.to;
      stretches[s].right = kNone;
      link(s, dead.right);
    }
  }

  std::vector<Stretch> stretches;
  std::vector<std::uint32_t> unused; ///< Dead ones.
  std::priority_queue<Entry> queue;
};

/// The loop of both dives: `choose` names the item to place on a stretch, or
/// kNone, after which `waste` is told what raising the stretch wastes.
template <class Choose, class Waste>
ArenaLayout fill(const Instance &instance, const std::vector<Item> &order,
                 std::uint64_t arenaAlign, const Choose &choose,
                 const Waste &waste) {
  assert(canDive(instance) && "dive over an instance that is not intervals");
  ArenaLayout layout;
  layout.offset.assign(instance.size(), 0);
  if (order.empty())
    return layout;

  ContainmentTree tree(instance, order);
  Skyline skyline(instance.numTimes);
  for (std::size_t left = order.size(); left;) {
    std::uint32_t s = skyline.lowest();
    ++layout.comparisons;
    std::uint32_t rank = choose(tree, skyline[s]);
    if (rank == kNone) {
      std::uint64_t rim = skyline.rim(s);
      waste(skyline[s], rim - skyline[s].height);
      skyline.raise(s, rim);
      continue;
    }
    tree.remove(rank);
    --left;
    Item item = order[rank];
    std::uint64_t offset =
        alignTo(skyline[s].height, std::max(arenaAlign, instance.align[item]));
    std::uint64_t end = offset + instance.bytes[item];
    layout.offset[item] = offset;
    layout.height = std::max(layout.height, end);
    skyline.cover(s, instance.lo[item], instance.hi[item], end);
  }
  return layout;
}

} // namespace

ArenaLayout dive(const Instance &instance, const std::vector<Item> &order,
                 std::uint64_t arenaAlign) {
  return fill(
      instance, order, arenaAlign,
      [](const ContainmentTree &tree, const Stretch &s) {
        return tree.best(s.from, s.to);
      },
      [](const Stretch &, std::uint64_t) {});
}

ArenaLayout criticalDive(const Instance &instance,
                         const std::vector<Item> &order,
                         std::uint64_t arenaAlign,
                         const std::vector<std::uint64_t> &start) {
  Pressure pressure(start);
  return fill(
      instance, order, arenaAlign,
      [&](const ContainmentTree &tree, const Stretch &s) {
        const std::uint32_t from = s.from, to = s.to;
        const std::uint32_t rank = tree.bestAt(
            from, pressure.worst(from, to), to,
            [&](std::uint32_t lo) {
              return lo == from ? 0 : pressure.most(from, lo - 1);
            },
            [&](std::uint32_t hi) {
              return hi == to ? 0 : pressure.most(hi + 1, to);
            });
        return rank == kNone ? tree.best(from, to) : rank;
      },
      [&](const Stretch &s, std::uint64_t bytes) {
        pressure.add(s.from, s.to, bytes);
      });
}

} // namespace transient::planner
