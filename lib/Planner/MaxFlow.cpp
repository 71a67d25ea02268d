//===- MaxFlow.cpp - Maximum flow with 64-bit capacities ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic with level graphs built from the sink, so that a dead end is never
// entered twice in a phase, and with a depth-first search that keeps its path
// across augmentations.
//
//===----------------------------------------------------------------------===//

#include "MaxFlow.h"

#include <algorithm>

namespace transient::planner {

std::uint32_t MaxFlow::addArc(std::uint32_t from, std::uint32_t to,
                              std::uint64_t capacity) {
  arcs.push_back({to, head[from], capacity});
  head[from] = std::uint32_t(arcs.size() - 1);
  arcs.push_back({from, head[to], 0});
  head[to] = std::uint32_t(arcs.size() - 1);
  return std::uint32_t(arcs.size() - 2);
}

std::vector<char> MaxFlow::sinkSide(std::uint32_t sink) const {
  std::vector<char> reaches(head.size());
  std::vector<std::uint32_t> queue{sink};
  reaches[sink] = 1;
  for (std::size_t i = 0; i != queue.size(); ++i)
    for (std::uint32_t a = head[queue[i]]; a != kNone; a = arcs[a].next)
      if (arcs[a ^ 1].residual && !reaches[arcs[a].to]) {
        reaches[arcs[a].to] = 1;
        queue.push_back(arcs[a].to);
      }
  return reaches;
}

/// Distances to the sink over residual arcs; false when the source has none.
bool MaxFlow::layer(std::uint32_t source, std::uint32_t sink) {
  level.assign(head.size(), kNone);
  std::vector<std::uint32_t> queue{sink};
  level[sink] = 0;
  for (std::size_t i = 0; i != queue.size() && level[source] == kNone; ++i) {
    std::uint32_t v = queue[i];
    for (std::uint32_t a = head[v]; a != kNone; a = arcs[a].next) {
      std::uint32_t u = arcs[a].to;
      if (arcs[a ^ 1].residual && level[u] == kNone) {
        level[u] = level[v] + 1;
        queue.push_back(u);
      }
    }
  }
  return level[source] != kNone;
}

/// A blocking flow of the current levels.
std::uint64_t MaxFlow::augment(std::uint32_t source, std::uint32_t sink) {
  current = head;
  std::uint64_t total = 0;
  std::vector<std::uint32_t> path; // Arcs.
  std::uint32_t v = source;
  for (;;) {
    if (v == sink) {
      std::uint64_t amount = UINT64_MAX;
      for (std::uint32_t a : path)
        amount = std::min(amount, arcs[a].residual);
      std::size_t cut = path.size();
      for (std::size_t i = path.size(); i-- > 0;) {
        arcs[path[i]].residual -= amount;
        arcs[path[i] ^ 1].residual += amount;
        if (!arcs[path[i]].residual)
          cut = i;
      }
      total += amount;
      // Go on from the tail of the first saturated arc.
      v = arcs[path[cut] ^ 1].to;
      path.resize(cut);
      continue;
    }
    std::uint32_t &a = current[v];
    while (a != kNone && !(arcs[a].residual && level[arcs[a].to] != kNone &&
                           level[arcs[a].to] + 1 == level[v]))
      a = arcs[a].next;
    if (a != kNone) {
      path.push_back(a);
      v = arcs[a].to;
      continue;
    }
    if (v == source)
      return total;
    level[v] = kNone;
    v = arcs[path.back() ^ 1].to;
    path.pop_back();
  }
}

std::uint64_t MaxFlow::run(std::uint32_t source, std::uint32_t sink) {
  std::uint64_t total = 0;
  while (layer(source, sink))
    total += augment(source, sink);
  reached.assign(head.size(), 0);
  std::vector<std::uint32_t> queue{source};
  reached[source] = 1;
  for (std::size_t i = 0; i != queue.size(); ++i)
    for (std::uint32_t a = head[queue[i]]; a != kNone; a = arcs[a].next)
      if (arcs[a].residual && !reached[arcs[a].to]) {
        reached[arcs[a].to] = 1;
        queue.push_back(arcs[a].to);
      }
  return total;
}

} // namespace transient::planner
