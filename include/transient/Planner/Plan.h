//===- Plan.h - Where every buffer lies --------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of planning: one placement a buffer and the physical buffers they
// lie in, with byte accounting. A value type without behaviour, so that a
// person or another tool can make or edit one and have it checked (Verify.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_PLAN_H
#define TRANSIENT_PLANNER_PLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace transient::planner {

/// Where one buffer lies: bytes [offset, offset + bytes) of a physical buffer.
struct Placement {
  /// Index into `Plan::physicals`; nothing for a buffer that gets no storage.
  std::optional<std::uint32_t> physical;
  std::uint64_t offset = 0;
  /// b of F1: capacity rounded up to the alignment.
  std::uint64_t bytes = 0;
};

/// One allocation to be made.
struct PhysicalBuffer {
  /// Size; in an arena the highest end of a tenant.
  std::uint64_t bytes = 0;
  /// Base alignment that offsets inside rely on: the largest of its tenants.
  std::uint64_t alignment = 1;
  /// Usage bits offered: in slots those of the first tenant (Q12, never
  /// widened), in an arena the union.
  std::uint32_t usage = 0;
  std::uint32_t space = 0;
};

/// How much work the planner did (Q18). Counts, never times: equal on every
/// machine.
struct PlanStats {
  std::uint64_t requests = 0;    ///< Buffers that got storage.
  std::uint64_t comparisons = 0; ///< Candidate positions or slots looked at.
  std::uint64_t attempts = 0;    ///< Algorithms run to get this plan.
};

/// A plan for the buffers of one problem.
struct Plan {
  /// By buffer index of the problem.
  std::vector<Placement> placements;
  std::vector<PhysicalBuffer> physicals;
  /// Name of the algorithm whose result this is.
  std::string algorithm;
  /// Sum of required bytes s over buffers that got storage.
  std::uint64_t logicalBytes = 0;
  /// Sum of `physicals` sizes.
  std::uint64_t physicalBytes = 0;
  /// Sum over placed buffers of b - s: slack of capacity and alignment.
  std::uint64_t paddingBytes = 0;
  /// physicalBytes - lowerBoundBytes: what placement lost (E8).
  std::uint64_t fragmentationBytes = 0;
  /// max(0, logicalBytes - physicalBytes).
  std::uint64_t savedBytes = 0;
  /// No plan without new ordering edges is smaller (Bound.h).
  std::uint64_t lowerBoundBytes = 0;
  bool lowerBoundExact = false;
  /// Proven: physicalBytes == lowerBoundBytes.
  bool optimal = false;
  PlanStats stats;
};

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_PLAN_H
