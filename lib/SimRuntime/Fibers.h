//===- Fibers.h - Work items of a group side by side ------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the items of one work-group as fibers, for kernels with barriers: each
// runs until the next barrier, then the others do. One thread runs one group at
// a time; stacks are kept for the next. On x86-64 a switch is a few
// instructions, elsewhere ucontext's, which asks the kernel each time.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_FIBERS_H
#define TRANSIENT_LIB_SIMRUNTIME_FIBERS_H

#include "WorkItem.h"

#include <ucontext.h>
#include <vector>

namespace transient::sim {

/// Where a suspended flow of control continues.
struct FiberContext {
#ifdef __x86_64__
  void *stackPointer = nullptr;
#else
  ucontext_t context;
#endif
};

/// The fibers of a work-group.
class BarrierGroup {
public:
  BarrierGroup() = default;
  BarrierGroup(const BarrierGroup &) = delete;
  ~BarrierGroup();

  /// Runs all items of the group that `item` describes. Returns false where
  /// some items ended while others waited at a barrier; those go on then.
  bool run(const WorkItem &item, KernelEntry entry, void **params);

  /// Called by a fiber: lets the others reach the barrier.
  void wait(WorkItem *item);

private:
  struct Fiber {
    WorkItem item; ///< first, so that its address is the fiber's
    FiberContext context;
    char *stack = nullptr;
    bool done = false;
  };

  /// Lets `fiber` start at main(fiber) when it is switched to.
  static void prepare(Fiber &fiber);
  [[noreturn]] static void main(Fiber *fiber);

  std::vector<Fiber *> fibers;
  FiberContext scheduler;
  KernelEntry entry = nullptr;
  void **params = nullptr;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_FIBERS_H
