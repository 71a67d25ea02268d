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

#include <cstdlib>
#include <string>
#include <sys/mman.h>

namespace transient::sim {

static constexpr size_t stackBytes = 256 * 1024;

#ifdef __x86_64__
// Saves what a call must preserve, exchanges stacks, restores. The floating
// point control words are the same everywhere here.
extern "C" void transientSimSwitch(void **save, void *load);
asm(R"(
.text
.type transientSimSwitch, @function
.hidden transientSimSwitch
transientSimSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.type transientSimStart, @function
.hidden transientSimStart
transientSimStart:
  movq %rbx, %rdi
  xorl %ebp, %ebp
  callq *%r12
  ud2
)");
extern "C" void transientSimStart();

static void switchTo(FiberContext &from, FiberContext &to) {
  transientSimSwitch(&from.stackPointer, to.stackPointer);
}
#else
static void switchTo(FiberContext &from, FiberContext &to) {
  swapcontext(&from.context, &to.context);
}
#endif

BarrierGroup::~BarrierGroup() {
  for (Fiber *fiber : fibers) {
    munmap(fiber->stack, stackBytes);
    delete fiber;
  }
}

void BarrierGroup::main(Fiber *fiber) {
  BarrierGroup *group = fiber->item.fibers;
  group->entry(&fiber->item, group->params);
  fiber->done = true;
  switchTo(fiber->context, group->scheduler);
  std::abort(); // A finished fiber is never switched to.
}

void BarrierGroup::prepare(Fiber &fiber) {
#ifdef __x86_64__
  // What transientSimSwitch pops: r15 r14 r13 r12 rbx rbp, return address. The
  // stack is 16-byte aligned once that has happened.
  auto **top = reinterpret_cast<void **>(fiber.stack + stackBytes) - 2;
  *--top = reinterpret_cast<void *>(&transientSimStart);
  *--top = nullptr;
  *--top = &fiber;
  *--top = reinterpret_cast<void *>(&BarrierGroup::main);
  top -= 3;
  fiber.context.stackPointer = top;
#else
  getcontext(&fiber.context.context);
  fiber.context.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.context.uc_stack.ss_size = stackBytes;
  auto start = [](unsigned high, unsigned low) {
    main(reinterpret_cast<Fiber *>((uint64_t(high) << 32) | low));
  };
  void (*plain)(unsigned, unsigned) = start;
  auto bits = reinterpret_cast<uint64_t>(&fiber);
  makecontext(&fiber.context.context, reinterpret_cast<void (*)()>(plain), 2,
              static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
#endif
}

bool BarrierGroup::run(const WorkItem &item, KernelEntry kernel,
                       void **arguments) {
  entry = kernel;
  params = arguments;
  size_t count = item.size[0] * item.size[1] * item.size[2];
  while (fibers.size() < count) {
    void *stack = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      fatal("no memory for " + std::to_string(count) +
            " work items side by side");
    fibers.push_back(new Fiber);
    fibers.back()->stack = static_cast<char *>(stack);
  }
  for (size_t i = 0; i < count; ++i) {
    Fiber &fiber = *fibers[i];
    fiber.item = item;
    fiber.item.fibers = this;
    fiber.item.local[0] = i % item.size[0];
    fiber.item.local[1] = i / item.size[0] % item.size[1];
    fiber.item.local[2] = i / item.size[0] / item.size[1];
    fiber.done = false;
    prepare(fiber);
  }
  // Each round takes every unfinished item to its next barrier or its end.
  bool uniform = true;
  for (size_t left = count; left > 0;) {
    size_t ended = 0;
    for (size_t i = 0; i < count; ++i) {
      if (fibers[i]->done)
        continue;
      switchTo(scheduler, fibers[i]->context);
      ended += fibers[i]->done;
    }
    uniform &= ended == 0 || ended == left;
    left -= ended;
  }
  return uniform;
}

void BarrierGroup::wait(WorkItem *item) {
  auto *fiber = reinterpret_cast<Fiber *>(item);
  switchTo(fiber->context, scheduler);
}

extern "C" void transientSimBarrier(WorkItem *item) {
  item->fibers->wait(item);
}

} // namespace transient::sim
