//===- ConflictGraph.cpp - Conflicts of few items, written out ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maximal sections are found by one sweep: a section ends where something ends
// and something has begun since the last section. A clique cover of any other
// graph takes the first conflict that no clique holds yet and grows it by the
// vertices that bring most uncovered conflicts, heaviest first among equals.
//
//===----------------------------------------------------------------------===//

#include "ConflictGraph.h"

#include <algorithm>

namespace transient::planner {

std::optional<ConflictGraph>
ConflictGraph::build(const Instance &instance, const std::vector<Item> &items,
                     const Limits &limits) {
  if (items.size() > limits.vertices)
    return std::nullopt;
  ConflictGraph graph;
  graph.items = items;
  const bool built = instance.interval && !instance.hasPairs
                         ? graph.sections(instance, limits)
                         : graph.cover(instance, limits);
  if (!built)
    return std::nullopt;
  return graph;
}

bool ConflictGraph::sections(const Instance &instance, const Limits &limits) {
  const std::size_t n = items.size();
  std::vector<char> starts(instance.numTimes, 0), ends(instance.numTimes, 0);
  for (Item i : items)
    starts[instance.lo[i]] = ends[instance.hi[i]] = 1;
  std::vector<std::uint32_t> at; // The last time of each section.
  bool begun = false;
  for (std::uint32_t t = 0; t != instance.numTimes; ++t) {
    begun |= starts[t] != 0;
    if (ends[t] && begun) {
      at.push_back(t);
      begun = false;
    }
  }
  numCliques = at.size();

  cliqueBegin.assign(1, 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> span(n);
  for (Vertex v = 0; v != n; ++v) {
    auto first = std::lower_bound(at.begin(), at.end(), instance.lo[items[v]]);
    auto last = std::upper_bound(first, at.end(), instance.hi[items[v]]);
    span[v] = {std::uint32_t(first - at.begin()),
               std::uint32_t(last - at.begin())};
    if (cliqueList.size() + (span[v].second - span[v].first) > limits.pairs)
      return false;
    for (std::uint32_t q = span[v].first; q != span[v].second; ++q)
      cliqueList.push_back(q);
    cliqueBegin.push_back(cliqueList.size());
  }

  // Pairs by a sweep over starts: whoever starts meets all that are live.
  std::vector<Vertex> order(n), live;
  for (Vertex v = 0; v != n; ++v)
    order[v] = v;
  std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) {
    return span[a].first != span[b].first ? span[a].first < span[b].first
                                          : a < b;
  });
  std::vector<std::pair<Vertex, Vertex>> pairs;
  for (Vertex v : order) {
    live.erase(std::remove_if(
                   live.begin(), live.end(),
                   [&](Vertex u) { return span[u].second <= span[v].first; }),
               live.end());
    if (2 * (pairs.size() + live.size()) > limits.pairs)
      return false;
    for (Vertex u : live)
      pairs.push_back({u, v});
    live.push_back(v);
  }
  neighbourBegin.assign(n + 1, 0);
  for (auto [u, v] : pairs) {
    ++neighbourBegin[u + 1];
    ++neighbourBegin[v + 1];
  }
  for (std::size_t v = 0; v != n; ++v)
    neighbourBegin[v + 1] += neighbourBegin[v];
  // Rows in any order, and from their columns sorted ones.
  std::vector<std::size_t> next(neighbourBegin.begin(), neighbourBegin.end());
  std::vector<Vertex> unsorted(2 * pairs.size());
  for (auto [u, v] : pairs) {
    unsorted[next[u]++] = v;
    unsorted[next[v]++] = u;
  }
  next = neighbourBegin;
  adjacent.resize(unsorted.size());
  for (Vertex v = 0; v != n; ++v)
    for (std::size_t k = neighbourBegin[v]; k != neighbourBegin[v + 1]; ++k)
      adjacent[next[unsorted[k]]++] = v;
  return true;
}

bool ConflictGraph::cover(const Instance &instance, const Limits &limits) {
  const std::size_t n = items.size(), words = (n + 63) / 64;
  // Heaviest first, so that cliques are heavy. Rows of bits are over positions
  // in this order.
  std::vector<Vertex> heavy(n);
  for (Vertex v = 0; v != n; ++v)
    heavy[v] = v;
  std::sort(heavy.begin(), heavy.end(), [&](Vertex a, Vertex b) {
    std::uint64_t x = instance.bytes[items[a]], y = instance.bytes[items[b]];
    return x != y ? x > y : a < b;
  });
  std::vector<std::uint64_t> rows(n * words, 0);
  const auto bit = [](std::size_t p) { return std::uint64_t(1) << (p % 64); };
  std::size_t pairs = 0;
  for (std::size_t p = 0; p != n; ++p)
    for (std::size_t q = p + 1; q != n; ++q)
      if (instance.conflict(items[heavy[p]], items[heavy[q]])) {
        rows[p * words + q / 64] |= bit(q);
        rows[q * words + p / 64] |= bit(p);
        pairs += 2;
      }
  if (pairs > limits.pairs)
    return false;
  std::vector<std::size_t> positionOf(n);
  for (std::size_t p = 0; p != n; ++p)
    positionOf[heavy[p]] = p;
  neighbourBegin.assign(1, 0);
  for (Vertex u = 0; u != n; ++u) {
    for (std::size_t w = 0; w != words; ++w)
      for (std::uint64_t bits = rows[positionOf[u] * words + w]; bits;
           bits &= bits - 1)
        adjacent.push_back(heavy[64 * w + std::size_t(__builtin_ctzll(bits))]);
    std::sort(adjacent.begin() + neighbourBegin.back(), adjacent.end());
    neighbourBegin.push_back(adjacent.size());
  }

  std::vector<std::uint64_t> uncovered(rows), common(words), members(words);
  std::vector<std::vector<Vertex>> memberOf(n); // By position.
  std::vector<std::size_t> clique;
  std::size_t memberships = 0;
  auto grow = [&](std::size_t seed) {
    clique.assign(1, seed);
    std::copy_n(rows.begin() + seed * words, words, common.begin());
    auto add = [&](std::size_t p) {
      clique.push_back(p);
      for (std::size_t w = 0; w != words; ++w)
        common[w] &= rows[p * words + w];
    };
    // First what covers something new with the seed, then anything. What is
    // added leaves `common`, for nothing conflicts with itself.
    for (std::size_t w = 0; w != words; ++w)
      while (std::uint64_t bits = common[w] & uncovered[seed * words + w])
        add(64 * w + std::size_t(__builtin_ctzll(bits)));
    for (std::size_t w = 0; w != words; ++w)
      while (std::uint64_t bits = common[w])
        add(64 * w + std::size_t(__builtin_ctzll(bits)));
    std::fill(members.begin(), members.end(), 0);
    for (std::size_t p : clique)
      members[p / 64] |= bit(p);
    for (std::size_t p : clique) {
      for (std::size_t w = 0; w != words; ++w)
        uncovered[p * words + w] &= ~members[w];
      memberOf[p].push_back(Vertex(numCliques));
    }
    ++numCliques;
    memberships += clique.size();
  };
  for (std::size_t p = 0; p != n; ++p)
    for (;;) {
      bool open = memberOf[p].empty();
      for (std::size_t w = 0; w != words && !open; ++w)
        open = uncovered[p * words + w] != 0;
      if (!open)
        break;
      grow(p);
      if (memberships > limits.pairs)
        return false;
    }
  cliqueBegin.assign(1, 0);
  for (Vertex v = 0; v != n; ++v) {
    const std::vector<Vertex> &of = memberOf[positionOf[v]];
    cliqueList.insert(cliqueList.end(), of.begin(), of.end());
    cliqueBegin.push_back(cliqueList.size());
  }
  return true;
}

} // namespace transient::planner
