//===- MaxFlow.h - Maximum flow with 64-bit capacities -----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the bounds. One maximum flow and the minimum cut that proves it.
// Deterministic: arcs are used in the order in which they were added. Knows
// nothing of buffers.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_MAXFLOW_H
#define TRANSIENT_LIB_PLANNER_MAXFLOW_H

#include <cstdint>
#include <vector>

namespace transient::planner {

/// Dinic's algorithm (1970) with explicit stacks, so that paths may be long.
class MaxFlow {
public:
  /// A capacity that no sum of finite capacities reaches, by precondition.
  static constexpr std::uint64_t kInfinite = UINT64_MAX / 2;

  explicit MaxFlow(std::uint32_t numNodes) : head(numNodes, kNone) {}

  /// The number of the arc.
  std::uint32_t addArc(std::uint32_t from, std::uint32_t to,
                       std::uint64_t capacity);

  /// Value of a maximum flow. Call once. Precondition: it is below kInfinite.
  std::uint64_t run(std::uint32_t source, std::uint32_t sink);

  /// After run(): nodes that the source still reaches, the source side of a
  /// minimum cut.
  const std::vector<char> &sourceSide() const { return reached; }

  /// After run(): what is left of an arc's capacity.
  std::uint64_t residual(std::uint32_t arc) const { return arcs[arc].residual; }
  /// After run(): nodes from which more would still reach `sink`.
  std::vector<char> sinkSide(std::uint32_t sink) const;

private:
  static constexpr std::uint32_t kNone = ~0u;

  struct Arc {
    std::uint32_t to, next;
    std::uint64_t residual;
  };

  bool layer(std::uint32_t source, std::uint32_t sink);
  std::uint64_t augment(std::uint32_t source, std::uint32_t sink);

  std::vector<Arc> arcs; ///< Arc i and i ^ 1 are each other's reverse.
  std::vector<std::uint32_t> head, level, current;
  std::vector<char> reached;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_MAXFLOW_H
