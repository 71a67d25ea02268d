//===- Shadow.h - What happened to each byte --------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shadow memory: for every granule of an allocation the number of an interned
// state, which says who accessed it last, whether it was ever written and whose
// buffer it is. Granules start at up to 64 bytes and shrink when an access
// needs it. Knows the shape of states, not the rules for changing them
// (Checker.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_SHADOW_H
#define TRANSIENT_LIB_SIMRUNTIME_SHADOW_H

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace transient::sim {

struct Op;
struct Region;

/// How an operation treats bytes.
enum class Touch : uint8_t {
  Read,
  Write,
  Atomic,
  Copied, ///< read by a copy that hands on "never written" with the bytes
  Alloc,
  Free
};

/// The last accesses of a granule that order against later ones, and content.
struct ShadowState {
  struct Entry {
    const Op *op;
    Touch touch;
    bool operator==(const Entry &other) const {
      return op == other.op && touch == other.touch;
    }
  };
  std::vector<Entry> entries;
  bool written = false;
  const Region *arena = nullptr; ///< in which `tenant` counts; null: nobody's
  int64_t tenant = -1;
  int64_t previous = -1; ///< who left bytes that were never overwritten, or -1

  bool operator==(const ShadowState &other) const {
    return entries == other.entries && written == other.written &&
           arena == other.arena && tenant == other.tenant &&
           previous == other.previous;
  }
};

/// Interns states, so that equal ones have equal numbers. Not synchronised.
class ShadowStates {
public:
  /// State 0 is that of memory which nobody has touched and which may be read:
  /// what the host's is to begin with.
  ShadowStates();
  uint32_t intern(ShadowState state);
  const ShadowState &operator[](uint32_t number) const {
    return states[number];
  }

private:
  std::deque<ShadowState> states;
  std::unordered_multimap<uint64_t, uint32_t> byHash;
};

/// The states of one region.
struct Shadow {
  uint32_t *cells = nullptr; ///< null until the first access
  uint64_t count = 0;
  unsigned grain = 0;   ///< log2 of the bytes of a granule
  uint32_t initial = 0; ///< state of all granules before the first access

  /// Makes the cells of a region of `bytes`; at most 2^maxGrain bytes each.
  void create(uint64_t bytes, unsigned maxGrain);
  /// Splits granules so that multiples of 2^wanted are boundaries.
  void refine(unsigned wanted);
  void drop();
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_SHADOW_H
