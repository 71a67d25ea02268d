//===- Options.h - What the environment asks for ----------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The TRANSIENT_SIM* variables, parsed once at the first use. A malformed value
// ends the process with a message that says what was expected.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_OPTIONS_H
#define TRANSIENT_LIB_SIMRUNTIME_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace transient::sim {

enum class ScheduleKind { Fifo, Lifo, Random, Adversarial, Threads };

struct Options {
  ScheduleKind schedule = ScheduleKind::Fifo;
  uint64_t seed = 0;     ///< of the random schedule
  bool check = true;     ///< TRANSIENT_SIM_CHECK
  bool stats = false;    ///< TRANSIENT_SIM_STATS
  std::string traceFile; ///< TRANSIENT_SIM_TRACE, empty: no trace
  uint64_t steps = 1ull << 28; ///< TRANSIENT_SIM_STEPS, 0: no limit
  std::string scheduleName;    ///< the current one, as given
  /// All that TRANSIENT_SIM names; the first is current.
  std::vector<std::string> schedules;

  bool threaded() const { return schedule == ScheduleKind::Threads; }
};

/// The options of this process; the first call parses them.
const Options &options();

/// Makes the schedule of that position in `schedules` the current one.
void chooseSchedule(size_t position);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_OPTIONS_H
