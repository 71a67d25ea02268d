//===- Runtime.cpp - Queues operations and runs them ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Checker.h"
#include "FaultHandler.h"
#include "KernelJit.h"
#include "Memory.h"
#include "Report.h"
#include "Trace.h"

#include "transient/SimRuntime/SimRuntime.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace transient::sim {

using SteadyClock = std::chrono::steady_clock;

static SteadyClock::time_point &startOfClock() {
  static SteadyClock::time_point start = SteadyClock::now();
  return start;
}

double now() {
  return std::chrono::duration<double>(SteadyClock::now() - startOfClock()).count();
}

Runtime &Runtime::get() {
  static Runtime &instance = *new Runtime;
  return instance;
}

Runtime::Runtime() : schedule(options()) {
  now();
  if (options().check)
    installFaultHandler();
  // For hosts other than mlir-runner, which calls finish earlier.
  std::atexit([] { Runtime::get().finish(); });
}

/// The exit status of a child, where a signal counts as bad input.
static int waitForChild(pid_t child, const std::string &name) {
  int state = 0;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR)
      fatal("lost the process of schedule " + name);
  if (WIFEXITED(state) && !WEXITSTATUS(state))
    return 0;
  std::fprintf(stderr, "transient-sim: schedule %s: %s %d\n", name.c_str(),
               WIFEXITED(state) ? "exit status" : "died of signal",
               WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
  return WIFEXITED(state) ? WEXITSTATUS(state) : TRANSIENT_SIM_BAD_INPUT;
}

/// Several schedules: everything is compiled and the host has come to the first
/// thing that it wants of the device. From here the program runs once for each schedule, in a process
/// of its own; this one only waits, and ends with the first status that is not
/// 0. Returns in the children.
void Runtime::forkSchedules() {
  if (gettid() != getpid())
    fatal("TRANSIENT_SIM: several schedules need a program that uses the device "
          "from its main thread first; run them one by one");
  compileAll();
  int status = 0;
  for (size_t i = 0; i < options().schedules.size(); ++i) {
    std::fflush(nullptr);
    pid_t child = fork();
    if (child < 0)
      fatal(std::string("cannot start a process for a schedule: ") +
            std::strerror(errno));
    if (child == 0) {
      isChild = true;
      chooseSchedule(i);
      schedule = Schedule(options());
      startOfClock() = SteadyClock::now();
      return;
    }
    int ended = waitForChild(child, options().schedules[i]);
    status = status ? status : ended;
  }
  leave(status);
}

std::unique_lock<std::mutex> Runtime::enter() {
  std::unique_lock<std::mutex> lock(mutex);
  if (!entered && options().schedules.size() > 1)
    forkSchedules();
  entered = true;
  return lock;
}

Op *Runtime::create(OpKind kind, Stream *stream) {
  ops.emplace_back();
  Op *op = &ops.back();
  op->number = ops.size();
  op->kind = kind;
  op->stream = stream;
  return op;
}

/// Finds the place of `op` in the order and counts what it waits for.
void Runtime::place(Op *op, const Op *extra) {
  std::vector<ChainClocks::Point> points;
  const Op *last = op->stream ? op->stream->last : nullptr;
  for (const Op *before : {last, static_cast<const Op *>(lastOnHost), extra}) {
    if (!before)
      continue;
    points.push_back(before->point);
    op->after.push_back(before->number);
    if (before->done)
      continue;
    ++op->waitingFor;
    const_cast<Op *>(before)->successors.push_back(op);
  }
  op->point = clocks.extend(points);
  ++statistics.operations;
}

void Runtime::enqueue(Op *op, const Op *extra) {
  place(op, extra);
  op->stream->last = op;
  unawaited.push_back(op);
  unawaitedWork = true;
  ++pending;
  if (options().threaded()) {
    op->stream->queue.push_back(op);
    if (op->stream->hasWorker)
      return;
    op->stream->hasWorker = true;
    std::thread(&Runtime::work, this, op->stream).detach();
    return;
  }
  if (op->waitingFor == 0)
    makeReady(op);
  std::unique_lock<std::mutex> held(mutex, std::adopt_lock);
  while (!ready.empty() && schedule.eager()) {
    Op *chosen = ready[schedule.pick(ready, nullptr)];
    run(chosen, held);
  }
  held.release();
}

void Runtime::makeReady(Op *op) {
  auto place = std::lower_bound(
      ready.begin(), ready.end(), op,
      [](const Op *a, const Op *b) { return a->number < b->number; });
  ready.insert(place, op);
}

void Runtime::account(const Op &op) {
  if (op.kind == OpKind::Launch) {
    ++statistics.kernels;
    uint64_t items = 1;
    for (int d = 0; d < 3; ++d)
      items *= op.grid[d] * op.block[d];
    statistics.items += items;
  } else if (op.kind == OpKind::Alloc || op.kind == OpKind::HostAlloc) {
    statistics.liveBytes += op.region->size;
    statistics.peakBytes = std::max(statistics.peakBytes, statistics.liveBytes);
  } else if ((op.kind == OpKind::Free || op.kind == OpKind::HostFree) &&
             op.region && !op.region->isHost() && op.region->freedBy == &op) {
    statistics.liveBytes -= op.region->size;
  }
}

void Runtime::run(Op *op, std::unique_lock<std::mutex> &lock) {
  ready.erase(std::remove(ready.begin(), ready.end(), op), ready.end());
  // Without real threads one operation runs at a time, whichever of the host's
  // threads waits for it.
  bool alone = !options().threaded();
  if (!alone)
    lock.unlock();
  op->begin = now();
  execute(*op);
  op->end = now();
  if (!alone)
    lock.lock();
  account(*op);
  op->arguments = {};
  op->done = true;
  --pending;
  for (Op *next : op->successors)
    if (--next->waitingFor == 0 && !options().threaded())
      makeReady(next);
  op->successors = {};
  changed.notify_all();
}

/// The thread of a stream, while the stream has work.
void Runtime::work(Stream *stream) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stream->queue.empty()) {
    Op *op = stream->queue.front();
    changed.wait(lock, [&] { return op->waitingFor == 0; });
    stream->queue.pop_front();
    run(op, lock);
  }
  stream->hasWorker = false;
}

void Runtime::runUntil(const Op *target, std::unique_lock<std::mutex> &lock) {
  auto isDone = [&] { return target ? target->done : pending == 0; };
  if (options().threaded()) {
    changed.wait(lock, isDone);
    return;
  }
  while (!isDone() && !ready.empty())
    run(ready[schedule.pick(ready, target)], lock);
}

void Runtime::waitFor(Op *target, std::unique_lock<std::mutex> &lock) {
  if (!target)
    return;
  runUntil(target, lock);
  if (lastOnHost && happensBefore(*target, *lastOnHost))
    return; // The host knew.
  Op *wait = create(OpKind::HostWait, nullptr);
  place(wait, target);
  wait->begin = wait->end = now();
  wait->done = true;
  lastOnHost = wait;
  forgetAwaited();
}

void Runtime::forgetAwaited() {
  unawaited.erase(std::remove_if(unawaited.begin(), unawaited.end(),
                                 [&](const Op *op) {
                                   return happensBefore(*op, *lastOnHost);
                                 }),
                  unawaited.end());
  unawaitedWork = !unawaited.empty();
}

void Runtime::performOnHost(Op *op) {
  place(op, nullptr);
  lastOnHost = op;
  op->begin = now();
  execute(*op);
  op->end = now();
  account(*op);
  op->done = true;
}

void Runtime::accessOnHost(uintptr_t address, uint64_t bytes, Touch touch) {
  std::lock_guard<std::mutex> lock(mutex);
  Memory &memory = Memory::get();
  // Where memory is not mapped or not to be written, and no block is near, host
  // code faults by itself.
  Region *region = memory.find(address, false);
  if (region ? touch != Touch::Read && !region->writable
             : !memory.nearest(address))
    return;
  // Accesses between two calls are one operation. What was enqueued since comes
  // after an earlier one, not after this.
  Op *op = lastOnHost;
  if (!op || op->kind != OpKind::HostAccess || op != &ops.back()) {
    op = create(OpKind::HostAccess, nullptr);
    performOnHost(op);
    hostAccess = std::make_unique<OpAccess>(*op);
  }
  hostAccess->range(address, bytes, touch, [](char *, uint64_t) {});
}

void Runtime::drain(std::unique_lock<std::mutex> &lock) {
  runUntil(nullptr, lock);
}

// -- The end -----------------------------------------------------------------

void Runtime::printLeaks() {
  std::vector<Region *> leaks = Memory::get().leaks();
  if (!leaks.empty()) {
    uint64_t bytes = 0;
    for (const Region *region : leaks)
      bytes += region->size;
    std::fprintf(stderr,
                 "transient-sim: note: %zu allocations of %llu bytes were not "
                 "released, the first is %s\n",
                 leaks.size(), static_cast<unsigned long long>(bytes),
                 leaks.front()->describe().c_str());
  }
  // The stock lowering leaks every stream that it forks from, so this is said
  // on request only.
  if (options().stats && handles.liveStreams() + handles.liveEvents() > 0)
    std::fprintf(stderr,
                 "transient-sim: note: %llu streams and %llu events were not "
                 "destroyed\n",
                 static_cast<unsigned long long>(handles.liveStreams()),
                 static_cast<unsigned long long>(handles.liveEvents()));
}

void Runtime::printStatistics() {
  auto number = [](uint64_t value) {
    return static_cast<unsigned long long>(value);
  };
  std::fprintf(stderr,
               "transient-sim: stats: schedule=%s check=%d ops=%llu "
               "kernels=%llu items=%llu seconds=%.3f peak_bytes=%llu "
               "host_peak_bytes=%llu "
               "width=%u settled_loops=%llu violations=%u\n",
               options().scheduleName.c_str(), options().check,
               number(statistics.operations), number(statistics.kernels),
               number(statistics.items), now(), number(statistics.peakBytes),
               number(Memory::get().hostPeakBytes()), clocks.width(),
               number(settledLoopCount()), violationCount());
}

void Runtime::finish() {
  std::unique_lock<std::mutex> lock(mutex);
  if (finished)
    return;
  drain(lock);
  finished = true;
  printLeaks();
  if (options().stats)
    printStatistics();
  if (!options().traceFile.empty())
    writeTrace(options().traceFile, ops);
  if (violationCount() != 0) {
    std::fprintf(stderr, "transient-sim: %u violations\n", violationCount());
    leave(TRANSIENT_SIM_VIOLATION);
  }
  // The host's threads are in the parent: there is nobody to join.
  if (isChild)
    leave(0);
}

} // namespace transient::sim
