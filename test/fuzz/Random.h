//===- Random.h - Random numbers that are the same everywhere --*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). The distributions of
// <random> differ between libraries, so a seed would not name a program.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_RANDOM_H
#define TRANSIENT_TEST_FUZZ_RANDOM_H

#include <cstdint>
#include <iterator>

namespace transient::fuzz {

/// Mixes `value` into one of 2^64 others; a bijection.
inline uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// The hash of a sequence so far and one more value.
inline uint64_t combine(uint64_t hash, uint64_t value) {
  return mix(hash * 0x9e3779b97f4a7c15ULL + mix(value + 0x632be59bd9b4e019ULL));
}

class Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed + 1)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15ULL); }
  /// In [0, count); `count` is not 0.
  unsigned below(unsigned count) {
    return static_cast<unsigned>((next() >> 32) * count >> 32);
  }
  /// In [low, high].
  unsigned between(unsigned low, unsigned high) {
    return low + below(high - low + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename Container>
  auto &pick(Container &from) {
    return from[below(static_cast<unsigned>(std::size(from)))];
  }

private:
  uint64_t state;
};

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_RANDOM_H
