//===- Checker.h - Judges the accesses of operations ------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules: which accesses need an order and have none, which bytes may not be
// read, and how an access changes the state of its bytes. Accesses of one
// operation never conflict with each other. Order is what the clocks of
// operations say, never the order in which they happened to run.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_CHECKER_H
#define TRANSIENT_LIB_SIMRUNTIME_CHECKER_H

#include "Memory.h"
#include "Op.h"
#include "WorkItem.h"

#include "llvm/Support/Compiler.h"

#include <memory>
#include <vector>

namespace transient::sim {

/// Prepares a region's shadow: nothing written (device) or all (host), and
/// `allocation`, where given, as its first access.
void checkAllocation(Region &region, const Op *allocation);

/// How often a loop ran without a check for each access.
uint64_t settledLoopCount();

/// All accesses of one running operation; made anew for each. Used by one
/// thread; several may exist at once.
class LLVM_LIBRARY_VISIBILITY OpAccess {
public:
  /// Takes over the tenants that `op` names.
  explicit OpAccess(const Op &op);

  /// One slot for each of `sites` instrumented instructions.
  AccessSlot *makeSlots(unsigned sites) {
    fastSlots.resize(sites);
    settled.resize(sites);
    return fastSlots.data();
  }

  /// Checks an access of a kernel and returns the address to use for it.
  void *kernelAccess(uintptr_t address, uint64_t bytes, AccessMode mode,
                     uint32_t site);

  /// Answers transientSimLoop.
  bool settleLoop(const LoopSite *sites, uint32_t count, uint64_t *numbers);

  /// Checks an access to a whole range; `visit(storage, bytes)` is called for
  /// each accessible piece in order. Returns false where some was not.
  template <typename Visitor>
  bool range(uintptr_t address, uint64_t bytes, Touch touch, Visitor visit) {
    while (bytes > 0) {
      uint64_t piece = bytes;
      char *storage = resolve(address, piece, touch);
      if (!storage)
        return false;
      visit(storage, piece);
      address += piece;
      bytes -= piece;
    }
    return true;
  }

  /// Checks an access to all of `region`.
  void whole(Region &region, Touch touch);

  /// After a copy: bytes never written at `source` are not at `target` either.
  void propagateUnwritten(uintptr_t target, uintptr_t source, uint64_t bytes);

  /// Workgroup memory of the running group, which is nobody else's.
  void setLocalMemory(char *start, uint64_t bytes) {
    localStart = reinterpret_cast<uintptr_t>(start);
    localBytes = bytes;
  }

private:
  struct Slot {
    uintptr_t base = 1;
    uint64_t size = 0;
    Region *region = nullptr;
    bool marked = false;
  };
  struct Memo {
    uint32_t from = ~0u;
    uint32_t to = 0;
  };

  /// The bytes [start, end) around all addresses of a site in a loop.
  struct Box {
    uintptr_t start = 1, end = 0;
  };
  /// What a site was found to do without anything to report.
  struct Settled {
    std::vector<uint64_t> numbers; ///< as in transientSimLoop
    Box box;
    ptrdiff_t delta = 0;
    uint32_t failures = 0, skip = 0; ///< of loops that start with the site
  };

  bool settleLoop(const LoopSite *sites, uint32_t count, uint64_t *numbers,
                  Settled &first);
  bool settleCells(const LoopSite &site, const uint64_t *numbers, Box box);
  void teach(AccessSlot &fast, const Region &region, uint64_t offset,
             uint64_t bytes);
  char *resolve(uintptr_t address, uint64_t &bytes, Touch touch);
  void *slowAccess(uintptr_t address, uint64_t bytes, AccessMode mode,
                   uint32_t site);
  void *scratch(uint64_t bytes);
  void touch(Region &region, uint64_t offset, uint64_t bytes, Touch touch);
  void refine(Region &region, uint64_t offset, uint64_t bytes);
  uint32_t step(uint32_t state, Region &region, uint64_t offset, Touch touch);
  ShadowState next(const ShadowState &state, Region &region, uint64_t offset,
                   Touch touch);
  void takeOver(const TenantRange &range);
  bool marks(const Region &region) const;
  void overwrite(ShadowState &state, const Region &region) const;
  bool insideViews(const Region &region, uint64_t offset, uint64_t bytes);
  void reportOutside(uintptr_t address, uint64_t bytes, Touch touch);
  void reportConflict(const ShadowState::Entry &earlier, Touch touch,
                      const Region &region, uint64_t offset);
  void reportContent(const ShadowState &state, Touch touch,
                     const Region &region, uint64_t offset);

  static constexpr unsigned slotCount = 16, memoCount = 64, touchKinds = 6;

  const Op &op;
  bool threaded;
  uintptr_t localStart = 0;
  uint64_t localBytes = 0;
  Slot slots[slotCount];
  std::vector<AccessSlot> fastSlots;
  std::vector<Settled> settled;
  Memo memo[touchKinds][memoCount];
  std::unique_ptr<char[]> scratchMemory;
  uint64_t scratchBytes = 0;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_CHECKER_H
