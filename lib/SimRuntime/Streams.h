//===- Streams.h - Streams and events ---------------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handles that host code holds. They are never freed, so that a handle used
// after its destruction is recognised and named. Semantics are CUDA's: streams
// do not block each other, destroying one lets its work finish, an event stands
// for its latest record.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_STREAMS_H
#define TRANSIENT_LIB_SIMRUNTIME_STREAMS_H

#include <cstdint>
#include <deque>
#include <unordered_set>

namespace transient::sim {

struct Op;

struct Stream {
  uint64_t number = 0; ///< 0: the default stream
  Op *last = nullptr;
  bool destroyed = false;
  // Real threads only.
  std::deque<Op *> queue;
  bool hasWorker = false;
};

struct Event {
  uint64_t number = 0;
  Op *record = nullptr; ///< the latest, null before the first
  bool destroyed = false;
};

/// All handles given out. Not synchronised.
class Handles {
public:
  Stream *createStream();
  Event *createEvent();

  /// The object behind a handle; null, after a report that names `use`, where
  /// it is none or was destroyed. A null stream is the default one.
  Stream *stream(void *handle, const char *use);
  Event *event(void *handle, const char *use);

  uint64_t liveStreams() const;
  uint64_t liveEvents() const;

private:
  Stream defaultStream;
  std::deque<Stream> streams;
  std::deque<Event> events;
  std::unordered_set<void *> knownStreams, knownEvents;
};

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_STREAMS_H
