//===- Checker.cpp - Judges the accesses of operations --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. What an access does to a state depends on the operation, the
// kind of access and the state only, so each operation remembers the outcomes
// it has seen and most accesses are one comparison.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Options.h"
#include "Report.h"
#include "Streams.h"

#include "transient/SimRuntime/SimRuntime.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace transient::sim {

namespace {

/// A wrong access of more bytes, all reported, ends the run.
constexpr uint64_t maxScratch = 1ull << 28;

/// Guards the interned states and, where threads run, the making of shadows.
std::mutex &checkMutex = *new std::mutex;
ShadowStates &states = *new ShadowStates;

bool reads(Touch touch) {
  return touch == Touch::Read || touch == Touch::Copied;
}

/// Whether two accesses by unordered operations are a mistake.
bool conflicts(Touch a, Touch b) {
  if (reads(a) && reads(b))
    return false;
  return !(a == Touch::Atomic && b == Touch::Atomic);
}

const char *verb(Touch touch) {
  switch (touch) {
  case Touch::Read:
  case Touch::Copied:
    return "reads";
  case Touch::Write:
    return "writes";
  case Touch::Atomic:
    return "updates atomically";
  case Touch::Alloc:
    return "allocates";
  case Touch::Free:
    return "frees";
  }
  return "accesses";
}

std::string at(const Region &region, uint64_t offset) {
  return region.describe() + ", byte " + std::to_string(offset);
}

/// The edge whose absence lets `first` and `second` overlap.
std::string missingEdge(const Op &first, const Op &second) {
  std::string a = "op #" + std::to_string(first.number);
  std::string b = "op #" + std::to_string(second.number);
  if (second.onHost() && first.stream)
    return "missing order: the host must wait for " + a + " (stream " +
           std::to_string(first.stream->number) + ") before " + b;
  if (first.onHost() || !second.stream)
    return "missing order: " + a + " must come after " + b;
  return "missing order: " + b + " must wait for " + a +
         ", e.g. for an event recorded on stream " +
         std::to_string(first.stream->number) + " after " + a +
         " and awaited on stream " + std::to_string(second.stream->number) +
         " before " + b;
}

std::string line(const Op &op, Touch touch) {
  return op.describe() + " " + verb(touch) +
         (touch == Touch::Free || touch == Touch::Alloc ? " it"
                                                        : " these bytes");
}

} // namespace

void checkAllocation(Region &region, const Op *allocation) {
  std::lock_guard<std::mutex> lock(checkMutex);
  ShadowState state;
  state.written = region.kind != RegionKind::Device;
  if (allocation)
    state.entries.push_back({allocation, Touch::Alloc});
  region.shadow.initial = states.intern(std::move(state));
}

OpAccess::OpAccess(const Op &op) : op(op), threaded(options().threaded()) {
  for (const TenantRange &range : op.tenants)
    takeOver(range);
}

// -- Reports -----------------------------------------------------------------

void OpAccess::reportConflict(const ShadowState::Entry &entry, Touch touch,
                              const Region &region, uint64_t offset) {
  const Op &other = *entry.op;
  Violation violation;
  bool ordered = happensBefore(other, op);
  if (entry.touch == Touch::Free)
    violation.kind = touch == Touch::Free ? "double free"
                     : ordered            ? "use after free"
                                          : "free while in use";
  else if (entry.touch == Touch::Alloc)
    violation.kind = "use before allocation";
  else if (touch == Touch::Free)
    violation.kind = "free while in use";
  else if (reads(entry.touch) || reads(touch))
    violation.kind = "read-write race";
  else
    violation.kind = "write-write race";
  violation.where = at(region, offset);
  bool otherFirst = other.number < op.number;
  const Op &first = otherFirst ? other : op, &second = otherFirst ? op : other;
  violation.first = first.number;
  violation.second = second.number;
  std::string own = line(op, touch), theirs = line(other, entry.touch);
  violation.notes = {otherFirst ? theirs : own, otherFirst ? own : theirs,
                     ordered ? "the order between them is proved; this use "
                               "comes too late"
                             : missingEdge(first, second)};
  report(violation);
}

void OpAccess::reportContent(const ShadowState &state, Touch touch,
                             const Region &region, uint64_t offset) {
  Violation violation;
  violation.where = at(region, offset);
  violation.second = op.number;
  if (state.previous >= 0) {
    violation.kind = "read of another tenant's bytes";
    violation.notes = {line(op, touch) + " as tenant " +
                           std::to_string(state.tenant),
                       "they hold what tenant " +
                           std::to_string(state.previous) + " left; tenant " +
                           std::to_string(state.tenant) + " never wrote them"};
  } else {
    violation.kind = "read of never-written bytes";
    violation.notes = {line(op, touch)};
  }
  report(violation);
}

void OpAccess::reportOutside(uintptr_t address, uint64_t bytes, Touch touch) {
  Violation violation;
  violation.second = op.number;
  char hex[24];
  std::snprintf(hex, sizeof hex, "0x%llx",
                static_cast<unsigned long long>(address));
  violation.notes = {op.describe() + " " + verb(touch) + " " +
                     std::to_string(bytes) + " bytes at " + hex};
  Region *near = Memory::get().nearest(address);
  if (!near) {
    violation.kind = !reads(touch) && Memory::get().find(address, false)
                         ? "write to read-only memory"
                         : "access to unmapped memory";
  } else {
    uint64_t offset = address - near->base;
    violation.where = near->describe();
    if (offset < near->size && near->gone) {
      violation.kind = "use after free";
      violation.first = near->freedBy->number;
      violation.notes.push_back("freed by " + near->freedBy->describe());
    } else {
      violation.kind = "out of bounds";
      violation.notes.push_back("that is offset " +
                                std::to_string(static_cast<int64_t>(offset)) +
                                " of " + std::to_string(near->size) + " bytes");
    }
  }
  report(violation);
}

// -- States ------------------------------------------------------------------

ShadowState OpAccess::next(const ShadowState &state, Region &region,
                           uint64_t offset, Touch touch) {
  ShadowState result = state;
  for (const ShadowState::Entry &entry : state.entries)
    if (entry.op != &op &&
        (!happensBefore(*entry.op, op) || entry.touch == Touch::Free) &&
        conflicts(entry.touch, touch))
      reportConflict(entry, touch, region, offset);
  if ((touch == Touch::Read || touch == Touch::Atomic) && !state.written &&
      !region.freedBy)
    reportContent(state, touch, region, offset);

  auto &entries = result.entries;
  auto covered = [&](const ShadowState::Entry &entry) {
    return entry.op == &op || happensBefore(*entry.op, op);
  };
  // An entry may go once whatever conflicts with it and is unordered with it
  // also conflicts with a later entry that it is unordered with.
  bool isCovered = false;
  for (const ShadowState::Entry &entry : entries)
    isCovered |= entry.op == &op &&
                 (entry.touch == touch || entry.touch == Touch::Write ||
                  entry.touch == Touch::Free);
  if (touch == Touch::Write || touch == Touch::Free) {
    bool freed = false;
    for (const ShadowState::Entry &entry : entries)
      freed |= entry.touch == Touch::Free;
    if (freed) // Later uses are all too late, whoever else wrote.
      return result;
    entries = {{&op, touch}};
    overwrite(result, region);
  } else if (!isCovered) {
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const ShadowState::Entry &entry) {
                                   bool same = reads(touch)
                                                   ? reads(entry.touch)
                                                   : entry.touch == touch;
                                   return same && covered(entry);
                                 }),
                  entries.end());
    entries.push_back({&op, touch});
    if (touch == Touch::Atomic)
      overwrite(result, region);
  }
  return result;
}

uint32_t OpAccess::step(uint32_t state, Region &region, uint64_t offset,
                        Touch touch) {
  Memo &known = memo[static_cast<unsigned>(touch)][state % memoCount];
  if (known.from == state)
    return known.to;
  std::lock_guard<std::mutex> lock(checkMutex);
  ShadowState old = states[state];
  known.from = state;
  known.to = states.intern(next(old, region, offset, touch));
  return known.to;
}

void OpAccess::refine(Region &region, uint64_t offset, uint64_t bytes) {
  Shadow &shadow = region.shadow;
  if (!__atomic_load_n(&shadow.cells, __ATOMIC_ACQUIRE)) {
    std::lock_guard<std::mutex> lock(checkMutex);
    if (!shadow.cells)
      shadow.create(region.size, threaded ? 0 : 6);
  }
  uint64_t bits = offset | bytes;
  if (!(bits & ((1ull << shadow.grain) - 1)))
    return;
  shadow.refine(static_cast<unsigned>(__builtin_ctzll(bits)));
  for (AccessSlot &fast : fastSlots)
    if (fast.region == &region)
      fast = AccessSlot();
}

void OpAccess::touch(Region &region, uint64_t offset, uint64_t bytes,
                     Touch touch) {
  if (!bytes)
    return;
  refine(region, offset, bytes);
  Shadow &shadow = region.shadow;
  uint64_t last = (offset + bytes) >> shadow.grain;
  for (uint64_t i = offset >> shadow.grain; i < last; ++i) {
    uint32_t old = __atomic_load_n(&shadow.cells[i], __ATOMIC_RELAXED);
    for (;;) {
      uint32_t fresh = step(old, region, i << shadow.grain, touch);
      if (fresh == old)
        break;
      if (!threaded) {
        shadow.cells[i] = fresh;
        break;
      }
      if (__atomic_compare_exchange_n(&shadow.cells[i], &old, fresh, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        break;
    }
  }
}

void OpAccess::whole(Region &region, Touch kind) {
  touch(region, 0, region.size, kind);
}

// -- Tenants -----------------------------------------------------------------

bool OpAccess::marks(const Region &region) const {
  return std::any_of(
      op.tenants.begin(), op.tenants.end(),
      [&](const TenantRange &range) { return range.region == &region; });
}

/// Bytes that an operation writes without saying as whom are nobody's.
void OpAccess::overwrite(ShadowState &state, const Region &region) const {
  state.written = true;
  state.previous = -1;
  if (!state.arena || marks(region))
    return;
  state.arena = nullptr;
  state.tenant = -1;
}

bool OpAccess::insideViews(const Region &region, uint64_t offset,
                           uint64_t bytes) {
  bool marked = false;
  for (const TenantRange &range : op.tenants) {
    if (range.region != &region)
      continue;
    marked = true;
    if (offset >= range.offset && offset + bytes <= range.offset + range.bytes)
      return true;
  }
  return !marked;
}

void OpAccess::takeOver(const TenantRange &range) {
  Region &region = *range.region;
  if (!range.bytes || region.gone)
    return;
  refine(region, range.offset, range.bytes);
  Shadow &shadow = region.shadow;
  uint64_t grainBytes = 1ull << shadow.grain;
  std::lock_guard<std::mutex> lock(checkMutex);
  uint32_t from = ~0u, to = 0;
  bool poison = false;
  for (uint64_t offset = range.offset; offset < range.offset + range.bytes;
       offset += grainBytes) {
    uint32_t &cell = shadow.cells[offset >> shadow.grain];
    if (cell != from) {
      from = cell;
      ShadowState state = states[cell];
      poison = state.arena && state.tenant != range.tenant;
      if (poison) {
        for (const ShadowState::Entry &entry : state.entries)
          if (entry.op != &op && !happensBefore(*entry.op, op))
            reportConflict(entry, Touch::Write, region, offset);
        // What host code wrote into shared memory is not seen, so there
        // "never written" cannot be claimed.
        if (region.kind == RegionKind::Device) {
          state.previous = state.tenant;
          state.written = false;
        } else {
          poison = false;
        }
      }
      state.arena = &region;
      state.tenant = range.tenant;
      to = states.intern(std::move(state));
    }
    if (poison)
      std::memset(region.storage(offset), allocatedPoison, grainBytes);
    cell = to;
  }
}

void OpAccess::propagateUnwritten(uintptr_t target, uintptr_t source,
                                  uint64_t bytes) {
  Memory &memory = Memory::get();
  Region *from = memory.find(source, false), *to = memory.find(target, true);
  if (!from || !to || from->kind != RegionKind::Device ||
      to->kind != RegionKind::Device || from->gone || to->gone)
    return;
  uint64_t fromOffset = source - from->base, toOffset = target - to->base;
  if (fromOffset + bytes > from->size || toOffset + bytes > to->size)
    return;
  std::lock_guard<std::mutex> lock(checkMutex);
  Shadow &a = from->shadow, &b = to->shadow;
  bool all = true;
  uint32_t seen = ~0u;
  for (uint64_t i = fromOffset >> a.grain,
                end = (fromOffset + bytes) >> a.grain;
       all && i < end; ++i)
    if (a.cells[i] != seen) {
      seen = a.cells[i];
      all = states[seen].written;
    }
  if (all)
    return;
  unsigned grain = std::min(a.grain, b.grain);
  uint64_t skew = (fromOffset ^ toOffset) | (1ull << grain);
  a.refine(std::min<unsigned>(grain, __builtin_ctzll(skew)));
  b.refine(a.grain);
  for (uint64_t at = 0; at < bytes; at += 1ull << a.grain) {
    if (states[a.cells[(fromOffset + at) >> a.grain]].written)
      continue;
    // On threads another operation may change the cell in between, but that
    // one races with this copy and is reported for it.
    uint32_t *cell = &b.cells[(toOffset + at) >> b.grain];
    ShadowState state = states[__atomic_load_n(cell, __ATOMIC_RELAXED)];
    state.written = false;
    __atomic_store_n(cell, states.intern(std::move(state)), __ATOMIC_RELAXED);
  }
}

// -- Addresses ---------------------------------------------------------------

void *OpAccess::scratch(uint64_t bytes) {
  if (bytes > maxScratch) // A copy of a nonsensical length.
    leave(TRANSIENT_SIM_VIOLATION);
  if (scratchBytes < bytes) {
    scratchMemory = std::make_unique<char[]>(bytes);
    scratchBytes = bytes;
  }
  return scratchMemory.get();
}

char *OpAccess::resolve(uintptr_t address, uint64_t &bytes, Touch kind) {
  Region *region = Memory::get().find(address, !reads(kind));
  if (!region || region->gone) {
    reportOutside(address, bytes, kind);
    return nullptr;
  }
  uint64_t offset = address - region->base;
  if (bytes > region->size - offset) {
    // Adopted memory of the host adjoins; allocations do not.
    if (region->kind != RegionKind::HostOther)
      reportOutside(address, bytes, kind);
    bytes = region->size - offset;
  }
  if (!op.tenants.empty() && !insideViews(*region, offset, bytes))
    reportOutside(address, bytes, kind);
  touch(*region, offset, bytes, kind);
  return region->storage(offset);
}

void *OpAccess::slowAccess(uintptr_t address, uint64_t bytes, AccessMode mode,
                           uint32_t site) {
  if (!bytes || (address - localStart < localBytes &&
                 bytes <= localBytes - (address - localStart)))
    return reinterpret_cast<void *>(address);
  auto kind = static_cast<Touch>(mode);
  Memory &memory = Memory::get();
  Region *region = memory.find(address, !reads(kind));
  if (!region || region->gone ||
      (region->kind != RegionKind::HostOther &&
       bytes > region->size - (address - region->base))) {
    reportOutside(address, bytes, kind);
    // A loop that waits for an atomic in scratch memory would never end.
    if (mode == AccessMode::Atomic)
      leave(TRANSIENT_SIM_VIOLATION);
    return scratch(bytes);
  }
  Slot &slot = slots[site % slotCount];
  std::tie(slot.base, slot.size) = memory.extent(*region, address);
  if (bytes > slot.size - (address - slot.base)) {
    slot.size = 0; // Across the edge of adopted memory.
    return range(address, bytes, kind, [](char *, uint64_t) {})
               ? reinterpret_cast<void *>(address)
               : scratch(bytes);
  }
  slot.region = region;
  slot.marked = marks(*region);
  return kernelAccess(address, bytes, mode, site);
}

/// Lets `fast` answer for the range around `offset` in which accesses of
/// `bytes` are one granule each: the view that was marked, or all there is.
void OpAccess::teach(AccessSlot &fast, const Region &region, uint64_t offset,
                     uint64_t bytes) {
  fast = AccessSlot();
  uint64_t start = 0, size = region.size;
  if (region.kind == RegionKind::HostOther) {
    if (threaded)
      return; // Blocks of the heap may come and go inside.
    auto [base, bytes] = Memory::get().extent(region, region.base + offset);
    start = base - region.base, size = bytes;
  } else if (marks(region)) {
    for (const TenantRange &range : op.tenants)
      if (range.region == &region && offset >= range.offset &&
          offset + bytes <= range.offset + range.bytes)
        start = range.offset, size = range.bytes;
  }
  const Shadow &shadow = region.shadow;
  uint64_t mask = (1ull << shadow.grain) - 1;
  if (bytes != mask + 1 || ((start | size) & mask))
    return;
  fast.region = &region;
  fast.base = region.base + start;
  fast.size = size;
  fast.cells = shadow.cells + (start >> shadow.grain);
  fast.delta = region.delta;
  fast.grain = shadow.grain;
}

void *OpAccess::kernelAccess(uintptr_t address, uint64_t bytes, AccessMode mode,
                             uint32_t site) {
  const Slot &slot = slots[site % slotCount];
  uint64_t offset = address - slot.base;
  if (offset >= slot.size || bytes > slot.size - offset || !bytes ||
      (mode != AccessMode::Read && !slot.region->writable))
    return slowAccess(address, bytes, mode, site);
  Region &region = *slot.region;
  offset = address - region.base;
  Shadow &shadow = region.shadow;
  auto kind = static_cast<Touch>(mode);
  if (slot.marked && !insideViews(region, offset, bytes)) {
    reportOutside(address, bytes, kind);
    touch(region, offset, bytes, kind);
    return region.storage(offset);
  }
  // The common case: one granule whose state this operation has met.
  if (bytes == 1ull << shadow.grain && !(offset & (bytes - 1)) &&
      shadow.cells) {
    uint32_t &cell = shadow.cells[offset >> shadow.grain];
    uint32_t old = cell;
    const Memo &known = memo[static_cast<unsigned>(kind)][old % memoCount];
    if (known.from == old && (known.to == old || !threaded)) {
      AccessSlot &fast = fastSlots[site];
      if (fast.region != &region || address - fast.base >= fast.size)
        teach(fast, region, offset, bytes);
      if (known.to == old) {
        fast.stable = old;
      } else {
        fast.from = old;
        fast.to = known.to;
        cell = known.to;
      }
      return region.storage(offset);
    }
  }
  touch(region, offset, bytes, kind);
  return region.storage(offset);
}

extern "C" void *transientSimAccess(WorkItem *item, void *address,
                                    uint64_t bytes, uint32_t mode,
                                    uint32_t site) {
  return item->access->kernelAccess(reinterpret_cast<uintptr_t>(address), bytes,
                                    static_cast<AccessMode>(mode), site);
}

} // namespace transient::sim
