//===- DifferentialTest.cpp - All algorithms against brute force ----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hundred thousand small problems, over total and partial orders, with
// alignments, fixed offsets and pairs. Every algorithm's plan is legal and no
// smaller than the optimum; search's is the optimum, and says so; a capacity is
// met or refused as the optimum says. The oracle tries all orders of placement
// and all chain partitions, with the definitions of TestProblems.h.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Bound.h"
#include "transient/Planner/Replan.h"
#include "transient/Planner/Serialize.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

using namespace transient::planner;
using namespace transient::planner::testing;

namespace {

/// A small problem and the table that decides its conflicts.
struct Case {
  Problem problem;
  std::vector<std::vector<bool>> reach;
  bool partial = false;
  const std::vector<std::vector<bool>> *table() const {
    return partial ? &reach : nullptr;
  }
};

/// Problem number `seed`: its features are bits of the number.
Case makeCase(std::uint64_t seed, std::size_t mostBuffers) {
  Lcg lcg(seed + 1000003);
  Case it;
  const std::size_t n = 1 + lcg.below(mostBuffers);
  it.partial = seed & 1;
  if (it.partial) {
    RandomDag dag = seed & 2 ? rootless(seed, 2 + lcg.below(7), n)
                             : randomDag(seed, 2 + lcg.below(7), n,
                                         unsigned(10 + lcg.below(40)), 2);
    it.problem = std::move(dag.problem);
    it.reach = std::move(dag.reach);
  } else {
    it.problem = randomIntervals(seed, n, 2 + lcg.below(7));
  }
  if (seed & 4)
    for (Buffer &b : it.problem.buffers)
      b.alignment = 1ull << lcg.below(4);
  if (seed & 8 && n > 1) {
    Buffer &b = it.problem.buffers[lcg.below(n)];
    b.fixedOffset = b.alignment * lcg.below(5);
  }
  if (seed & 16 && n > 2) {
    auto pair = [&] {
      BufferIndex a = BufferIndex(lcg.below(n)), b = BufferIndex(lcg.below(n));
      return std::make_pair(a, a == b ? BufferIndex((b + 1) % n) : b);
    };
    it.problem.neverShare.push_back(pair());
    if (seed & 32)
      it.problem.exclusive.push_back(pair());
  }
  return it;
}

std::uint64_t rounded(const Buffer &b) {
  return (b.bytes + b.alignment - 1) / b.alignment * b.alignment;
}

/// The smallest arena, by trying all orders of placement with each buffer at
/// its lowest free aligned offset: nothing that is optimal is missed, because
/// the buffers of an optimal plan, pushed down in order of their offsets, are
/// placed so. Fixed buffers come first. Nothing when those collide.
std::optional<std::uint64_t> smallestArena(const Case &it) {
  const auto &buffers = it.problem.buffers;
  const std::size_t n = buffers.size();
  std::vector<std::vector<bool>> apart(n, std::vector<bool>(n, false));
  for (BufferIndex a = 0; a != n; ++a)
    for (BufferIndex b = 0; b != n; ++b)
      apart[a][b] = a != b && mustNotShare(it.problem, a, b, it.table());
  std::vector<std::uint64_t> size(n), offset(n, 0);
  std::vector<std::size_t> fixed, order;
  for (std::size_t i = 0; i != n; ++i) {
    size[i] = rounded(buffers[i]);
    if (buffers[i].fixedOffset) {
      offset[i] = *buffers[i].fixedOffset;
      fixed.push_back(i);
    } else {
      order.push_back(i);
    }
  }
  std::uint64_t floor = 0;
  for (std::size_t i : fixed) {
    floor = std::max(floor, offset[i] + size[i]);
    for (std::size_t j : fixed)
      if (apart[i][j] && offset[i] < offset[j] + size[j] &&
          offset[j] < offset[i] + size[i])
        return std::nullopt;
  }
  std::uint64_t best = ~0ull;
  do {
    std::vector<std::size_t> placed(fixed);
    std::uint64_t height = floor;
    for (std::size_t i : order) {
      const std::uint64_t a = buffers[i].alignment;
      std::uint64_t at = 0;
      for (bool again = true; again;) {
        again = false;
        for (std::size_t j : placed)
          if (apart[i][j] && at < offset[j] + size[j] &&
              offset[j] < at + size[i]) {
            at = (offset[j] + size[j] + a - 1) / a * a;
            again = true;
          }
      }
      offset[i] = at;
      height = std::max(height, at + size[i]);
      placed.push_back(i);
      if (height >= best)
        break;
    }
    best = std::min(best, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// The least bytes in whole buffers, by assigning the largest first to any
/// buffer so far or a new one. A physical buffer offers what its first and
/// largest tenant needs; nothing here needs anything.
struct SmallestSlots {
  const Case &it;
  std::vector<BufferIndex> order;
  std::vector<std::vector<BufferIndex>> slots;
  std::uint64_t best = ~0ull;

  void assign(std::size_t k, std::uint64_t sum) {
    if (sum >= best)
      return;
    if (k == order.size()) {
      best = sum;
      return;
    }
    const BufferIndex i = order[k];
    for (std::size_t s = 0; s != slots.size(); ++s) {
      bool free = true;
      for (BufferIndex j : slots[s])
        free &= !mustNotShare(it.problem, i, j, it.table());
      if (!free)
        continue;
      slots[s].push_back(i);
      assign(k + 1, sum);
      slots[s].pop_back();
    }
    slots.push_back({i});
    assign(k + 1, sum + rounded(it.problem.buffers[i]));
    slots.pop_back();
  }
};

std::uint64_t smallestSlots(const Case &it) {
  SmallestSlots search{it, {}, {}};
  for (BufferIndex i = 0; i != it.problem.buffers.size(); ++i)
    search.order.push_back(i);
  std::stable_sort(search.order.begin(), search.order.end(),
                   [&](BufferIndex a, BufferIndex b) {
                     return rounded(it.problem.buffers[a]) >
                            rounded(it.problem.buffers[b]);
                   });
  search.assign(0, 0);
  return search.best;
}

void expectLegal(const Case &it, const Plan &plan, const std::string &what) {
  ASSERT_EQ(plan.placements.size(), it.problem.buffers.size()) << what;
  ASSERT_TRUE(isDisjoint(it.problem, plan, it.table())) << what;
  auto violations = verify(it.problem, plan);
  ASSERT_TRUE(violations.empty()) << what << ": " << violations[0].message;
}

/// Share `part` of `parts` of the hundred thousand.
void compare(std::uint64_t part, std::uint64_t parts) {
  const std::vector<std::string> algorithms = algorithmNames(Strategy::Arena);
  std::uint64_t optima = 0, above = 0;
  for (std::uint64_t seed = part; seed < 100000; seed += parts) {
    // Brute force over seven buffers now and then, over five mostly.
    const Case it = makeCase(seed, seed % 64 < 2 ? 7 : 5);
    if (validate(it.problem))
      continue;
    const auto best = smallestArena(it);
    const std::string what = "seed " + std::to_string(seed);
    SolveOptions options;
    if (!best) {
      auto plan = solve(it.problem, options);
      ASSERT_FALSE(plan) << what;
      ASSERT_EQ(plan.error().kind, ErrorKind::Infeasible) << what;
      continue;
    }
    ++optima;
    for (const std::string &name : algorithms) {
      options.algorithm = name;
      auto plan = solve(it.problem, options);
      if (!plan) { // A dive where there are fixed offsets or pairs.
        ASSERT_EQ(plan.error().kind, ErrorKind::UnknownAlgorithm)
            << what << " " << name << ": " << plan.error().message;
        continue;
      }
      expectLegal(it, *plan, what + " " + name);
      ASSERT_GE(plan->physicalBytes, *best) << what << " " << name;
      ASSERT_LE(plan->lowerBoundBytes, *best) << what << " " << name;
      if (name == "auto" || name == "arena-search") {
        ASSERT_EQ(plan->physicalBytes, *best) << what << " " << name;
        ASSERT_TRUE(plan->optimal) << what << " " << name;
        ASSERT_TRUE(verifyClaims(it.problem, *plan).empty()) << what;
      }
    }
    options.algorithm = "auto";
    const Bound bound = *lowerBound(it.problem);
    above += bound.bytes < *best;
    ASSERT_LE(bound.bytes, *best) << what;

    // The decision, at the optimum and one byte below it.
    options.capacity = *best;
    auto fits = solve(it.problem, options);
    ASSERT_TRUE(fits) << what << ": " << fits.error().message;
    expectLegal(it, *fits, what + " capacity");
    options.capacity = *best - 1;
    auto tooSmall = solve(it.problem, options);
    ASSERT_FALSE(tooSmall) << what;
    ASSERT_EQ(tooSmall.error().kind, ErrorKind::Infeasible)
        << what << ": " << tooSmall.error().message;

    if (!(seed & 8)) {
      const std::uint64_t slots = smallestSlots(it);
      SolveOptions whole;
      whole.strategy = Strategy::Slots;
      whole.steps = 20000;
      for (const std::string &name : algorithmNames(Strategy::Slots)) {
        whole.algorithm = name;
        auto plan = solve(it.problem, whole);
        ASSERT_TRUE(plan) << what;
        expectLegal(it, *plan, what + " " + name);
        ASSERT_GE(plan->physicalBytes, slots) << what << " " << name;
        ASSERT_LE(plan->lowerBoundBytes, slots) << what << " " << name;
        ASSERT_TRUE(!plan->optimal || plan->physicalBytes == slots)
            << what << " " << name;
        ASSERT_TRUE(verifyClaims(it.problem, *plan).empty()) << what;
      }
    }
  }
  EXPECT_GT(optima, 40000 / parts);
  EXPECT_GT(above, 100 / parts); // Some optima are above the bound.
}

} // namespace

TEST(Differential, allAlgorithmsAgainstBruteForce0) { compare(0, 4); }
TEST(Differential, allAlgorithmsAgainstBruteForce1) { compare(1, 4); }
TEST(Differential, allAlgorithmsAgainstBruteForce2) { compare(2, 4); }
TEST(Differential, allAlgorithmsAgainstBruteForce3) { compare(3, 4); }

// Edits of problems: what is kept is where it was, and the plan is legal.
TEST(Differential, replanningKeepsWhatItMay) {
  std::uint64_t kept = 0, moved = 0;
  for (std::uint64_t seed = 0; seed != 2000; ++seed) {
    Case it = makeCase(seed & ~8ull, 12);
    if (validate(it.problem))
      continue;
    auto plan = solve(it.problem);
    ASSERT_TRUE(plan);
    Case edited = it;
    Lcg lcg(seed);
    Buffer &b = edited.problem.buffers[lcg.below(it.problem.buffers.size())];
    b.bytes += lcg.below(6);
    b.id += lcg.below(3) ? "" : " new";
    auto result = planFrom(edited.problem, it.problem, *plan);
    ASSERT_TRUE(result) << result.error().message;
    expectLegal(edited, result->plan, "seed " + std::to_string(seed));
    EXPECT_TRUE(verifyClaims(edited.problem, result->plan).empty());
    for (BufferIndex i : result->kept)
      EXPECT_EQ(result->plan.placements[i].offset, plan->placements[i].offset);
    EXPECT_EQ(result->kept.size() + result->moved.size() + result->added.size(),
              it.problem.buffers.size());
    kept += result->kept.size();
    moved += result->moved.size();
    EXPECT_LE(result->moved.size(), 1u + edited.problem.buffers.size() / 2);
    auto again = planFrom(it.problem, it.problem, *plan);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->plan.physicalBytes, plan->physicalBytes);
    EXPECT_EQ(again->kept.size(), it.problem.buffers.size());
  }
  EXPECT_GT(kept, 10 * moved);
}

// Whatever else runs at the same time, the bytes of a plan are the same.
TEST(Differential, sameBytesOverTwentyRuns) {
  for (std::uint64_t seed = 0; seed != 24; ++seed) {
    Case it = makeCase(seed, 40);
    if (validate(it.problem))
      continue;
    std::map<std::string, int> texts;
    for (int run = 0; run != 20; ++run) {
      auto plan = solve(it.problem);
      ++texts[plan ? writePlanJson(it.problem, *plan) : plan.error().message];
    }
    EXPECT_EQ(texts.size(), 1u) << "seed " << seed;
  }
}

// Nothing in the planner is shared between calls.
TEST(Differential, sameBytesOnManyThreads) {
  std::vector<Case> cases;
  std::vector<std::string> alone;
  for (std::uint64_t seed = 0; seed != 40; ++seed) {
    Case it = makeCase(seed, 40);
    if (validate(it.problem))
      continue;
    auto plan = solve(it.problem);
    alone.push_back(plan ? writePlanJson(it.problem, *plan)
                         : plan.error().message);
    cases.push_back(std::move(it));
  }
  std::vector<std::vector<std::string>> together(4);
  std::vector<std::thread> threads;
  for (auto &texts : together)
    threads.emplace_back([&cases, &texts] {
      for (const Case &it : cases) {
        auto plan = solve(it.problem);
        texts.push_back(plan ? writePlanJson(it.problem, *plan)
                             : plan.error().message);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &texts : together)
    EXPECT_EQ(texts, alone);
}
