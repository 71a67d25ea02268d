//===- Solve.cpp - From a problem to a plan -------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of algorithms, the portfolio and the accounting. Each space of an
// arena is solved on its own, because nothing of one can lie in another.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Solve.h"

#include "ArenaAlgorithms.h"
#include "Checked.h"
#include "Dive.h"
#include "Instance.h"
#include "InstanceBound.h"
#include "SlotAlgorithms.h"

#include <algorithm>
#include <new>

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

constexpr const char *kSlotAlgorithms[] = {"slots-best-fit",
                                           "slots-greedy-by-size"};

Result<ArenaLayout> runArena(const ArenaAlgorithm &algorithm,
                             const Instance &instance,
                             const std::vector<Item> &items,
                             std::uint64_t arenaAlign) {
  std::vector<Item> order = sorted(instance, items, algorithm.rank);
  if (algorithm.dive)
    return dive(instance, order, arenaAlign);
  return placeInOrder(instance, order, algorithm.fit, arenaAlign,
                      algorithm.rank == Rank::Start);
}

/// The best layout of one space and the name of what made it.
struct Winner {
  ArenaLayout layout;
  const char *name = nullptr;
};

Result<Winner> solveSpace(const Instance &instance,
                          const std::vector<Item> &items,
                          const SolveOptions &options, std::uint64_t bound,
                          PlanStats &stats) {
  Winner winner;
  const bool automatic = options.algorithm == "auto";
  for (const ArenaAlgorithm &algorithm : kArenaAlgorithms) {
    if (!automatic && options.algorithm != algorithm.name)
      continue;
    if (algorithm.dive && !canDive(instance)) {
      if (automatic)
        continue;
      return Error{ErrorKind::UnknownAlgorithm, "",
                   "algorithm '" + options.algorithm +
                       "' needs a total order without fixed offsets and pairs"};
    }
    if (automatic && items.size() > kQuadraticLimit &&
        !(instance.interval ? algorithm.scalesOverIntervals : algorithm.scales))
      continue;
    auto layout = runArena(algorithm, instance, items, options.arenaAlign);
    if (!layout)
      return layout.error();
    ++stats.attempts;
    stats.comparisons += layout->comparisons;
    if (!winner.name || layout->height < winner.layout.height) {
      winner.layout = std::move(*layout);
      winner.name = algorithm.name;
    }
    if (winner.layout.height == bound)
      break;
  }
  return winner;
}

/// Records that `item` lies at `offset` of physical buffer `physical`.
void place(Plan &plan, const Instance &instance, Item item,
           std::uint32_t physical, std::uint64_t offset) {
  const Buffer &source = instance.problem.buffers[instance.buffer[item]];
  plan.placements[instance.buffer[item]] = {physical, offset,
                                            instance.bytes[item]};
  PhysicalBuffer &it = plan.physicals[physical];
  it.alignment = std::max(it.alignment, source.alignment);
  plan.logicalBytes += source.bytes;
  plan.paddingBytes += instance.bytes[item] - source.bytes;
}

std::optional<Error> solveArena(const Instance &instance,
                                const std::vector<Bound> &bounds,
                                const SolveOptions &options, Plan &plan) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s != instance.spaces.size(); ++s) {
    const auto &items = instance.itemsOfSpace[s];
    auto winner =
        solveSpace(instance, items, options, bounds[s].bytes, plan.stats);
    if (!winner)
      return winner.error();
    if (std::find(names.begin(), names.end(), winner->name) == names.end())
      names.push_back(winner->name);
    auto physical = std::uint32_t(plan.physicals.size());
    plan.physicals.push_back(
        {winner->layout.height, options.arenaAlign, 0, instance.spaces[s]});
    for (Item item : items) {
      plan.physicals[physical].usage |=
          instance.problem.buffers[instance.buffer[item]].usage;
      place(plan, instance, item, physical, winner->layout.offset[item]);
    }
  }
  for (const std::string &name : names)
    plan.algorithm += (plan.algorithm.empty() ? "" : "+") + name;
  return std::nullopt;
}

std::optional<Error> solveSlots(const Instance &instance,
                                const SolveOptions &options, Plan &plan) {
  for (BufferIndex b : instance.buffer) {
    const Buffer &buffer = instance.problem.buffers[b];
    if (buffer.fixedOffset.value_or(0))
      return Error{ErrorKind::Infeasible, buffer.id,
                   "buffer '" + buffer.id + "' has fixed offset " +
                       std::to_string(*buffer.fixedOffset) +
                       ", but slots place every buffer at 0"};
  }
  bool bySize = options.algorithm == "slots-greedy-by-size";
  SlotLayout layout =
      bySize ? slotsGreedyBySize(instance) : slotsBestFit(instance);
  plan.algorithm = bySize ? "slots-greedy-by-size" : "slots-best-fit";
  plan.stats.attempts = 1;
  plan.stats.comparisons = layout.comparisons;
  for (const SlotBuffer &slot : layout.slots)
    plan.physicals.push_back({slot.bytes, 1, slot.usage, slot.space});
  for (Item item = 0; item != instance.size(); ++item)
    place(plan, instance, item, layout.slotOf[item], 0);
  return std::nullopt;
}

/// Offsets are formed by rounding up at most once an item, so this sum bounds
/// them all.
std::optional<Error> checkAlignment(const Instance &instance, Strategy strategy,
                                    std::uint64_t arenaAlign) {
  if (!isPowerOfTwo(arenaAlign))
    return Error{ErrorKind::BadAlignment, "",
                 "arena alignment is " + std::to_string(arenaAlign) +
                     ", expected a power of two"};
  std::uint64_t total = 0;
  for (Item i = 0; i != instance.size(); ++i) {
    const Buffer &buffer = instance.problem.buffers[instance.buffer[i]];
    if (strategy == Strategy::Arena &&
        (buffer.fixedOffset.value_or(0) & (arenaAlign - 1)))
      return Error{ErrorKind::Infeasible, buffer.id,
                   "buffer '" + buffer.id + "' has fixed offset " +
                       std::to_string(*buffer.fixedOffset) +
                       ", but offsets are to be multiples of " +
                       std::to_string(arenaAlign)};
    std::optional<std::uint64_t> sum = total;
    for (std::uint64_t part :
         {instance.bytes[i], std::max(arenaAlign, instance.align[i]) - 1,
          buffer.fixedOffset.value_or(0)})
      if (sum)
        sum = checkedAdd(*sum, part);
    if (!sum)
      return Error{ErrorKind::Overflow, buffer.id,
                   "overflow: offsets up to buffer '" + buffer.id +
                       "' at multiples of " + std::to_string(arenaAlign) +
                       ", expected to fit 64 bits"};
    total = *sum;
  }
  return std::nullopt;
}

std::string nameSome(const Problem &problem,
                     const std::vector<BufferIndex> &buffers) {
  std::string text;
  for (std::size_t i = 0; i != buffers.size() && i != 8; ++i)
    text += (i ? ", '" : "'") + problem.buffers[buffers[i]].id + "'";
  if (buffers.size() > 8)
    text += ", ... (" + std::to_string(buffers.size()) + " in all)";
  return text;
}

} // namespace

std::vector<std::string> algorithmNames(Strategy strategy) {
  std::vector<std::string> names{"auto"};
  if (strategy == Strategy::Slots) {
    names.insert(names.end(), std::begin(kSlotAlgorithms),
                 std::end(kSlotAlgorithms));
  } else {
    for (const ArenaAlgorithm &algorithm : kArenaAlgorithms)
      names.push_back(algorithm.name);
  }
  return names;
}

Result<Plan> solve(const Problem &problem, const SolveOptions &options) try {
  if (auto error = validate(problem))
    return *error;
  std::vector<std::string> known = algorithmNames(options.strategy);
  if (std::find(known.begin(), known.end(), options.algorithm) == known.end()) {
    std::string list;
    for (const std::string &name : known)
      list += (list.empty() ? "" : ", ") + name;
    return Error{ErrorKind::UnknownAlgorithm, "",
                 "unknown algorithm '" + options.algorithm +
                     "', expected one of " + list};
  }

  Instance instance(problem);
  if (auto error =
          checkAlignment(instance, options.strategy, options.arenaAlign))
    return *error;

  Plan plan;
  plan.placements.resize(problem.buffers.size());
  plan.stats.requests = instance.size();
  plan.lowerBoundExact = true;
  std::vector<Bound> bounds;
  for (const auto &items : instance.itemsOfSpace) {
    bounds.push_back(boundOfSpace(instance, items, {}));
    plan.lowerBoundBytes += bounds.back().bytes;
    plan.lowerBoundExact &= bounds.back().exact;
  }
  if (options.capacity && plan.lowerBoundBytes > *options.capacity) {
    std::vector<BufferIndex> blame;
    for (const Bound &bound : bounds)
      for (Item item : bound.witness)
        blame.push_back(instance.buffer[item]);
    return Error{ErrorKind::Infeasible, problem.buffers[blame[0]].id,
                 "capacity is " + std::to_string(*options.capacity) +
                     " bytes, but buffers " + nameSome(problem, blame) +
                     " conflict and need " +
                     std::to_string(plan.lowerBoundBytes)};
  }

  auto error = options.strategy == Strategy::Arena
                   ? solveArena(instance, bounds, options, plan)
                   : solveSlots(instance, options, plan);
  if (error)
    return *error;
  if (plan.algorithm.empty()) // Nothing to place.
    plan.algorithm = options.algorithm;

  for (const PhysicalBuffer &physical : plan.physicals)
    plan.physicalBytes += physical.bytes;
  plan.fragmentationBytes = plan.physicalBytes - plan.lowerBoundBytes;
  plan.savedBytes = plan.logicalBytes > plan.physicalBytes
                        ? plan.logicalBytes - plan.physicalBytes
                        : 0;
  plan.optimal = plan.physicalBytes == plan.lowerBoundBytes;
  if (options.capacity && plan.physicalBytes > *options.capacity)
    return Error{ErrorKind::DoesNotFit, "",
                 "capacity is " + std::to_string(*options.capacity) +
                     " bytes, but the best plan found needs " +
                     std::to_string(plan.physicalBytes) +
                     "; the lower bound is " +
                     std::to_string(plan.lowerBoundBytes)};
  return plan;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while planning"};
}

} // namespace transient::planner
