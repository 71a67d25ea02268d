//===- Explain.cpp - Why two buffers may or may not share -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns one answer about a pair into paths, missing edges and sentences.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Explain.h"

#include <algorithm>

namespace transient::planner {

namespace {

bool listed(const BufferPairs &pairs, BufferIndex a, BufferIndex b) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto &pair) {
    return pair == std::pair(a, b) || pair == std::pair(b, a);
  });
}

bool precedes(const Problem &problem, NodeId a, NodeId b) {
  return problem.order ? problem.order->reaches(a, b) : a < b;
}

/// By the edges, even where the order's index dropped columns.
bool allPrecede(const Problem &problem, const Buffer &a, const Buffer &b) {
  for (NodeId l : a.last)
    for (NodeId f : b.first)
      if (!precedes(problem, l, f))
        return false;
  return true;
}

std::string nodes(const Frontier &list, const char *separator) {
  std::string text;
  for (NodeId node : list)
    text += (text.empty() ? "" : separator) + std::to_string(node);
  return text;
}

/// Pairs that keep `a` from being before `b`.
std::vector<std::pair<NodeId, NodeId>>
missing(const Problem &problem, const Buffer &a, const Buffer &b) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId l : a.last)
    for (NodeId f : b.first)
      if (!precedes(problem, l, f))
        pairs.push_back({l, f});
  return pairs;
}

/// True when all of `pairs` could be added without closing a cycle.
bool addable(const Problem &problem,
             const std::vector<std::pair<NodeId, NodeId>> &pairs) {
  return std::none_of(pairs.begin(), pairs.end(), [&](const auto &pair) {
    return pair.first == pair.second ||
           precedes(problem, pair.second, pair.first);
  });
}

void describeMissing(const Problem &problem, const Buffer &a, const Buffer &b,
                     const std::vector<std::pair<NodeId, NodeId>> &pairs,
                     std::string &text) {
  text += "To put '" + a.id + "' before '" + b.id + "'";
  if (!addable(problem, pairs)) {
    text += " is impossible: the order already says the opposite.\n";
    return;
  }
  text += ", end before start must hold for";
  std::size_t shown = 0;
  for (auto [l, f] : pairs) {
    if (++shown > 8) {
      text += " ... (" + std::to_string(pairs.size()) + " in all)";
      break;
    }
    text += (shown == 1 ? " " : ", ") + std::to_string(l) + " -> " +
            std::to_string(f);
  }
  text += ".\n";
}

} // namespace

SharingExplanation explainSharing(const Problem &problem, BufferIndex a,
                                  BufferIndex b) {
  const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
  SharingExplanation result;
  auto say = [&](bool mayShare, SharingReason reason, const std::string &why) {
    result.mayShare = mayShare;
    result.reason = reason;
    result.text = "'" + x.id + "' and '" + y.id +
                  (mayShare ? "' may share storage: " : "' may not share: ") +
                  why + "\n";
  };
  auto prove = [&](const Buffer &from, const Buffer &to) {
    for (NodeId l : from.last)
      for (NodeId f : to.first) {
        result.paths.push_back(problem.order ? problem.order->path(l, f)
                                             : std::vector<NodeId>{l, f});
        result.text += "  node " + std::to_string(l) + " ends before node " +
                       std::to_string(f) +
                       " starts: " + nodes(result.paths.back(), " -> ") + "\n";
      }
    if (!isBefore(problem, a, b) && !isBefore(problem, b, a))
      result.text +=
          "  The planner keeps them apart all the same: the order is "
          "too wide for its index to see this.\n";
  };

  if (!needsStorage(x) || !needsStorage(y)) {
    const Buffer &none = needsStorage(x) ? y : x;
    say(true, SharingReason::NoStorage,
        "'" + none.id + "' " + (none.unused ? "is unused" : "has no bytes") +
            " and gets no storage.");
    return result;
  }
  if (x.space != y.space) {
    say(false, SharingReason::Space,
        "they are in different spaces (" + std::to_string(x.space) + " and " +
            std::to_string(y.space) + ").");
    return result;
  }
  if (listed(problem.neverShare, a, b)) {
    say(false, SharingReason::NeverShare, "the problem says they never do.");
    return result;
  }
  if (allPrecede(problem, x, y)) {
    say(true, SharingReason::Before,
        "every last use of '" + x.id + "' ends before '" + y.id + "' begins.");
    prove(x, y);
    return result;
  }
  if (allPrecede(problem, y, x)) {
    say(true, SharingReason::After,
        "every last use of '" + y.id + "' ends before '" + x.id + "' begins.");
    prove(y, x);
    return result;
  }
  result.missingForward = missing(problem, x, y);
  result.missingBackward = missing(problem, y, x);
  if (listed(problem.exclusive, a, b)) {
    say(true, SharingReason::Exclusive,
        "they are unordered, but never both in one execution.");
    return result;
  }
  say(false, SharingReason::Unordered,
      "neither is proved to end before the other begins.");
  describeMissing(problem, x, y, result.missingForward, result.text);
  describeMissing(problem, y, x, result.missingBackward, result.text);
  return result;
}

} // namespace transient::planner
