//===- MinimalConflict.cpp - Few items that cannot fit --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deletion in chunks of halving length, down to single items: what can go
// without making the rest fit is gone for good.
//
//===----------------------------------------------------------------------===//

#include "MinimalConflict.h"

#include "ConflictGraph.h"
#include "ExactSearch.h"

#include <algorithm>

namespace transient::planner {

std::vector<Item> minimalOverload(const Instance &instance,
                                  std::vector<Item> clique,
                                  std::uint64_t capacity) {
  std::sort(clique.begin(), clique.end(), [&](Item a, Item b) {
    return instance.bytes[a] != instance.bytes[b]
               ? instance.bytes[a] > instance.bytes[b]
               : a < b;
  });
  std::uint64_t sum = 0;
  std::size_t count = 0;
  while (count != clique.size() && sum <= capacity)
    sum += instance.bytes[clique[count++]];
  clique.resize(count);
  std::sort(clique.begin(), clique.end());
  return clique;
}

std::vector<Item> minimalUnplaceable(const Instance &instance,
                                     std::vector<Item> items,
                                     std::uint64_t arenaAlign,
                                     std::uint64_t capacity,
                                     std::uint64_t steps, bool &minimal) {
  const auto ask = [&](const std::vector<Item> &some) {
    auto graph = ConflictGraph::build(instance, some, {});
    return graph ? ExactSearch(instance, *graph, arenaAlign)
                       .decide(capacity, steps)
                 : ExactSearch::Outcome::OutOfSteps;
  };
  minimal = true;
  for (std::size_t chunk = std::max<std::size_t>(items.size() / 2, 1); chunk;
       chunk /= 2)
    for (std::size_t from = 0; from < items.size();) {
      std::vector<Item> rest(items.begin(), items.begin() + from);
      const std::size_t to = std::min(from + chunk, items.size());
      rest.insert(rest.end(), items.begin() + to, items.end());
      const ExactSearch::Outcome outcome = ask(rest);
      if (outcome == ExactSearch::Outcome::Exhausted) {
        items = std::move(rest);
        continue;
      }
      if (chunk == 1)
        minimal &= outcome == ExactSearch::Outcome::Found;
      from = to;
    }
  return items;
}

} // namespace transient::planner
