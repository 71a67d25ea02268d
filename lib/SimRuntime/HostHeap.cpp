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

#include <cstdlib>
#include <cstring>

namespace transient::sim {

/// So many releases of blocks that no operation has seen are remembered, since
/// one may come to use them; a program with more is spared the bookkeeping.
static constexpr unsigned rememberedUnseen = 1u << 14;

static void *noted(void *pointer, size_t bytes) {
  if (!options().check)
    return pointer;
  Memory &memory = Memory::get();
  memory.addHostBlock(pointer, bytes);
  if (Region *region = memory.hostBlock(pointer))
    checkAllocation(*region, nullptr);
  return pointer;
}

/// Content that shows in results where the program counts on any.
static void *poisoned(void *pointer, size_t bytes) {
  if (pointer && options().check)
    std::memset(pointer, allocatedPoison, bytes);
  return noted(pointer, bytes);
}

void *hostMalloc(size_t bytes) { return poisoned(std::malloc(bytes), bytes); }

void *hostCalloc(size_t count, size_t bytes) {
  return noted(std::calloc(count, bytes), count * bytes);
}

void *hostAlignedAlloc(size_t alignment, size_t bytes) {
  return poisoned(std::aligned_alloc(alignment, bytes), bytes);
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
