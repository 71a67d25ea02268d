//===- Explain.h - Why two buffers may or may not share ----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reason behind one answer of conflicts(), for people: the path that proves
// the order, or the pairs of nodes between which a path is missing. Proves
// nothing itself; the checker is Verify.h.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_EXPLAIN_H
#define TRANSIENT_PLANNER_EXPLAIN_H

#include "transient/Planner/Problem.h"

#include <string>
#include <utility>
#include <vector>

namespace transient::planner {

/// Why.
enum class SharingReason {
  Before,     ///< a is before b.
  After,      ///< b is before a.
  Exclusive,  ///< Unordered, but never in one execution.
  NoStorage,  ///< One of them needs no storage.
  Unordered,  ///< May run at once: conflict.
  NeverShare, ///< Declared conflict.
  Space,      ///< Different spaces: never in one physical buffer.
};

/// The answer for one pair.
struct SharingExplanation {
  bool mayShare = false;
  SharingReason reason = SharingReason::Unordered;
  /// Before/After: one path a proof, from a last node of the earlier buffer to
  /// a first node of the later one. Of the integers' order: the two ends.
  std::vector<std::vector<NodeId>> paths;
  /// Unordered: the smallest sets of (last node, first node) that would have to
  /// be ordered to put a before b, and b before a.
  std::vector<std::pair<NodeId, NodeId>> missingForward, missingBackward;
  /// The same in a few sentences, one a line.
  std::string text;
};

/// Explains the pair. Preconditions: a valid problem, indices in range.
/// O(pairs of frontier nodes * (nodes + edges)).
SharingExplanation explainSharing(const Problem &problem, BufferIndex a,
                                  BufferIndex b);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_EXPLAIN_H
