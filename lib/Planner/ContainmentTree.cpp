//===- ContainmentTree.cpp - The best interval within a stretch -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node covers a power of two of leaves, and a leaf the same number of points,
// so where a point lies says which leaf it is in. Forgetting an item changes
// the nodes above it up to the first that stays as it is.
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
  if (isLeaf(index))
    return;
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
}

ContainmentTree::Node ContainmentTree::summary(std::size_t index) const {
  Node node;
  if (!isLeaf(index)) {
    const Node &a = nodes[2 * index], &b = nodes[2 * index + 1];
    node.minLo = std::min(a.minLo, b.minLo);
    node.maxLo = std::max(a.maxLo, b.maxLo);
    node.minHi = std::min(a.minHi, b.minHi);
    node.maxHi = std::max(a.maxHi, b.maxHi);
    node.best = std::min(a.best, b.best);
    return node;
  }
  for (const Point *p = begin(index), *stop = end(index); p != stop; ++p) {
    if (p->rank == kNone)
      continue;
    node.minLo = std::min(node.minLo, p->lo);
    node.maxLo = std::max(node.maxLo, p->lo);
    node.minHi = std::min(node.minHi, p->hi);
    node.maxHi = std::max(node.maxHi, p->hi);
    node.best = std::min(node.best, p->rank);
  }
  return node;
}

void ContainmentTree::fill(const std::vector<Item> &order) {
  for (std::uint32_t rank = 0; rank != order.size(); ++rank)
    points[slotOf[order[rank]]].rank = rank;
  for (std::size_t index = nodes.size(); --index;)
    nodes[index] = summary(index);
}

void ContainmentTree::remove(Item item) {
  const std::uint32_t slot = slotOf[item];
  points[slot].rank = kNone;
  for (std::size_t index = nodes.size() / 2 + slot / kBucket; index;
       index /= 2) {
    const Node node = summary(index);
    if (node == nodes[index])
      break;
    nodes[index] = node;
  }
}

} // namespace transient::planner
