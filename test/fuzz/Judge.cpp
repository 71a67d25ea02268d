//===- Judge.cpp - What is wrong with a planned execution -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include <algorithm>
#include <map>

namespace transient::fuzz {

const char *toString(Wrong wrong) {
  static constexpr const char *names[] = {
      "shape",       "order",  "race",      "within",  "lifetime",
      "double free", "bounds", "alignment", "content", "judges disagree"};
  return names[static_cast<unsigned>(wrong)];
}

static std::string nameOf(const Trace &trace, int number) {
  const Instance &instance = trace.instances[number];
  std::string text = "#" + std::to_string(number) + " " +
                     instance.op->getName().getStringRef().str();
  for (const Access &access : instance.accesses)
    if (!access.elements.empty())
      text += " " + std::string(access.read ? "r" : "") +
              (access.write ? "w" : "") + std::to_string(access.allocation) +
              "[" + std::to_string(access.elements.front()) + ".." +
              std::to_string(access.elements.back() + access.width) + ")";
  return text;
}

std::vector<Finding> judgeAlone(const Trace &trace) {
  std::vector<Finding> findings;
  auto find = [&](Wrong wrong, int number) {
    findings.push_back({wrong, nameOf(trace, number)});
  };
  std::map<int, std::vector<int>> frees;
  int count = static_cast<int>(trace.instances.size());
  for (int i = 0; i < count; ++i)
    if (trace.instances[i].kind == InstanceKind::Free)
      frees[trace.instances[i].allocation].push_back(i);
  for (auto &[allocation, list] : frees)
    if (list.size() > 1)
      find(Wrong::DoubleFree, list[1]);
  for (int i = 0; i < count; ++i) {
    const Instance &instance = trace.instances[i];
    if (instance.kind == InstanceKind::Free) {
      int made = trace.allocations[instance.allocation].made;
      if (made >= 0 && !instance.before[made])
        find(Wrong::Lifetime, i);
    }
    for (const Access &access : instance.accesses) {
      const Allocation &allocation = trace.allocations[access.allocation];
      for (int64_t at : access.elements)
        if (at < 0 || at > allocation.bytes - access.width) {
          find(Wrong::Bounds, i);
          break;
        }
      for (int64_t at : access.elements)
        if (at % access.width || allocation.alignment % access.width) {
          find(Wrong::Alignment, i);
          break;
        }
      if (access.elements.empty())
        continue;
      if (allocation.made >= 0 && !instance.before[allocation.made])
        find(Wrong::Lifetime, i);
      auto freed = frees.find(access.allocation);
      if (freed != frees.end())
        for (int free : freed->second)
          if (free < i || !trace.instances[free].before[i])
            find(Wrong::Lifetime, i);
    }
  }
  return findings;
}

/// Whether accesses of `a` and `b` conflict.
static bool conflict(const Instance &a, const Instance &b) {
  for (const Access &x : a.accesses)
    for (const Access &y : b.accesses)
      if (x.conflicts(y))
        return true;
  return false;
}

std::set<std::pair<int, int>> findRaces(const Trace &trace) {
  std::set<std::pair<int, int>> races;
  std::vector<int> accesses = trace.accesses();
  for (int j = 0; j < static_cast<int>(accesses.size()); ++j)
    for (int i = 0; i < j; ++i)
      if (!trace.instances[accesses[j]].before[accesses[i]] &&
          conflict(trace.instances[accesses[i]], trace.instances[accesses[j]]))
        races.insert({i, j});
  return races;
}

/// Whether `a` and `b` conflict in the planned program although they are of
/// different buffers: of different allocations, and of different tenants.
static bool conflictAcross(const Instance &a, const Instance &b,
                           const Instance &programA, const Instance &programB) {
  for (size_t i = 0; i < a.accesses.size(); ++i)
    for (size_t j = 0; j < b.accesses.size(); ++j)
      if (a.accesses[i].conflicts(b.accesses[j]) &&
          a.accesses[i].tenant != b.accesses[j].tenant &&
          programA.accesses[i].allocation != programB.accesses[j].allocation)
        return true;
  return false;
}

/// Whether an operation writes over what it reads in the planned program only.
/// Element by element, where it reads the same place, it may.
static bool clobbersItself(const Instance &planned, const Instance &program) {
  for (size_t i = 0; i < planned.accesses.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Access &a = planned.accesses[i], &b = planned.accesses[j];
      if (a.conflicts(b) &&
          !program.accesses[i].conflicts(program.accesses[j]) &&
          (a.elements != b.elements || planned.meaning == Meaning::Copy))
        return true;
    }
  return false;
}

std::vector<Finding> judgeOrder(const Trace &program, const Trace &planned,
                                bool faulty) {
  std::vector<Finding> findings = judgeAlone(planned);
  std::vector<int> was = program.accesses(), is = planned.accesses();
  if (was.size() != is.size()) {
    findings.push_back({Wrong::Shape, std::to_string(was.size()) +
                                          " accesses became " +
                                          std::to_string(is.size())});
    return findings;
  }
  for (int j = 0; j < static_cast<int>(is.size()); ++j) {
    const Instance &before = program.instances[was[j]];
    const Instance &after = planned.instances[is[j]];
    if (before.op->getName() != after.op->getName() ||
        before.accesses.size() != after.accesses.size()) {
      findings.push_back({Wrong::Shape, nameOf(program, was[j]) + " became " +
                                            nameOf(planned, is[j])});
      return findings;
    }
    if (clobbersItself(after, before))
      findings.push_back({Wrong::Within, nameOf(planned, is[j])});
    for (size_t k = 0; k < after.accesses.size(); ++k) {
      const Access &a = before.accesses[k], &b = after.accesses[k];
      if (a.elements.empty() || b.elements.empty())
        continue;
      int64_t needed = program.allocations[a.allocation].requested;
      // What the allocation asked for beyond its elements is not in the IR any
      // more, so a checker cannot miss it there.
      if (!faulty && !program.allocations[a.allocation].argument &&
          ((b.elements[0] - a.elements[0]) % needed ||
           planned.allocations[b.allocation].alignment % needed))
        findings.push_back({Wrong::Alignment, nameOf(planned, is[j])});
    }
    for (int i = 0; i < j; ++i) {
      const Instance &earlier = planned.instances[is[i]];
      bool ordered = after.before[is[i]];
      if (ordered)
        continue;
      if (!faulty && before.before[was[i]])
        findings.push_back({Wrong::Order, nameOf(planned, is[i]) + " and " +
                                              nameOf(planned, is[j])});
      if (faulty ? conflictAcross(earlier, after, program.instances[was[i]],
                                  before)
                 : conflict(earlier, after) &&
                       !conflict(program.instances[was[i]], before))
        findings.push_back({Wrong::Race, nameOf(planned, is[i]) + " and " +
                                             nameOf(planned, is[j])});
    }
  }
  return findings;
}

std::vector<Finding> judgeContents(const Trace &program, const Trace &planned,
                                   const std::vector<Event> &schedule) {
  std::vector<Finding> findings;
  std::vector<int> was = program.accesses(), is = planned.accesses();
  std::map<int, int> toProgram;
  for (size_t i = 0; i < is.size(); ++i)
    toProgram[is[i]] = was[i];
  Contents before(program), after(planned);
  for (const Event &event : schedule) {
    auto found = toProgram.find(event.instance);
    if (found == toProgram.end())
      continue;
    after.apply(event);
    before.apply({found->second, event.end});
  }
  for (size_t k = 0; k < is.size(); ++k) {
    const auto &a = before.getReads()[k], &b = after.getReads()[k];
    bool same = a.size() == b.size();
    for (size_t i = 0; same && i < a.size(); ++i)
      same = !a[i] || a[i] == b[i];
    if (!same)
      findings.push_back(
          {Wrong::Content, nameOf(planned, is[k]) + " reads something else"});
  }
  std::vector<uint64_t> a = before.arguments(), b = after.arguments();
  for (size_t i = 0; i < a.size(); ++i)
    if (a.size() != b.size() || (a[i] && a[i] != b[i])) {
      findings.push_back({Wrong::Content, "an argument holds something else"});
      break;
    }
  return findings;
}

std::vector<Finding> judgeExplored(const Trace &trace, uint64_t maxStates,
                                   Exploration &exploration) {
  std::vector<Finding> findings;
  exploration = explore(trace, maxStates);
  if (!exploration.complete)
    return findings;
  std::vector<int> accesses = trace.accesses();
  std::set<std::pair<int, int>> races;
  for (auto [i, j] : findRaces(trace))
    races.insert({accesses[i], accesses[j]});
  if (races != exploration.races)
    findings.push_back(
        {Wrong::Judges, std::to_string(races.size()) + " unordered pairs, " +
                            std::to_string(exploration.races.size()) +
                            " that some schedule runs at once"});
  if (races.empty() && exploration.outcomes.size() != 1)
    findings.push_back(
        {Wrong::Judges, "without races, but " +
                            std::to_string(exploration.outcomes.size()) +
                            " outcomes"});
  return findings;
}

int64_t measurePeak(const Trace &trace, const std::vector<Event> &schedule) {
  // A tenant is in use from an access on to the last one before another tenant
  // of its bytes, which may be one of many turns.
  struct Turn {
    size_t first = 0, last = 0;
    int64_t low = 0, high = 0;
  };
  std::map<std::pair<int, int64_t>, Turn> turns;
  std::map<size_t, int64_t> changes;
  auto close = [&](const Turn &turn) {
    changes[turn.first] += turn.high - turn.low;
    changes[turn.last + 1] -= turn.high - turn.low;
  };
  for (size_t moment = 0; moment < schedule.size(); ++moment)
    for (const Access &access :
         trace.instances[schedule[moment].instance].accesses) {
      // What a callee keeps in an arena of its own is in no other function's
      // sum.
      if (!access.tenant || access.elements.empty() ||
          !trace.allocations[access.allocation].ofMain)
        continue;
      Turn now{moment, moment, access.elements.front(),
               access.elements.back() + access.width};
      for (auto it = turns.begin(); it != turns.end();) {
        bool isOther = it->first.first == access.allocation &&
                       it->first.second != access.tenant &&
                       it->second.low < now.high && now.low < it->second.high;
        if (isOther)
          close(it->second);
        it = isOther ? turns.erase(it) : std::next(it);
      }
      auto [it, isNew] =
          turns.try_emplace({access.allocation, access.tenant}, now);
      it->second.last = moment;
      it->second.low = std::min(it->second.low, now.low);
      it->second.high = std::max(it->second.high, now.high);
    }
  for (auto &[key, turn] : turns)
    close(turn);
  int64_t live = 0, peak = 0;
  for (auto [moment, change] : changes)
    peak = std::max(peak, live += change);
  return peak;
}

} // namespace transient::fuzz
