//===- GroupPlan.h - Seed S3's planner over groups and edges -----*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffer planner of metrale-circuit: an arena offset for every materialised
// edge of a plan of kernel groups, sized once for the most rows, with layout
// constraints (bound edges, aliases). Groups run in index order. Packs and row
// packs (R11-R14) are not here yet. Differs from Solve.h: sizes are not rounded
// up, only offsets are aligned, to kArenaAlign (R15).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_GROUPPLAN_H
#define TRANSIENT_PLANNER_GROUPPLAN_H

#include "transient/Planner/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace transient::planner {

/// Offset alignment of the arena, in bytes (R15).
inline constexpr std::uint64_t kArenaAlign = 256;

using EdgeIndex = std::uint32_t;
using GroupIndex = std::uint32_t;

/// A value that flows between groups.
struct GroupEdge {
  std::string name;
  /// False: fused inside a group, so it has no storage (R1).
  bool materialized = true;
  /// Group that writes it; nothing: an input from outside the plan.
  std::optional<GroupIndex> producer;
  /// Groups that read it; none: read outside the plan only.
  std::vector<GroupIndex> consumers;
  /// Declared output: read outside the plan.
  bool output = false;
  /// Bytes = rowBytes * (rowScale * maxRows + rowBase).
  std::uint64_t rowBytes = 0, rowScale = 0, rowBase = 1;
};

/// Groups 0..numGroups-1, run one after another, and their edges.
struct GroupProgram {
  std::uint32_t numGroups = 0;
  std::vector<GroupEdge> edges;
};

/// Storage constraints of an executor.
struct Layout {
  /// Edges bound to buffers of the executor's own: no slot (R4).
  std::vector<EdgeIndex> external;
  /// (out, in): `out` is written in place over `in`; classes are the
  /// transitive closure (R5, R10).
  std::vector<std::pair<EdgeIndex, EdgeIndex>> aliases;
};

/// INCLUSIVE range of groups in which an edge is live.
struct LiveRange {
  GroupIndex start = 0, end = 0;
};

/// One placed edge; start and end are those of its alias class.
struct Slot {
  EdgeIndex edge = 0;
  std::uint64_t offset = 0, bytes = 0;
  GroupIndex start = 0, end = 0;
};

/// The arena of one plan.
struct BufferPlan {
  std::vector<Slot> slots; ///< By edge index; bound and fused edges have none.
  std::uint64_t arenaBytes = 0;        ///< Highest end.
  std::uint64_t materializedBytes = 0; ///< Sum before reuse, bound included.
};

/// Live range of every materialised edge, by edge index, nothing for fused
/// ones: from the group that writes to the last that reads, both inclusive
/// (R8); the whole plan when read or written outside (R9). Fails with
/// UnknownNode when a group is out of range, BadLifetime when an edge is read
/// before it is written.
Result<std::vector<std::optional<LiveRange>>>
liveRanges(const GroupProgram &program);

/// Places every materialised edge that `layout` does not bind, for `maxRows`
/// rows, first fit by (start, bytes descending, lowest edge) (R18).
/// Fails with Overflow (a size, R17), NotMaterialized, UnknownBuffer (an edge
/// number), Layout (alias of a bound edge, alias sizes differ), or as
/// `liveRanges`; each names the edge.
Result<BufferPlan> planBuffersWith(const GroupProgram &program,
                                   std::uint64_t maxRows, const Layout &layout);

/// `planBuffersWith` without constraints.
Result<BufferPlan> planBuffers(const GroupProgram &program,
                               std::uint64_t maxRows);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_GROUPPLAN_H
