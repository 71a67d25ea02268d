//===- Pressure.cpp - Bytes that each moment must hold --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment tree whose leaves are buckets: a range touches O(log n) whole ones
// and scans at most two. Additions stay at the node they cover.
//
//===----------------------------------------------------------------------===//

#include "Pressure.h"

#include <algorithm>

namespace transient::planner {

Pressure::Pressure(std::vector<std::uint64_t> start)
    : moments(std::move(start)) {
  while (std::size_t(buckets) * kBucket < moments.size())
    buckets *= 2;
  nodes.resize(2 * std::size_t(buckets));
  for (std::size_t leaf = buckets; leaf != nodes.size(); ++leaf)
    summarise(leaf);
  for (std::size_t node = buckets; --node;)
    pull(node);
}

void Pressure::pull(std::size_t node) {
  nodes[node].most = std::max(nodes[2 * node].most, nodes[2 * node + 1].most) +
                     nodes[node].added;
}

Pressure::Range Pressure::momentsOf(std::size_t leaf) const {
  const std::size_t from = (leaf - buckets) * kBucket;
  const std::size_t end = std::min(from + kBucket, moments.size());
  return {std::uint32_t(from), std::uint32_t(std::max(from, end))};
}

void Pressure::summarise(std::size_t leaf) {
  const auto [from, end] = momentsOf(leaf);
  std::uint64_t most = 0;
  for (std::uint32_t t = from; t < end; ++t)
    most = std::max(most, moments[t]);
  nodes[leaf].most = most + nodes[leaf].added;
}

Pressure::Range Pressure::clip(Range range, std::uint32_t bucket) const {
  return {std::max(range.from, bucket * kBucket),
          std::min(range.to, bucket * kBucket + (kBucket - 1))};
}

void Pressure::add(std::size_t node, Range covered, Range range,
                   std::uint64_t by) {
  const std::uint32_t first = range.from / kBucket, last = range.to / kBucket;
  if (last < covered.from || covered.to < first)
    return;
  // Whole, but for buckets at the ends, which are leaves.
  if (range.from <= covered.from * kBucket &&
      covered.to * kBucket + (kBucket - 1) <= range.to) {
    nodes[node].added += by;
    nodes[node].most += by;
    return;
  }
  if (covered.from == covered.to) {
    const Range part = clip(range, covered.from);
    for (std::uint32_t t = part.from; t <= part.to; ++t)
      moments[t] += by;
    summarise(node);
    return;
  }
  const std::uint32_t middle = (covered.from + covered.to) / 2;
  add(2 * node, {covered.from, middle}, range, by);
  add(2 * node + 1, {middle + 1, covered.to}, range, by);
  pull(node);
}

void Pressure::most(std::size_t node, Range covered, Range range,
                    std::uint64_t above,
                    std::pair<std::uint64_t, std::uint32_t> &best) const {
  const std::uint32_t first = range.from / kBucket, last = range.to / kBucket;
  if (last < covered.from || covered.to < first ||
      nodes[node].most + above <= best.first)
    return;
  if (covered.from == covered.to) {
    const Range part = clip(range, covered.from);
    std::uint64_t most = 0;
    for (std::uint32_t t = part.from; t <= part.to && t < moments.size(); ++t)
      most = std::max(most, moments[t]);
    most += above + nodes[node].added;
    if (most > best.first)
      best = {most, covered.from};
    return;
  }
  above += nodes[node].added;
  const std::uint32_t middle = (covered.from + covered.to) / 2;
  most(2 * node, {covered.from, middle}, range, above, best);
  most(2 * node + 1, {middle + 1, covered.to}, range, above, best);
}

void Pressure::add(std::uint32_t from, std::uint32_t to, std::uint64_t by) {
  add(1, {0, buckets - 1}, {from, to}, by);
}

std::uint64_t Pressure::most(std::uint32_t from, std::uint32_t to) const {
  std::pair<std::uint64_t, std::uint32_t> best{0, from / kBucket};
  most(1, {0, buckets - 1}, {from, to}, 0, best);
  return best.first;
}

std::uint32_t Pressure::worst(std::uint32_t from, std::uint32_t to) const {
  std::pair<std::uint64_t, std::uint32_t> best{0, from / kBucket};
  most(1, {0, buckets - 1}, {from, to}, 0, best);
  const Range part = clip({from, to}, best.second);
  std::uint32_t worst = part.from;
  for (std::uint32_t t = part.from; t <= part.to; ++t)
    if (moments[t] > moments[worst])
      worst = t;
  return worst;
}

} // namespace transient::planner
