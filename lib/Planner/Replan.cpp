//===- Replan.cpp - A plan that keeps what it can of an old one -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept becomes a fixed offset of a copy of the problem, which `solve`
// then plans. A plan of the copy is a plan of the problem, and a bound that
// does not look at fixed offsets is a bound of both; search, whose proofs would
// hold for the copy alone, is left out.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Replan.h"

#include "Instance.h"

#include <algorithm>
#include <map>
#include <new>
#include <unordered_map>

namespace transient::planner {

namespace {

/// A buffer at the offset it had.
struct Kept {
  std::uint64_t offset, end;
  Item item;
};

/// Items that give way so that no two of `kept` collide: of those that collide
/// most, the last, until none is left.
std::vector<char> giveWay(const Instance &instance, std::vector<Kept> kept) {
  std::sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
    return a.offset != b.offset ? a.offset < b.offset : a.item < b.item;
  });
  const auto spaceOf = [&](Item i) {
    return instance.problem.buffers[instance.buffer[i]].space;
  };
  std::vector<std::vector<Item>> collisions(instance.size());
  std::vector<Kept> open;
  for (const Kept &it : kept) {
    open.erase(
        std::remove_if(open.begin(), open.end(),
                       [&](const Kept &o) { return o.end <= it.offset; }),
        open.end());
    for (const Kept &o : open)
      if (spaceOf(o.item) == spaceOf(it.item) &&
          instance.conflict(o.item, it.item)) {
        collisions[o.item].push_back(it.item);
        collisions[it.item].push_back(o.item);
      }
    open.push_back(it);
  }
  std::vector<char> gone(instance.size(), 0);
  std::map<std::pair<std::size_t, Item>, char> byCount; // Largest last.
  std::vector<std::size_t> count(instance.size(), 0);
  for (Item i = 0; i != instance.size(); ++i)
    if ((count[i] = collisions[i].size()))
      byCount[{count[i], i}] = 1;
  while (!byCount.empty()) {
    const Item worst = std::prev(byCount.end())->first.second;
    byCount.erase({count[worst], worst});
    gone[worst] = 1;
    for (Item i : collisions[worst])
      if (!gone[i]) {
        byCount.erase({count[i], i});
        if (--count[i])
          byCount[{count[i], i}] = 1;
      }
  }
  return gone;
}

} // namespace

Result<Replan> planFrom(const Problem &problem, const Problem &old,
                        const Plan &oldPlan, const SolveOptions &options) try {
  if (options.strategy != Strategy::Arena)
    return Error{ErrorKind::UnknownAlgorithm, "",
                 "replanning keeps offsets, expected strategy arena"};
  if (auto error = validate(problem))
    return *error;
  if (oldPlan.placements.size() != old.buffers.size())
    return Error{ErrorKind::MismatchedPlan, "",
                 "the old plan has " +
                     std::to_string(oldPlan.placements.size()) +
                     " placements, expected one for each of " +
                     std::to_string(old.buffers.size()) + " buffers"};

  // Only looked up, never iterated.
  std::unordered_map<std::string, const Placement *> before;
  for (std::size_t i = 0; i != old.buffers.size(); ++i)
    if (oldPlan.placements[i].physical)
      before[old.buffers[i].id] = &oldPlan.placements[i];
  const auto placementOf = [&](const Buffer &b) -> const Placement * {
    auto found = before.find(b.id);
    return found == before.end() ? nullptr : found->second;
  };

  Instance instance(problem);
  std::vector<Kept> candidates;
  for (Item i = 0; i != instance.size(); ++i) {
    const Buffer &b = problem.buffers[instance.buffer[i]];
    if (b.fixedOffset) {
      // Not ours to move, and what it collides with has to.
      candidates.push_back(
          {*b.fixedOffset, *b.fixedOffset + instance.bytes[i], i});
      continue;
    }
    const Placement *it = placementOf(b);
    if (it && it->offset % std::max(options.arenaAlign, b.alignment) == 0 &&
        it->offset <= UINT64_MAX - instance.bytes[i])
      candidates.push_back({it->offset, it->offset + instance.bytes[i], i});
  }
  std::vector<char> gone = giveWay(instance, candidates);

  SolveOptions inner(options);
  inner.steps = 0;
  Problem copy(problem);
  const auto solveKeeping = [&](std::uint64_t limit) {
    for (std::size_t i = 0; i != problem.buffers.size(); ++i)
      copy.buffers[i].fixedOffset = problem.buffers[i].fixedOffset;
    for (const Kept &it : candidates)
      if (Buffer &b = copy.buffers[instance.buffer[it.item]];
          !gone[it.item] && !b.fixedOffset && it.end <= limit)
        b.fixedOffset = it.offset;
    return solve(copy, inner);
  };
  Result<Plan> plan = solveKeeping(UINT64_MAX);
  if (!plan && options.capacity)
    plan = solveKeeping(*options.capacity);
  if (!plan)
    plan = solve(problem, options);
  if (!plan)
    return plan.error();

  Replan result;
  result.plan = std::move(*plan);
  result.plan.algorithm = "plan-from+" + result.plan.algorithm;
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
    if (!result.plan.placements[i].physical)
      continue;
    const Placement *it = placementOf(problem.buffers[i]);
    if (!it)
      result.added.push_back(i);
    else if (it->offset == result.plan.placements[i].offset)
      result.kept.push_back(i);
    else
      result.moved.push_back(i);
  }
  return result;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while replanning"};
}

} // namespace transient::planner
