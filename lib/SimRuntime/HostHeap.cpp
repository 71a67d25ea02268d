//===- HostHeap.cpp - The heap of simulated host code ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "HostHeap.h"
#include "Checker.h"
#include "Options.h"
#include "Runtime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace transient::sim {

/// So many releases of blocks that no operation has seen are remembered, since
/// one may come to use them; a program with more is spared the bookkeeping.
static constexpr unsigned rememberedUnseen = 1u << 14;

/// Bytes on either side of a block that belong to no block, so that a kernel that
/// goes too far is seen, and harms nobody.
static size_t marginOf(size_t bytes, size_t alignment) {
  size_t margin = std::min<size_t>(std::max<size_t>(bytes, 512), 1u << 16);
  return (margin + alignment - 1) / alignment * alignment;
}

/// The block inside of `raw`, which has a margin on either side.
static void *noted(void *raw, size_t bytes, size_t margin) {
  if (!raw)
    return nullptr;
  void *pointer = static_cast<char *>(raw) + margin;
  Memory &memory = Memory::get();
  memory.addHostBlock(pointer, bytes, margin);
  if (Region *region = memory.hostBlock(pointer))
    checkAllocation(*region, nullptr);
  return pointer;
}

/// Content that shows in results where the program counts on any.
static void *poisoned(void *pointer, size_t bytes) {
  if (pointer)
    std::memset(pointer, allocatedPoison, bytes);
  return pointer;
}

/// Blocks that the checker is to know; those without bytes need not be.
static bool isTracked(size_t bytes) {
  return options().check && bytes > 0 && bytes < SIZE_MAX / 4;
}

void *hostMalloc(size_t bytes) {
  if (!isTracked(bytes))
    return std::malloc(bytes);
  size_t margin = marginOf(bytes, alignof(std::max_align_t));
  return poisoned(noted(std::malloc(bytes + 2 * margin), bytes, margin), bytes);
}

void *hostCalloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all) || !isTracked(all))
    return std::calloc(count, bytes);
  size_t margin = marginOf(all, alignof(std::max_align_t));
  return noted(std::calloc(1, all + 2 * margin), all, margin);
}

void *hostAlignedAlloc(size_t alignment, size_t bytes) {
  if (!isTracked(bytes) || !alignment || alignment > (1u << 30))
    return std::aligned_alloc(alignment, bytes);
  size_t margin = marginOf(bytes, alignment);
  size_t all = (bytes + 2 * margin + alignment - 1) / alignment * alignment;
  return poisoned(noted(std::aligned_alloc(alignment, all), bytes, margin),
                  bytes);
}

void hostFree(void *pointer) {
  if (!pointer)
    return;
  Region *region = options().check ? Memory::get().hostBlock(pointer) : nullptr;
  if (!region) {
    std::free(pointer);
    return;
  }
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::mutex> lock(runtime.mutex);
  static unsigned unseen = 0; // Guarded by the lock.
  if (!region->shadow.cells && runtime.pendingCount() == 0 &&
      unseen++ >= rememberedUnseen) {
    pointer = static_cast<char *>(pointer) - region->margin;
    Memory::get().forgetHostBlock(region);
    std::free(pointer);
    return;
  }
  Op *op = runtime.create(OpKind::HostFree, nullptr);
  op->region = region;
  runtime.performOnHost(op);
  if (runtime.pendingCount() == 0)
    Memory::get().trimHostBlocks();
}

} // namespace transient::sim
