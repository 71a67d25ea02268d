//===- Bound.cpp - What no plan can beat ----------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses between LOAD and the antichain, and deals with pairs. The peak over
// all executions is the same closure problem as the antichain: a cut of the
// event DAG is a state of an execution, and the items it crosses are live in
// it. They differ only where an item has several first or last nodes, where no
// single state need contain a whole antichain.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Bound.h"

#include "EventGraph.h"
#include "Instance.h"
#include "InstanceBound.h"
#include "Orders.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace transient::planner {

namespace {

/// Most bytes live at one time of the interval view, the earliest of equals.
Antichain load(const Instance &instance, const std::vector<Item> &items) {
  Antichain result;
  std::vector<std::uint64_t> live = liveBytes(instance, items);
  auto peak = std::max_element(live.begin(), live.end());
  if (peak == live.end())
    return result;
  result.bytes = *peak;
  auto at = std::uint32_t(peak - live.begin());
  for (Item i : items)
    if (instance.lo[i] <= at && at <= instance.hi[i])
      result.items.push_back(i);
  return result;
}

struct Relaxed {
  Antichain set;
  bool exact;
  const char *method;
};

/// Heaviest set in conflict by order alone.
Relaxed heaviestByOrder(const Instance &instance,
                        const std::vector<Item> &items,
                        const BoundOptions &options) {
  if (instance.interval)
    return {load(instance, items), true, "load"};
  if (auto chain = heaviestAntichain(instance, items, Relax::Lower,
                                     options.maxFlowEvents)) {
    const bool exact = chain->exact;
    const char *method =
        exact ? "max-weight-antichain"
        : instance.problem.order->isExact()
            ? "antichain, with one first node for several"
            : "antichain, with one first and last node for several where the "
              "order has dropped columns";
    return {std::move(*chain), exact, method};
  }
  return {load(instance, items), false, "load of one linear extension"};
}

std::uint64_t weight(const Instance &instance, const std::vector<Item> &items) {
  std::uint64_t sum = 0;
  for (Item i : items)
    sum += instance.bytes[i];
  return sum;
}

/// Heaviest first, so that greedy choices are the obvious ones.
std::vector<Item> heaviestFirst(const Instance &instance,
                                std::vector<Item> items) {
  std::sort(items.begin(), items.end(), [&](Item a, Item b) {
    return instance.bytes[a] != instance.bytes[b]
               ? instance.bytes[a] > instance.bytes[b]
               : a < b;
  });
  return items;
}

/// Adds to `clique`, in order, the candidates that surely conflict with all of
/// it.
void extend(const Instance &instance, std::vector<Item> &clique,
            const std::vector<Item> &candidates) {
  for (Item i : candidates)
    if (std::all_of(clique.begin(), clique.end(), [&](Item member) {
          return member != i && instance.surelyConflict(member, i);
        }))
      clique.push_back(i);
}

} // namespace

Bound boundOfSpace(const Instance &instance, const std::vector<Item> &items,
                   const BoundOptions &options) {
  Relaxed relaxed = heaviestByOrder(instance, items, options);
  Bound bound;
  if (!instance.hasPairs) {
    bound.bytes = relaxed.set.bytes;
    bound.exact = relaxed.exact;
    bound.method = relaxed.method;
    bound.witness = std::move(relaxed.set.items);
    return bound;
  }

  // Pairs: a set is only evidence once all its pairs do conflict. Thin the
  // antichain out, grow it again by pairs that never share, and try again
  // without the items that had to go. Each round is a valid bound.
  const std::vector<Item> candidates = heaviestFirst(instance, items);
  std::vector<Item> rest(items);
  std::vector<Item> antichain = relaxed.set.items;
  for (int round = 0; round != 4; ++round) {
    std::vector<Item> clique;
    extend(instance, clique, heaviestFirst(instance, antichain));
    std::vector<Item> kept(clique);
    extend(instance, clique, candidates);
    if (std::uint64_t bytes = weight(instance, clique);
        bytes > bound.bytes || bound.witness.empty()) {
      bound.bytes = bytes;
      bound.witness = std::move(clique);
    }
    if (kept.size() == antichain.size())
      break;
    std::sort(kept.begin(), kept.end());
    std::sort(antichain.begin(), antichain.end());
    std::vector<Item> dropped, fewer;
    std::set_difference(antichain.begin(), antichain.end(), kept.begin(),
                        kept.end(), std::back_inserter(dropped));
    std::set_difference(rest.begin(), rest.end(), dropped.begin(),
                        dropped.end(), std::back_inserter(fewer));
    rest = std::move(fewer);
    antichain = heaviestByOrder(instance, rest, options).set.items;
  }
  std::sort(bound.witness.begin(), bound.witness.end());
  // Exclusive pairs only take conflicts away, so the relaxation is an upper
  // bound on every clique unless pairs that never share add some.
  bool adds = std::any_of(
      instance.problem.neverShare.begin(), instance.problem.neverShare.end(),
      [&](const auto &pair) {
        return isBefore(instance.problem, pair.first, pair.second) ||
               isBefore(instance.problem, pair.second, pair.first);
      });
  // A pair in both lists conflicts, as it does for the relaxation.
  bound.exact = relaxed.exact && !adds && bound.bytes == relaxed.set.bytes &&
                (instance.interval || instance.problem.order->isExact());
  bound.method = std::string(relaxed.method) + " restricted by pairs";
  return bound;
}

static void toBuffers(const Instance &instance, std::vector<Item> &items) {
  for (Item &i : items)
    i = instance.buffer[i];
  std::sort(items.begin(), items.end());
}

Result<Bound> lowerBound(const Problem &problem,
                         const BoundOptions &options) try {
  if (auto error = validate(problem))
    return *error;
  Instance instance(problem);
  Bound total;
  total.exact = true;
  total.method = "load";
  for (std::size_t s = 0; s != instance.spaces.size(); ++s) {
    Bound bound = boundOfSpace(instance, instance.itemsOfSpace[s], options);
    total.bytes += bound.bytes;
    if (s == 0 || (total.exact && !bound.exact))
      total.method = bound.method;
    total.exact &= bound.exact;
    total.witness.insert(total.witness.end(), bound.witness.begin(),
                         bound.witness.end());
  }
  toBuffers(instance, total.witness);
  return total;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while bounding a plan"};
}

Result<Bound> peakUpper(const Problem &problem,
                        const BoundOptions &options) try {
  if (auto error = validate(problem))
    return *error;
  Instance instance(problem);
  std::vector<Item> items(instance.size());
  std::iota(items.begin(), items.end(), 0);
  bool single = true;
  for (BufferIndex b : instance.buffer)
    single &= problem.buffers[b].first.size() == 1 &&
              problem.buffers[b].last.size() == 1;

  Bound bound;
  Antichain cut;
  if (instance.interval) {
    cut = load(instance, items);
    bound.method = "load";
    bound.exact = true;
  } else if (auto found = heaviestAntichain(instance, items, Relax::Upper,
                                            options.maxFlowEvents)) {
    bound.exact = found->exact;
    cut = std::move(*found);
    bound.method = "min-cut";
    if (!bound.exact)
      bound.method += problem.order->isExact()
                          ? ", too many joins to be told apart"
                          : ", an order with dropped columns";
  } else {
    cut = {weight(instance, items), items, false, {}};
    bound.method = "sum of all sizes, the flow network is too large";
  }
  if (!single) {
    bound.exact = false;
    bound.method += ", several first or last nodes join in one event that lags";
  }
  if (!problem.exclusive.empty()) {
    bound.exact = false;
    bound.method += ", exclusive pairs counted together";
  }
  bound.bytes = cut.bytes;
  bound.witness = std::move(cut.items);
  toBuffers(instance, bound.witness);
  return bound;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while bounding a peak"};
}

} // namespace transient::planner
