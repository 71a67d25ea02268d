//===- Orders.h - Orders of preference ---------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the solvers. The static orders in which items are placed, and the
// live bytes that some of them look at.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_ORDERS_H
#define TRANSIENT_LIB_PLANNER_ORDERS_H

#include "Instance.h"

#include <cstdint>
#include <vector>

namespace transient::planner {

/// Orders in which items are placed; each ends in the item number, so each is
/// total.
enum class Rank {
  Start,      ///< Start ascending, bytes descending (S3's R18).
  Bytes,      ///< Bytes descending, duration descending.
  Area,       ///< Bytes * duration descending, bytes descending.
  Duration,   ///< Duration descending, bytes descending.
  TotalArea,  ///< Most bytes live during the item, area, duration, descending.
  TotalWidth, ///< Most bytes live during the item, duration, area, descending.
  Breadth,    ///< Most bytes live during the item, bytes, duration, descending
              ///< (greedy by breadth, Pisarchyk and Lee 2020).
};

/// Most bytes of `items` live at once, by time rank, in the interval view.
std::vector<std::uint64_t> liveBytes(const Instance &instance,
                                     const std::vector<Item> &items);

/// The orders of some items of an instance, both of which outlive this.
class Orders {
public:
  Orders(const Instance &instance, const std::vector<Item> &items)
      : instance(instance), items(items) {}

  /// O(n log n).
  std::vector<Item> by(Rank rank);

private:
  const Instance &instance;
  const std::vector<Item> &items;
  /// By item: the most bytes live during it; made when first asked for.
  std::vector<std::uint64_t> peak;
};

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_ORDERS_H
