//===- Fibers.cpp - Work items of a group side by side --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Fibers.h"
#include "Report.h"

#include <sys/mman.h>

namespace transient::sim {

static constexpr size_t stackBytes = 256 * 1024;

BarrierGroup::~BarrierGroup() {
  for (Fiber *fiber : fibers) {
    munmap(fiber->stack, stackBytes);
    delete fiber;
  }
}

void BarrierGroup::start(unsigned high, unsigned low) {
  auto *fiber = reinterpret_cast<Fiber *>((uint64_t(high) << 32) | low);
  BarrierGroup *group = fiber->item.fibers;
  group->entry(&fiber->item, group->params);
  fiber->done = true;
  // uc_link returns to the scheduler.
}

bool BarrierGroup::run(const WorkItem &item, KernelEntry kernel,
                       void **arguments) {
  entry = kernel;
  params = arguments;
  size_t count = item.size[0] * item.size[1] * item.size[2];
  while (fibers.size() < count) {
    auto *fiber = new Fiber;
    void *stack = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      fatal("no memory for " + std::to_string(count) + " work items at once");
    fiber->stack = static_cast<char *>(stack);
    fibers.push_back(fiber);
  }
  for (size_t i = 0; i < count; ++i) {
    Fiber &fiber = *fibers[i];
    fiber.item = item;
    fiber.item.fibers = this;
    fiber.item.local[0] = i % item.size[0];
    fiber.item.local[1] = i / item.size[0] % item.size[1];
    fiber.item.local[2] = i / item.size[0] / item.size[1];
    fiber.done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = &scheduler;
    auto bits = reinterpret_cast<uint64_t>(&fiber);
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&start), 2,
                static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
  }
  // Each round takes every unfinished item to its next barrier or its end.
  bool uniform = true;
  for (size_t left = count; left > 0;) {
    size_t ended = 0;
    for (size_t i = 0; i < count; ++i) {
      if (fibers[i]->done)
        continue;
      swapcontext(&scheduler, &fibers[i]->context);
      ended += fibers[i]->done;
    }
    uniform &= ended == 0 || ended == left;
    left -= ended;
  }
  return uniform;
}

void BarrierGroup::wait(WorkItem *item) {
  // The item is the first member of its fiber.
  auto *fiber = reinterpret_cast<Fiber *>(item);
  swapcontext(&fiber->context, &scheduler);
}

extern "C" void transientSimBarrier(WorkItem *item) {
  item->fibers->wait(item);
}

} // namespace transient::sim
