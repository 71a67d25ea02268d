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

#include "ArenaPortfolio.h"
#include "Checked.h"
#include "Instance.h"
#include "InstanceBound.h"
#include "MinimalConflict.h"
#include "SlotAlgorithms.h"
#include "SlotBound.h"
#include "SlotSearch.h"
#include "SplitArenas.h"

#include <algorithm>
#include <new>

namespace transient::planner {

namespace {

/// Steps of search for each question of which buffers are to blame.
constexpr std::uint64_t kBlameSteps = 2000000;

constexpr const char *kSlotAlgorithms[] = {
    "slots-best-fit", "slots-greedy-by-size", "slots-search"};

/// Conflict tests of the search for slots.
std::uint64_t slotLooks(const SolveOptions &options) {
  if (options.steps)
    return *options.steps;
  switch (options.effort) {
  case Effort::Fast:
    return 0;
  case Effort::Normal:
    return 50000000;
  case Effort::High:
    return 5000000000;
  case Effort::Max:
    return 500000000000;
  }
  return 0;
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

/// Solves the spaces one by one; bounds that search has raised go into
/// `bounds`. `excluded` becomes true when the capacity was proved too small.
std::optional<Error> solveArena(const Instance &instance,
                                std::vector<Bound> &bounds,
                                const SolveOptions &options, Plan &plan,
                                bool &excluded) {
  for (Item i = 0; i != instance.size() && options.capacity; ++i)
    if (const Buffer &b = instance.problem.buffers[instance.buffer[i]];
        b.fixedOffset && *b.fixedOffset + instance.bytes[i] > *options.capacity)
      return Error{ErrorKind::Infeasible, b.id,
                   "capacity is " + std::to_string(*options.capacity) +
                       " bytes, but buffer '" + b.id + "' has fixed offset " +
                       std::to_string(*b.fixedOffset) + " and ends at " +
                       std::to_string(*b.fixedOffset + instance.bytes[i])};

  std::vector<std::string> names;
  // What the capacity leaves to one space: all but what others take at least.
  std::uint64_t others = plan.lowerBoundBytes;
  for (std::size_t s = 0; s != instance.spaces.size(); ++s) {
    const auto &items = instance.itemsOfSpace[s];
    SpaceTask task{instance, items, options, bounds[s].bytes, {}};
    others -= bounds[s].bytes;
    if (options.capacity)
      task.target = *options.capacity > others ? *options.capacity - others : 0;
    auto best = solveSpace(task, plan.stats);
    if (!best)
      return best.error();
    others += best->layout.height;
    // A raise can be confirmed where it is one number, or meets the height.
    if (best->bound > bounds[s].bytes &&
        (instance.spaces.size() == 1 || best->bound == best->layout.height)) {
      bounds[s].bytes = best->bound;
      bounds[s].exact = best->bound == best->layout.height;
    }
    excluded |= best->excluded;
    if (std::find(names.begin(), names.end(), best->algorithm) == names.end())
      names.push_back(best->algorithm);
    auto physical = std::uint32_t(plan.physicals.size());
    plan.placements.resize(instance.problem.buffers.size());
    plan.physicals.push_back(
        {best->layout.height, options.arenaAlign, 0, instance.spaces[s]});
    for (Item item : items) {
      plan.physicals[physical].usage |=
          instance.problem.buffers[instance.buffer[item]].usage;
      place(plan, instance, item, physical, best->layout.offset[item]);
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
  SlotLayout layout;
  plan.algorithm = options.algorithm;
  if (options.algorithm == "slots-greedy-by-size") {
    layout = slotsGreedyBySize(instance);
  } else if (options.algorithm == "slots-search") {
    layout = slotsBySearch(
        instance, {plan.lowerBoundBytes, slotLooks(options), options.stop});
  } else {
    layout = slotsBestFit(instance);
    plan.algorithm = "slots-best-fit";
  }
  plan.stats.attempts = 1;
  plan.stats.comparisons = layout.comparisons;
  plan.placements.resize(instance.problem.buffers.size());
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
         {instance.bytes[i], std::max(arenaAlign, instance.align(i)) - 1,
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

const char *toString(Effort effort) {
  switch (effort) {
  case Effort::Fast:
    return "fast";
  case Effort::Normal:
    return "normal";
  case Effort::High:
    return "high";
  case Effort::Max:
    return "max";
  }
  return "unknown";
}

std::vector<std::string> algorithmNames(Strategy strategy) {
  std::vector<std::string> names{"auto"};
  if (strategy == Strategy::Slots) {
    names.insert(names.end(), std::begin(kSlotAlgorithms),
                 std::end(kSlotAlgorithms));
  } else {
    for (std::string &name : arenaAlgorithmNames())
      names.push_back(std::move(name));
  }
  return names;
}

Result<Plan> solve(const Problem &problem, const SolveOptions &options) try {
  if (options.maxBufferBytes)
    return solveSplit(problem, options);
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
  plan.stats.requests = instance.size();
  plan.lowerBoundExact = true;
  std::vector<Bound> bounds;
  for (const auto &items : instance.itemsOfSpace) {
    bounds.push_back(boundOfSpace(instance, items, {}));
    if (options.strategy == Strategy::Slots)
      if (std::uint64_t bytes = slotBound(instance, items);
          bytes > bounds.back().bytes) {
        bounds.back().bytes = bytes;
        bounds.back().exact = false;
      }
    plan.lowerBoundBytes += bounds.back().bytes;
    plan.lowerBoundExact &= bounds.back().exact;
  }
  if (options.capacity && plan.lowerBoundBytes > *options.capacity) {
    // Of one space the largest suffice; of several, what each needs.
    std::vector<BufferIndex> blame;
    for (const Bound &bound : bounds)
      for (Item item :
           bounds.size() == 1
               ? minimalOverload(instance, bound.witness, *options.capacity)
               : bound.witness)
        blame.push_back(instance.buffer[item]);
    std::uint64_t needed = 0;
    for (BufferIndex b : blame)
      needed += *alignedBytes(problem.buffers[b]);
    return Error{ErrorKind::Infeasible, problem.buffers[blame[0]].id,
                 "capacity is " + std::to_string(*options.capacity) +
                     " bytes, but buffers " + nameSome(problem, blame) +
                     " conflict and need " + std::to_string(needed)};
  }

  bool excluded = false;
  auto error = options.strategy == Strategy::Arena
                   ? solveArena(instance, bounds, options, plan, excluded)
                   : solveSlots(instance, options, plan);
  if (error)
    return *error;
  if (plan.algorithm.empty()) // Nothing to place.
    plan.algorithm = options.algorithm;

  plan.placements.resize(problem.buffers.size());
  for (const PhysicalBuffer &physical : plan.physicals)
    plan.physicalBytes += physical.bytes;
  plan.lowerBoundBytes = 0;
  plan.lowerBoundExact = true;
  for (const Bound &bound : bounds) {
    plan.lowerBoundBytes += bound.bytes;
    plan.lowerBoundExact &= bound.exact;
  }
  plan.fragmentationBytes = plan.physicalBytes - plan.lowerBoundBytes;
  plan.savedBytes = plan.logicalBytes > plan.physicalBytes
                        ? plan.logicalBytes - plan.physicalBytes
                        : 0;
  plan.optimal = plan.physicalBytes == plan.lowerBoundBytes;
  plan.lowerBoundExact |= plan.optimal;
  if (options.capacity && plan.physicalBytes > *options.capacity && excluded &&
      bounds.size() == 1) {
    bool minimal = false;
    std::vector<BufferIndex> blame;
    for (Item item : minimalUnplaceable(instance, instance.itemsOfSpace[0],
                                        options.arenaAlign, *options.capacity,
                                        kBlameSteps, minimal))
      blame.push_back(instance.buffer[item]);
    return Error{ErrorKind::Infeasible, problem.buffers[blame[0]].id,
                 "capacity is " + std::to_string(*options.capacity) +
                     " bytes, but search has shown that buffers " +
                     nameSome(problem, blame) + " do not fit together" +
                     (minimal ? ", and any of them less would" : "")};
  }
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
