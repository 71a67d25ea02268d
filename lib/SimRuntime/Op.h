//===- Op.h - One operation of the program ----------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The node of the simulated program: what it does, what it waits for and its
// place in the order. Filled in when the host enqueues it; only the scheduler
// changes it afterwards. Operations are never destroyed, since shadow memory
// points at them.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_OP_H
#define TRANSIENT_LIB_SIMRUNTIME_OP_H

#include "VectorClock.h"

#include <cstdint>
#include <string>
#include <vector>

namespace transient::sim {

struct Kernel;
struct Region;
struct Stream;

enum class OpKind {
  Launch,
  Copy,
  Fill,
  Alloc,
  Free,
  Record,    ///< of an event
  Wait,      ///< of a stream for an event
  HostWait,  ///< the host waited for a stream or event
  HostAlloc, ///< an allocation that the host performs at once
  HostFree,  ///< a release, of device or host memory, that it performs at once
  HostAccess ///< loads and stores of host code, between two calls
};

/// Bytes that an operation uses as one buffer; see transientSimTenant.
struct TenantRange {
  Region *region;
  uint64_t offset, bytes;
  int64_t tenant;
};

struct Op {
  uint64_t number = 0; ///< from 1, in the order of enqueueing
  OpKind kind = OpKind::HostWait;
  Stream *stream = nullptr; ///< null: the host
  ChainClocks::Point point;

  std::vector<uint64_t> after; ///< numbers of the operations waited for
  std::vector<Op *> successors;
  unsigned waitingFor = 0;
  bool done = false;
  double begin = 0, end = 0; ///< seconds since the first operation

  // Launch
  Kernel *kernel = nullptr;
  uint64_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
  std::vector<std::vector<char>> arguments;
  // Copy, Fill
  char *target = nullptr;
  const char *source = nullptr;
  uint64_t bytes = 0;
  uint32_t pattern = 0;
  unsigned patternBytes = 0;
  // Alloc, Free
  Region *region = nullptr;

  std::vector<TenantRange> tenants;

  bool onHost() const { return !stream; }
  /// "kernel @scale", "copy", ...
  std::string name() const;
  /// "op #7 kernel @scale on stream 3"
  std::string describe() const;
};

/// Whether `a` completes before `b` starts, or is `b`.
inline bool happensBefore(const Op &a, const Op &b) {
  return happensBefore(a.point.stamp, *b.point.clock);
}

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_OP_H
