//===- VerifyClaims.cpp - Check of what a plan says of itself -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from Verify.cpp, which may not know the planner: a claim of optimality
// is about the problem, and is confirmed by the bound or not at all.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Bound.h"
#include "transient/Planner/Verify.h"

#include "ConflictGraph.h"
#include "ExactSearch.h"
#include "InstanceBound.h"
#include "SlotBound.h"

#include <algorithm>

namespace transient::planner {

namespace {

/// Steps of search spent on the confirmation of one space.
constexpr std::uint64_t kSteps = 30000000000;

/// True when search shows that `items` need at least `bytes`.
bool needAtLeast(const Instance &instance, const std::vector<Item> &items,
                 std::uint64_t bytes) {
  if (!instance.interval && !instance.problem.order->isExact())
    return false; // Conflicts may only be unproved order.
  auto graph = ConflictGraph::build(instance, items, {});
  return graph && bytes &&
         ExactSearch(instance, *graph, 1).decide(bytes - 1, kSteps) ==
             ExactSearch::Outcome::Exhausted;
}

/// Highest end of the placements of one space; nothing where they are in more
/// than one physical buffer.
std::optional<std::uint64_t> heightOf(const Instance &instance,
                                      const std::vector<Item> &items,
                                      const Plan &plan) {
  std::uint64_t height = 0;
  std::optional<std::uint32_t> physical;
  for (Item i : items) {
    if (instance.buffer[i] >= plan.placements.size())
      return std::nullopt;
    const Placement &it = plan.placements[instance.buffer[i]];
    if (!it.physical || (physical && *physical != *it.physical) ||
        it.offset > UINT64_MAX - it.bytes)
      return std::nullopt;
    physical = it.physical;
    height = std::max(height, it.offset + it.bytes);
  }
  return height;
}

/// True when every tenant starts where its physical buffer does: the plan is
/// one of whole-buffer reuse, and so are those that its bound is about.
bool isOfSlots(const Plan &plan) {
  return std::all_of(
      plan.placements.begin(), plan.placements.end(),
      [](const Placement &it) { return !it.physical || it.offset == 0; });
}

/// `bound` with what holds for slots.
void confirmForSlots(const Problem &problem, const Plan &plan, Bound &bound) {
  if (validate(problem))
    return;
  Instance instance(problem);
  std::uint64_t sum = 0;
  for (const auto &items : instance.itemsOfSpace) {
    const std::uint64_t base = std::max(boundOfSpace(instance, items, {}).bytes,
                                        slotBound(instance, items));
    if (sum > UINT64_MAX - base)
      return;
    sum += base;
  }
  if (sum > bound.bytes) {
    bound.bytes = sum;
    bound.exact = sum == plan.physicalBytes;
    bound.method = "widths of sizes, for slots";
  }
}

/// `bound` with what search adds where the plan says more: the claim itself
/// when there is one space, else the heights of the spaces.
void confirmBySearch(const Problem &problem, const Plan &plan, Bound &bound) {
  if (validate(problem))
    return;
  Instance instance(problem);
  std::uint64_t sum = 0;
  for (const auto &items : instance.itemsOfSpace) {
    std::uint64_t base = boundOfSpace(instance, items, {}).bytes;
    // In several physical buffers fewer bytes may do than in one.
    std::optional<std::uint64_t> wanted = heightOf(instance, items, plan);
    if (wanted && instance.spaces.size() == 1)
      wanted = plan.lowerBoundBytes;
    if (wanted && *wanted > base && needAtLeast(instance, items, *wanted))
      base = *wanted;
    if (sum > UINT64_MAX - base)
      return;
    sum += base;
  }
  if (sum > bound.bytes) {
    bound.bytes = sum;
    bound.exact = sum == plan.physicalBytes;
    bound.method = "exhausted search";
  }
}

} // namespace

std::vector<Violation> verifyClaims(const Problem &problem, const Plan &plan) {
  std::vector<Violation> violations;
  auto report = [&](std::string message) {
    violations.push_back({Violation::Rule::Claims, Violation::kNone,
                          Violation::kNone, std::move(message)});
  };
  if (!plan.lowerBoundBytes && !plan.lowerBoundExact && !plan.optimal)
    return violations;
  auto bound = lowerBound(problem);
  if (!bound) {
    report("the claimed lower bound cannot be confirmed: " +
           bound.error().message);
    return violations;
  }
  if (plan.lowerBoundBytes > bound->bytes && isOfSlots(plan))
    confirmForSlots(problem, plan, *bound);
  if (plan.lowerBoundBytes > bound->bytes &&
      plan.lowerBoundBytes <= plan.physicalBytes)
    confirmBySearch(problem, plan, *bound);
  // A plan as small as a bound makes the bound exact.
  bound->exact |= bound->bytes == plan.physicalBytes;
  const std::string found = std::to_string(bound->bytes) + " (" +
                            bound->method + (bound->exact ? ", exact)" : ")");
  if (plan.lowerBoundBytes > bound->bytes)
    report("lower bound is " + std::to_string(plan.lowerBoundBytes) +
           ", expected at most " + found);
  else if (plan.lowerBoundExact &&
           (!bound->exact || plan.lowerBoundBytes != bound->bytes))
    report("lower bound of " + std::to_string(plan.lowerBoundBytes) +
           " is claimed to be exact, but what can be confirmed is " + found);
  if (plan.optimal && plan.physicalBytes != bound->bytes)
    report("plan of " + std::to_string(plan.physicalBytes) +
           " bytes is claimed to be optimal, but the lower bound is " + found);
  return violations;
}

} // namespace transient::planner
