//===- HeapMeter.cpp - How much memory planning takes ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the global `new` and `delete` by `malloc` and `free` with a count.
// The array, nothrow and sized forms end here too; over-aligned ones, which
// nothing here uses, are not counted.
//
//===----------------------------------------------------------------------===//

#include "HeapMeter.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

// One thread plans; the atomics only keep others from tearing a number.
static std::atomic<std::uint64_t> inUse{0}, most{0};

namespace transient::planner {

std::uint64_t heapBytes() { return inUse.load(std::memory_order_relaxed); }
std::uint64_t heapPeak() { return most.load(std::memory_order_relaxed); }
void restartHeapPeak() { most.store(heapBytes(), std::memory_order_relaxed); }

} // namespace transient::planner

void *operator new(std::size_t size) {
  void *pointer = std::malloc(std::max<std::size_t>(size, 1));
  if (!pointer)
    throw std::bad_alloc();
  const std::uint64_t bytes = malloc_usable_size(pointer);
  const std::uint64_t now =
      inUse.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now > most.load(std::memory_order_relaxed))
    most.store(now, std::memory_order_relaxed);
  return pointer;
}

// The sanitizers' own would not go with the delete below.
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void operator delete(void *pointer) noexcept {
  if (!pointer)
    return;
  inUse.fetch_sub(malloc_usable_size(pointer), std::memory_order_relaxed);
  std::free(pointer);
}

void operator delete(void *pointer, std::size_t) noexcept {
  operator delete(pointer);
}
