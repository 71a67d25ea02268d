//===- Skyline.h - Heights over time, lowest places first --------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the dives. The height of a layout over time, as a list of
// stretches, and the place that is to be filled next.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_SKYLINE_H
#define TRANSIENT_LIB_PLANNER_SKYLINE_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace transient::planner {

/// Stands at the leftmost *valley*: a stretch lower than both its neighbours.
///
/// What happens in one valley depends on no other, because items that lie
/// within one lie within none beside it and its neighbours can only rise. So
/// valleys may be filled in any order, and the layout is the one that filling
/// the lowest stretch of all first would give. From left to right needs no
/// queue and stays in one part of memory: every step but those to a fresh
/// stretch is paid for by a stretch that was raised, so all of them together
/// are O(calls).
class Skyline {
public:
  /// A maximal stretch of time at one height; both ends inclusive.
  struct Stretch {
    std::uint32_t from, to;
    std::uint64_t height;
    std::uint32_t left, right; ///< Neighbours in time, or kNone.
  };

  /// Height 0 over times 0 .. numTimes - 1; numTimes > 0.
  explicit Skyline(std::uint32_t numTimes) {
    stretches.push_back({0, numTimes - 1, 0, kNone, kNone});
  }

  /// The leftmost valley.
  const Stretch &valley() const { return stretches[at]; }

  /// Height of the valley's lower neighbour, or the largest number without any.
  std::uint64_t rim() const {
    std::uint64_t height = UINT64_MAX;
    for (std::uint32_t n : {stretches[at].left, stretches[at].right})
      if (n != kNone)
        height = std::min(height, stretches[n].height);
    return height;
  }

  /// Raises [from, to] within the valley to `height`, and moves on.
  void cover(std::uint32_t from, std::uint32_t to, std::uint64_t height) {
    const Stretch valley = stretches[at];
    if (valley.from < from)
      link(valley.left,
           make({valley.from, from - 1, valley.height, kNone, at}));
    if (to < valley.to)
      link(make({to + 1, valley.to, valley.height, at, kNone}), valley.right);
    stretches[at].from = from;
    stretches[at].to = to;
    raise(height);
  }

  /// Raises all of the valley to `height`, joins neighbours of that height, and
  /// moves on.
  void raise(std::uint64_t height) {
    stretches[at].height = height;
    const std::uint32_t left = stretches[at].left, right = stretches[at].right;
    if (left != kNone && stretches[left].height == height) {
      stretches[at].from = stretches[left].from;
      link(stretches[left].left, at);
      unused.push_back(left);
    }
    if (right != kNone && stretches[right].height == height) {
      stretches[at].to = stretches[right].to;
      link(at, stretches[right].right);
      unused.push_back(right);
    }
    while (isLower(stretches[at].left))
      at = stretches[at].left;
    while (isLower(stretches[at].right))
      at = stretches[at].right;
  }

private:
  static constexpr std::uint32_t kNone = ~0u;

  bool isLower(std::uint32_t neighbour) const {
    return neighbour != kNone &&
           stretches[neighbour].height < stretches[at].height;
  }

  /// A new stretch, whose one neighbour that is not kNone learns of it.
  std::uint32_t make(const Stretch &fresh) {
    std::uint32_t s = std::uint32_t(stretches.size());
    if (unused.empty()) {
      stretches.push_back(fresh);
    } else {
      s = unused.back();
      unused.pop_back();
      stretches[s] = fresh;
    }
    link(s, fresh.right);
    link(fresh.left, s);
    return s;
  }

  /// Makes `left` and `right` neighbours; either may be kNone.
  void link(std::uint32_t left, std::uint32_t right) {
    if (left != kNone)
      stretches[left].right = right;
    if (right != kNone)
      stretches[right].left = left;
  }

  std::vector<Stretch> stretches;
  std::vector<std::uint32_t> unused; ///< Of those.
  std::uint32_t at = 0;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_SKYLINE_H
