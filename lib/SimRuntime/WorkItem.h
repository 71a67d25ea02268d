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

/// An access in a loop, as far as it is the same each time the loop starts.
struct LoopSite {
  uint64_t bytes;
  AccessMode mode;
  uint32_t site;
  uint32_t group;  ///< accesses of one group have equal addresses
  uint32_t always; ///< 1: happens in every round
  uint32_t dims;   ///< loops that move the address
  uint32_t unused;
};

constexpr uint32_t maxLoopSites = 16;

/// Loops with fewer rounds are not worth the question below.
constexpr uint64_t minLoopRounds = 16;

/// Called before a loop with `count` accesses, 1 to maxLoopSites, in the order of their first
/// execution. `numbers` has for each: its first address, then for each of its
/// `dims` the step of the address in bytes and the number of rounds. Returns 1
/// if none of the accesses needs the checker and accesses of two groups, one of
/// which writes, touch no common byte; then each address in `numbers` has become
/// the distance from addresses to their storage. Otherwise 0, having changed no
/// state that the loop itself would not change.
extern "C" uint32_t transientSimLoop(WorkItem *item, const LoopSite *sites,
                                     uint32_t count, uint64_t *numbers);

/// Called by kernels when a work item has used up its `stepLimit`.
extern "C" void transientSimStuck(WorkItem *item);

/// Called by kernels at each barrier.
extern "C" void transientSimBarrier(WorkItem *item);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_WORKITEM_H
