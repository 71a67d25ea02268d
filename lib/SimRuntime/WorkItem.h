//===- WorkItem.h - What a running kernel sees ------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structure through which compiled kernels reach their ids, their workgroup
// memory and the checker. Instrument.cpp reads fields by index: keep fieldsOf
// in step with the order here.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_WORKITEM_H
#define TRANSIENT_LIB_SIMRUNTIME_WORKITEM_H

#include <cstddef>
#include <cstdint>

namespace transient::sim {

struct Op;
struct Region;
class OpAccess;
class BarrierGroup;

/// Bytes of workgroup memory that one attribution may use. The size of an
/// attribution does not survive the stock lowering, so each gets this much.
constexpr size_t localBytesPerArgument = 64 * 1024;

/// What instrumented code knows about the accesses of one instruction, so that
/// it need not ask the checker again: addresses in [base, base + size) have
/// their storage `delta` further and their granules in `cells`. A granule in
/// state `stable` stays in it, one in state `from` goes to `to`; any other is the
/// checker's. Written by the checker only.
struct AccessSlot {
  uintptr_t base = 0;
  uint64_t size = 0; ///< a multiple of the granule; 0: always ask
  uint32_t *cells = nullptr;
  ptrdiff_t delta = 0;
  uint64_t grain = 0;
  uint32_t stable = ~0u, from = ~0u, to = ~0u, unused = 0;
  const Region *region = nullptr;
};

struct WorkItem {
  uint64_t group[3];    ///< index of the work-group
  uint64_t local[3];    ///< index within it
  uint64_t groups[3];   ///< number of work-groups
  uint64_t size[3];     ///< items of a work-group
  char *localMemory;    ///< of the work-group
  OpAccess *access;     ///< the checker's view of the operation, or null
  BarrierGroup *fibers; ///< null in kernels without barriers
  uint64_t stepLimit;   ///< rounds of loops that may never end, for an item
  const Op *op;         ///< for messages
  AccessSlot *slots;    ///< one for each instrumented instruction, or null
};

/// A compiled kernel. Without barriers it runs all items of the work-group
/// `item->group`, otherwise only the item `item->local`.
using KernelEntry = void (*)(WorkItem *item, void **params);

/// How a kernel touches memory; also the last argument of the access hook.
enum class AccessMode : uint32_t { Read = 0, Write = 1, Atomic = 2 };

/// Called by instrumented kernels before each access: checks it and returns the
/// address to use instead, which is always accessible.
extern "C" void *transientSimAccess(WorkItem *item, void *address,
                                    uint64_t bytes, uint32_t mode,
                                    uint32_t site);

/// Called by kernels when a work item has used up its `stepLimit`.
extern "C" void transientSimStuck(WorkItem *item);

/// Called by kernels at each barrier.
extern "C" void transientSimBarrier(WorkItem *item);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_WORKITEM_H
