//===- Report.h - Violations, errors and how the process ends ---*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what the checker found and decides the exit status. A violation never
// stops the run at once, so that one run shows several; bad input does. Every
// way out goes through here, since threads may still hold locks that static
// destructors would need.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_REPORT_H
#define TRANSIENT_LIB_SIMRUNTIME_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace transient::sim {

/// Prints "transient-sim: error: MESSAGE" and ends the process with status 2.
[[noreturn]] void fatal(const std::string &message);

/// Prints "transient-sim: warning: MESSAGE".
void warn(const std::string &message);

/// Flushes all output and ends the process, running no destructor.
[[noreturn]] void leave(int status);

/// One finding. Printed once for each distinct (kind, first, second).
struct Violation {
  std::string kind;               ///< e.g. "write-write race"
  std::string where;              ///< the allocation and the bytes
  uint64_t first = 0, second = 0; ///< op numbers, 0: none
  std::vector<std::string> notes; ///< one line each
};

/// Prints a violation. After the last one of a full report the process ends
/// with status 86. Thread-safe.
void report(const Violation &violation);

/// How many distinct violations were reported so far.
unsigned violationCount();

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_REPORT_H
