//===- Contents.h - What the bytes hold in one schedule -------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter's second half: executes the instances of a trace in a given
// order. Values are hashes of the access that made them, the element, and what
// was read. An access reads when it starts and writes when it ends.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_CONTENTS_H
#define TRANSIENT_TEST_FUZZ_CONTENTS_H

#include "Trace.h"

namespace transient::fuzz {

/// One moment of a schedule.
struct Event {
  int instance = 0;
  bool end = false;
};

/// Memory and what was read so far. 0 is the value of what nobody wrote, and of
/// all that was computed from it.
class Contents {
public:
  explicit Contents(const Trace &trace);

  void start(int instance);
  void end(int instance);
  void apply(const Event &event) {
    event.end ? end(event.instance) : start(event.instance);
  }

  /// By ordinal of the access: each element that it read.
  const std::vector<std::vector<uint64_t>> &getReads() const { return reads; }
  /// What the arguments hold.
  std::vector<uint64_t> arguments() const;
  /// Of memory and of what running instances read.
  uint64_t hash() const;
  /// Of all that was read and of the arguments: what the world can see.
  uint64_t outcome() const;

private:
  uint64_t load(const Access &access, int64_t at) const;
  void store(const Access &access, int64_t at, uint64_t value);

  const Trace *trace;
  /// First byte of each allocation in `memory`.
  std::vector<size_t> begins;
  std::vector<uint64_t> memory;
  /// The number among the accesses, by instance.
  std::vector<int> ordinals;
  std::vector<std::vector<uint64_t>> reads;
};

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_CONTENTS_H
