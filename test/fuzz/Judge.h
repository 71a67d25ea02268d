//===- Judge.h - What is wrong with a planned execution -------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the trace of a planned program with that of the program as it was.
// The k-th access of the one is the k-th of the other.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_JUDGE_H
#define TRANSIENT_TEST_FUZZ_JUDGE_H

#include "Schedules.h"

namespace transient::fuzz {

/// What went wrong.
enum class Wrong {
  /// Other operations than before.
  Shape,
  /// An order that the program had is gone.
  Order,
  /// Conflicting accesses are unordered that were of different buffers.
  Race,
  /// One operation reads and writes bytes of two buffers in different places.
  Within,
  /// An access that does not lie between its allocation and its free.
  Lifetime,
  DoubleFree,
  Bounds,
  Alignment,
  /// Something was read that was not read before.
  Content,
  /// The judges of this tool do not agree with each other.
  Judges
};

const char *toString(Wrong wrong);

struct Finding {
  Wrong wrong;
  std::string text;
};

/// What is wrong with a trace by itself: its allocations, frees and bounds.
std::vector<Finding> judgeAlone(const Trace &trace);

/// Unordered conflicting pairs of accesses, by ordinal.
std::set<std::pair<int, int>> findRaces(const Trace &trace);

/// What `planned` does that `program` does not. With `faulty` the planned
/// program was damaged: lost order is no finding by itself, and unordered
/// accesses only between tenants.
std::vector<Finding> judgeOrder(const Trace &program, const Trace &planned,
                                bool faulty);

/// Whether in this schedule of `planned` every read sees what it sees in the
/// program, in the same order of events.
std::vector<Finding> judgeContents(const Trace &program, const Trace &planned,
                                   const std::vector<Event> &schedule);

/// Runs all schedules of `trace`, up to `maxStates`, and compares the overlaps
/// in time with `findRaces`; without races, there must be one outcome.
std::vector<Finding> judgeExplored(const Trace &trace, uint64_t maxStates,
                                   Exploration &exploration);

/// The most bytes of placed buffers that are in use at once in a schedule, from
/// the start of the first access to the end of the last one of each.
int64_t measurePeak(const Trace &trace, const std::vector<Event> &schedule);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_JUDGE_H
