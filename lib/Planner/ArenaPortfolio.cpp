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

#include "ChainDive.h"
#include "ConflictGraph.h"
#include "Dive.h"
#include "Minimise.h"
#include "Orders.h"
#include "SqueakyWheel.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Lists look at conflicts; dives do not (Dive.h, ChainDive.h).
enum class Method { Dive, CriticalDive, FirstFit, BestFit };

struct ArenaAlgorithm {
  const char *name;
  Rank rank;
  Method method;
};

/// In the order in which `auto` tries them.
constexpr ArenaAlgorithm kArenaAlgorithms[] = {
    {"arena-dive-total-area", Rank::TotalArea, Method::Dive},
    {"arena-dive-breadth", Rank::Breadth, Method::Dive},
    {"arena-dive-total-width", Rank::TotalWidth, Method::Dive},
    {"arena-dive-area", Rank::Area, Method::Dive},
    {"arena-dive-size", Rank::Bytes, Method::Dive},
    {"arena-dive-width", Rank::Duration, Method::Dive},
    {"arena-greedy-by-breadth", Rank::Breadth, Method::FirstFit},
    {"arena-greedy-by-size", Rank::Bytes, Method::FirstFit},
    {"arena-best-fit-by-size", Rank::Bytes, Method::BestFit},
    {"arena-greedy-by-area", Rank::Area, Method::FirstFit},
    {"arena-first-fit", Rank::Start, Method::FirstFit},
    {"arena-critical-dive-total-width", Rank::TotalWidth, Method::CriticalDive},
    {"arena-critical-dive-total-area", Rank::TotalArea, Method::CriticalDive},
    {"arena-critical-dive-area", Rank::Area, Method::CriticalDive},
    {"arena-critical-dive-size", Rank::Bytes, Method::CriticalDive},
    {"arena-critical-dive-breadth", Rank::Breadth, Method::CriticalDive},
};

/// Improve what all of the above leave.
constexpr const char *kSqueakyWheel = "arena-squeaky-wheel";
constexpr const char *kSearch = "arena-search";

/// What a critical dive costs, in plain ones.
constexpr std::uint64_t kCriticalCost = 4;

/// The dives of one space, whatever its order is.
class Dives {
public:
  explicit Dives(const SpaceTask &task) : task(task) {
    if (canDive(task.instance))
      intervals.emplace(task.instance, task.items);
    else
      chains = ChainDive::build(task.instance, task.items, kMaxRanges);
  }

  bool apply() const { return chains || intervals; }
  bool isCritical() const { return intervals.has_value(); }

  ArenaLayout run(const std::vector<Item> &order,
                  const Patience &patience = {}) {
    if (!chains)
      return intervals->run(order, task.options.arenaAlign, patience);
    ArenaLayout layout = chains->run(order, task.options.arenaAlign, patience);
    mostLooks = std::max(mostLooks, layout.comparisons);
    return layout;
  }

  /// A critical dive; over chains there is none but the plain one.
  ArenaLayout run(const std::vector<Item> &order,
                  const std::vector<std::uint64_t> &pressure,
                  const Patience &patience = {}) {
    return chains ? run(order, patience)
                  : intervals->runCritical(order, task.options.arenaAlign,
                                           pressure, patience);
  }

  /// What one run costs, in items of the skyline dive: over chains what it has
  /// cost so far, for in a wide order an item looks at many.
  std::uint64_t cost() const {
    const auto items = std::max<std::uint64_t>(1, task.items.size());
    return chains ? std::max(30 * items, mostLooks / 2) : items;
  }

private:
  /// Ranges of chains affordable in all; 8 bytes each.
  static constexpr std::size_t kMaxRanges = std::size_t(1) << 26;

  const SpaceTask &task;
  std::optional<Dive> intervals; ///< One of these two, or neither.
  std::optional<ChainDive> chains;
  std::uint64_t mostLooks = 0; ///< Of a run over chains.
};

/// Few enough for critical dives in every round of the wheel.
constexpr std::size_t kFew = 2048;
/// Few enough for all the effort there is.
constexpr std::size_t kVeryFew = 500;

/// Small instances are exhausted, or beyond help, after few steps; in large
/// ones a search of a whole space is seldom what is missing.
std::uint64_t normalSteps(std::uint64_t n) {
  constexpr std::uint64_t most = 1200000000;
  if (n <= kVeryFew)
    return std::clamp<std::uint64_t>(100 * n * n * n, 1000000, most);
  return most / n * 500 / n * 500 / (n > 1000 ? 4 : 1);
}

std::uint64_t stepsOf(const SolveOptions &options, std::size_t items) {
  if (options.steps)
    return *options.steps;
  switch (options.effort) {
  case Effort::Fast: // Of more items, that much settles nothing.
    return items <= 100 ? 100000 : 0;
  case Effort::Normal:
    return normalSteps(items);
  case Effort::High:
    return 30000000000;
  case Effort::Max:
    return 1000000000000;
  }
  return 0;
}

/// Comparisons after which `auto` gives a quadratic algorithm up. First fit
/// over intervals makes many, and cheap ones.
std::uint64_t listComparisons(const SpaceTask &task, Fit fit) {
  const std::uint64_t few =
      task.instance.interval && fit == Fit::First ? 100000000 : 10000000;
  switch (task.options.effort) {
  case Effort::Fast:
    return few / 100;
  case Effort::Normal:
    return few;
  case Effort::High:
  case Effort::Max:
    return few * 100;
  }
  return 0;
}

/// How long the squeaky wheel turns.
struct WheelBudget {
  std::uint64_t items;  ///< Placed, over all its rounds.
  std::uint64_t rounds; ///< With one kind of dive.
};

WheelBudget wheelBudget(const SpaceTask &task) {
  constexpr std::uint64_t any = 1000000;
  // A capacity is a question for the exact search.
  switch (task.options.effort) {
  case Effort::Fast:
    return {2000, task.target ? 20u : 200u};
  case Effort::Normal:
    return {1600000, task.target ? 20u : 200u};
  case Effort::High:
    return {100000000, task.target ? 20u : any};
  case Effort::Max:
    return {1000000000, task.target ? 20u : any};
  }
  return {0, 0};
}

/// Of very few items that search has left above the bound.
constexpr WheelBudget kLongWheel{24000000, 3000};

/// Items that `auto` places by dives before it stops trying further orders, in
/// the sense of `Dives::cost`.
constexpr std::uint64_t kDiveItems = 1800000;

bool isGoodEnough(const SpaceTask &task, const SpaceResult &result) {
  return !result.algorithm.empty() &&
         result.layout.height <= std::max(task.bound, task.target.value_or(0));
}

void report(const SpaceTask &task, std::uint64_t height, std::uint64_t bound,
            std::uint64_t steps) {
  const Item item = task.items.front();
  task.options.progress(
      {height, bound, steps,
       task.instance.problem.buffers[task.instance.buffer[item]].space});
}

/// The squeaky wheel over each of the dives in turn.
void turnWheel(const SpaceTask &task, Dives &dives, Orders &orders,
               const WheelBudget &budget, SpaceResult &best, PlanStats &stats) {
  SqueakyWheelOptions options;
  options.bound = best.bound;
  options.enough = std::max(best.bound, task.target.value_or(0));
  options.stop = task.options.stop;
  if (task.options.progress)
    options.progress = [&](std::uint64_t height) {
      report(task, height, best.bound, 0);
    };
  std::uint64_t left = budget.items;
  struct Turn {
    Rank rank;
    bool critical;
  };
  static const std::vector<Turn> mostlyCritical{{Rank::TotalWidth, false},
                                                {Rank::TotalWidth, true},
                                                {Rank::Bytes, true},
                                                {Rank::Area, true},
                                                {Rank::TotalArea, true}},
      plain{{Rank::TotalWidth, false},
            {Rank::Bytes, false},
            {Rank::Area, false},
            {Rank::TotalArea, false},
            {Rank::Duration, false}};
  // Of few rounds, many cheap ones are worth more, unless the bound is far and
  // critical dives have come closer to it.
  const bool critical = canDive(task.instance) &&
                        (task.items.size() <= kFew ||
                         (best.algorithm.rfind("arena-critical-dive", 0) == 0 &&
                          best.layout.height - task.bound > task.bound / 100));
  for (const auto [rank, isCritical] : critical ? mostlyCritical : plain) {
    // Half of what is left to each: few long turns are worth more than many
    // short ones.
    const std::uint64_t cost = dives.cost() * (isCritical ? kCriticalCost : 1);
    options.rounds =
        unsigned(std::min<std::uint64_t>(budget.rounds, left / 2 / cost));
    if (isGoodEnough(task, best) || options.rounds < 2)
      break;
    left -= options.rounds * cost;
    bool improved = improveBySqueakyWheel(
        task.instance, orders.by(rank),
        [&,
         isCritical = isCritical](const std::vector<Item> &order,
                                  const std::vector<std::uint64_t> &pressure) {
          ArenaLayout layout =
              isCritical ? dives.run(order, pressure) : dives.run(order);
          ++stats.attempts;
          stats.comparisons += layout.comparisons;
          return layout;
        },
        options, best.layout);
    if (improved)
      best.algorithm = kSqueakyWheel;
  }
}

/// One run of `algorithm`.
Result<ArenaLayout> run(const SpaceTask &task, Dives &dives,
                        const ArenaAlgorithm &algorithm,
                        const std::vector<Item> &order,
                        const Patience &patience) {
  switch (algorithm.method) {
  case Method::Dive:
    return dives.run(order, patience);
  case Method::CriticalDive:
    return dives.run(order, liveBytes(task.instance, task.items), patience);
  case Method::FirstFit:
  case Method::BestFit:
    break;
  }
  const Fit fit = algorithm.method == Method::FirstFit ? Fit::First : Fit::Best;
  const bool byStart = algorithm.rank == Rank::Start;
  return placeInOrder(task.instance, order, fit, task.options.arenaAlign,
                      byStart, patience);
}

/// Runs one algorithm by name, or `auto`'s cheap ones until one is good enough.
Result<SpaceResult> place(const SpaceTask &task, Dives &dives, Orders &orders,
                          PlanStats &stats) {
  const Instance &instance = task.instance;
  SpaceResult best;
  best.bound = task.bound;
  const std::string &wanted = task.options.algorithm;
  const bool all =
      wanted == "auto" || wanted == kSearch || wanted == kSqueakyWheel;
  std::uint64_t dived = 0;
  for (const ArenaAlgorithm &algorithm : kArenaAlgorithms) {
    if (!all && wanted != algorithm.name)
      continue;
    const bool isDive = algorithm.method == Method::Dive ||
                        algorithm.method == Method::CriticalDive;
    // At a million buffers, what two dives do not find five seldom do.
    if (all && isDive && dived >= kDiveItems)
      continue;
    if (all && algorithm.method == Method::CriticalDive && !canDive(instance))
      continue;
    if (isDive && !dives.apply()) {
      if (all)
        continue;
      return Error{ErrorKind::UnknownAlgorithm, "",
                   "algorithm '" + wanted +
                       "' cannot place around fixed offsets, nor around pairs "
                       "in a total order, nor in an order of very many chains"};
    }
    const bool byStart = algorithm.rank == Rank::Start;
    // A list that is not by start looks at a part of all pairs.
    const std::uint64_t n = task.items.size();
    if (all && !isDive && !byStart && n > 1000 &&
        n * n / 16 > listComparisons(task, Fit::First))
      continue;
    std::vector<Item> order = orders.by(algorithm.rank);
    Patience patience;
    if (!best.algorithm.empty()) // No lower is of no use.
      patience.height = best.layout.height;
    // First fit by start is the one that always ends soon enough.
    if (all && !isDive && !byStart)
      patience.comparisons = listComparisons(
          task, algorithm.method == Method::FirstFit ? Fit::First : Fit::Best);
    Result<ArenaLayout> layout = run(task, dives, algorithm, order, patience);
    if (!layout)
      return layout.error();
    if (isDive)
      dived += dives.cost() *
               (algorithm.method == Method::CriticalDive ? kCriticalCost : 1);
    ++stats.attempts;
    stats.comparisons += layout->comparisons;
    if (layout->complete &&
        (best.algorithm.empty() || layout->height < best.layout.height)) {
      best.layout = std::move(*layout);
      best.algorithm = algorithm.name;
    }
    if (isGoodEnough(task, best))
      break;
  }
  return best;
}

} // namespace

Result<SpaceResult> solveSpace(const SpaceTask &task, PlanStats &stats) {
  Dives dives(task);
  Orders orders(task.instance, task.items);
  auto best = place(task, dives, orders, stats);
  if (!best)
    return best;
  const std::string &wanted = task.options.algorithm;
  if (dives.apply() &&
      (wanted == "auto" || wanted == kSqueakyWheel || wanted == kSearch))
    turnWheel(task, dives, orders, wheelBudget(task), *best, stats);
  const std::uint64_t steps = stepsOf(task.options, task.items.size());
  if ((wanted != "auto" && wanted != kSearch) || !steps ||
      isGoodEnough(task, *best))
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
      report(task, height, bound, spent);
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
  if (wanted == "auto" && task.options.effort == Effort::Normal &&
      !task.target && !task.options.steps && dives.isCritical() &&
      task.items.size() <= kVeryFew)
    turnWheel(task, dives, orders, kLongWheel, *best, stats);
  return best;
}

std::vector<std::string> arenaAlgorithmNames() {
  std::vector<std::string> names;
  for (const ArenaAlgorithm &algorithm : kArenaAlgorithms)
    names.push_back(algorithm.name);
  names.push_back(kSqueakyWheel);
  names.push_back(kSearch);
  return names;
}

} // namespace transient::planner
