//===- Shadow.cpp - What happened to each byte ----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include "Report.h"

#include <algorithm>
#include <string>
#include <sys/mman.h>

namespace transient::sim {

static uint64_t hash(const ShadowState &state) {
  uint64_t value = 0x9E3779B97F4A7C15ull;
  auto mix = [&](uint64_t word) {
    value = (value ^ word) * 0xD6E8FEB86659FD93ull;
    value ^= value >> 32;
  };
  for (const ShadowState::Entry &entry : state.entries) {
    mix(reinterpret_cast<uint64_t>(entry.op));
    mix(static_cast<uint64_t>(entry.touch));
  }
  mix(state.written);
  mix(reinterpret_cast<uint64_t>(state.arena));
  mix(static_cast<uint64_t>(state.tenant));
  mix(static_cast<uint64_t>(state.previous));
  return value;
}

ShadowStates::ShadowStates() {
  ShadowState untouched;
  untouched.written = true;
  intern(std::move(untouched));
}

uint32_t ShadowStates::intern(ShadowState state) {
  uint64_t key = hash(state);
  auto [first, last] = byHash.equal_range(key);
  for (; first != last; ++first)
    if (states[first->second] == state)
      return first->second;
  auto number = static_cast<uint32_t>(states.size());
  states.push_back(std::move(state));
  byHash.emplace(key, number);
  return number;
}

static uint32_t *allocateCells(uint64_t count) {
  void *memory = mmap(nullptr, count * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fatal("no memory for the shadow of an allocation; TRANSIENT_SIM_CHECK=0 "
          "runs without");
  return static_cast<uint32_t *>(memory);
}

void Shadow::create(uint64_t bytes, unsigned maxGrain) {
  grain = maxGrain;
  while (grain > 0 && bytes % (1ull << grain))
    --grain;
  count = bytes >> grain;
  uint32_t *fresh = allocateCells(count);
  if (initial)
    std::fill_n(fresh, count, initial);
  __atomic_store_n(&cells, fresh, __ATOMIC_RELEASE);
}

void Shadow::refine(unsigned wanted) {
  if (wanted >= grain)
    return;
  uint64_t factor = 1ull << (grain - wanted);
  uint32_t *fresh = allocateCells(count * factor);
  for (uint64_t i = 0; i < count; ++i)
    if (cells[i]) // Most of the host's memory is never touched.
      std::fill_n(fresh + i * factor, factor, cells[i]);
  munmap(cells, count * sizeof(uint32_t));
  cells = fresh;
  count *= factor;
  grain = wanted;
}

void Shadow::drop() {
  if (cells)
    munmap(cells, count * sizeof(uint32_t));
  cells = nullptr;
  count = 0;
}

} // namespace transient::sim
