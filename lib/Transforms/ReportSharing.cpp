//===- ReportSharing.cpp - Who shares bytes with whom, and the proof ------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts `sharing` and `rejected`. Of the conditions for sharing (G0), those about
// one buffer hold for every tenant, or it would not be planned; those about the
// storage hold for all tenants of a physical buffer; the order is proved pair by
// pair.
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

#include "transient/Planner/Verify.h"

#include <set>

using namespace mlir;

namespace transient {

namespace {

/// How many residents of the peak are compared with each other.
constexpr size_t kMaxRejectedResidents = 16;

/// Pairs of `tenants`, of one physical buffer, whose bytes overlap: all but
/// those where one ends before the other begins. O(n log n).
uint64_t countOverlaps(ArrayRef<unsigned> tenants, const planner::Plan &plan) {
  std::vector<uint64_t> ends;
  for (unsigned tenant : tenants)
    ends.push_back(plan.placements[tenant].offset +
                   plan.placements[tenant].bytes);
  llvm::sort(ends);
  uint64_t count = tenants.size(), apart = 0;
  for (unsigned tenant : tenants)
    apart += llvm::upper_bound(ends, plan.placements[tenant].offset) -
             ends.begin();
  return count * (count - 1) / 2 - (count ? apart : 0);
}

/// The pairs where one buffer takes over bytes from another, directly, in
/// program order of the takeovers.
std::vector<std::pair<unsigned, unsigned>>
findTakeovers(FunctionReport &report) {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  const planner::PartialOrder &order = *report.built.problem.order;
  for (size_t physical = 0; physical < report.plan.physicals.size();
       ++physical) {
    std::vector<unsigned> tenants;
    for (auto &[id, index] : report.problemIndex)
      if (report.plan.placements[index].physical == physical &&
          report.plan.placements[index].bytes > 0)
        tenants.push_back(index);
    auto position = [&](unsigned index) {
      size_t earliest = SIZE_MAX;
      for (planner::NodeId node : report.built.problem.buffers[index].first)
        earliest = std::min(earliest, order.position(node));
      return earliest;
    };
    llvm::stable_sort(tenants, [&](unsigned a, unsigned b) {
      return position(a) < position(b);
    });
    report.overlappingPairs += countOverlaps(tenants, report.plan);
    // Who holds the bytes from a key up to the next key.
    std::map<uint64_t, std::optional<unsigned>> holder;
    holder[0] = std::nullopt;
    auto split = [&](uint64_t at) {
      auto next = holder.upper_bound(at);
      holder.try_emplace(at, std::prev(next)->second);
    };
    for (unsigned tenant : tenants) {
      const planner::Placement &place = report.plan.placements[tenant];
      split(place.offset);
      split(place.offset + place.bytes);
      std::vector<unsigned> before;
      auto begin = holder.find(place.offset);
      auto end = holder.find(place.offset + place.bytes);
      for (auto it = begin; it != end; ++it)
        if (it->second && !llvm::is_contained(before, *it->second))
          before.push_back(*it->second);
      holder.erase(std::next(begin), end);
      begin->second = tenant;
      for (unsigned previous : before)
        pairs.emplace_back(previous, tenant);
    }
  }
  return pairs;
}

/// Which condition a fact about one buffer breaks.
StringRef getCondition(FactKind kind) {
  switch (kind) {
  case FactKind::Consumer:
    return "retained";
  case FactKind::SizeBound:
    return "size";
  case FactKind::CompletionEdge:
  case FactKind::Placement:
    break;
  }
  return "completion";
}

/// The first condition that two buffers do not meet, whichever is first; an
/// empty one if there is none.
UnprovedPair findUnproved(const FunctionReport &report, unsigned a,
                          unsigned b) {
  const planner::Buffer &first = report.built.problem.buffers[a];
  const planner::Buffer &second = report.built.problem.buffers[b];
  if (first.space != second.space) {
    const StorageSpace &one = report.built.spaces[first.space];
    const StorageSpace &other = report.built.spaces[second.space];
    if (one.kind == other.kind && one.memorySpace == other.memorySpace)
      return {a, b, "owner", "they do not have the same owner"};
    return {a, b, "storage", "they differ in kind or memory space"};
  }
  if (planner::isBefore(report.built.problem, a, b) ||
      planner::isBefore(report.built.problem, b, a) ||
      !planner::conflicts(report.built.problem, a, b))
    return {};
  // One missing edge in each direction keeps them apart.
  const planner::PartialOrder &order = *report.built.problem.order;
  auto find = [&](const planner::Buffer &from, const planner::Buffer &to) {
    for (planner::NodeId last : from.last)
      for (planner::NodeId start : to.first)
        if (!order.precedes(last, start))
          return "node " + std::to_string(last) +
                 " is not proved to end before node " + std::to_string(start) +
                 " starts";
    return std::string();
  };
  return {a, b, "order", find(first, second) + "; " + find(second, first)};
}

void writeNodes(llvm::json::OStream &json, StringRef key,
                ArrayRef<planner::NodeId> nodes) {
  json.attributeArray(key, [&] {
    for (planner::NodeId node : nodes)
      json.value(node);
  });
}

/// The eight conditions (G0) and what each rests on, in one line.
void writeConditions(llvm::json::OStream &json, const FunctionReport &report,
                     const planner::Buffer &buffer, bool isConditioned) {
  const StorageSpace &space = report.built.spaces[buffer.space];
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    llvm::json::OStream line(os);
    line.object([&] {
      line.attribute("storage", "same kind and memory space");
      line.attribute("order", isConditioned ? "if the preconditions hold"
                                            : "in every execution");
      line.attribute("completion", "every user's end is known");
      line.attribute("retained", "no address is kept");
      line.attribute("owner", space.owner ? "same owner" : "no owners");
      line.attribute("exposure", "within one owner");
      line.attribute("content", "starts undefined, is not kept");
      line.attribute("size", "static");
    });
  }
  json.attributeBegin("conditions");
  json.rawValue(text);
  json.attributeEnd();
}

/// The preconditions on which it rests that `a` is before `b`: those on a path
/// from a last user of `a` to a first user of `b`, unless that is so without
/// any.
std::vector<planner::OrderingEdge>
findPreconditions(const FunctionReport &report, const planner::Buffer &a,
                  const planner::Buffer &b) {
  std::vector<planner::OrderingEdge> found;
  if (report.built.preconditions.empty() ||
      llvm::all_of(a.last, [&](planner::NodeId last) {
        return llvm::all_of(b.first, [&](planner::NodeId first) {
          return report.order->endsBeforeStart(last, first);
        });
      }))
    return found;
  const planner::PartialOrder &order = *report.built.problem.order;
  auto reaches = [&](planner::NodeId from, planner::NodeId to) {
    return from == to || order.precedes(from, to);
  };
  for (const planner::OrderingEdge &edge : report.built.preconditions)
    if (llvm::any_of(a.last,
                     [&](planner::NodeId last) {
                       return reaches(last, edge.from);
                     }) &&
        llvm::any_of(b.first, [&](planner::NodeId first) {
          return reaches(edge.to, first);
        }))
      found.push_back(edge);
  return found;
}

} // namespace

void checkSharing(FunctionReport &report) {
  if (report.order->getUnsupportedReason())
    return;
  auto &unproved = report.unprovedPairs;
  // Bytes and order, for every pair. A target may have rounded sizes up more
  // than the buffers ask for.
  planner::Problem problem = report.built.problem;
  planner::Plan plan = report.plan;
  for (auto [buffer, placement] :
       llvm::zip_equal(problem.buffers, plan.placements)) {
    if (placement.physical && buffer.bytes > 0)
      buffer.capacity = std::max(buffer.bytes, placement.bytes);
    else
      placement = {};
  }
  for (const planner::Violation &violation : planner::verify(problem, plan)) {
    if (violation.rule != planner::Violation::Rule::Overlap &&
        violation.rule != planner::Violation::Rule::NeverShare &&
        violation.rule != planner::Violation::Rule::Space)
      continue;
    UnprovedPair pair;
    if (violation.a != violation.b)
      pair = findUnproved(report, violation.a, violation.b);
    if (pair.condition.empty())
      pair = {violation.a, violation.b, "storage", violation.message};
    unproved.push_back(std::move(pair));
  }
  // What must hold for each tenant by itself.
  std::map<unsigned, const BlockedFact *> facts;
  for (auto &[id, index] : report.problemIndex) {
    const BufferRecord &record = report.inventory->getRecords()[id];
    if (!record.blocked.empty())
      facts[index] = &record.blocked.front();
  }
  // The first condition that fails is enough.
  std::set<std::pair<unsigned, unsigned>> refused;
  for (const UnprovedPair &pair : unproved)
    refused.insert(std::minmax(pair.a, pair.b));
  for (auto [a, b] : findTakeovers(report)) {
    for (unsigned index : {a, b})
      if (auto found = facts.find(index);
          found != facts.end() && refused.insert(std::minmax(a, b)).second)
        unproved.push_back({a, b, getCondition(found->second->kind).str(),
                            report.built.problem.buffers[index].id + " " +
                                found->second->reason});
    if (!facts.count(a) && !facts.count(b) &&
        planner::isBefore(report.built.problem, a, b))
      report.takeovers.emplace_back(a, b);
  }
}

void writeSharing(llvm::json::OStream &json, const FunctionReport &report) {
  for (auto [a, b] : report.takeovers) {
    const planner::Buffer &first = report.built.problem.buffers[a];
    const planner::Buffer &second = report.built.problem.buffers[b];
    std::vector<planner::OrderingEdge> preconditions =
        findPreconditions(report, first, second);
    json.object([&] {
      json.attribute("a", first.id);
      json.attribute("b", second.id);
      json.attribute("kind", preconditions.empty() ? "unconditional"
                                                   : "schedule_conditioned");
      if (!preconditions.empty())
        json.attributeArray("preconditions", [&] {
          for (const planner::OrderingEdge &edge : preconditions)
            json.object([&] {
              json.attribute("end", edge.from);
              json.attribute("start", edge.to);
            });
        });
      json.attributeObject("proof", [&] {
        writeNodes(json, "end_of", first.last);
        writeNodes(json, "before_start_of", second.first);
        writeConditions(json, report, first, !preconditions.empty());
      });
    });
  }
}

void writeSharingCounts(llvm::json::OStream &json,
                        const FunctionReport &report) {
  const std::vector<planner::Buffer> &buffers = report.built.problem.buffers;
  uint64_t conditioned = 0;
  for (auto [a, b] : report.takeovers)
    conditioned += !findPreconditions(report, buffers[a], buffers[b]).empty();
  json.attribute("unconditional", report.takeovers.size() - conditioned);
  json.attribute("schedule_conditioned", conditioned);
}

void writeRejected(llvm::json::OStream &json, const FunctionReport &report) {
  const std::vector<planner::Buffer> &buffers = report.built.problem.buffers;
  auto write = [&](const UnprovedPair &pair, bool overlaps) {
    json.object([&] {
      json.attribute("a", buffers[pair.a].id);
      json.attribute("b", buffers[pair.b].id);
      json.attribute("condition", pair.condition);
      json.attribute("reason", pair.reason);
      json.attribute("overlaps", overlaps);
    });
  };
  for (const UnprovedPair &pair : report.unprovedPairs)
    write(pair, true);
  std::vector<planner::BufferIndex> residents = report.lowerBound.witness;
  llvm::stable_sort(residents, [&](unsigned a, unsigned b) {
    return buffers[a].bytes > buffers[b].bytes;
  });
  if (residents.size() > kMaxRejectedResidents)
    residents.resize(kMaxRejectedResidents);
  for (size_t i = 0; i < residents.size(); ++i)
    for (size_t j = i + 1; j < residents.size(); ++j)
      if (UnprovedPair pair = findUnproved(report, residents[i], residents[j]);
          !pair.condition.empty())
        write(pair, false);
}

} // namespace transient
