//===- Instance.h - Compact form of a problem --------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers and bounds. One *item* for each buffer that needs
// storage, with plain arrays that inner loops can read. Total orders become
// intervals over ranks of time; partial orders keep their frontiers and get the
// interval in the linear extension besides, which decides most conflicts
// without them. Built only from validated problems. Not for the checker.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_INSTANCE_H
#define TRANSIENT_LIB_PLANNER_INSTANCE_H

#include "transient/Planner/Problem.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

using Item = std::uint32_t;

/// See the file comment. Items are numbered in buffer order.
struct Instance {
  explicit Instance(const Problem &problem);

  std::size_t size() const { return buffer.size(); }

  std::uint64_t align(Item a) const { return std::uint64_t(1) << alignLog[a]; }

  /// True iff a and b may not share a byte. Spaces are not looked at.
  bool conflict(Item a, Item b) const {
    bool base;
    if (lo[a] <= hi[b] && lo[b] <= hi[a])
      base = true; // Live together in the linear extension.
    else
      base = !interval &&
             (lo[a] < lo[b] ? !quicklyBefore(a, b) : !quicklyBefore(b, a));
    return hasPairs ? conflictWithPairs(a, b, base) : base;
  }

  /// True only if a and b may not share a byte even where the order's index
  /// dropped columns: then what is live together in the linear extension is
  /// certain, and what is merely not proved apart is not.
  bool surelyConflict(Item a, Item b) const;

  /// All last nodes of a precede all first nodes of b.
  bool before(Item a, Item b) const;

  const Problem &problem;
  std::vector<BufferIndex> buffer;    ///< By item.
  std::vector<std::uint64_t> bytes;   ///< b of F1.
  std::vector<std::uint8_t> alignLog; ///< Of the alignment, to base 2.
  /// INCLUSIVE interval: ranks of the times that occur (total order), or
  /// positions in the linear extension.
  std::vector<std::uint32_t> lo, hi;
  /// Length of that interval in the problem's own time, at least 1, saturated.
  std::vector<std::uint64_t> duration;
  std::uint32_t numTimes = 0; ///< lo, hi < numTimes.
  bool interval = true;       ///< lo and hi say everything but pairs.
  bool hasPairs = false;
  /// "Before" is transitive and pairs add nothing: neighbours suffice.
  bool transitive = true;
  bool hasFixed = false;
  /// Distinct spaces, ascending, and their items, in item order.
  std::vector<std::uint32_t> spaces;
  std::vector<std::vector<Item>> itemsOfSpace;

private:
  /// before(a, b), decided by one comparison for pairs far apart.
  bool quicklyBefore(Item a, Item b) const {
    return hi[a] < settled[b] || before(a, b);
  }
  bool conflictWithPairs(Item a, Item b, bool base) const;

  /// Partial orders, by item: all nodes at times below this one precede all its
  /// first nodes. In programs whose streams meet now and then that is nearly
  /// everything before them.
  std::vector<std::uint32_t> settled;
  /// By item: sorted partners.
  std::vector<std::vector<Item>> never, exclusive;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_INSTANCE_H
