//===- ArenaPortfolio.cpp - The best arena for one space ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cheap algorithms first, in a fixed order, until one meets the bound; what
// they leave open goes to the exact search, if the instance is small enough to
// be written out.
//
//===----------------------------------------------------------------------===//

#include "ArenaPortfolio.h"

#include "ConflictGraph.h"
#include "Dive.h"
#include "Minimise.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Above this many items `auto` leaves out what is quadratic.
constexpr std::size_t kQuadraticLimit = 20000;

struct ArenaAlgorithm {
  const char *name;
  Rank rank;
  bool dive;
  Fit fit;
  /// `auto` also runs it on many items: fast over intervals / for all orders.
  bool scalesOverIntervals, scales;
};

/// In the order in which `auto` tries them.
constexpr ArenaAlgorithm kArenaAlgorithms[] = {
    {"arena-dive-area", Rank::Area, true, Fit::First, true, true},
    {"arena-dive-size", Rank::Bytes, true, Fit::First, true, true},
    {"arena-dive-total-area", Rank::TotalArea, true, Fit::First, true, true},
    {"arena-dive-total-width", Rank::TotalWidth, true, Fit::First, true, true},
    {"arena-dive-width", Rank::Duration, true, Fit::First, true, true},
    {"arena-greedy-by-size", Rank::Bytes, false, Fit::First, false, true},
    {"arena-best-fit-by-size", Rank::Bytes, false, Fit::Best, false, false},
    {"arena-greedy-by-area", Rank::Area, false, Fit::First, false, false},
    {"arena-first-fit", Rank::Start, false, Fit::First, true, true},
};

/// Improves what all of the above leave.
constexpr const char *kSearch = "arena-search";

Result<ArenaLayout> run(const ArenaAlgorithm &algorithm,
                        const SpaceTask &task) {
  std::vector<Item> order = sorted(task.instance, task.items, algorithm.rank);
  if (algorithm.dive)
    return dive(task.instance, order, task.options.arenaAlign);
  return placeInOrder(task.instance, order, algorithm.fit,
                      task.options.arenaAlign, algorithm.rank == Rank::Start);
}

/// Small instances are exhausted, or beyond help, after few steps; in large
/// ones a search of a whole space is seldom what is missing.
std::uint64_t normalSteps(std::uint64_t n) {
  constexpr std::uint64_t most = 2000000000;
  if (n <= 500)
    return std::clamp<std::uint64_t>(100 * n * n * n, 1000000, most);
  return most / n * 500 / n * 500;
}

std::uint64_t stepsOf(const SolveOptions &options, std::size_t items) {
  if (options.steps)
    return *options.steps;
  switch (options.effort) {
  case Effort::Fast:
    return 500000;
  case Effort::Normal:
    return normalSteps(items);
  case Effort::High:
    return 30000000000;
  case Effort::Max:
    return 1000000000000;
  }
  return 0;
}

/// Runs one algorithm by name, or `auto`'s cheap ones until one is good enough.
Result<SpaceResult> place(const SpaceTask &task, PlanStats &stats) {
  const Instance &instance = task.instance;
  SpaceResult best;
  best.bound = task.bound;
  const std::string &wanted = task.options.algorithm;
  const bool all = wanted == "auto" || wanted == kSearch;
  for (const ArenaAlgorithm &algorithm : kArenaAlgorithms) {
    if (!all && wanted != algorithm.name)
      continue;
    if (algorithm.dive && !canDive(instance)) {
      if (all)
        continue;
      return Error{ErrorKind::UnknownAlgorithm, "",
                   "algorithm '" + wanted +
                       "' needs a total order without fixed offsets and pairs"};
    }
    if (all && task.items.size() > kQuadraticLimit &&
        !(instance.interval ? algorithm.scalesOverIntervals : algorithm.scales))
      continue;
    auto layout = run(algorithm, task);
    if (!layout)
      return layout.error();
    ++stats.attempts;
    stats.comparisons += layout->comparisons;
    if (best.algorithm.empty() || layout->height < best.layout.height) {
      best.layout = std::move(*layout);
      best.algorithm = algorithm.name;
    }
    if (best.layout.height <= std::max(task.bound, task.target.value_or(0)))
      break;
  }
  return best;
}

} // namespace

Result<SpaceResult> solveSpace(const SpaceTask &task, PlanStats &stats) {
  auto best = place(task, stats);
  if (!best)
    return best;
  const std::string &wanted = task.options.algorithm;
  const std::uint64_t steps = stepsOf(task.options, task.items.size());
  if ((wanted != "auto" && wanted != kSearch) || !steps ||
      best->layout.height <= std::max(task.bound, task.target.value_or(0)))
    return best;

  auto graph = ConflictGraph::build(task.instance, task.items, {});
  if (!graph) {
    if (wanted == "auto")
      return best;
    return Error{ErrorKind::Resource, "",
                 "algorithm '" + wanted + "' is for at most " +
                     std::to_string(ConflictGraph::Limits().vertices) +
                     " buffers of a space with at most " +
                     std::to_string(ConflictGraph::Limits().pairs) +
                     " conflicts"};
  }
  MinimiseOptions options;
  options.arenaAlign = task.options.arenaAlign;
  options.target = task.target;
  options.maxSteps = steps;
  options.stop = task.options.stop;
  if (task.options.progress)
    options.progress = [&](std::uint64_t height, std::uint64_t bound,
                           std::uint64_t spent) {
      const Item item = task.items.front();
      task.options.progress(
          {height, bound, spent,
           task.instance.problem.buffers[task.instance.buffer[item]].space});
    };
  std::uint64_t bound = best->bound;
  MinimiseResult result =
      minimise(task.instance, *graph, options, best->layout, bound);
  // What rests on the arena's alignment is not true of every plan, nor what
  // rests on conflicts that are merely not proved to be none.
  const bool certain =
      task.instance.interval || task.instance.problem.order->isExact();
  if (certain &&
      granularity(task.instance, task.items, 1) % task.options.arenaAlign == 0)
    best->bound = bound;
  ++stats.attempts;
  stats.comparisons += result.steps;
  best->excluded = result.excluded && certain;
  if (result.improved)
    best->algorithm = kSearch;
  return best;
}

std::vector<std::string> arenaAlgorithmNames() {
  std::vector<std::string> names;
  for (const ArenaAlgorithm &algorithm : kArenaAlgorithms)
    names.push_back(algorithm.name);
  names.push_back(kSearch);
  return names;
}

} // namespace transient::planner
