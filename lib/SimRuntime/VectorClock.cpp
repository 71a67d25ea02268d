//===- VectorClock.cpp - What completes before what starts ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "VectorClock.h"

#include <algorithm>

namespace transient::sim {

ChainClocks::Point ChainClocks::extend(const std::vector<Point> &predecessors) {
  auto clock = std::make_shared<Clock>();
  const uint32_t none = ~0u;
  uint32_t chain = none;
  for (const Point &point : predecessors) {
    if (point.clock->size() > clock->size())
      clock->resize(point.clock->size());
    for (size_t c = 0; c < point.clock->size(); ++c)
      (*clock)[c] = std::max((*clock)[c], (*point.clock)[c]);
    if (chain == none && point.stamp.pos == lengths[point.stamp.chain])
      chain = point.stamp.chain;
  }
  for (uint32_t c = 0; chain == none && c < clock->size(); ++c)
    if ((*clock)[c] == lengths[c])
      chain = c;
  if (chain == none) {
    chain = width();
    lengths.push_back(0);
  }
  if (clock->size() <= chain)
    clock->resize(chain + 1);
  (*clock)[chain] = ++lengths[chain];
  return {{chain, lengths[chain]}, std::move(clock)};
}

} // namespace transient::sim
