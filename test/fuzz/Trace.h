//===- Trace.h - What one execution of a function issues ------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter's first half: walks a function of the `gpu` and `memref`
// dialects (planned or not, also with `transient.arena` and `transient.view`)
// with concrete arguments and lists the operations that the host issues, the
// bytes that each touches, and what each waits for. No control flow depends on
// what the device computes, so that one trace stands for all schedules.
//
// Shares nothing with the project's analyses, planner and checker.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_TRACE_H
#define TRANSIENT_TEST_FUZZ_TRACE_H

#include "Program.h"

#include "mlir/IR/BuiltinOps.h"

#include <bitset>
#include <string>
#include <vector>

namespace transient::fuzz {

/// More instances end a trace with a fault.
constexpr unsigned maxInstances = 384;
using Instances = std::bitset<maxInstances>;

/// The arguments that decide control flow.
struct Valuation {
  unsigned conditions = 0;
  int64_t trips[numTrips] = {};
  unsigned flags[numFlags] = {};
};

/// The bytes that an instance touches through one operand.
struct Access {
  int allocation = 0;
  bool read = false, write = false;
  /// The offset in the allocation of each element, in the order of the
  /// elements.
  std::vector<int64_t> elements;
  int64_t width = 4;
  /// Which planned buffer this is; 0 for one that nobody placed.
  int64_t tenant = 0;

  bool overlaps(const Access &other) const;
  bool conflicts(const Access &other) const {
    return (write || other.write) && overlaps(other);
  }
};

/// A number: known, or what an instance loaded.
struct Scalar {
  int loadedBy = -1;
  uint64_t value = 0;
};

enum class InstanceKind { Access, Alloc, Free };

/// What an access makes of what it reads.
enum class Meaning {
  /// Writes new values.
  Set,
  /// The first operand's elements become the second's.
  Copy,
  /// Each element of the first operand becomes a function of the others'.
  Map,
  /// Keeps one element for the host.
  Load
};

/// One operation that the host issued once.
struct Instance {
  mlir::Operation *op = nullptr;
  InstanceKind kind = InstanceKind::Access;
  Meaning meaning = Meaning::Set;
  std::vector<Access> accesses;
  Scalar scalar;
  /// Alloc and Free: of what.
  int allocation = -1;
  /// Instances that have ended in every schedule when this one starts.
  Instances before;
  /// Instances whose tokens it depends on, directly or through joins.
  Instances after;
  /// The host waits for its end.
  bool blocking = false;
};

/// A step of the host: issue an instance, or wait for some.
struct HostStep {
  int instance = -1;
  Instances waits;
};

struct Allocation {
  /// What its base is a multiple of, and what the program asked for.
  int64_t bytes = 0, alignment = 1, requested = 1;
  bool argument = false;
  /// Made by `@main` itself.
  bool ofMain = false;
  /// The instance that makes it; -1: there before any access.
  int made = -1;
};

struct Trace {
  std::vector<Instance> instances;
  std::vector<HostStep> host;
  std::vector<Allocation> allocations;
  /// Why it cannot be judged; empty if it can.
  std::string unsupported;

  /// The accesses in order of issue.
  std::vector<int> accesses() const;
};

/// Runs `@main` of `module`.
Trace trace(mlir::ModuleOp module, const Valuation &valuation);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_TRACE_H
