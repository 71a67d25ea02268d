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

/// All blocks are aligned like this, so that `utils/sim-run.py` may drop an
/// `alignment` up to it: the stock lowering makes the block larger for one, by
/// bytes that are beyond the memref and yet in the block.
static constexpr size_t hostAlignment = 64;

/// Bytes on either side of a block that belong to no block, so that a kernel
/// that goes too far is seen, and harms nobody.
static size_t marginOf(size_t bytes, size_t alignment) {
  size_t margin = std::min<size_t>(std::max<size_t>(bytes, 512), 1u << 16);
  return (margin + alignment - 1) / alignment * alignment;
}

/// The block inside of `space`, which has a margin on either side.
static void *noted(void *space, size_t bytes, size_t margin) {
  if (!space)
    return nullptr;
  void *pointer = static_cast<char *>(space) + margin;
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

/// Whether the checker is to know the block; others are the C library's. One
/// without bytes is known too: it has none to touch.
static bool isTracked(size_t bytes) {
  return options().check && bytes < SIZE_MAX / 4;
}

/// A block of the C library, aligned as all are; it has a byte more than asked
/// for where that is none.
static void *raw(size_t alignment, size_t bytes) {
  alignment = std::max(alignment, hostAlignment);
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  bytes = std::max<size_t>(bytes, 1);
  return std::aligned_alloc(alignment,
                            (bytes + alignment - 1) / alignment * alignment);
}

static void *trackedAlloc(size_t alignment, size_t bytes) {
  size_t margin = marginOf(bytes, std::max(alignment, hostAlignment));
  return noted(raw(alignment, bytes + 2 * margin), bytes, margin);
}

void *hostMalloc(size_t bytes) {
  if (!isTracked(bytes))
    return raw(hostAlignment, bytes);
  return poisoned(trackedAlloc(hostAlignment, bytes), bytes);
}

void *hostCalloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all))
    return nullptr;
  void *pointer = isTracked(all) ? trackedAlloc(hostAlignment, all)
                                 : raw(hostAlignment, all);
  if (pointer)
    std::memset(pointer, 0, all);
  return pointer;
}

void *hostAlignedAlloc(size_t alignment, size_t bytes) {
  bool isPower = alignment && !(alignment & (alignment - 1));
  if (!isPower || !isTracked(bytes) || alignment > (1u << 30))
    return std::aligned_alloc(alignment, bytes);
  return poisoned(trackedAlloc(alignment, bytes), bytes);
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
