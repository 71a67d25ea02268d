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

std::uint64_t Pressure::mostOfBucket(std::uint32_t bucket, Range range) const {
  const Range part = clip(range, bucket);
  return *std::max_element(moments.begin() + part.from,
                           moments.begin() + part.to + 1) +
         nodes[buckets + bucket].added;
}

Pressure::Peak Pressure::peak(Range range) const {
  std::size_t left = buckets + range.from / kBucket;
  std::size_t right = buckets + range.to / kBucket;
  // The largest so far from either end; what comes later lies further inwards.
  Peak fromLeft{mostOfBucket(range.from / kBucket, range), left};
  if (left != right) {
    Peak fromRight{mostOfBucket(range.to / kBucket, range), right};
    for (; left / 2 != right / 2; left /= 2, right /= 2) {
      if (left % 2 == 0 && nodes[left + 1].most > fromLeft.most)
        fromLeft = {nodes[left + 1].most, left + 1};
      if (right % 2 && nodes[right - 1].most >= fromRight.most)
        fromRight = {nodes[right - 1].most, right - 1};
      fromLeft.most += nodes[left / 2].added;
      fromRight.most += nodes[right / 2].added;
    }
    if (fromRight.most > fromLeft.most)
      fromLeft = fromRight;
  }
  while (left /= 2)
    fromLeft.most += nodes[left].added;
  return fromLeft;
}

void Pressure::add(std::uint32_t from, std::uint32_t to, std::uint64_t by) {
  std::size_t left = buckets + from / kBucket;
  std::size_t right = buckets + to / kBucket;
  const auto addToBucket = [&](std::size_t leaf) {
    const Range part = clip({from, to}, std::uint32_t(leaf - buckets));
    for (std::uint32_t t = part.from; t <= part.to; ++t)
      moments[t] += by;
    summarise(leaf);
  };
  addToBucket(left);
  if (left != right)
    addToBucket(right);
  const auto addToAll = [&](std::size_t node) {
    nodes[node].added += by;
    nodes[node].most += by;
  };
  for (; left / 2 != right / 2; pull(left /= 2), pull(right /= 2)) {
    if (left % 2 == 0)
      addToAll(left + 1);
    if (right % 2)
      addToAll(right - 1);
  }
  while (left /= 2)
    pull(left);
}

std::uint64_t Pressure::most(std::uint32_t from, std::uint32_t to) const {
  return peak({from, to}).most;
}

std::uint32_t Pressure::worst(std::uint32_t from, std::uint32_t to) const {
  std::size_t node = peak({from, to}).node;
  while (node < buckets)
    node = 2 * node + (nodes[2 * node].most < nodes[2 * node + 1].most);
  const Range part = clip({from, to}, std::uint32_t(node - buckets));
  return std::uint32_t(std::max_element(moments.begin() + part.from,
                                        moments.begin() + part.to + 1) -
                       moments.begin());
}

} // namespace transient::planner
