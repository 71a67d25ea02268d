//===- Schedules.h - Orders in which a trace may run ----------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host and every operation that it issued are agents of their own; an
// operation starts at any time after what it waits for has ended, and ends at
// any time after that.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_SCHEDULES_H
#define TRANSIENT_TEST_FUZZ_SCHEDULES_H

#include "Contents.h"
#include "Random.h"

#include <set>

namespace transient::fuzz {

/// Who has come how far.
class Progress {
public:
  explicit Progress(const Trace &trace) : trace(&trace) {}

  bool hostMay() const;
  /// Runs the host's next step; appends what happened.
  void runHost(std::vector<Event> &events);
  /// Issued operations that may start, and those that may end, in order of
  /// issue.
  std::vector<Event> deviceMay() const;
  void run(const Event &event);
  bool finished() const;
  const Instances &getRunning() const { return running; }
  uint64_t hash() const;

private:
  const Trace *trace;
  size_t next = 0;
  Instances issued, running, ended;
};

/// Each operation runs as soon as it is issued.
std::vector<Event> inOrder(const Trace &trace);

/// Any choice at any time. With `delayed` not below 0 that instance makes no
/// move that another could make instead.
std::vector<Event> atRandom(const Trace &trace, Random &random, int delayed);

/// What all schedules together show.
struct Exploration {
  /// Pairs of instances of which one started while the other ran, both on the
  /// same bytes, one of them writing.
  std::set<std::pair<int, int>> races;
  std::set<uint64_t> outcomes;
  uint64_t states = 0;
  /// False if there were more states than allowed.
  bool complete = true;
};

/// Runs all schedules, each state once.
Exploration explore(const Trace &trace, uint64_t maxStates);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_SCHEDULES_H
