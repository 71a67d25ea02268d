//===- PresentationTest.cpp - Tests of explanations, pictures, generator --===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What people read: why two buffers share or not, the memory map, and that
// seeded problems stay the same.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Explain.h"
#include "transient/Planner/Generate.h"
#include "transient/Planner/Render.h"
#include "transient/Planner/Serialize.h"
#include "transient/Planner/Solve.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

static bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Explain, showsThePath) {
  Problem p;
  p.order = makeOrder(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  p.buffers = {used("A", 8, {0}, {0}), used("B", 8, {2}, {3})};
  SharingExplanation why = explainSharing(p, 0, 1);
  EXPECT_TRUE(why.mayShare);
  EXPECT_EQ(why.reason, SharingReason::Before);
  EXPECT_EQ(why.paths, (std::vector<std::vector<NodeId>>{{0, 1, 2}}));
  EXPECT_TRUE(has(why.text, "0 -> 1 -> 2")) << why.text;
  EXPECT_EQ(explainSharing(p, 1, 0).reason, SharingReason::After);
}

TEST(Explain, showsTheMissingEdge) {
  Problem p;
  p.order = makeOrder(4, {{0, 1}, {0, 2}, {1, 3}});
  p.buffers = {used("A", 8, {0}, {1, 2}), used("B", 8, {3}, {3})};
  SharingExplanation why = explainSharing(p, 0, 1);
  EXPECT_FALSE(why.mayShare);
  EXPECT_EQ(why.reason, SharingReason::Unordered);
  EXPECT_EQ(why.missingForward,
            (std::vector<std::pair<NodeId, NodeId>>{{2, 3}}));
  EXPECT_TRUE(has(why.text, "2 -> 3")) << why.text;
  EXPECT_TRUE(has(why.text, "impossible")) << why.text;
}

// What the edges prove is said even where the order's index is too narrow.
TEST(Explain, droppedColumnsAreNoReason) {
  Problem p;
  p.order = makeOrder(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}, {1, 0});
  ASSERT_FALSE(p.order->precedes(1, 2));
  p.buffers = {used("A", 8, {1}, {1}), used("B", 8, {2}, {2})};
  SharingExplanation why = explainSharing(p, 0, 1);
  EXPECT_TRUE(why.mayShare);
  EXPECT_EQ(why.paths, (std::vector<std::vector<NodeId>>{{1, 2}}));
}

TEST(Explain, theOtherReasons) {
  Problem p;
  p.buffers = {interval("A", 8, 0, 2), interval("B", 8, 1, 3),
               interval("C", 0, 0, 9), interval("D", 8, 9, 9)};
  p.buffers[3].space = 1;
  EXPECT_EQ(explainSharing(p, 0, 2).reason, SharingReason::NoStorage);
  EXPECT_EQ(explainSharing(p, 0, 3).reason, SharingReason::Space);
  EXPECT_EQ(explainSharing(p, 0, 1).reason, SharingReason::Unordered);
  p.exclusive = {{1, 0}};
  EXPECT_EQ(explainSharing(p, 0, 1).reason, SharingReason::Exclusive);
  EXPECT_TRUE(explainSharing(p, 0, 1).mayShare);
  p.neverShare = {{0, 1}};
  EXPECT_EQ(explainSharing(p, 0, 1).reason, SharingReason::NeverShare);
}

TEST(Explain, agreesWithConflicts) {
  for (std::uint64_t seed = 0; seed != 50; ++seed) {
    RandomDag dag = randomDag(seed, 10, 8, 20, 2);
    dag.problem.exclusive = {{0, 1}};
    dag.problem.neverShare = {{2, 3}};
    for (BufferIndex a = 0; a != 8; ++a)
      for (BufferIndex b = 0; b != 8; ++b)
        if (a != b) {
          EXPECT_EQ(explainSharing(dag.problem, a, b).mayShare,
                    !conflicts(dag.problem, a, b));
        }
  }
}

TEST(Render, drawsEveryBufferOnceWithItsTooltip) {
  Problem p;
  p.buffers = {interval("A<&>", 8 << 20, 0, 3), interval("B", 6 << 20, 5, 8),
               interval("C", 4 << 20, 2, 7), interval("none", 0, 0, 1)};
  Plan plan = *solve(p);
  std::string svg = renderMemoryMap(p, plan);
  EXPECT_TRUE(has(svg, "A&lt;&amp;&gt;"));
  EXPECT_FALSE(has(svg, "A<&>"));
  std::size_t rectangles = 0;
  for (std::size_t at = 0;
       (at = svg.find("class=\"buffer\"", at)) != std::string::npos; ++at)
    ++rectangles;
  EXPECT_EQ(rectangles, 3u);
  EXPECT_TRUE(has(svg, "first node 2\nlast node 7")) << svg;
  EXPECT_TRUE(has(svg, "lower bound (exact) 12 MiB"));
  EXPECT_TRUE(has(svg, "execution order"));
  EXPECT_EQ(svg, renderMemoryMap(p, plan));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(Render, saysThatAnOrderIsPartial) {
  RandomDag dag = randomDag(2, 8, 5, 10, 2);
  EXPECT_TRUE(has(renderMemoryMap(dag.problem, *solve(dag.problem)),
                  "linear extension of a partial order"));
}

TEST(Render, handlesExtremes) {
  Problem p;
  EXPECT_TRUE(has(renderMemoryMap(p, *solve(p)), "</svg>"));
  p.buffers = {interval("a", ~0ull >> 2, 0, ~0ull), interval("b", 1, 5, 5)};
  EXPECT_TRUE(has(renderMemoryMap(p, *solve(p)), "</svg>"));
  SolveOptions slots;
  slots.strategy = Strategy::Slots;
  Problem many = randomIntervals(1, 300, 3);
  EXPECT_TRUE(has(renderMemoryMap(many, *solve(many, slots)), "</svg>"));
  EXPECT_TRUE(has(renderMemoryMap(p, Plan()), "</svg>"));
}

TEST(Generate, seedsAreStable) {
  GenerateOptions options;
  options.buffers = 3;
  options.maxBytes = 100;
  auto problem = generate(options);
  ASSERT_TRUE(problem);
  EXPECT_EQ(*writeProblemCsv(*problem), "id,lower,upper,size\n"
                                        "b0,0,3,66\n"
                                        "b1,1,3,36\n"
                                        "b2,2,3,46\n");
}

TEST(Generate, bothKindsAreValidAndSeedsDiffer) {
  for (auto kind :
       {GenerateOptions::Kind::Intervals, GenerateOptions::Kind::Dag})
    for (std::uint32_t n : {0, 1, 2, 50}) {
      GenerateOptions options;
      options.kind = kind;
      options.buffers = n;
      options.alignment = 64;
      auto one = generate(options);
      ASSERT_TRUE(one) << one.error().message;
      EXPECT_EQ(one->buffers.size(), n);
      EXPECT_FALSE(validate(*one));
      EXPECT_EQ(writeProblemJson(*one), writeProblemJson(*generate(options)));
      for (const Buffer &b : one->buffers)
        EXPECT_EQ(b.bytes % 64, 0u);
      options.seed = 2;
      if (n == 50) {
        EXPECT_NE(writeProblemJson(*one), writeProblemJson(*generate(options)));
      }
    }
}

TEST(Generate, refusesNonsense) {
  GenerateOptions options;
  options.alignment = 3;
  EXPECT_EQ(generate(options).error().kind, ErrorKind::BadAlignment);
  options.alignment = 1;
  options.maxBytes = 0;
  EXPECT_EQ(generate(options).error().kind, ErrorKind::ZeroBytes);
  options.maxBytes = ~0ull;
  EXPECT_EQ(generate(options).error().kind, ErrorKind::Overflow);
}
