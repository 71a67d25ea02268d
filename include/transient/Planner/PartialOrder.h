//===- PartialOrder.h - "Ends before starts" in O(1) -------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order that planning rests on: nodes are pieces of work, and one precedes
// another when its end is proved to happen before the other's start. The index
// is a chain decomposition with one vector clock a node, so that GPU streams
// become chains and a query reads two numbers. Invariant: `precedes` never
// answers true without a path of given edges; it may answer false when columns
// were dropped, which costs sharing and never safety. Knows nothing of buffers.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_PARTIALORDER_H
#define TRANSIENT_PLANNER_PARTIALORDER_H

#include "transient/Planner/Result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace transient::planner {

/// A piece of work. With a PartialOrder: an index below `numNodes()`. Without
/// one (the total order of the integers): any 64-bit number.
using NodeId = std::uint64_t;

/// Limits of the index. The larger of the two decides how many chains get a
/// clock column. Nodes of further chains are ordered only against nodes of
/// their own chain and their own ancestors; the rest is treated as unordered.
struct PartialOrderOptions {
  /// Columns that are affordable however many nodes there are.
  std::size_t maxChains = 256;
  /// Clock entries, of 4 bytes, that are affordable in all: small orders keep
  /// every column, however wide they are.
  std::size_t maxEntries = std::size_t(1) << 24;
};

/// An immutable strict partial order over nodes 0..n-1.
///
/// Greedy chain decomposition in a topological order: a node is appended to a
/// chain whose last node precedes it (a direct predecessor's chain first). This
/// is the chain-cover index of Jagadish (TODS 1990) with the clocks of Fidge
/// and Mattern; we do not minimise the number of chains, because streams give
/// a nearly minimal one for nothing.
class PartialOrder {
public:
  /// Builds the order from direct predecessors: `predecessors[v]` lists nodes
  /// whose end happens before v's start. The numbering need not be
  /// topological; repeated edges are allowed.
  /// Fails with UnknownNode (a predecessor, or a list, beyond `numNodes`),
  /// CyclicOrder (the message shows one cycle) or Resource (more than 2^32-2
  /// nodes). O((n + edges) * columns + n log n), deterministic.
  static Result<PartialOrder>
  build(std::size_t numNodes,
        const std::vector<std::vector<NodeId>> &predecessors,
        const PartialOrderOptions &options = {});

  /// True iff end(a) is proved to happen before start(b). Strict: false for
  /// a == b. Out-of-range nodes precede nothing. O(1).
  bool precedes(NodeId a, NodeId b) const;

  std::size_t numNodes() const { return chain.size(); }
  /// Number of chains found: an upper bound for the width of the order.
  std::size_t numChains() const { return chains.size(); }
  /// True when any two nodes are ordered.
  bool isTotal() const { return chains.size() <= 1; }
  /// True when no clock entry was lost with a dropped column: `precedes` is
  /// then exactly reachability over the given edges.
  bool isExact() const { return exact; }
  /// The same as `precedes`, but exact even when columns were dropped: a path
  /// of given edges leads from a to b. O(1) unless columns were dropped and
  /// nothing is proved by those left; then O(n + edges).
  bool reaches(NodeId a, NodeId b) const;

  /// The nodes of `nodes` that no other of them precedes / that precede no
  /// other: the first / last frontier of a set of users (C3, C4). Sorted by
  /// number, without repetitions. O(k log k + k * w) for k nodes in w chains.
  std::vector<NodeId> minimal(const std::vector<NodeId> &nodes) const;
  std::vector<NodeId> maximal(const std::vector<NodeId> &nodes) const;

  /// Which chain a node is in, and its 0-based place there. Nodes of one chain
  /// are totally ordered by place.
  std::size_t chainOf(NodeId node) const { return chain[node]; }
  std::size_t positionInChain(NodeId node) const { return place[node]; }
  /// The nodes of one chain, first to last.
  const std::vector<std::uint32_t> &chainNodes(std::size_t index) const {
    return chains[index];
  }
  /// How many nodes of chain `index`, counted from its start, precede `node`
  /// as far as is proved. O(1).
  std::size_t chainPrefixBefore(NodeId node, std::size_t index) const;
  /// No chain from this index on has a node that is proved to precede `node`,
  /// apart from its own chain. Chains are numbered by their first nodes in the
  /// linear extension, so what is not before a node starts there at the latest.
  std::size_t chainsBefore(NodeId node) const { return rowLength[node]; }

  /// A linear extension: the smallest-number-first topological order, so equal
  /// to 0..n-1 when the numbering is topological already.
  const std::vector<std::uint32_t> &linearExtension() const { return order; }
  /// Index of `node` in the linear extension.
  std::size_t position(NodeId node) const { return rank[node]; }

  /// The direct predecessors as given, sorted, without repetitions.
  std::vector<NodeId> predecessors(NodeId node) const;

  /// Nodes of one path a -> ... -> b over given edges, both ends included;
  /// empty when there is none. Shortest by number of edges, ties towards small
  /// numbers. O(n + edges): for explanations, not for planning.
  std::vector<NodeId> path(NodeId a, NodeId b) const;

private:
  PartialOrder() = default;

  bool exact = true; ///< No clock entry was lost.
  std::vector<std::uint32_t> predBegin, preds; ///< CSR of given edges.
  std::vector<std::uint32_t> order, rank;      ///< Linear extension, inverse.
  std::vector<std::uint32_t> chain, place;     ///< By node.
  std::vector<std::vector<std::uint32_t>> chains;
  /// Clock of node v: clocks[clockBegin[v] + c] nodes of chain c precede v, for
  /// c < rowLength[v]. Rows are ragged: they end with the last chain that holds
  /// something, so that nodes without predecessors have none.
  std::vector<std::size_t> clockBegin;
  std::vector<std::uint32_t> rowLength, clocks;
};

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_PARTIALORDER_H
