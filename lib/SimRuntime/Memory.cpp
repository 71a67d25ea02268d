//===- Memory.cpp - Allocations and who owns an address -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. One reservation of address space holds both halves: the
// addresses handed out in the first, their storage in the second, the same
// distance apart for all. host_shared memory is handed out where its storage
// is.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Options.h"
#include "Report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace transient::sim {

static constexpr uint64_t pageBytes = 4096;
static constexpr uint64_t gapBytes = 64 * 1024; ///< after every allocation
static constexpr uint64_t quarantineBytes = 1ull << 30;
static constexpr uint64_t adoptedBytes = 1ull << 26;

std::string Region::describe() const {
  static const char *const names[] = {"device allocation", "shared allocation",
                                      "host allocation", "host memory"};
  char text[96];
  std::snprintf(text, sizeof text,
                "%s #%" PRIu64 " (%" PRIu64 " bytes at 0x%" PRIxPTR ")",
                names[static_cast<int>(kind)], number, size, base);
  return text;
}

Memory &Memory::get() {
  static Memory &instance = *new Memory;
  return instance;
}

Memory::Memory() {
  for (half = 1ull << 42; half >= 1ull << 32; half >>= 2) {
    void *space = mmap(nullptr, 2 * half, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
      continue;
    reserve = reinterpret_cast<uintptr_t>(space);
    return;
  }
  fatal("cannot reserve address space for device memory");
}

Region *Memory::allocate(uint64_t bytes, bool hostShared) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t pages = (bytes + pageBytes - 1) / pageBytes * pageBytes;
  if (bytes > half || pages + gapBytes > half - used)
    return nullptr;
  uintptr_t storage = reserve + half + used;
  if (mprotect(reinterpret_cast<void *>(storage), pages,
               PROT_READ | PROT_WRITE))
    return nullptr;
  bool visible = hostShared || !options().check;
  auto *region = new Region;
  region->kind = hostShared ? RegionKind::Shared : RegionKind::Device;
  region->number = device.size() + 1;
  region->base = visible ? storage : storage - half;
  region->delta = visible ? 0 : static_cast<ptrdiff_t>(half);
  region->size = bytes;
  std::memset(reinterpret_cast<void *>(storage), allocatedPoison, bytes);
  used += pages + gapBytes;
  device.push_back(region);
  return region;
}

void Memory::release(Region &region, Op *by) {
  std::lock_guard<std::mutex> lock(mutex);
  if (region.freedBy)
    return;
  region.freedBy = by;
  std::memset(region.storage(0), freedPoison, region.size);
  if (region.isHost()) {
    hostQuarantine.push_back(&region);
    hostQuarantined += region.size;
    hostLive -= region.size;
    return;
  }
  if (region.kind == RegionKind::Shared)
    sharedReleased = true;
  quarantine.push_back(&region);
  quarantined += region.size;
  // Threads may be in the middle of an access, so they keep everything.
  while (quarantined > quarantineBytes && !options().threaded()) {
    Region *old = quarantine.front();
    quarantine.pop_front();
    quarantined -= old->size;
    uint64_t pages = (old->size + pageBytes - 1) / pageBytes * pageBytes;
    madvise(old->storage(0), pages, MADV_DONTNEED);
    mprotect(old->storage(0), pages, PROT_NONE);
    old->shadow.drop();
    old->gone = true;
  }
}

/// The block of the host's heap that has `address` in it or in a margin.
Region *Memory::findBlock(uintptr_t address) {
  auto next = hostBlocks.upper_bound(address);
  if (next != hostBlocks.begin()) {
    Region *region = std::prev(next)->second;
    if (address - region->base < region->size + region->margin)
      return region;
  }
  if (next != hostBlocks.end() &&
      next->first - address <= next->second->margin)
    return next->second;
  return nullptr;
}

Region *Memory::nearest(uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isDeviceAddress(address))
    return findBlock(address);
  uint64_t offset = (address - reserve) % half;
  auto above = std::upper_bound(device.begin(), device.end(), offset,
                                [&](uint64_t at, Region *region) {
                                  return at < (region->base - reserve) % half;
                                });
  return above == device.begin() ? nullptr : above[-1];
}

Region *Memory::find(uintptr_t address, bool forWriting) {
  if (isDeviceAddress(address)) {
    Region *region = nearest(address);
    return region && address - region->base < region->size ? region : nullptr;
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (Region *block = findBlock(address))
    return address - block->base < block->size ? block : nullptr;
  auto next = adopted.upper_bound(address);
  if (next != adopted.begin()) {
    Region *region = std::prev(next)->second;
    if (address - region->base < region->size)
      return region->writable || !forWriting ? region : nullptr;
  }
  return adopt(address, forWriting);
}

std::pair<uintptr_t, uint64_t> Memory::extent(const Region &region,
                                              uintptr_t address) {
  uintptr_t low = region.base, high = region.base + region.size;
  if (region.kind == RegionKind::HostOther) {
    std::lock_guard<std::mutex> lock(mutex);
    auto next = hostBlocks.upper_bound(address);
    if (next != hostBlocks.end())
      high = std::min(high, next->first - next->second->margin);
    if (next != hostBlocks.begin()) {
      const Region &block = *std::prev(next)->second;
      low = std::max(low, block.base + block.size + block.margin);
    }
  }
  return {low, high - low};
}

/// Looks the address up in the process's mappings and makes a region of what is
/// mapped around it, at most `adoptedBytes` long.
Region *Memory::adopt(uintptr_t address, bool forWriting) {
  FILE *maps = std::fopen("/proc/self/maps", "r");
  if (!maps)
    return nullptr;
  char line[512], mode[5];
  uintptr_t low = 0, high = 0, start, end;
  bool writable = false;
  while (std::fgets(line, sizeof line, maps))
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end,
                    mode) == 3 &&
        address - start < end - start && mode[0] == 'r' &&
        (mode[1] == 'w' || !forWriting)) {
      low = start;
      high = end;
      writable = mode[1] == 'w';
    }
  std::fclose(maps);
  if (!high)
    return nullptr;
  low = std::max(low, address / adoptedBytes * adoptedBytes);
  high = std::min(high, address / adoptedBytes * adoptedBytes + adoptedBytes);
  // A mapping may have grown next to what was adopted of it before.
  auto next = adopted.upper_bound(address);
  if (next != adopted.end())
    high = std::min(high, next->first);
  if (next != adopted.begin()) {
    const Region &before = *std::prev(next)->second;
    low = std::max(low, before.base + before.size);
  }
  auto *region = new Region;
  region->kind = RegionKind::HostOther;
  region->number = ++hostNumber;
  region->base = low;
  region->size = high - low;
  region->writable = writable;
  adopted[low] = region;
  return region;
}

void Memory::addHostBlock(void *pointer, uint64_t bytes, uint64_t margin) {
  if (!pointer)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto *region = new Region;
  region->kind = RegionKind::HostBlock;
  region->number = ++hostNumber;
  region->base = reinterpret_cast<uintptr_t>(pointer);
  region->size = bytes;
  region->margin = margin;
  hostBlocks[region->base] = region;
  hostLive += bytes;
  hostPeak = std::max(hostPeak, hostLive);
}

Region *Memory::hostBlock(void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = hostBlocks.find(reinterpret_cast<uintptr_t>(pointer));
  return found == hostBlocks.end() ? nullptr : found->second;
}

void Memory::forgetHostBlock(Region *region) {
  std::lock_guard<std::mutex> lock(mutex);
  hostBlocks.erase(region->base);
  hostLive -= region->size;
  delete region;
}

void Memory::trimHostBlocks() {
  std::lock_guard<std::mutex> lock(mutex);
  while (hostQuarantined > quarantineBytes) {
    // The region stays, since operations and messages refer to it.
    Region *old = hostQuarantine.front();
    hostQuarantine.pop_front();
    hostQuarantined -= old->size;
    hostBlocks.erase(old->base);
    old->shadow.drop();
    old->gone = true;
    std::free(reinterpret_cast<void *>(old->base - old->margin));
  }
}

uint64_t Memory::hostPeakBytes() {
  std::lock_guard<std::mutex> lock(mutex);
  return hostPeak;
}

std::vector<Region *> Memory::leaks() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Region *> result;
  for (Region *region : device)
    if (!region->freedBy)
      result.push_back(region);
  return result;
}

} // namespace transient::sim
