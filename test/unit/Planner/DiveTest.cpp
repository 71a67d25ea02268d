//===- DiveTest.cpp - What the dives stand on -----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The containment tree against a scan, and orders by the most bytes live during
// an item against their definition. That the dive is its definition is in
// SolveTest.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Planner/ContainmentTree.h"
#include "../../../lib/Planner/Orders.h"
#include "TestProblems.h"

#include <numeric>

using namespace transient::planner;
using namespace transient::planner::testing;

TEST(ContainmentTree, answersAsAScanDoes) {
  for (std::uint64_t seed = 0; seed != 60; ++seed) {
    const Problem problem =
        randomIntervals(seed, 1 + seed * seed % 300, 1 + seed % 50, 9);
    const Instance instance(problem);
    std::vector<Item> order(instance.size());
    std::iota(order.begin(), order.end(), 0);
    ContainmentTree tree(instance, order);
    Lcg random(seed);
    for (int round = 0; round != 2; ++round) { // A tree serves many orders.
      for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[random.below(k)]);
      tree.fill(order);
      std::vector<char> held(order.size(), 1);
      for (std::size_t left = order.size(); left;) {
        const auto from = std::uint32_t(random.below(instance.numTimes));
        const auto to =
            std::uint32_t(from + random.below(instance.numTimes - from));
        std::uint32_t expected = ContainmentTree::kNone;
        for (std::uint32_t rank = 0; rank != order.size(); ++rank)
          if (held[rank] && instance.lo[order[rank]] >= from &&
              instance.hi[order[rank]] <= to) {
            expected = rank;
            break;
          }
        ASSERT_EQ(tree.best(from, to), expected) << "seed " << seed;
        const auto victim = std::uint32_t(random.below(order.size()));
        if (held[victim]) {
          held[victim] = 0;
          --left;
          tree.remove(order[victim]);
        }
      }
      EXPECT_EQ(tree.best(0, instance.numTimes - 1), ContainmentTree::kNone);
    }
  }
}

TEST(Orders, lookAtTheMostBytesLiveDuringAnItem) {
  for (std::uint64_t seed = 0; seed != 40; ++seed) {
    const Problem problem = randomIntervals(seed, 1 + seed, 30, 9);
    const Instance instance(problem);
    std::vector<Item> items(instance.size());
    std::iota(items.begin(), items.end(), 0);
    std::vector<std::uint64_t> live(instance.numTimes, 0);
    for (Item i : items)
      for (std::uint32_t t = instance.lo[i]; t <= instance.hi[i]; ++t)
        live[t] += instance.bytes[i];
    ASSERT_EQ(live, liveBytes(instance, items));
    const auto key = [&](Item i) {
      return std::make_tuple(
          *std::max_element(live.begin() + instance.lo[i],
                            live.begin() + instance.hi[i] + 1),
          instance.bytes[i], instance.duration[i], ~i);
    };
    std::vector<Item> expected(items);
    std::sort(expected.begin(), expected.end(),
              [&](Item a, Item b) { return key(a) > key(b); });
    EXPECT_EQ(Orders(instance, items).by(Rank::Breadth), expected)
        << "seed " << seed;
  }
}
