//===- ContainmentTree.cpp - The best interval within a stretch -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node covers a power of two of leaves, and a leaf the same number of points,
// so where a point lies says which leaf it is in. Forgetting an item leaves the
// boxes as they are; it changes only the nodes of which it was the best.
//
//===----------------------------------------------------------------------===//

#include "ContainmentTree.h"

namespace transient::planner {

ContainmentTree::ContainmentTree(const Instance &instance,
                                 const std::vector<Item> &items)
    : slotOf(instance.size()) {
  points.reserve(items.size());
  for (Item i : items)
    points.push_back({instance.lo[i], instance.hi[i], i});
  std::size_t leaves = 1;
  while (leaves * kBucket < points.size())
    leaves *= 2;
  nodes.resize(2 * leaves);
  build(1, 0, points.size(), leaves * kBucket, false);
  for (std::size_t slot = 0; slot != points.size(); ++slot) {
    slotOf[points[slot].rank] = std::uint32_t(slot);
    points[slot].rank = kNone;
  }
}

void ContainmentTree::build(std::size_t index, std::size_t from, std::size_t to,
                            std::size_t room, bool byHi) {
  Node &node = nodes[index];
  if (isLeaf(index)) {
    for (std::size_t p = from; p != to; ++p) {
      node.minLo = std::min(node.minLo, points[p].lo);
      node.maxLo = std::max(node.maxLo, points[p].lo);
      node.minHi = std::min(node.minHi, points[p].hi);
      node.maxHi = std::max(node.maxHi, points[p].hi);
    }
    return;
  }
  const std::size_t middle = std::min(from + room / 2, to);
  if (middle != to)
    std::nth_element(points.begin() + from, points.begin() + middle,
                     points.begin() + to,
                     [byHi](const Point &a, const Point &b) {
                       std::uint32_t x = byHi ? a.hi : a.lo;
                       std::uint32_t y = byHi ? b.hi : b.lo;
                       return x != y ? x < y : a.rank < b.rank;
                     });
  build(2 * index, from, middle, room / 2, !byHi);
  build(2 * index + 1, middle, to, room / 2, !byHi);
  const Node &a = nodes[2 * index], &b = nodes[2 * index + 1];
  node.minLo = std::min(a.minLo, b.minLo);
  node.maxLo = std::max(a.maxLo, b.maxLo);
  node.minHi = std::min(a.minHi, b.minHi);
  node.maxHi = std::max(a.maxHi, b.maxHi);
}

std::uint32_t ContainmentTree::bestOfLeaf(std::size_t leaf) const {
  std::uint32_t best = kNone;
  for (const Point *p = begin(leaf), *stop = end(leaf); p != stop; ++p)
    best = std::min(best, p->rank);
  return best;
}

void ContainmentTree::fill(const std::vector<Item> &order) {
  for (std::uint32_t rank = 0; rank != order.size(); ++rank)
    points[slotOf[order[rank]]].rank = rank;
  const std::size_t leaves = nodes.size() / 2;
  for (std::size_t leaf = leaves; leaf != nodes.size(); ++leaf)
    nodes[leaf].best = bestOfLeaf(leaf);
  for (std::size_t index = leaves; --index;)
    nodes[index].best =
        std::min(nodes[2 * index].best, nodes[2 * index + 1].best);
}

void ContainmentTree::remove(Item item) {
  const std::uint32_t slot = slotOf[item];
  const std::uint32_t rank = points[slot].rank;
  points[slot].rank = kNone;
  std::size_t index = nodes.size() / 2 + slot / kBucket;
  if (nodes[index].best != rank)
    return;
  nodes[index].best = bestOfLeaf(index);
  while ((index /= 2) && nodes[index].best == rank)
    nodes[index].best =
        std::min(nodes[2 * index].best, nodes[2 * index + 1].best);
}

} // namespace transient::planner
