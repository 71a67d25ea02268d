//===- Verify.cpp - Independent check of a plan ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Own rounding, own byte geometry, own reachability: nothing below may include
// a private header of the planner or call what decides in Problem.h or
// PartialOrder.h. Of the order only its raw edges are read. Pairs are found by
// bytes first and asked for order second, so cost follows the sharing that the
// plan does, not the conflicts that the problem has.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Verify.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

namespace transient::planner {

const char *toString(Violation::Rule rule) {
  switch (rule) {
  case Violation::Rule::Shape:
    return "shape";
  case Violation::Rule::Storage:
    return "storage";
  case Violation::Rule::Size:
    return "size";
  case Violation::Rule::Alignment:
    return "alignment";
  case Violation::Rule::FixedOffset:
    return "fixed-offset";
  case Violation::Rule::Bounds:
    return "bounds";
  case Violation::Rule::Usage:
    return "usage";
  case Violation::Rule::Space:
    return "space";
  case Violation::Rule::Overlap:
    return "overlap";
  case Violation::Rule::NeverShare:
    return "never-share";
  case Violation::Rule::Totals:
    return "totals";
  case Violation::Rule::Claims:
    return "claims";
  }
  return "unknown";
}

namespace {

__extension__ typedef unsigned __int128 Wide;
using Rule = Violation::Rule;

std::string text(Wide value) {
  std::string digits;
  do
    digits.insert(digits.begin(), char('0' + int(value % 10)));
  while (value /= 10);
  return digits;
}

class Checker {
public:
  Checker(const Problem &problem, const Plan &plan,
          const VerifyOptions &options)
      : problem(problem), plan(plan), options(options) {}

  std::vector<Violation> run() {
    if (plan.placements.size() != problem.buffers.size()) {
      report(Rule::Shape, Violation::kNone, Violation::kNone,
             "plan has " + text(plan.placements.size()) +
                 " placements, expected one for each of " +
                 text(problem.buffers.size()) + " buffers");
      return std::move(violations);
    }
    for (BufferIndex i = 0; i != problem.buffers.size() && !full(); ++i)
      checkBuffer(i);
    if (!full())
      checkTotals();
    for (auto [a, b] : problem.neverShare)
      if (!full() && a < isPlaced.size() && b < isPlaced.size() &&
          shareBytes(a, b))
        report(Rule::NeverShare, a, b,
               "buffers " + name(a) + " and " + name(b) +
                   " must never share, but both have bytes " +
                   commonBytes(a, b));
    isPartner.resize(problem.buffers.size(), 0);
    for (auto [a, b] : problem.exclusive) {
      exclusive.insert({std::min(a, b), std::max(a, b)});
      for (BufferIndex i : {a, b})
        if (i < isPartner.size())
          isPartner[i] = 1;
    }
    // A pair of tenants either has a partner of some exclusive pair in it, and
    // is then looked at itself, or has none. Among those without, no pair is
    // excused, so what stands for all pairs when nothing is exclusive stands
    // for all of theirs: the partners are left out as if they were not there.
    for (std::uint32_t p = 0; p != tenants.size() && !full(); ++p) {
      std::vector<BufferIndex> plain;
      for (BufferIndex i : tenants[p])
        if (!isPartner[i])
          plain.push_back(i);
      if (problem.order && !endAfterTheyBegin(plain)) {
        collectOverlaps(tenants[p], /*all=*/true);
        continue;
      }
      const bool partners = plain.size() != tenants[p].size();
      if (problem.order)
        collectTakeovers(std::move(plain));
      else
        sweepTime(std::move(plain));
      if (partners)
        collectOverlaps(tenants[p], /*all=*/false);
    }
    flush();
    return std::move(violations);
  }

private:
  /// A limit of none would make every plan look good.
  bool full() const {
    return violations.size() >= std::max<std::size_t>(options.maxViolations, 1);
  }

  void report(Rule rule, BufferIndex a, BufferIndex b, std::string message) {
    if (!full())
      violations.push_back({rule, a, b, std::move(message)});
  }

  std::string name(BufferIndex i) const {
    return "'" + problem.buffers[i].id + "'";
  }

  // Bytes -------------------------------------------------------------------

  Wide begin(BufferIndex i) const { return plan.placements[i].offset; }
  Wide end(BufferIndex i) const {
    return Wide(plan.placements[i].offset) + plan.placements[i].bytes;
  }
  bool shareBytes(BufferIndex a, BufferIndex b) const {
    return isPlaced[a] && isPlaced[b] && a != b &&
           *plan.placements[a].physical == *plan.placements[b].physical &&
           std::max(begin(a), begin(b)) < std::min(end(a), end(b));
  }
  std::string commonBytes(BufferIndex a, BufferIndex b) const {
    return "[" + text(std::max(begin(a), begin(b))) + ", " +
           text(std::min(end(a), end(b))) + ") of physical buffer " +
           text(*plan.placements[a].physical);
  }

  void checkBuffer(BufferIndex i) {
    const Buffer &buffer = problem.buffers[i];
    const Placement &placement = plan.placements[i];
    isPlaced.resize(problem.buffers.size(), 0);
    tenants.resize(plan.physicals.size());

    const std::uint64_t q =
        buffer.capacity > buffer.bytes ? buffer.capacity : buffer.bytes;
    const bool needs = !buffer.unused && q != 0;
    if (needs != placement.physical.has_value())
      return report(Rule::Storage, i, i,
                    "buffer " + name(i) + " of " + text(q) + " bytes" +
                        (buffer.unused ? ", unused," : "") +
                        (needs ? " has no placement, expected one"
                               : " has a placement, expected none"));
    if (!needs)
      return;
    if (*placement.physical >= plan.physicals.size())
      return report(Rule::Shape, i, i,
                    "buffer " + name(i) + " is in physical buffer " +
                        text(*placement.physical) + ", expected less than " +
                        text(plan.physicals.size()));
    isPlaced[i] = 1;
    // One of no bytes, whose size is wrong, has none to share; below, tenants
    // are those that have.
    if (placement.bytes)
      tenants[*placement.physical].push_back(i);

    const PhysicalBuffer &physical = plan.physicals[*placement.physical];
    const Wide a = buffer.alignment ? buffer.alignment : 1;
    const Wide rounded = (Wide(q) + a - 1) / a * a;
    if (rounded != placement.bytes)
      report(Rule::Size, i, i,
             "buffer " + name(i) + " takes " + text(placement.bytes) +
                 " bytes, expected " + text(q) + " rounded up to " +
                 text(rounded));
    if (placement.offset % a != 0)
      report(Rule::Alignment, i, i,
             "buffer " + name(i) + " has offset " + text(placement.offset) +
                 ", expected a multiple of its alignment " + text(a));
    if (physical.alignment == 0 || physical.alignment % a != 0)
      report(Rule::Alignment, i, i,
             "buffer " + name(i) + " of alignment " + text(a) +
                 " is in a physical buffer aligned to " +
                 text(physical.alignment) + ", expected a multiple");
    if (buffer.fixedOffset && *buffer.fixedOffset != placement.offset)
      report(Rule::FixedOffset, i, i,
             "buffer " + name(i) + " has offset " + text(placement.offset) +
                 ", expected its fixed offset " + text(*buffer.fixedOffset));
    if (end(i) > physical.bytes)
      report(Rule::Bounds, i, i,
             "buffer " + name(i) + " ends at byte " + text(end(i)) +
                 " of physical buffer " + text(*placement.physical) +
                 ", expected at most " + text(physical.bytes));
    if (buffer.usageRequired && (buffer.usage & ~physical.usage) != 0)
      report(Rule::Usage, i, i,
             "buffer " + name(i) + " needs usage bits " +
                 text(buffer.usage & ~physical.usage) +
                 " that physical buffer " + text(*placement.physical) +
                 " does not offer");
    if (buffer.space != physical.space)
      report(Rule::Space, i, i,
             "buffer " + name(i) + " of space " + text(buffer.space) +
                 " is in physical buffer " + text(*placement.physical) +
                 " of space " + text(physical.space));
  }

  void checkTotals() {
    Wide logical = 0, physical = 0, padding = 0;
    for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
      if (plan.placements[i].physical) {
        logical += problem.buffers[i].bytes;
        if (plan.placements[i].bytes > problem.buffers[i].bytes)
          padding += plan.placements[i].bytes - problem.buffers[i].bytes;
      }
    for (const PhysicalBuffer &it : plan.physicals)
      physical += it.bytes;
    auto expect = [&](const char *what, Wide found, Wide expected) {
      if (found != expected)
        report(Rule::Totals, Violation::kNone, Violation::kNone,
               std::string(what) + " is " + text(found) + ", expected " +
                   text(expected));
    };
    expect("logical bytes", plan.logicalBytes, logical);
    expect("physical bytes", plan.physicalBytes, physical);
    expect("padding bytes", plan.paddingBytes, padding);
    expect("saved bytes", plan.savedBytes,
           logical > physical ? logical - physical : 0);
    expect("fragmentation plus lower bound",
           Wide(plan.fragmentationBytes) + plan.lowerBoundBytes, physical);
    expect("optimal", plan.optimal,
           plan.optimal && plan.lowerBoundBytes == physical);
  }

  // Total order -------------------------------------------------------------

  NodeId begins(BufferIndex i) const {
    const auto &nodes = problem.buffers[i].first;
    return nodes.empty() ? 0 : *std::min_element(nodes.begin(), nodes.end());
  }
  NodeId ends(BufferIndex i) const {
    const auto &nodes = problem.buffers[i].last;
    return nodes.empty() ? ~NodeId(0)
                         : *std::max_element(nodes.begin(), nodes.end());
  }

  void reportOverlap(BufferIndex a, BufferIndex b, const std::string &why) {
    report(Rule::Overlap, a, b,
           "buffers " + name(a) + " and " + name(b) + " both have bytes " +
               commonBytes(a, b) + ", but " + why);
  }
  void reportMeet(BufferIndex a, BufferIndex b) {
    reportOverlap(a, b,
                  "nodes " + text(begins(a)) + " to " + text(ends(a)) +
                      " and " + text(begins(b)) + " to " + text(ends(b)) +
                      " meet");
  }

  /// Passes through time with the live tenants by offset. As long as they are
  /// disjoint, a newcomer can only run into its two neighbours.
  void sweepTime(std::vector<BufferIndex> order) {
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      return begins(a) != begins(b) ? begins(a) < begins(b) : a < b;
    });
    std::set<std::pair<std::uint64_t, BufferIndex>> live;
    std::priority_queue<std::pair<NodeId, BufferIndex>,
                        std::vector<std::pair<NodeId, BufferIndex>>,
                        std::greater<>>
        leaving;
    for (BufferIndex i : order) {
      while (!leaving.empty() && leaving.top().first < begins(i)) {
        BufferIndex gone = leaving.top().second;
        live.erase({plan.placements[gone].offset, gone});
        leaving.pop();
      }
      auto next = live.lower_bound({plan.placements[i].offset, 0});
      if (next != live.end() && shareBytes(i, next->second))
        reportMeet(next->second, i);
      if (next != live.begin() && shareBytes(i, std::prev(next)->second))
        reportMeet(std::prev(next)->second, i);
      live.insert({plan.placements[i].offset, i});
      leaving.push({ends(i), i});
      if (full())
        return;
    }
  }

  // Any order ---------------------------------------------------------------

  bool isExclusive(BufferIndex a, BufferIndex b) const {
    return exclusive.count({std::min(a, b), std::max(a, b)}) != 0;
  }

  /// Whether each tenant has a last node that is, or comes after, one of its
  /// first nodes. Then "a before b before c" makes "a before c".
  bool endAfterTheyBegin(const std::vector<BufferIndex> &members) {
    if (topological.empty())
      sortNodes();
    flush(); // What is pending has sources of its own.
    bool all = true;
    std::vector<BufferIndex> waiting;
    auto check = [&] {
      const std::size_t words = (sources.size() + 63) / 64;
      const std::vector<std::uint64_t> ancestors = findAncestors(words);
      for (BufferIndex i : waiting) {
        bool found = false;
        for (NodeId f : problem.buffers[i].first)
          for (NodeId l : problem.buffers[i].last)
            found |= f < edges.size() && l < edges.size() &&
                     (f == l || isAncestor(ancestors, words, f, l));
        all &= found;
      }
      waiting.clear();
      forgetSources();
    };
    for (BufferIndex i : members) {
      for (NodeId f : problem.buffers[i].first)
        addSource(f);
      waiting.push_back(i);
      if (sources.size() >= kSources)
        check();
    }
    check();
    return all;
  }

  /// Visits the pairs where one tenant takes bytes over directly from another,
  /// in a topological order of first nodes. "Before" is transitive over the
  /// tenants that a byte has in turn, so these pairs stand for all that
  /// overlap.
  void collectTakeovers(std::vector<BufferIndex> order) {
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      return earliest(a) != earliest(b) ? earliest(a) < earliest(b) : a < b;
    });
    // Who holds the bytes from a key up to the next key.
    std::map<Wide, BufferIndex> holder{{0, Violation::kNone}};
    auto split = [&](Wide at) {
      auto above = holder.upper_bound(at);
      return holder.emplace(at, std::prev(above)->second).first;
    };
    for (BufferIndex i : order) {
      if (full())
        return;
      split(begin(i));
      auto last = split(end(i));
      auto first = holder.find(begin(i));
      std::set<BufferIndex> before;
      for (auto it = first; it != last; ++it)
        if (it->second != Violation::kNone)
          before.insert(it->second);
      for (BufferIndex previous : before)
        addPair(previous, i);
      holder.erase(std::next(first), last);
      first->second = i;
    }
  }

  /// Visits every pair of tenants that overlaps in bytes, or only those with a
  /// partner of an exclusive pair: for each, those that start at or below it
  /// and end above its start, by a tree of highest ends. A second tree knows
  /// the partners' ends alone.
  void collectOverlaps(std::vector<BufferIndex> order, bool all) {
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      return begin(a) != begin(b) ? begin(a) < begin(b) : a < b;
    });
    std::size_t leaves = 1;
    while (leaves < order.size())
      leaves *= 2;
    using Tree = std::vector<Wide>;
    Tree ends(2 * leaves, 0), partnerEnds(2 * leaves, 0);
    for (std::size_t k = 0; k != order.size(); ++k) {
      ends[leaves + k] = end(order[k]);
      partnerEnds[leaves + k] = isPartner[order[k]] ? end(order[k]) : 0;
    }
    for (Tree *tree : {&ends, &partnerEnds})
      for (std::size_t k = leaves; --k > 0;)
        (*tree)[k] = std::max((*tree)[2 * k], (*tree)[2 * k + 1]);

    std::function<void(const Tree &, std::size_t, std::size_t, std::size_t,
                       std::size_t)>
        visit = [&](const Tree &highest, std::size_t node, std::size_t from,
                    std::size_t size, std::size_t k) {
          if (from >= k || highest[node] <= begin(order[k]) || full())
            return;
          if (size == 1)
            return addPair(order[from], order[k]);
          visit(highest, 2 * node, from, size / 2, k);
          visit(highest, 2 * node + 1, from + size / 2, size / 2, k);
        };
    for (std::size_t k = 0; k != order.size(); ++k)
      visit(all || isPartner[order[k]] ? ends : partnerEnds, 1, 0, leaves, k);
  }

  void addPair(BufferIndex a, BufferIndex b) {
    if (!shareBytes(a, b) || isExclusive(a, b))
      return;
    if (!problem.order) {
      if (begins(a) <= ends(b) && begins(b) <= ends(a))
        reportMeet(a, b);
      return;
    }
    if (topological.empty())
      sortNodes();
    // Only the one that begins earlier in some topological order can be before
    // the other.
    if (earliest(b) < earliest(a))
      std::swap(a, b);
    pairs.push_back({a, b});
    for (NodeId l : problem.buffers[a].last)
      addSource(l);
    if (sources.size() >= kSources || pairs.size() >= kPairs)
      flush();
  }

  std::uint32_t earliest(BufferIndex i) const {
    std::uint32_t best = ~0u;
    for (NodeId f : problem.buffers[i].first)
      if (f < topological.size())
        best = std::min(best, position[f]);
    return best;
  }

  /// A topological order of our own, from the raw edges.
  void sortNodes() {
    const std::size_t n = problem.order->numNodes();
    std::vector<std::vector<std::uint32_t>> successors(n);
    std::vector<std::uint32_t> missing(n, 0);
    edges.resize(n);
    for (std::size_t v = 0; v != n; ++v)
      for (NodeId p : problem.order->predecessors(v)) {
        edges[v].push_back(std::uint32_t(p));
        successors[p].push_back(std::uint32_t(v));
        ++missing[v];
      }
    for (std::size_t v = 0; v != n; ++v)
      if (!missing[v])
        topological.push_back(std::uint32_t(v));
    for (std::size_t k = 0; k != topological.size(); ++k)
      for (std::uint32_t s : successors[topological[k]])
        if (!--missing[s])
          topological.push_back(s);
    position.assign(n, ~0u);
    for (std::size_t k = 0; k != topological.size(); ++k)
      position[topological[k]] = std::uint32_t(k);
    sourceBit.assign(n, kNoBit);
  }

  void addSource(NodeId node) {
    if (node >= topological.size() || sourceBit[node] != kNoBit)
      return;
    sourceBit[node] = std::uint32_t(sources.size());
    sources.push_back(node);
  }
  void forgetSources() {
    for (NodeId node : sources)
      sourceBit[node] = kNoBit;
    sources.clear();
  }

  /// For each node, which of `sources` are its ancestors: one pass over edges.
  std::vector<std::uint64_t> findAncestors(std::size_t words) const {
    std::vector<std::uint64_t> ancestors(edges.size() * words, 0);
    for (std::uint32_t v : topological)
      for (std::uint32_t p : edges[v]) {
        for (std::size_t w = 0; w != words; ++w)
          ancestors[v * words + w] |= ancestors[p * words + w];
        if (sourceBit[p] != kNoBit)
          ancestors[v * words + sourceBit[p] / 64] |= 1ull
                                                      << (sourceBit[p] % 64);
      }
    return ancestors;
  }
  /// Whether `source`, one of `sources`, is an ancestor of `node`.
  bool isAncestor(const std::vector<std::uint64_t> &ancestors,
                  std::size_t words, NodeId source, NodeId node) const {
    const std::uint32_t bit = sourceBit[source];
    return (ancestors[node * words + bit / 64] >> (bit % 64)) & 1;
  }

  /// Decides the pairs collected so far.
  void flush() {
    if (pairs.empty())
      return;
    const std::size_t words = (sources.size() + 63) / 64;
    const std::vector<std::uint64_t> ancestors = findAncestors(words);
    for (auto [a, b] : pairs) {
      if (full())
        break;
      decide(a, b, ancestors, words);
    }
    forgetSources();
    pairs.clear();
  }

  void decide(BufferIndex a, BufferIndex b,
              const std::vector<std::uint64_t> &ancestors, std::size_t words) {
    const auto &lasts = problem.buffers[a].last;
    const auto &firsts = problem.buffers[b].first;
    if (lasts.empty() || firsts.empty())
      return reportOverlap(a, b, "one of them has no declared lifetime");
    for (NodeId l : lasts)
      for (NodeId f : firsts) {
        bool proved = l < edges.size() && f < edges.size() &&
                      isAncestor(ancestors, words, l, f);
        if (!proved)
          return reportOverlap(a, b,
                               "node " + text(l) + " of " + name(a) +
                                   " is not proved to end before node " +
                                   text(f) + " of " + name(b) + " starts");
      }
  }

  static constexpr std::uint32_t kNoBit = ~0u;
  static constexpr std::size_t kSources = 256, kPairs = 1 << 20;

  const Problem &problem;
  const Plan &plan;
  const VerifyOptions &options;
  std::vector<Violation> violations;

  std::vector<char> isPlaced;                    ///< By buffer.
  std::vector<std::vector<BufferIndex>> tenants; ///< By physical buffer.
  std::set<std::pair<BufferIndex, BufferIndex>> exclusive;
  std::vector<char> isPartner; ///< By buffer: in some exclusive pair.

  std::vector<std::vector<std::uint32_t>> edges; ///< Predecessors, by node.
  std::vector<std::uint32_t> topological, position;
  std::vector<std::uint32_t> sourceBit; ///< By node: index in `sources`.
  std::vector<NodeId> sources;
  std::vector<std::pair<BufferIndex, BufferIndex>> pairs;
};

} // namespace

std::vector<Violation> verify(const Problem &problem, const Plan &plan,
                              const VerifyOptions &options) {
  return Checker(problem, plan, options).run();
}

} // namespace transient::planner
