//===- Problem.h - Buffers, their lifetimes and their order ------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is to be planned: logical buffers with declared lifetimes over an order,
// and the pairs about which more is known than the order says. A value type:
// the planner reads it and never changes it (Q3, Q8). Owns the meaning of
// "conflict" for the solvers; the checker (Verify.h) has a meaning of its own,
// on purpose, and must not call anything declared here beyond the data.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_PROBLEM_H
#define TRANSIENT_PLANNER_PROBLEM_H

#include "transient/Planner/Frontier.h"
#include "transient/Planner/Label.h"
#include "transient/Planner/PartialOrder.h"
#include "transient/Planner/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace transient::planner {

/// Index of a buffer in `Problem::buffers`.
using BufferIndex = std::uint32_t;

/// One logical buffer: a request for storage.
struct Buffer {
  /// Unique, not empty (Q17).
  std::string id;
  /// Required bytes s. Zero is legal and gets no storage.
  std::uint64_t bytes = 0;
  /// Capacity q >= s in bytes, slack included; 0 means the same as `bytes`.
  std::uint64_t capacity = 0;
  /// Proven alignment a in bytes, a power of two (F2).
  std::uint64_t alignment = 1;
  /// Which contract imposes `alignment` ("op", "abi", "target", ...); free
  /// text, carried through to reports.
  Label alignmentSource;
  /// Usage bits that the storage must offer (WebGPU names and values, see
  /// Usage.h).
  std::uint32_t usage = 0;
  /// Compatibility class: memory space, device, owner, kind of allocation...
  /// folded into one number by the caller. Buffers of different spaces never
  /// share a physical buffer.
  std::uint32_t space = 0;
  /// First and last frontier: the minimal and maximal users (C3, C4), more
  /// where work is conditional. In the interval case one node each, both
  /// INCLUSIVE. Not empty unless `unused`. Every first node must be, or
  /// precede, a last node, and every last node must be, or follow, a first
  /// node.
  Frontier first, last;
  /// If set, the only admissible byte offset in the physical buffer.
  std::optional<std::uint64_t> fixedOffset;
  /// False: `usage` was only inferred, so it never keeps two buffers apart.
  bool usageRequired = true;
  /// No access at all: gets no storage, is reported (Q19).
  bool unused = false;
};

/// Pairs of buffers, each by index; the order within a pair means nothing.
using BufferPairs = std::vector<std::pair<BufferIndex, BufferIndex>>;

/// A planning problem.
struct Problem {
  std::vector<Buffer> buffers;
  /// Null: the total order of the integers, node a precedes node b iff a < b.
  std::shared_ptr<const PartialOrder> order;
  /// Pairs that must not share whatever the order says (blocked facts,
  /// conditional work that makes "before" non-transitive).
  BufferPairs neverShare;
  /// Pairs that may share although unordered: exclusive branches. A pair in
  /// both lists does not share.
  BufferPairs exclusive;
};

/// b = a * ceil(q / a) with q = capacity or bytes, in bytes: what a tenant
/// occupies (F1). Fails with BadAlignment, CapacityTooSmall, or Overflow (the
/// message says `overflow`); each names the buffer.
Result<std::uint64_t> alignedBytes(const Buffer &buffer);

/// The first thing wrong with `problem`, in buffer order, or nothing. Checks
/// ids, sizes, alignments, lifetimes, node numbers, pairs, fixed offsets, and
/// that the sum of all aligned sizes fits 64 bits, after which no arithmetic of
/// a plan can overflow. Zero bytes are accepted (see Buffer::bytes); Q17's
/// stricter rule for requests is in Requests.h. O(n log n + frontiers).
std::optional<Error> validate(const Problem &problem);

/// True iff every last user of `a` ends before every first user of `b` starts.
/// False when either is unused or the frontiers are empty.
bool isBefore(const Problem &problem, BufferIndex a, BufferIndex b);

/// True iff `a` and `b` may not share a byte: neither is before the other and
/// they are not exclusive, or they must never share. A buffer that gets no
/// storage conflicts with nothing, nor does a buffer with itself. Reads the
/// pair lists linearly: for queries, not for inner loops.
bool conflicts(const Problem &problem, BufferIndex a, BufferIndex b);

/// True iff the buffer gets storage: used and not empty.
bool needsStorage(const Buffer &buffer);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_PROBLEM_H
