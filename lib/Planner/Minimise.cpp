//===- Minimise.cpp - Lower and lower by exact search ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bound, or the target, is asked for first. Then come rounds of doubling
// patience, each a bisection between the bound and the best height. How hard a
// capacity is does not grow steadily with how tight it is, so no answer within
// the patience of a round says little about lower capacities: the others are
// asked all the same.
//
//===----------------------------------------------------------------------===//

#include "Minimise.h"

#include "ExactSearch.h"

#include <algorithm>
#include <numeric>

namespace transient::planner {

std::uint64_t granularity(const Instance &instance,
                          const std::vector<Item> &items,
                          std::uint64_t arenaAlign) {
  std::uint64_t divisor = 0;
  for (Item i : items) {
    divisor = std::gcd(divisor, instance.bytes[i]);
    divisor = std::gcd(
        divisor,
        instance.problem.buffers[instance.buffer[i]].fixedOffset.value_or(0));
  }
  // Rounding up to a divisor of all that is summed changes nothing.
  for (Item i : items)
    if (std::uint64_t a = std::max(arenaAlign, instance.align(i)); divisor % a)
      divisor = std::gcd(divisor, a);
  return std::max<std::uint64_t>(divisor, 1);
}

namespace {

constexpr std::uint64_t kFirstPatience = 1u << 26; ///< Steps.

struct Ladder {
  const ConflictGraph &graph;
  const MinimiseOptions &options;
  ArenaLayout &layout;
  std::uint64_t &bound;
  std::uint64_t grain;
  ExactSearch search;
  MinimiseResult result{};

  bool isDone() const {
    if (layout.height <= bound || search.spent() >= options.maxSteps ||
        (options.stop && options.stop->load(std::memory_order_relaxed)))
      return true;
    return options.target &&
           (layout.height <= *options.target || bound > *options.target);
  }

  /// Asks for `capacity` and takes in the answer.
  ExactSearch::Outcome ask(std::uint64_t capacity, std::uint64_t patience) {
    patience = std::min(patience, options.maxSteps - search.spent());
    auto outcome = search.decide(capacity, patience);
    if (outcome == ExactSearch::Outcome::Found) {
      for (ConflictGraph::Vertex v = 0; v != graph.size(); ++v)
        layout.offset[graph.items[v]] = search.offsets()[v];
      layout.height = search.height();
      result.improved = true;
    } else if (outcome == ExactSearch::Outcome::Exhausted) {
      // Heights are multiples of the grain.
      bound = std::min(layout.height, capacity - capacity % grain + grain);
    }
    if (options.progress)
      options.progress(layout.height, bound, search.spent());
    return outcome;
  }

  /// Capacities between the bound and the height, lower ones first.
  void bisect(std::uint64_t patience) {
    for (unsigned part = 2; part <= 8 && !isDone();) {
      const std::uint64_t gap = layout.height - bound;
      const std::uint64_t wanted = layout.height - gap / part;
      const std::uint64_t capacity =
          std::min(wanted - wanted % grain, layout.height - grain);
      switch (ask(std::max(capacity, bound), patience)) {
      case ExactSearch::Outcome::Found:
        part = 2;
        break;
      case ExactSearch::Outcome::Exhausted:
        break;
      case ExactSearch::Outcome::OutOfSteps:
        part *= 2;
        break;
      }
    }
  }
};

} // namespace

MinimiseResult minimise(const Instance &instance, const ConflictGraph &graph,
                        const MinimiseOptions &options, ArenaLayout &layout,
                        std::uint64_t &bound) {
  Ladder ladder{graph,
                options,
                layout,
                bound,
                granularity(instance, graph.items, options.arenaAlign),
                ExactSearch(instance, graph, options.arenaAlign, options.stop)};
  bound = std::min(std::max(bound, ladder.search.bound()), layout.height);
  // Most instances that can be solved at all are solved at the bound.
  const std::uint64_t first =
      std::max(bound, std::min(options.target.value_or(0), layout.height));
  std::uint64_t firstPatience = options.maxSteps / (options.target ? 2 : 4);
  if (!ladder.isDone())
    ladder.ask(first, firstPatience);
  for (std::uint64_t patience = kFirstPatience; !ladder.isDone();
       patience *= 2) {
    if (options.target || patience > firstPatience)
      ladder.ask(first, patience);
    ladder.bisect(patience);
  }
  ladder.result.excluded = options.target && bound > *options.target;
  ladder.result.steps = ladder.search.spent();
  return ladder.result;
}

} // namespace transient::planner
