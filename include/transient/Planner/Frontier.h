//===- Frontier.h - The first or last users of a buffer ----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of nodes that is nearly always one node, and there are two of them a
// buffer and a million buffers: one node needs no memory of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_FRONTIER_H
#define TRANSIENT_PLANNER_FRONTIER_H

#include "transient/Planner/PartialOrder.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace transient::planner {

/// Nodes in the order in which they were given. Converts from a vector, and to
/// one only where that is said: a reference to it would dangle.
class Frontier {
public:
  using value_type = NodeId;
  using const_iterator = const NodeId *;

  Frontier() = default;
  Frontier(std::initializer_list<NodeId> nodes)
      : Frontier(std::vector<NodeId>(nodes)) {}
  Frontier(std::vector<NodeId> nodes) {
    if (nodes.size() == 1 && nodes[0] != kNone) {
      single = nodes[0];
    } else if (!nodes.empty()) {
      several = std::make_unique<std::vector<NodeId>>(std::move(nodes));
    }
  }
  Frontier(const Frontier &other) { *this = other; }
  Frontier(Frontier &&) = default;
  Frontier &operator=(Frontier &&) = default;
  Frontier &operator=(const Frontier &other) {
    single = other.single;
    several = other.several
                  ? std::make_unique<std::vector<NodeId>>(*other.several)
                  : nullptr;
    return *this;
  }

  explicit operator std::vector<NodeId>() const { return {begin(), end()}; }

  std::size_t size() const {
    return several ? several->size() : single != kNone;
  }
  bool empty() const { return size() == 0; }
  const NodeId *begin() const { return several ? several->data() : &single; }
  const NodeId *end() const { return begin() + size(); }
  const NodeId *data() const { return begin(); }
  NodeId operator[](std::size_t k) const { return begin()[k]; }
  NodeId front() const { return *begin(); }

  void clear() { *this = Frontier(); }
  void push_back(NodeId node) {
    std::vector<NodeId> nodes(*this);
    nodes.push_back(node);
    *this = Frontier(std::move(nodes));
  }

  friend bool operator==(const Frontier &a, const Frontier &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const Frontier &a, const Frontier &b) {
    return !(a == b);
  }
  friend bool operator<(const Frontier &a, const Frontier &b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  /// No node in `single`; the node of that number goes into `several`.
  static constexpr NodeId kNone = ~NodeId(0);

  std::unique_ptr<std::vector<NodeId>> several; ///< Null for none and one.
  NodeId single = kNone;
};

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_FRONTIER_H
