//===- ExactSearch.cpp - Does a plan of this height exist? ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only *canonical* placements are looked for (Moffitt, MiniMalloc, ASPLOS
// 2023): each item lies as low as the items below it allow; any placement can
// be pushed down into one of the same height or less. Where MiniMalloc extends
// a placement by the next item in order of offsets, this search asks a question
// about one clique: which of its items is the next from below? Either one of
// those that may lie directly on what is placed, or every one of them has
// something new below it, which lifts them all. The clique with the fewest
// answers is asked first, answers counting less where failures were met
// (dom/wdeg: Boussemart et al., ECAI 2004). A clique that is full at the
// capacity leaves no room to wait, so in tight instances most questions have
// one or two answers.
//
// Pruning: in each clique the items, taken as jobs with release dates on one
// machine, must end by the capacity; that contains MiniMalloc's section
// inference and floors. An item is not put where it hangs in the air
// (dominance); of equal items the first comes first; and what falls apart into
// components is solved one by one.
//
//===----------------------------------------------------------------------===//

#include "ExactSearch.h"

#include "Checked.h"
#include "Orders.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace transient::planner {

namespace {

constexpr std::uint64_t kFree = UINT64_MAX; ///< No fixed offset.
/// Nodes nest no deeper than this; a search that would is given up.
constexpr unsigned kMaxDepth = 12000;
/// What a node costs besides its looks.
constexpr std::uint64_t kNodeSteps = 40;
/// Nodes of the first descents, roughly.
constexpr std::uint64_t kFirstNodes = 128;

} // namespace

ExactSearch::ExactSearch(const Instance &instance, const ConflictGraph &graph,
                         std::uint64_t arenaAlign,
                         const std::atomic<bool> *stop)
    : graph(graph), stop(stop) {
  const std::size_t n = graph.size();
  for (Vertex v = 0; v != n; ++v) {
    const Item item = graph.items[v];
    const Buffer &source = instance.problem.buffers[instance.buffer[item]];
    bytes.push_back(instance.bytes[item]);
    align.push_back(std::max(arenaAlign, instance.align(item)));
    fixed.push_back(source.fixedOffset.value_or(kFree));
    commonAlign = v ? std::min(commonAlign, align[v]) : align[v];
    if (source.fixedOffset)
      fixedVertices.push_back(v);
  }

  for (Vertex v = 0; v != n; ++v)
    padded.push_back(alignTo(bytes[v], commonAlign));
  for (Vertex v : fixedVertices)
    for (Vertex u : graph.neighbours(v))
      contradiction |= fixed[u] != kFree && fixed[u] < fixed[v] + bytes[v] &&
                       fixed[v] < fixed[u] + bytes[u];

  // Equal items: the same size, alignment and, but for themselves, conflicts.
  twin.assign(n, ~0u);
  std::vector<Vertex> byKind(n);
  for (Vertex v = 0; v != n; ++v)
    byKind[v] = v;
  auto kind = [&](Vertex v) {
    return std::make_tuple(bytes[v], align[v], graph.neighbours(v).size());
  };
  std::sort(byKind.begin(), byKind.end(), [&](Vertex a, Vertex b) {
    return kind(a) != kind(b) ? kind(a) < kind(b) : a < b;
  });
  auto alike = [&](Vertex a, Vertex b) {
    const Vertex *p = graph.neighbours(a).begin(),
                 *q = graph.neighbours(b).begin();
    const Vertex *pEnd = graph.neighbours(a).end(),
                 *qEnd = graph.neighbours(b).end();
    bool adjacent = false;
    for (;;) {
      if (p != pEnd && *p == b) {
        adjacent = true;
        ++p;
      } else if (q != qEnd && *q == a) {
        ++q;
      } else if (p == pEnd || q == qEnd) {
        return adjacent && p == pEnd && q == qEnd;
      } else if (*p++ != *q++) {
        return false;
      }
    }
  };
  for (std::size_t k = 0; k != n; ++k)
    for (std::size_t back = k; back-- > 0 && k - back <= 16;) {
      if (kind(byKind[back]) != kind(byKind[k]))
        break;
      if (fixed[byKind[k]] == kFree && fixed[byKind[back]] == kFree &&
          alike(byKind[back], byKind[k])) {
        twin[byKind[k]] = byKind[back];
        break;
      }
    }

  std::vector<Vertex> vertexOf(instance.size(), 0);
  for (Vertex v = 0; v != n; ++v)
    vertexOf[graph.items[v]] = v;
  Orders byRank(instance, graph.items);
  for (Rank order : {Rank::Duration, Rank::TotalArea, Rank::TotalWidth,
                     Rank::Area, Rank::Bytes}) {
    std::vector<std::uint32_t> ranks(n);
    std::uint32_t next = 0;
    for (Item item : byRank.by(order))
      ranks[vertexOf[item]] = next++;
    orders.push_back(std::move(ranks));
  }

  lowest.assign(n, 0);
  support.assign(n, 0);
  offset.assign(n, 0);
  isPlaced.assign(n, 0);
  sections.resize(graph.numCliques);
  weight.assign(graph.numCliques, 1);
}

std::uint64_t ExactSearch::height() const {
  std::uint64_t height = 0;
  for (Vertex v = 0; v != graph.size(); ++v)
    height = std::max(height, offset[v] + bytes[v]);
  return height;
}

std::uint64_t ExactSearch::bound() const {
  std::vector<std::uint64_t> sum(graph.numCliques, 0), pad(graph.numCliques, 0);
  std::uint64_t most = 0;
  for (Vertex v = 0; v != graph.size(); ++v)
    for (std::uint32_t q : graph.cliquesOf(v)) {
      sum[q] += padded[v];
      pad[q] = std::max(pad[q], padded[v] - bytes[v]);
      most = std::max(most, sum[q] - pad[q]);
    }
  return most;
}

ExactSearch::Outcome ExactSearch::decide(std::uint64_t newCapacity,
                                         std::uint64_t steps) {
  if (contradiction)
    return Outcome::Exhausted;
  capacity = newCapacity;
  const std::size_t n = graph.size();
  std::size_t memberships = 0;
  for (Vertex v = 0; v != n; ++v)
    memberships += graph.cliquesOf(v).size();
  // A node costs about as much as one look at everything.
  std::uint64_t share = kFirstNodes * std::uint64_t(memberships + 1);
  const std::uint64_t limit =
      total > UINT64_MAX - steps ? UINT64_MAX : total + steps;
  for (unsigned cycle = 0; total < limit;
       ++cycle, share += std::min(share, limit))
    for (unsigned turn = 0; turn != 2 * orders.size() && total < limit;
         ++turn) {
      rank = &orders[(turn / 2 + cycle) % orders.size()];
      lowestFirst = turn % 2 != 0;
      // What was learned long ago counts less.
      for (std::uint64_t &w : weight)
        w = 1 + (w - 1) / 2;
      budget = std::min(share, limit - total);
      used = 0;
      undo(0, 0);
      for (Vertex v = 0; v != n; ++v)
        lowest[v] = support[v] = fixed[v] == kFree ? 0 : fixed[v];
      pool.resize(n);
      std::iota(pool.begin(), pool.end(), 0);
      Outcome outcome = search(0, n, 0);
      total += used;
      if (outcome != Outcome::OutOfSteps ||
          (stop && stop->load(std::memory_order_relaxed)))
        return outcome;
    }
  return Outcome::OutOfSteps;
}

std::uint32_t ExactSearch::rootOf(std::uint32_t section) {
  while (sections[section].root != section) {
    std::uint32_t &root = sections[section].root;
    root = sections[root].root;
    section = root;
  }
  return section;
}

/// Sorts the list by `lowest` and fills in the sections it touches. False when
/// one of them cannot hold its items any more.
bool ExactSearch::look(std::size_t begin, std::size_t end) {
  // Children inherit the order of their parents: nearly sorted.
  for (std::size_t k = begin + 1; k < end; ++k) {
    Vertex v = pool[k];
    std::size_t hole = k;
    for (; hole != begin &&
           (lowest[pool[hole - 1]] > lowest[v] ||
            (lowest[pool[hole - 1]] == lowest[v] && pool[hole - 1] > v));
         --hole)
      pool[hole] = pool[hole - 1];
    pool[hole] = v;
  }
  ++epoch;
  touched.clear();
  for (std::size_t k = begin; k != end; ++k) {
    const Vertex v = pool[k];
    const std::uint64_t low = lowest[v], size = bytes[v];
    const std::uint64_t room = padded[v], pad = room - size;
    const auto row = graph.cliquesOf(v);
    used += row.size();
    std::uint32_t home = ~0u;
    for (std::uint32_t q : row) {
      Section &section = sections[q];
      if (section.epoch != epoch) {
        section.epoch = epoch;
        section.floor = low;
        section.second = UINT64_MAX;
        section.end = low;
        section.remaining = 0;
        section.pad = 0;
        section.top = UINT64_MAX;
        section.relief = UINT64_MAX;
        section.options = 0;
        section.root = q;
        touched.push_back(q);
      } else if (section.second == UINT64_MAX && low != section.floor) {
        section.second = low;
      }
      section.end = std::max(section.end, low);
      section.pad = std::max(section.pad, pad);
      // All but the highest item take what alignment makes of their sizes.
      if (section.end > capacity ||
          room > capacity - section.end + section.pad) {
        ++weight[q];
        return false;
      }
      section.end += room;
      section.remaining += room;
      section.top = std::min(section.top, low + size);
      if (section.root == home)
        continue;
      const std::uint32_t root = rootOf(q);
      if (home == ~0u)
        home = root;
      else if (root != home)
        sections[root].root = home;
    }
  }
  return true;
}

/// `v`, whose lowest offset is the floor of a clique of its, may lie there.
bool ExactSearch::isOption(Vertex v) const {
  if (twin[v] != ~0u && !isPlaced[twin[v]])
    return false;
  if (fixed[v] != kFree)
    return lowest[v] == fixed[v];
  if (support[v] != lowest[v])
    return false; // It would hang in the air.
  if (!fixedVertices.empty())
    for (Vertex u : graph.neighbours(v))
      if (!isPlaced[u] && fixed[u] != kFree && fixed[u] < lowest[v] + bytes[v])
        return false;
  return true;
}

/// The clique to ask. `relief` of a clique is where its next item lies at least
/// if it is none of the options: the second lowest, or one of the lowest above
/// something new.
ExactSearch::Branch ExactSearch::choose(std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k != end; ++k) {
    const Vertex v = pool[k];
    const auto row = graph.cliquesOf(v);
    bool candidate = false;
    for (std::uint32_t q : row)
      candidate |= sections[q].floor == lowest[v];
    if (!candidate)
      continue;
    used += row.size();
    std::uint64_t top = UINT64_MAX;
    for (std::uint32_t q : row)
      top = std::min(top, sections[q].top);
    const bool option = isOption(v);
    for (std::uint32_t q : row)
      if (Section &section = sections[q]; section.floor == lowest[v]) {
        section.options += option;
        section.relief = std::min(section.relief, top);
      }
  }
  Branch best;
  std::uint64_t bestAnswers = 0, bestWeight = 1;
  for (std::uint32_t q : touched) {
    const Section &section = sections[q];
    const std::uint64_t relief = std::min(section.relief, section.second);
    if (relief <= section.floor)
      continue; // Something may yet slip in below.
    const bool mayWait = relief <= capacity &&
                         section.remaining <= capacity - relief + section.pad;
    const std::uint64_t answers = section.options + mayWait;
    if (!answers) {
      ++weight[q];
      best.section = q;
      best.floor = section.floor;
      best.mayWait = false;
      return best;
    }
    const std::uint64_t w = weight[q];
    bool better = best.section == ~0u;
    if (!better && lowestFirst && section.floor != best.floor)
      better = section.floor < best.floor;
    else if (!better && answers * bestWeight != bestAnswers * w)
      better = answers * bestWeight < bestAnswers * w;
    else if (!better)
      better = section.floor != best.floor ? section.floor < best.floor
                                           : q < best.section;
    if (better) {
      best.section = q;
      best.floor = section.floor;
      best.mayWait = mayWait;
      bestAnswers = answers;
      bestWeight = w;
    }
  }
  assert(best.section != ~0u && "the lowest clique can always be asked");
  return best;
}

void ExactSearch::raise(Vertex v, std::uint64_t newLowest,
                        std::uint64_t newSupport) {
  saved.push_back({v, lowest[v], support[v]});
  lowest[v] = newLowest;
  support[v] = newSupport;
}

void ExactSearch::place(Vertex v) {
  offset[v] = lowest[v];
  isPlaced[v] = 1;
  placed.push_back(v);
  const std::uint64_t end = offset[v] + bytes[v];
  const auto row = graph.neighbours(v);
  used += row.size() / 8;
  for (Vertex u : row) {
    if (isPlaced[u] || support[u] >= end || fixed[u] != kFree)
      continue;
    const std::uint64_t above = alignTo(end, align[u]);
    raise(u, std::max(lowest[u], above), std::max(support[u], above));
  }
}

void ExactSearch::undo(std::size_t saves, std::size_t places) {
  while (saved.size() != saves) {
    const Saved &it = saved.back();
    lowest[it.vertex] = it.lowest;
    support[it.vertex] = it.support;
    saved.pop_back();
  }
  while (placed.size() != places) {
    isPlaced[placed.back()] = 0;
    placed.pop_back();
  }
}

/// Places the vertices pool[begin..end), which conflict with no other unplaced
/// ones. After Found they are placed; else all is as before.
ExactSearch::Outcome ExactSearch::search(std::size_t begin, std::size_t end,
                                         unsigned depth) {
  if (begin == end)
    return Outcome::Found;
  if (used >= budget || depth == kMaxDepth ||
      (stop && stop->load(std::memory_order_relaxed)))
    return Outcome::OutOfSteps;
  used += kNodeSteps;
  if (!look(begin, end))
    return Outcome::Exhausted;
  const std::size_t saves = saved.size(), places = placed.size();

  // Components, smallest first.
  const std::uint32_t firstRoot = rootOf(*graph.cliquesOf(pool[begin]).begin());
  bool several = false;
  for (std::uint32_t q : touched)
    several |= rootOf(q) != firstRoot;
  if (several) {
    std::vector<std::pair<std::uint32_t, Vertex>> parts;
    std::vector<std::uint32_t> sizes(graph.numCliques, 0);
    for (std::size_t k = begin; k != end; ++k) {
      std::uint32_t root = rootOf(*graph.cliquesOf(pool[k]).begin());
      ++sizes[root];
      parts.push_back({root, pool[k]});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [&](const auto &a, const auto &b) {
                       return sizes[a.first] != sizes[b.first]
                                  ? sizes[a.first] < sizes[b.first]
                                  : a.first < b.first;
                     });
    for (std::size_t k = 0; k != parts.size();) {
      const std::size_t from = pool.size();
      const std::uint32_t root = parts[k].first;
      for (; k != parts.size() && parts[k].first == root; ++k)
        pool.push_back(parts[k].second);
      Outcome outcome = search(from, pool.size(), depth + 1);
      pool.resize(from);
      if (outcome != Outcome::Found) {
        undo(saves, places);
        return outcome;
      }
    }
    return Outcome::Found;
  }

  const Branch branch = choose(begin, end);
  // The section is scratch: what is needed of it later is kept here.
  const std::uint64_t relief = std::min(sections[branch.section].relief,
                                        sections[branch.section].second);
  // Lists on top of the pool: those that may be next, then all on the floor.
  const std::size_t optionsBegin = pool.size();
  std::size_t waiting = 0;
  for (std::size_t k = begin; k != end && lowest[pool[k]] <= branch.floor;
       ++k) {
    const Vertex v = pool[k];
    const auto row = graph.cliquesOf(v);
    if (lowest[v] != branch.floor ||
        !std::binary_search(row.begin(), row.end(), branch.section))
      continue;
    ++waiting;
    pool.push_back(v);
  }
  const std::size_t optionsEnd =
      std::size_t(std::partition(pool.begin() + optionsBegin, pool.end(),
                                 [&](Vertex v) { return isOption(v); }) -
                  pool.begin());
  std::sort(pool.begin() + optionsBegin, pool.begin() + optionsEnd,
            [&](Vertex a, Vertex b) { return (*rank)[a] < (*rank)[b]; });

  for (std::size_t option = optionsBegin; option != optionsEnd; ++option) {
    const Vertex v = pool[option];
    const std::size_t from = pool.size();
    for (std::size_t k = begin; k != end; ++k)
      if (pool[k] != v)
        pool.push_back(pool[k]);
    place(v);
    Outcome outcome = search(from, pool.size(), depth + 1);
    pool.resize(from);
    if (outcome == Outcome::Found)
      return outcome;
    undo(saves, places);
    if (outcome == Outcome::OutOfSteps)
      return outcome;
  }
  bool stuck = !branch.mayWait;
  for (std::size_t k = optionsBegin; k != optionsBegin + waiting; ++k) {
    const Vertex v = pool[k];
    stuck |= fixed[v] != kFree;
    raise(v, alignTo(relief, align[v]), support[v]);
  }
  pool.resize(optionsBegin);
  Outcome outcome = stuck ? Outcome::Exhausted : search(begin, end, depth + 1);
  if (outcome != Outcome::Found)
    undo(saves, places);
  return outcome;
}

} // namespace transient::planner
