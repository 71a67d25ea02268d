//===- Runtime.h - Queues operations and runs them --------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the simulated device: what the host enqueued, in which order it
// must and does run, and what the host has waited for. Work runs when the host
// waits for some of it, or on one thread per stream. One instance per process,
// never destroyed.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_RUNTIME_H
#define TRANSIENT_LIB_SIMRUNTIME_RUNTIME_H

#include "Op.h"
#include "Schedule.h"
#include "Shadow.h"
#include "Streams.h"

#include "llvm/Support/Compiler.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace transient::sim {

class OpAccess;

struct Statistics {
  uint64_t operations = 0, kernels = 0, items = 0;
  uint64_t liveBytes = 0, peakBytes = 0;
};

class LLVM_LIBRARY_VISIBILITY Runtime {
public:
  static Runtime &get();

  /// Held by all mgpu* functions around what follows.
  std::mutex mutex;

  /// Takes `mutex` for a call that makes or uses streams, events or memory. The
  /// first one starts the processes of the schedules, where there are several.
  std::unique_lock<std::mutex> enter();

  Handles handles;

  /// A new operation, to be filled in and given to enqueue.
  Op *create(OpKind kind, Stream *stream);

  /// Puts `op` behind its stream, the host's waits and `extra` (may be null).
  void enqueue(Op *op, const Op *extra = nullptr);

  /// Blocks the host until `target` is done; null is done. Needs `lock`.
  void waitFor(Op *target, std::unique_lock<std::mutex> &lock);

  /// Runs an operation of the host itself: nothing else is waited for.
  void performOnHost(Op *op);

  /// Whether there is work that the host does not know to be done. Needs no lock.
  bool hasUnawaitedWork() const { return unawaitedWork; }

  /// A load or store of host code, while there is such work, or of memory that
  /// the device may have released.
  void accessOnHost(uintptr_t address, uint64_t bytes, Touch touch);

  /// Runs all work there is, without ordering the host after it.
  void drain(std::unique_lock<std::mutex> &lock);

  /// Work that was enqueued and is not done.
  uint64_t pendingCount() const { return pending; }

  /// Drains, prints what is to be printed at the end and, after violations,
  /// ends the process with status 86. Later calls do nothing more.
  void finish();

private:
  Runtime();
  void forkSchedules();
  void makeReady(Op *op);
  void run(Op *op, std::unique_lock<std::mutex> &lock);
  void runUntil(const Op *target, std::unique_lock<std::mutex> &lock);
  void work(Stream *stream);
  void place(Op *op, const Op *extra);
  void forgetAwaited();
  void account(const Op &op);
  void printLeaks();
  void printStatistics();

  ChainClocks clocks;
  Schedule schedule;
  std::deque<Op> ops;
  std::vector<Op *> ready;
  Op *lastOnHost = nullptr;
  std::unique_ptr<OpAccess> hostAccess; ///< of the newest HostAccess
  std::vector<const Op *> unawaited;
  std::atomic<bool> unawaitedWork{false};
  uint64_t pending = 0;
  std::condition_variable changed;
  Statistics statistics;
  bool entered = false, finished = false, isChild = false;
};

/// Performs what `op` stands for, with checks where asked. No lock held.
void execute(Op &op);

/// Seconds since the first call, or since the schedule's process started.
double now();

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_RUNTIME_H
