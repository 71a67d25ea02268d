//===- Trial.h - One random program before all judges ---------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans a program, lets the checker and the interpreter judge each stage, then
// damages the plan and compares what the two say of that.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_TRIAL_H
#define TRANSIENT_TEST_FUZZ_TRIAL_H

#include "Faults.h"
#include "Program.h"
#include "Subject.h"
#include "Trace.h"

#include <array>

namespace transient::fuzz {

class Exporter;

/// What is known of the faults of one kind.
struct FaultTally {
  uint64_t made = 0, unsafe = 0, rejected = 0, undecided = 0;
  /// Unsafe ones that the checker accepts.
  uint64_t survivors = 0;
  /// Unsafe ones whose order is wrong in some execution that was tried, and
  /// those that change what is read there when all runs in order of issue.
  uint64_t byOrder = 0, byResults = 0;
  /// Unsafe ones that the planner's own check was asked about, and refuses.
  uint64_t plans = 0, byPlan = 0;
  /// Not unsafe in any execution that was tried, but rejected.
  uint64_t strict = 0;
};

struct Tally {
  uint64_t programs = 0, racy = 0, unsupported = 0, notLowered = 0;
  uint64_t stages = 0, undecided = 0, traces = 0, schedules = 0, states = 0;
  uint64_t explored = 0, peaks = 0;
  /// Right plans that the checker rejects in a cycle of blocks, as its
  /// documentation says that it may.
  uint64_t rejectedCycles = 0;
  /// Plans in which some bytes belong to several buffers in turn.
  uint64_t sharing = 0;
  std::array<FaultTally, numFaultKinds> faults;
};

struct Failure {
  /// What does not fit; the shrinker keeps it.
  std::string kind;
  std::string text;
  /// The program at the stage in question.
  std::string module;
};

struct TrialOptions {
  unsigned mutants = 0;
  uint64_t maxStates = 3000;
  /// Only this fault, or all.
  int fault = -1;
  /// To see that this tool would notice: damages each plan by this fault before
  /// it is judged as the project's own.
  int plant = -1;
  /// Likewise: takes the checker to accept everything.
  bool blind = false;
  /// Takes programs, plans and damaged plans that stock passes can lower; then
  /// all are planned for a device.
  Exporter *exporter = nullptr;
};

/// Judges `program`; its seed decides on options, schedules and faults.
std::vector<Failure> judge(Subject &subject, const Program &program,
                           const TrialOptions &options, Tally &tally);

/// Switches off all steps that `kind` of failure does not need.
Program shrink(Subject &subject, const Program &program,
               const TrialOptions &options, const std::string &kind);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_TRIAL_H
