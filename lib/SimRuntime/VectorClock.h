//===- VectorClock.h - What completes before what starts --------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks over a chain decomposition made on the fly: an operation
// extends the chain of a predecessor, else any chain that is wholly before it,
// else a new one. So the clocks are as wide as the program is concurrent,
// however many streams it creates. Knows nothing of streams or memory.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_VECTORCLOCK_H
#define TRANSIENT_LIB_SIMRUNTIME_VECTORCLOCK_H

#include <cstdint>
#include <memory>
#include <vector>

namespace transient::sim {

/// Entry c: how many operations of chain c complete before this one starts,
/// itself included.
using Clock = std::vector<uint32_t>;
using ClockRef = std::shared_ptr<const Clock>;

/// Place of an operation: the pos-th (from 1) of its chain.
struct Stamp {
  uint32_t chain = 0;
  uint32_t pos = 0;
};

/// Whether the operation at `a` completes before the one with clock `b` starts,
/// or is that one. O(1).
inline bool happensBefore(Stamp a, const Clock &b) {
  return a.chain < b.size() && b[a.chain] >= a.pos;
}

/// Hands out stamps and clocks. Not synchronised.
class ChainClocks {
public:
  struct Point {
    Stamp stamp;
    ClockRef clock;
  };

  /// The point of a new operation after all of `predecessors`. O(width).
  Point extend(const std::vector<Point> &predecessors);

  /// How many chains there are: an upper bound of the concurrency seen.
  uint32_t width() const { return static_cast<uint32_t>(lengths.size()); }

private:
  Clock lengths;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_VECTORCLOCK_H
