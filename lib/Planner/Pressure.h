//===- Pressure.h - Bytes that each moment must hold -------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. A number a moment, with sums over ranges and maxima
// of ranges in O(log n): what is live at that moment and what a layout has
// wasted there, which together say how high the layout must become.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_PRESSURE_H
#define TRANSIENT_LIB_PLANNER_PRESSURE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace transient::planner {

/// See the file comment. Moments are 0 .. size - 1, size > 0; ranges are
/// INCLUSIVE. 10 bytes a moment.
class Pressure {
public:
  explicit Pressure(std::vector<std::uint64_t> start);

  /// Adds `by` to every moment of [from, to].
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t by);

  /// The largest number in [from, to].
  std::uint64_t most(std::uint32_t from, std::uint32_t to) const;

  /// The first moment of [from, to] that has it.
  std::uint32_t worst(std::uint32_t from, std::uint32_t to) const;

private:
  /// A leaf is this many moments.
  static constexpr std::uint32_t kBucket = 16;

  /// What all moments below have got since they were written, and their
  /// largest, that included.
  struct Node {
    std::uint64_t most = 0, added = 0;
  };
  struct Range {
    std::uint32_t from, to;
  };
  struct Peak {
    std::uint64_t most;
    std::size_t node;
  };

  void pull(std::size_t node);
  void summarise(std::size_t leaf);
  Range momentsOf(std::size_t leaf) const;
  /// Of a bucket's moments in `range`, without what its ancestors have got.
  std::uint64_t mostOfBucket(std::uint32_t bucket, Range range) const;
  /// The largest number in `range`, and the first of the nodes into which the
  /// range falls that has it. Climbs from both ends.
  Peak peak(Range range) const;
  Range clip(Range range, std::uint32_t bucket) const;

  std::vector<std::uint64_t> moments;
  std::vector<Node> nodes; ///< Implicit binary tree over buckets, root 1.
  std::uint32_t buckets = 1;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_PRESSURE_H
