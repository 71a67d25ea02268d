//===- GroupPlan.cpp - Seed S3's planner over groups and edges ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// planner.rs of metrale-circuit in C++: union-find over aliases with the
// smallest edge as root, one item a class, first fit with inclusive ranges.
// Kept apart from the instance-based solvers because its sizes are not rounded
// and its order is its own contract (R18).
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/GroupPlan.h"

#include "Checked.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace transient::planner {

namespace {

std::string quoted(const GroupEdge &edge) { return "'" + edge.name + "'"; }

Error edgeError(ErrorKind kind, const GroupEdge &edge,
                const std::string &what) {
  return Error{kind, edge.name, "edge " + quoted(edge) + what};
}

Result<std::uint64_t> bytesOf(const GroupEdge &edge, std::uint64_t maxRows) {
  auto rows = checkedMul(edge.rowScale, maxRows);
  if (rows)
    rows = checkedAdd(*rows, edge.rowBase);
  auto bytes = rows ? checkedMul(*rows, edge.rowBytes) : std::nullopt;
  if (!bytes)
    return Error{ErrorKind::Overflow, edge.name,
                 "overflow: size of edge " + quoted(edge) + " at " +
                     std::to_string(maxRows) +
                     " rows, expected to fit 64 bits"};
  return *bytes;
}

/// One alias class, or one edge on its own.
struct ClassItem {
  EdgeIndex root;
  std::uint64_t bytes = 0, offset = 0;
  LiveRange range;
};

} // namespace

Result<std::vector<std::optional<LiveRange>>>
liveRanges(const GroupProgram &program) try {
  std::vector<std::optional<LiveRange>> ranges(program.edges.size());
  for (EdgeIndex e = 0; e != program.edges.size(); ++e) {
    const GroupEdge &edge = program.edges[e];
    auto checkGroup = [&](GroupIndex group) -> std::optional<Error> {
      if (group < program.numGroups)
        return std::nullopt;
      return edgeError(ErrorKind::UnknownNode, edge,
                       " names group " + std::to_string(group) +
                           ", expected less than " +
                           std::to_string(program.numGroups));
    };
    if (edge.producer)
      if (auto error = checkGroup(*edge.producer))
        return *error;
    for (GroupIndex consumer : edge.consumers) {
      if (auto error = checkGroup(consumer))
        return *error;
      if (edge.producer && consumer < *edge.producer)
        return edgeError(ErrorKind::BadLifetime, edge,
                         " is read by group " + std::to_string(consumer) +
                             ", expected not before its producer " +
                             std::to_string(*edge.producer));
    }
    if (!edge.materialized)
      continue;
    LiveRange range;
    if (!edge.producer || edge.output || edge.consumers.empty()) {
      // Written or read outside the plan: live for the whole of it (R9).
      range.end = program.numGroups ? program.numGroups - 1 : 0;
    } else {
      range.start = *edge.producer;
      range.end =
          *std::max_element(edge.consumers.begin(), edge.consumers.end());
    }
    ranges[e] = range;
  }
  return ranges;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while finding ranges"};
}

Result<BufferPlan> planBuffersWith(const GroupProgram &program,
                                   std::uint64_t maxRows,
                                   const Layout &layout) try {
  auto ranges = liveRanges(program);
  if (!ranges)
    return ranges.error();
  const auto &edges = program.edges;

  auto checkNamed = [&](EdgeIndex e) -> std::optional<Error> {
    if (e >= edges.size())
      return Error{ErrorKind::UnknownBuffer, "",
                   "layout names edge number " + std::to_string(e) +
                       ", expected less than " + std::to_string(edges.size())};
    if (!edges[e].materialized)
      return edgeError(ErrorKind::NotMaterialized, edges[e],
                       " is named by the layout, but is not materialised");
    return std::nullopt;
  };
  std::vector<char> external(edges.size(), 0);
  for (EdgeIndex e : layout.external) {
    if (auto error = checkNamed(e))
      return *error;
    external[e] = 1;
  }

  BufferPlan plan;
  std::vector<std::uint64_t> bytes(edges.size(), 0);
  for (EdgeIndex e = 0; e != edges.size(); ++e) {
    if (!edges[e].materialized)
      continue;
    auto size = bytesOf(edges[e], maxRows);
    if (!size)
      return size.error();
    bytes[e] = *size;
    // With one alignment of slack an edge, this bounds every offset below.
    auto sum = checkedAdd(plan.materializedBytes, bytes[e]);
    if (!sum || !checkedAdd(*sum, (std::uint64_t(e) + 1) * (kArenaAlign - 1)))
      return Error{ErrorKind::Overflow, edges[e].name,
                   "overflow: sum of sizes up to edge " + quoted(edges[e]) +
                       ", expected to fit 64 bits"};
    plan.materializedBytes = *sum;
  }

  std::vector<EdgeIndex> root(edges.size());
  std::iota(root.begin(), root.end(), 0);
  auto find = [&](EdgeIndex e) {
    while (root[e] != e)
      e = root[e] = root[root[e]];
    return e;
  };
  for (auto [out, in] : layout.aliases) {
    for (EdgeIndex e : {out, in}) {
      if (auto error = checkNamed(e))
        return *error;
      if (external[e])
        return edgeError(ErrorKind::Layout, edges[e],
                         " is aliased, but bound to an external buffer");
    }
    if (bytes[out] != bytes[in])
      return edgeError(ErrorKind::Layout, edges[out],
                       " of " + std::to_string(bytes[out]) +
                           " bytes is written over edge " + quoted(edges[in]) +
                           " of " + std::to_string(bytes[in]) +
                           ", expected equal sizes");
    EdgeIndex a = find(out), b = find(in);
    root[std::max(a, b)] = std::min(a, b);
  }

  std::vector<ClassItem> items;
  std::vector<std::uint32_t> itemOfRoot(edges.size(), ~0u);
  for (EdgeIndex e = 0; e != edges.size(); ++e) {
    if (!edges[e].materialized || external[e])
      continue;
    EdgeIndex r = find(e);
    if (itemOfRoot[r] == ~0u) {
      itemOfRoot[r] = std::uint32_t(items.size());
      items.push_back({r, bytes[r], 0, *(*ranges)[e]});
    }
    LiveRange &range = items[itemOfRoot[r]].range;
    range.start = std::min(range.start, (*ranges)[e]->start);
    range.end = std::max(range.end, (*ranges)[e]->end);
  }

  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const ClassItem &x = items[a], &y = items[b];
    if (x.range.start != y.range.start)
      return x.range.start < y.range.start;
    if (x.bytes != y.bytes)
      return x.bytes > y.bytes;
    return x.root < y.root;
  });
  // Live items by offset; what ended before the current start is forgotten.
  std::vector<std::uint32_t> placed;
  for (std::uint32_t i : order) {
    ClassItem &item = items[i];
    if (!item.bytes)
      continue; // Nothing to place: offset 0, no bytes.
    placed.erase(std::remove_if(placed.begin(), placed.end(),
                                [&](std::uint32_t p) {
                                  return items[p].range.end < item.range.start;
                                }),
                 placed.end());
    for (std::uint32_t p : placed) {
      if (items[p].offset >= item.offset + item.bytes)
        break;
      item.offset = std::max(
          item.offset, alignTo(items[p].offset + items[p].bytes, kArenaAlign));
    }
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i,
                                   [&](std::uint32_t a, std::uint32_t b) {
                                     return items[a].offset < items[b].offset;
                                   }),
                  i);
    plan.arenaBytes = std::max(plan.arenaBytes, item.offset + item.bytes);
  }

  for (EdgeIndex e = 0; e != edges.size(); ++e) {
    if (!edges[e].materialized || external[e])
      continue;
    const ClassItem &item = items[itemOfRoot[find(e)]];
    plan.slots.push_back(
        {e, item.offset, item.bytes, item.range.start, item.range.end});
  }
  return plan;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while planning edges"};
}

Result<BufferPlan> planBuffers(const GroupProgram &program,
                               std::uint64_t maxRows) {
  return planBuffersWith(program, maxRows, {});
}

} // namespace transient::planner
