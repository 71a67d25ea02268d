//===- Schedule.h - Which ready operation runs next -------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The policies behind TRANSIENT_SIM for a single thread. Every choice is legal:
// it is made among operations whose predecessors are done. Deterministic for a
// given seed.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_SCHEDULE_H
#define TRANSIENT_LIB_SIMRUNTIME_SCHEDULE_H

#include "Op.h"
#include "Options.h"

#include <random>
#include <vector>

namespace transient::sim {

class Schedule {
public:
  explicit Schedule(const Options &options)
      : kind(options.schedule), random(options.seed) {}

  /// Position in `ready`, which is in the order of enqueueing and not empty, of
  /// the operation to run while the host waits for `target` (null: for all).
  size_t pick(const std::vector<Op *> &ready, const Op *target);

  /// Whether to run something although the host does not wait.
  bool eager();

private:
  ScheduleKind kind;
  std::mt19937_64 random;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_SCHEDULE_H
