//===- LoopCells.cpp - Judges the accesses of a loop at once --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers transientSimLoop. A granule needs no checker where the AccessSlot of
// its site says so. One whose state an access changes in a known way changes
// here, if the access surely happens. That is early, yet nobody can tell:
//
//   * A read changes no state in a way that another access of the operation
//     could see.
//   * Bytes that a write touches are touched by no other group of accesses. In
//     its own group, accesses that come first were asked about first.
//
// What an operation may do once it may do again, so equal questions have equal
// answers. On threads another operation may race with it meanwhile; the state
// that the first answer left is what this one is then reported for.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"

#include <algorithm>
#include <atomic>

namespace transient::sim {

/// A loop in which one site touches more granules is checked access by access.
static constexpr uint64_t maxCells = 1ull << 22;

/// Failures after which a question is asked ever more rarely.
static constexpr uint32_t patience = 4, maxSkip = 256;

static std::atomic<uint64_t> settledLoops{0};

uint64_t settledLoopCount() { return settledLoops; }

namespace {

/// One loop that moves an address.
struct Mover {
  int64_t step;
  uint64_t rounds;
};

/// The movers of a site, innermost first; adjoining ones made one.
unsigned readMovers(const LoopSite &site, const uint64_t *numbers,
                    Mover (&movers)[8]) {
  unsigned count = 0;
  for (uint32_t i = 0; i < site.dims; ++i) {
    Mover mover{static_cast<int64_t>(numbers[1 + 2 * i]), numbers[2 + 2 * i]};
    if (mover.rounds == 1 || mover.step == 0)
      continue;
    if (count && mover.step ==
                     movers[count - 1].step *
                         static_cast<int64_t>(movers[count - 1].rounds))
      movers[count - 1].rounds *= mover.rounds;
    else
      movers[count++] = mover;
  }
  return count;
}

} // namespace

/// Brings the granules of one site into the state after its accesses; false,
/// with some of them still to do, where the checker has to look.
bool OpAccess::settleCells(const LoopSite &site, const uint64_t *numbers,
                           Box box) {
  const AccessSlot &slot = fastSlots[site.site];
  if (box.start - slot.base >= slot.size ||
      box.end - box.start > slot.size - (box.start - slot.base) ||
      site.bytes != 1ull << slot.grain)
    return false;
  Mover movers[8];
  unsigned dims = readMovers(site, numbers, movers);
  uint64_t mask = site.bytes - 1;
  uint64_t misaligned = (numbers[0] - slot.base) & mask;
  for (unsigned i = 0; i < dims; ++i)
    misaligned |= static_cast<uint64_t>(movers[i].step) & mask;
  if (misaligned)
    return false;
  bool changes = site.always && slot.from != slot.to;
  auto settle = [&](uint32_t *cell, int64_t step, uint64_t rounds) {
    for (uint64_t i = 0; i < rounds; ++i, cell += step) {
      uint32_t state = __atomic_load_n(cell, __ATOMIC_RELAXED);
      if (state == slot.stable)
        continue;
      if (!changes || state != slot.from)
        return false;
      *cell = slot.to;
    }
    return true;
  };
  auto grainStep = [&](int64_t step) { return step >> slot.grain; };
  uint32_t *first = slot.cells + ((numbers[0] - slot.base) >> slot.grain);
  if (dims == 0)
    return settle(first, 0, 1);
  uint64_t index[8] = {};
  for (;;) {
    uint32_t *cell = first;
    for (unsigned i = 1; i < dims; ++i)
      cell += static_cast<int64_t>(index[i]) * grainStep(movers[i].step);
    if (!settle(cell, grainStep(movers[0].step), movers[0].rounds))
      return false;
    unsigned i = 1;
    while (i < dims && ++index[i] == movers[i].rounds)
      index[i++] = 0;
    if (i >= dims)
      return true;
  }
}

bool OpAccess::settleLoop(const LoopSite *sites, uint32_t count,
                          uint64_t *numbers, Settled &first) {
  if (first.skip > 0) {
    --first.skip;
    return false;
  }
  const uint64_t *starts[maxLoopSites];
  bool known[maxLoopSites];
  const uint64_t *next = numbers;
  for (uint32_t i = 0; i < count; ++i) {
    const LoopSite &site = sites[i];
    Settled &entry = settled[site.site];
    uint64_t words = 1 + 2 * site.dims;
    starts[i] = next;
    next += words;
    known[i] = entry.numbers.size() == words &&
               std::equal(starts[i], next, entry.numbers.begin());
    if (known[i])
      continue;
    entry.numbers.clear();
    // Where all addresses lie; products that do not fit lie nowhere.
    unsigned __int128 cells = 1;
    __int128 low = starts[i][0], high = low + site.bytes;
    for (uint32_t d = 0; d < site.dims; ++d) {
      auto step = static_cast<int64_t>(starts[i][1 + 2 * d]);
      uint64_t rounds = starts[i][2 + 2 * d];
      if (rounds == 0 || rounds > maxCells)
        return false;
      __int128 reach = static_cast<__int128>(step) * (rounds - 1);
      (step < 0 ? low : high) += reach;
      if (step != 0)
        cells *= rounds;
    }
    if (cells > maxCells || low < 0 || high > static_cast<__int128>(~0ull))
      return false;
    entry.box = {static_cast<uintptr_t>(low), static_cast<uintptr_t>(high)};
  }
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < i; ++j) {
      if (sites[i].group == sites[j].group ||
          (sites[i].mode == AccessMode::Read &&
           sites[j].mode == AccessMode::Read))
        continue;
      const Box &a = settled[sites[i].site].box, &b = settled[sites[j].site].box;
      if (a.start < b.end && b.start < a.end)
        return false;
    }
  for (uint32_t i = 0; i < count; ++i) {
    Settled &entry = settled[sites[i].site];
    if (known[i])
      continue;
    if (!settleCells(sites[i], starts[i], entry.box))
      return false;
    entry.delta = fastSlots[sites[i].site].delta;
    entry.numbers.assign(starts[i], starts[i] + 1 + 2 * sites[i].dims);
  }
  for (uint32_t i = 0; i < count; ++i)
    numbers[starts[i] - numbers] =
        static_cast<uint64_t>(settled[sites[i].site].delta);
  return true;
}

bool OpAccess::settleLoop(const LoopSite *sites, uint32_t count,
                          uint64_t *numbers) {
  Settled &first = settled[sites[0].site];
  bool skipped = first.skip > 0;
  bool answer = settleLoop(sites, count, numbers, first);
  if (answer) {
    first.failures = 0;
  } else if (!skipped && ++first.failures > patience) {
    first.skip = std::min(maxSkip, 1u << std::min(first.failures - patience, 8u));
  }
  return answer;
}

extern "C" uint32_t transientSimLoop(WorkItem *item, const LoopSite *sites,
                                     uint32_t count, uint64_t *numbers) {
  bool settled = item->access->settleLoop(sites, count, numbers);
  settledLoops.fetch_add(settled, std::memory_order_relaxed);
  return settled;
}

} // namespace transient::sim
