//===- PressureTest.cpp - Sums over ranges, maxima of ranges --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of the critical dive against a plain array, frontiers against
// vectors, labels against strings.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Planner/Pressure.h"

#include "transient/Planner/Frontier.h"
#include "transient/Planner/Label.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace transient::planner;

TEST(Pressure, agreesWithAnArray) {
  std::uint64_t state = 7;
  auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
  };
  for (std::uint32_t size : {1u, 2u, 15u, 16u, 17u, 33u, 100u, 1000u}) {
    std::vector<std::uint64_t> plain(size);
    for (std::uint64_t &value : plain)
      value = random(50);
    Pressure pressure(plain);
    for (int step = 0; step != 400; ++step) {
      auto from = std::uint32_t(random(size));
      auto to = std::uint32_t(from + random(size - from));
      if (step % 2) {
        const std::uint64_t by = random(20);
        pressure.add(from, to, by);
        for (std::uint32_t t = from; t <= to; ++t)
          plain[t] += by;
        continue;
      }
      const auto worst =
          std::max_element(plain.begin() + from, plain.begin() + to + 1);
      ASSERT_EQ(pressure.most(from, to), *worst) << size << " " << step;
      ASSERT_EQ(pressure.worst(from, to), worst - plain.begin());
    }
  }
}

TEST(Pressure, isZeroWhereNothingIs) {
  Pressure pressure(std::vector<std::uint64_t>(40, 0));
  EXPECT_EQ(pressure.most(3, 30), 0u);
  EXPECT_EQ(pressure.worst(3, 30), 3u);
}

TEST(Frontier, holdsWhatAVectorHolds) {
  Frontier frontier;
  std::vector<NodeId> nodes;
  EXPECT_TRUE(frontier.empty());
  for (NodeId node : {9u, 4u, 4u, 7u}) {
    frontier.push_back(node);
    nodes.push_back(node);
    const Frontier copy = frontier;
    EXPECT_EQ(std::vector<NodeId>(copy), nodes);
    EXPECT_EQ(copy, Frontier(nodes));
    EXPECT_EQ(copy.size(), nodes.size());
    EXPECT_EQ(copy.front(), 9u);
    EXPECT_EQ(copy[nodes.size() - 1], node);
  }
  EXPECT_NE(frontier, Frontier({9}));
  EXPECT_LT(Frontier({4, 9}), frontier);
  frontier.clear();
  EXPECT_EQ(frontier, Frontier());
  frontier = {UINT64_MAX};
  EXPECT_EQ(frontier.front(), UINT64_MAX);
}

TEST(Frontier, holdsTheLargestNodeToo) {
  const Frontier frontier{~NodeId(0)};
  EXPECT_EQ(frontier.size(), 1u);
  EXPECT_EQ(frontier.front(), ~NodeId(0));
  EXPECT_EQ(Frontier(frontier), frontier);
  EXPECT_NE(frontier, Frontier());
}

TEST(Label, holdsWhatAStringHolds) {
  Label label;
  EXPECT_TRUE(label.empty());
  EXPECT_EQ(label.str(), "");
  label = "abi";
  Label copy = label;
  label = copy.str() + "!";
  EXPECT_EQ(copy.str(), "abi");
  EXPECT_EQ(label.str(), "abi!");
  copy = label;
  label = "";
  EXPECT_TRUE(label.empty());
  EXPECT_EQ(copy.str(), "abi!");
}
