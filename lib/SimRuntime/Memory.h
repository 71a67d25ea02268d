//===- Memory.h - Allocations and who owns an address -----------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every range of bytes that operations may touch. Device memory is never
// reused, so that a stale address is always recognised; and unless host_shared,
// its addresses are not accessible: kernels are led to the storage, host code
// faults. Knows nothing of order.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_MEMORY_H
#define TRANSIENT_LIB_SIMRUNTIME_MEMORY_H

#include "Shadow.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace transient::sim {

struct Op;

constexpr unsigned char allocatedPoison = 0xA5;
constexpr unsigned char freedPoison = 0xDD;

enum class RegionKind {
  Device,    ///< gpu.alloc
  Shared,    ///< gpu.alloc host_shared
  HostBlock, ///< memref.alloc in host code
  HostOther  ///< any other host memory: a stack, a global, a foreign heap
};

struct Region {
  RegionKind kind = RegionKind::Device;
  uint64_t number = 0;
  uintptr_t base = 0;
  uint64_t size = 0;
  ptrdiff_t delta = 0; ///< from an address to its storage
  uint64_t margin = 0;  ///< bytes on either side that are nobody's
  bool writable = true;
  Op *freedBy = nullptr;
  std::atomic<bool> gone{false}; ///< freed so long ago that it has no storage
  Shadow shadow;

  bool isHost() const {
    return kind == RegionKind::HostBlock || kind == RegionKind::HostOther;
  }
  char *storage(uint64_t offset) const {
    return reinterpret_cast<char *>(base + offset + delta);
  }
  /// "device allocation #2 (64 bytes at 0x...)"
  std::string describe() const;
};

/// All regions. Thread-safe.
class Memory {
public:
  static Memory &get();

  /// Poisoned memory for the device; null where there is no room.
  Region *allocate(uint64_t bytes, bool hostShared);

  /// Poisons `region` and keeps it out of use.
  void release(Region &region, Op *by);

  /// The region that holds `address`, freed ones included; host memory that is
  /// seen for the first time is adopted where it is mapped. Null otherwise.
  Region *find(uintptr_t address, bool forWriting);

  /// The bytes around `address` in `region` that are no other region's: all of
  /// it, save where blocks of the heap lie in adopted memory.
  std::pair<uintptr_t, uint64_t> extent(const Region &region,
                                        uintptr_t address);

  /// The device region nearest below `address`, or the host's block in whose
  /// margin it is, for messages.
  Region *nearest(uintptr_t address);

  /// Whether `address` can only belong to the device.
  bool isDeviceAddress(uintptr_t address) const {
    return address - reserve < 2 * half;
  }

  /// Whether `address` may be in shared memory that was released.
  bool mayBeReleased(uintptr_t address) const {
    return sharedReleased.load(std::memory_order_relaxed) &&
           isDeviceAddress(address);
  }

  // -- The host's heap --------------------------------------------------------

  /// Makes a new block known, with `margin` bytes on either side that are no
  /// block's.
  void addHostBlock(void *pointer, uint64_t bytes, uint64_t margin);
  /// The known block that starts at `pointer`, or null.
  Region *hostBlock(void *pointer);
  /// Forgets a block nobody on the device has seen.
  void forgetHostBlock(Region *region);
  /// Gives long released blocks back to the C library. No operation may run.
  void trimHostBlocks();
  /// The most bytes that the host's heap held at once.
  uint64_t hostPeakBytes();

  /// Regions of the device that were never released.
  std::vector<Region *> leaks();

private:
  Memory();
  Region *findBlock(uintptr_t address);
  Region *adopt(uintptr_t address, bool forWriting);

  std::mutex mutex;
  uintptr_t reserve = 0;
  uint64_t half = 0, used = 0;
  std::atomic<bool> sharedReleased{false};
  std::vector<Region *> device; ///< by offset in their half
  std::map<uintptr_t, Region *> hostBlocks, adopted;
  std::deque<Region *> quarantine;
  uint64_t quarantined = 0;
  std::deque<Region *> hostQuarantine;
  uint64_t hostQuarantined = 0, hostLive = 0, hostPeak = 0, hostNumber = 0;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_MEMORY_H
