//===- Streams.cpp - Streams and events -----------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "Report.h"

#include <algorithm>

namespace transient::sim {

Stream *Handles::createStream() {
  streams.emplace_back();
  streams.back().number = streams.size();
  knownStreams.insert(&streams.back());
  return &streams.back();
}

Event *Handles::createEvent() {
  events.emplace_back();
  events.back().number = events.size();
  knownEvents.insert(&events.back());
  return &events.back();
}

static void reportMisuse(const std::string &what, const char *use) {
  Violation violation;
  violation.kind = what;
  violation.notes = {std::string("in ") + use};
  report(violation);
}

Stream *Handles::stream(void *handle, const char *use) {
  if (!handle)
    return &defaultStream;
  if (!knownStreams.count(handle)) {
    reportMisuse(knownEvents.count(handle)
                     ? "use of event " +
                           std::to_string(static_cast<Event *>(handle)->number) +
                           " as a stream"
                     : "not a stream",
                 use);
    return nullptr;
  }
  auto *stream = static_cast<Stream *>(handle);
  if (!stream->destroyed)
    return stream;
  reportMisuse("use of stream " + std::to_string(stream->number) +
                   " after its destruction",
               use);
  return nullptr;
}

Event *Handles::event(void *handle, const char *use) {
  if (!knownEvents.count(handle)) {
    reportMisuse(knownStreams.count(handle)
                     ? "use of stream " +
                           std::to_string(
                               static_cast<Stream *>(handle)->number) +
                           " as an event"
                     : "not an event",
                 use);
    return nullptr;
  }
  auto *event = static_cast<Event *>(handle);
  if (!event->destroyed)
    return event;
  reportMisuse("use of event " + std::to_string(event->number) +
                   " after its destruction",
               use);
  return nullptr;
}

uint64_t Handles::liveStreams() const {
  return std::count_if(streams.begin(), streams.end(),
                       [](const Stream &stream) { return !stream.destroyed; });
}

uint64_t Handles::liveEvents() const {
  return std::count_if(events.begin(), events.end(),
                       [](const Event &event) { return !event.destroyed; });
}

} // namespace transient::sim
