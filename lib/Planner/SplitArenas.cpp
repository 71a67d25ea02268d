//===- SplitArenas.cpp - Several physical buffers of limited size ---------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "SplitArenas.h"

#include "transient/Planner/Bound.h"

#include <algorithm>
#include <string>
#include <vector>

namespace transient::planner {

namespace {

/// Why some buffer can be in no physical buffer of `limit` bytes, or nothing.
std::optional<Error> findTooLarge(const Problem &problem, std::uint64_t limit) {
  for (const Buffer &buffer : problem.buffers) {
    if (!needsStorage(buffer))
      continue;
    Result<std::uint64_t> bytes = alignedBytes(buffer);
    if (!bytes)
      return bytes.error();
    const std::uint64_t offset = buffer.fixedOffset.value_or(0);
    if (*bytes > limit || offset > limit - *bytes)
      return Error{ErrorKind::Infeasible, buffer.id,
                   "buffer '" + buffer.id + "' takes " +
                       std::to_string(*bytes) + " bytes at offset " +
                       std::to_string(offset) + ", but a physical buffer has " +
                       std::to_string(limit) + " at most"};
  }
  return std::nullopt;
}

/// Moves what `part` places within the first `limit` bytes of its physical
/// buffer `index` into a new one of `plan`; says whether that is anything.
bool moveWithin(const Plan &part, std::uint32_t index, std::uint64_t limit,
                const Problem &problem, std::vector<bool> &placed, Plan &plan) {
  PhysicalBuffer physical = part.physicals[index];
  physical.bytes = 0;
  physical.usage = 0;
  const auto number = std::uint32_t(plan.physicals.size());
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
    const Placement &place = part.placements[i];
    if (place.physical != index || placed[i] || place.bytes > limit ||
        place.offset > limit - place.bytes)
      continue;
    placed[i] = true;
    plan.placements[i] = place;
    plan.placements[i].physical = number;
    physical.bytes = std::max(physical.bytes, place.offset + place.bytes);
    physical.usage |= problem.buffers[i].usage;
  }
  if (!physical.bytes)
    return false;
  plan.physicals.push_back(physical);
  plan.physicalBytes += physical.bytes;
  return true;
}

/// `plan`, or why it is none: too large in all.
Result<Plan> withinCapacity(Plan plan, const SolveOptions &options) {
  if (options.capacity && plan.physicalBytes > *options.capacity)
    return Error{ErrorKind::DoesNotFit, "",
                 "found no plan within " + std::to_string(*options.capacity) +
                     " bytes in physical buffers of at most " +
                     std::to_string(*options.maxBufferBytes) +
                     ", the best has " + std::to_string(plan.physicalBytes)};
  return plan;
}

} // namespace

Result<Plan> solveSplit(const Problem &problem, const SolveOptions &options) {
  const std::uint64_t limit = *options.maxBufferBytes;
  if (auto error = validate(problem))
    return *error;
  if (auto error = findTooLarge(problem, limit))
    return *error;
  SolveOptions unlimited = options;
  unlimited.maxBufferBytes.reset();
  if (options.strategy == Strategy::Slots)
    return solve(problem,
                 unlimited); // No slot is larger than its largest tenant.
  Result<Bound> bound = lowerBound(problem);
  if (!bound)
    return bound.error();
  Result<Plan> first = solve(problem, unlimited);
  // What does not fit into one arena may fit into several.
  if (!first && options.capacity && bound->bytes <= *options.capacity) {
    unlimited.capacity.reset();
    first = solve(problem, unlimited);
  }
  if (!first)
    return first;
  auto isLarge = [&](const PhysicalBuffer &physical) {
    return physical.bytes > limit;
  };
  if (std::none_of(first->physicals.begin(), first->physicals.end(), isLarge))
    return withinCapacity(std::move(*first), options);

  Plan plan = *first;
  plan.physicals.clear();
  plan.physicalBytes = 0;
  plan.algorithm += ", split";
  std::vector<bool> placed(problem.buffers.size());
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
    placed[i] = !first->placements[i].physical;
  unlimited.capacity.reset();
  unlimited.effort = Effort::Fast;
  Plan part = std::move(*first);
  for (;;) {
    bool moved = false;
    for (std::uint32_t p = 0; p != part.physicals.size(); ++p)
      moved |= moveWithin(part, p, limit, problem, placed, plan);
    Problem rest = problem;
    bool isLeft = false;
    for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
      rest.buffers[i].unused |= placed[i];
      isLeft |= !placed[i];
      // Never seen: a plan with nothing at its start. One buffer by itself
      // then.
      if (!moved && isLeft) {
        for (BufferIndex k = i + 1; k != problem.buffers.size(); ++k)
          rest.buffers[k].unused = true;
        break;
      }
    }
    if (!isLeft)
      break;
    Result<Plan> next = solve(rest, unlimited);
    if (!next)
      return next;
    plan.stats.comparisons += next->stats.comparisons;
    plan.stats.attempts += next->stats.attempts;
    part = std::move(*next);
  }
  // What search found out is about one arena: alignment and fixed offsets cost
  // less in several.
  plan.lowerBoundBytes = bound->bytes;
  plan.lowerBoundExact = bound->exact || bound->bytes == plan.physicalBytes;
  plan.optimal = plan.physicalBytes == plan.lowerBoundBytes;
  plan.fragmentationBytes = plan.physicalBytes - plan.lowerBoundBytes;
  plan.savedBytes = plan.logicalBytes > plan.physicalBytes
                        ? plan.logicalBytes - plan.physicalBytes
                        : 0;
  return withinCapacity(std::move(plan), options);
}

} // namespace transient::planner
