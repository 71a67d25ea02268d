//===- Schedules.cpp - Orders in which a trace may run --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. Uses only what each instance waits for directly, not the sets
// `before` that the judge compares: each is a check of the other.
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

#include <unordered_set>

namespace transient::fuzz {

bool Progress::hostMay() const {
  if (next >= trace->host.size())
    return false;
  return (trace->host[next].waits & ~ended).none();
}

void Progress::runHost(std::vector<Event> &events) {
  const HostStep &step = trace->host[next++];
  if (step.instance < 0)
    return;
  issued.set(step.instance);
  if (!trace->instances[step.instance].blocking)
    return;
  ended.set(step.instance);
  events.push_back({step.instance, false});
  events.push_back({step.instance, true});
}

std::vector<Event> Progress::deviceMay() const {
  std::vector<Event> result;
  Instances open = issued & ~ended;
  for (size_t i = 0; i < trace->instances.size(); ++i) {
    if (!open[i])
      continue;
    int number = static_cast<int>(i);
    if (running[i])
      result.push_back({number, true});
    else if ((trace->instances[i].after & ~ended).none())
      result.push_back({number, false});
  }
  return result;
}

void Progress::run(const Event &event) {
  running[event.instance] = !event.end;
  if (event.end)
    ended.set(event.instance);
}

bool Progress::finished() const {
  return next == trace->host.size() && issued == ended;
}

uint64_t Progress::hash() const {
  std::hash<Instances> hash;
  return combine(combine(combine(next, hash(issued)), hash(running)),
                 hash(ended));
}

std::vector<Event> inOrder(const Trace &trace) {
  std::vector<Event> events;
  for (const HostStep &step : trace.host)
    if (step.instance >= 0) {
      events.push_back({step.instance, false});
      events.push_back({step.instance, true});
    }
  return events;
}

std::vector<Event> atRandom(const Trace &trace, Random &random, int delayed) {
  Progress progress(trace);
  std::vector<Event> events;
  // How eager the host is.
  unsigned hostPercent = 20 + random.below(80);
  while (!progress.finished()) {
    std::vector<Event> moves = progress.deviceMay();
    bool host = progress.hostMay();
    if (delayed >= 0 && (host || moves.size() > 1))
      for (size_t i = 0; i < moves.size(); ++i)
        if (moves[i].instance == delayed) {
          moves.erase(moves.begin() + i);
          break;
        }
    if (host && (moves.empty() || random.chance(hostPercent))) {
      progress.runHost(events);
      continue;
    }
    if (moves.empty())
      break;
    Event event = random.pick(moves);
    progress.run(event);
    events.push_back(event);
  }
  return events;
}

namespace {

class Explorer {
public:
  Explorer(const Trace &trace, uint64_t maxStates)
      : trace(trace), maxStates(maxStates) {}

  Exploration run() {
    visit(Progress(trace), Contents(trace));
    return std::move(result);
  }

private:
  void visit(Progress progress, Contents contents) {
    // The host's steps that only issue change nothing that others see, so they
    // need no state of their own unless it could wait or touch memory.
    if (!seen.insert(combine(progress.hash(), contents.hash())).second)
      return;
    if (++result.states > maxStates) {
      result.complete = false;
      return;
    }
    if (progress.finished()) {
      result.outcomes.insert(contents.outcome());
      return;
    }
    if (progress.hostMay()) {
      Progress then = progress;
      Contents after = contents;
      std::vector<Event> events;
      then.runHost(events);
      for (const Event &event : events) {
        if (!event.end)
          notice(event.instance, progress.getRunning());
        after.apply(event);
      }
      visit(then, std::move(after));
    }
    for (const Event &event : progress.deviceMay()) {
      if (!result.complete)
        return;
      if (!event.end)
        notice(event.instance, progress.getRunning());
      Progress then = progress;
      then.run(event);
      Contents after = contents;
      after.apply(event);
      visit(then, std::move(after));
    }
  }

  void notice(int started, const Instances &running) {
    for (size_t i = 0; i < trace.instances.size(); ++i) {
      if (!running[i])
        continue;
      for (const Access &a : trace.instances[i].accesses)
        for (const Access &b : trace.instances[started].accesses)
          if (a.conflicts(b))
            result.races.insert({std::min(static_cast<int>(i), started),
                                 std::max(static_cast<int>(i), started)});
    }
  }

  const Trace &trace;
  uint64_t maxStates;
  std::unordered_set<uint64_t> seen;
  Exploration result;
};

} // namespace

Exploration explore(const Trace &trace, uint64_t maxStates) {
  return Explorer(trace, maxStates).run();
}

} // namespace transient::fuzz
