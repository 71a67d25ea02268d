//===- GroupPlanTest.cpp - Tests of seed S3's planner ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// R1, R8-R10, R15-R18 (docs/Rules.md), and R7 over 200 random programs.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/GroupPlan.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using transient::planner::testing::Lcg;

static GroupEdge edge(const std::string &name, std::uint64_t bytes,
                      std::optional<GroupIndex> producer,
                      std::vector<GroupIndex> consumers) {
  GroupEdge e;
  e.name = name;
  e.rowBytes = bytes;
  e.producer = producer;
  e.consumers = std::move(consumers);
  return e;
}

static BufferPlan placed(const GroupProgram &program,
                         const Layout &layout = {}) {
  auto plan = planBuffersWith(program, 1, layout);
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *plan : BufferPlan();
}

TEST(GroupPlan, r8LiveFromWriterToLastReader) {
  auto ranges = liveRanges({5, {edge("e", 1, 1, {2, 3})}});
  ASSERT_TRUE(ranges);
  EXPECT_EQ((*ranges)[0]->start, 1u);
  EXPECT_EQ((*ranges)[0]->end, 3u);
}

TEST(GroupPlan, r9OutsideEdgesAreLiveThroughout) {
  GroupProgram program{5,
                       {edge("input", 1, std::nullopt, {0}),
                        edge("output", 1, 4, {}), edge("both", 1, 1, {2})}};
  program.edges[2].output = true;
  auto ranges = liveRanges(program);
  ASSERT_TRUE(ranges);
  for (int e = 0; e != 3; ++e) {
    EXPECT_EQ((*ranges)[e]->start, 0u);
    EXPECT_EQ((*ranges)[e]->end, 4u);
  }
}

// An input read only by group 0 still blocks reuse in the last group.
TEST(GroupPlan, r9InputBlocksReuseToTheEnd) {
  BufferPlan plan = placed(
      {4, {edge("input", 256, std::nullopt, {0}), edge("late", 256, 2, {3})}});
  EXPECT_EQ(plan.arenaBytes, 512u);
}

TEST(GroupPlan, r1FusedEdgesHaveNoSlot) {
  GroupProgram program{2, {edge("a", 8, 0, {1}), edge("fused", 8, 0, {1})}};
  program.edges[1].materialized = false;
  BufferPlan plan = placed(program);
  ASSERT_EQ(plan.slots.size(), 1u);
  EXPECT_EQ(plan.slots[0].edge, 0u);
  EXPECT_EQ(plan.materializedBytes, 8u);
  for (Layout layout : {Layout{{1}, {}}, Layout{{}, {{0, 1}}}}) {
    auto bad = planBuffersWith(program, 1, layout);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().kind, ErrorKind::NotMaterialized);
    EXPECT_EQ(bad.error().buffer, "fused");
  }
}

TEST(GroupPlan, r4BoundEdgesAreCountedNotPlaced) {
  GroupProgram program{2, {edge("a", 300, 0, {1}), edge("b", 300, 0, {1})}};
  BufferPlan plan = placed(program, {{0}, {}});
  ASSERT_EQ(plan.slots.size(), 1u);
  EXPECT_EQ(plan.slots[0].edge, 1u);
  EXPECT_EQ(plan.materializedBytes, 600u);
  EXPECT_EQ(plan.arenaBytes, 300u);
}

// Golden vector: in [0,1] and out [1,4] of 1 KiB are one class, [0,4].
TEST(GroupPlan, r10ClassIsLiveOverTheUnion) {
  GroupProgram program{6,
                       {edge("in", 1024, 0, {1}), edge("out", 1024, 1, {4})}};
  BufferPlan plan = placed(program, {{}, {{1, 0}}});
  ASSERT_EQ(plan.slots.size(), 2u);
  for (const Slot &slot : plan.slots) {
    EXPECT_EQ(slot.offset, 0u);
    EXPECT_EQ(slot.start, 0u);
    EXPECT_EQ(slot.end, 4u);
  }
  EXPECT_EQ(plan.arenaBytes, 1024u);
  EXPECT_EQ(plan.materializedBytes, 2048u);
}

// A class of disjoint pieces covers the hole between them too.
TEST(GroupPlan, r10ClassCoversItsHoles) {
  GroupProgram program{6,
                       {edge("a", 256, 0, {1}), edge("b", 256, 4, {5}),
                        edge("between", 256, 2, {3})}};
  EXPECT_EQ(placed(program).arenaBytes, 256u);
  EXPECT_EQ(placed(program, {{}, {{1, 0}}}).arenaBytes, 512u);
}

TEST(GroupPlan, aliasChainsAreOneClass) {
  GroupProgram program{
      4, {edge("a", 64, 0, {1}), edge("b", 64, 1, {2}), edge("c", 64, 2, {3})}};
  BufferPlan plan = placed(program, {{}, {{2, 1}, {1, 0}}});
  for (const Slot &slot : plan.slots)
    EXPECT_EQ(slot.offset, plan.slots[0].offset);
  EXPECT_EQ(plan.arenaBytes, 64u);
}

TEST(GroupPlan, r17LayoutErrorsNameTheEdge) {
  GroupProgram program{2, {edge("a", 64, 0, {1}), edge("b", 65, 0, {1})}};
  auto sizes = planBuffersWith(program, 1, {{}, {{1, 0}}});
  ASSERT_FALSE(sizes);
  EXPECT_EQ(sizes.error().kind, ErrorKind::Layout);
  EXPECT_EQ(sizes.error().buffer, "b");
  auto bound = planBuffersWith(program, 1, {{0}, {{1, 0}}});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().kind, ErrorKind::Layout);
  EXPECT_EQ(bound.error().buffer, "a");
  auto unknown = planBuffersWith(program, 1, {{7}, {}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::UnknownBuffer);
}

TEST(GroupPlan, r17SizesThatOverflowNameTheEdge) {
  GroupProgram program{2, {edge("wide", 1ull << 40, 0, {1})}};
  program.edges[0].rowScale = 1;
  auto plan = planBuffers(program, 1ull << 30);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::Overflow);
  EXPECT_EQ(plan.error().buffer, "wide");
  EXPECT_NE(plan.error().message.find("overflow"), std::string::npos);
  program.edges = {edge("x", ~0ull - 1000, 0, {1}), edge("y", 1000, 0, {1})};
  plan = planBuffers(program, 1);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().buffer, "y");
}

TEST(GroupPlan, rangesAreChecked) {
  EXPECT_EQ(liveRanges({2, {edge("e", 1, 2, {})}}).error().kind,
            ErrorKind::UnknownNode);
  EXPECT_EQ(liveRanges({2, {edge("e", 1, 0, {2})}}).error().kind,
            ErrorKind::UnknownNode);
  auto early = liveRanges({2, {edge("e", 1, 1, {0})}});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().kind, ErrorKind::BadLifetime);
  EXPECT_EQ(early.error().buffer, "e");
}

TEST(GroupPlan, bytesFollowTheRowExpression) {
  GroupProgram program{2, {edge("e", 10, 0, {1})}};
  program.edges[0].rowScale = 2;
  program.edges[0].rowBase = 3;
  for (std::uint64_t rows : {1, 7, 128}) {
    auto plan = planBuffers(program, rows);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->slots[0].bytes, 10 * (2 * rows + 3));
  }
}

// R15: offsets are multiples of 256; sizes are not rounded.
TEST(GroupPlan, r15OffsetsAreAlignedSizesAreNot) {
  BufferPlan plan =
      placed({2, {edge("a", 100, 0, {1}), edge("b", 60, 0, {1})}});
  EXPECT_EQ(plan.slots[0].offset, 0u);
  EXPECT_EQ(plan.slots[1].offset, 256u);
  EXPECT_EQ(plan.arenaBytes, 316u);
}

// R18: start ascending, bytes descending, lowest edge; first fit. Edge 3 goes
// into the first hole, not into the better fitting one above it.
TEST(GroupPlan, r18GoldenOffsets) {
  BufferPlan plan = placed({8,
                            {edge("hole", 1024, 0, {1}),   // 0
                             edge("keep", 512, 0, {7}),    // 1024
                             edge("fit", 256, 0, {1}),     // 1536
                             edge("same", 256, 0, {7}),    // 1792
                             edge("next", 256, 2, {3})}}); // 0: first fit
  std::vector<std::uint64_t> offsets;
  for (const Slot &slot : plan.slots)
    offsets.push_back(slot.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 1024, 1536, 1792, 0}));
  EXPECT_EQ(plan.arenaBytes, 2048u);
}

TEST(GroupPlan, r16EmptyLayoutIsTheDefault) {
  GroupProgram program{3, {edge("a", 100, 0, {1}), edge("b", 60, 1, {2})}};
  auto plain = planBuffers(program, 1);
  auto with = planBuffersWith(program, 1, {});
  ASSERT_TRUE(plain && with);
  for (std::size_t i = 0; i != 2; ++i)
    EXPECT_EQ(plain->slots[i].offset, with->slots[i].offset);
}

TEST(GroupPlan, aChainTakesLessThanHalf) {
  GroupProgram program{40, {}};
  for (GroupIndex g = 0; g + 1 != 40; ++g)
    program.edges.push_back(edge("e" + std::to_string(g), 4096, g, {g + 1}));
  BufferPlan plan = placed(program);
  EXPECT_LT(2 * plan.arenaBytes, plan.materializedBytes);
  EXPECT_EQ(plan.arenaBytes, 2 * 4096u);
}

// R7 over random programs: all pairs, from the definition of live.
TEST(GroupPlan, r7TwoHundredRandomPrograms) {
  unsigned fused = 0, aliased = 0;
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    Lcg lcg(seed);
    GroupProgram program{GroupIndex(3 + lcg.below(20)), {}};
    Layout layout;
    std::vector<EdgeIndex> materialized;
    for (EdgeIndex e = 0; e != 25; ++e) {
      auto producer = GroupIndex(lcg.below(program.numGroups));
      std::vector<GroupIndex> readers;
      for (std::uint64_t r = lcg.below(4); r-- > 0;)
        readers.push_back(producer +
                          GroupIndex(lcg.below(program.numGroups - producer)));
      program.edges.push_back(edge("e" + std::to_string(e),
                                   64 * (1 + lcg.below(9)), producer, readers));
      GroupEdge &it = program.edges.back();
      it.output = lcg.below(10) == 0;
      if (lcg.below(10) == 0)
        it.producer.reset();
      it.materialized = lcg.below(5) != 0;
      fused += !it.materialized;
      if (it.materialized) {
        for (EdgeIndex other : materialized)
          if (program.edges[other].rowBytes == it.rowBytes &&
              lcg.below(8) == 0) {
            layout.aliases.push_back({e, other});
            ++aliased;
          }
        materialized.push_back(e);
      }
    }
    auto plan = planBuffersWith(program, 1, layout);
    ASSERT_TRUE(plan) << plan.error().message;
    // Alias classes by repeated relabelling.
    std::vector<EdgeIndex> label(25);
    for (EdgeIndex e = 0; e != 25; ++e)
      label[e] = e;
    for (int round = 0; round != 25; ++round)
      for (auto [a, b] : layout.aliases)
        label[a] = label[b] = std::min(label[a], label[b]);
    auto ranges = liveRanges(program);
    ASSERT_TRUE(ranges);
    std::uint64_t materializedBytes = 0;
    for (const Slot &a : plan->slots) {
      EXPECT_EQ(a.offset % kArenaAlign, 0u);
      EXPECT_LE(a.offset + a.bytes, plan->arenaBytes);
      EXPECT_EQ(a.bytes, program.edges[a.edge].rowBytes);
      materializedBytes += a.bytes;
      for (const Slot &b : plan->slots) {
        if (label[a.edge] == label[b.edge]) {
          EXPECT_EQ(a.offset, b.offset);
          continue;
        }
        // Live together: over class ranges from first principles.
        auto liveAt = [&](const Slot &s, GroupIndex g) {
          GroupIndex from = ~0u, to = 0;
          for (EdgeIndex e = 0; e != 25; ++e)
            if (label[e] == label[s.edge] && (*ranges)[e]) {
              from = std::min(from, (*ranges)[e]->start);
              to = std::max(to, (*ranges)[e]->end);
            }
          return from <= g && g <= to;
        };
        for (GroupIndex g = 0; g != program.numGroups; ++g)
          if (liveAt(a, g) && liveAt(b, g)) {
            EXPECT_TRUE(a.offset + a.bytes <= b.offset ||
                        b.offset + b.bytes <= a.offset)
                << "seed " << seed << " edges " << a.edge << " " << b.edge;
          }
      }
    }
    EXPECT_EQ(plan->materializedBytes, materializedBytes);
    EXPECT_LE(plan->arenaBytes,
              materializedBytes + kArenaAlign * plan->slots.size());
  }
  EXPECT_GT(fused, 0u);
  EXPECT_GT(aliased, 0u);
}
