//===- Trace.cpp - The schedule as a picture ------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Report.h"
#include "Streams.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace transient::sim {

/// The host is track 0, the default stream track 1.
static int64_t track(const Op &op) {
  return op.stream ? static_cast<int64_t>(op.stream->number) + 1 : 0;
}

void writeTrace(const std::string &file, const std::deque<Op> &ops) {
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  if (error) {
    warn("cannot write the trace '" + file + "': " + error.message());
    return;
  }
  llvm::json::OStream json(out, 1);
  auto event = [&](const char *phase, const Op &op, double seconds,
                   llvm::StringRef name, llvm::function_ref<void()> more) {
    json.object([&] {
      json.attribute("name", name);
      json.attribute("ph", phase);
      json.attribute("pid", 1);
      json.attribute("tid", track(op));
      json.attribute("ts", seconds * 1e6);
      more();
    });
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ms");
    json.attributeArray("traceEvents", [&] {
      int64_t arrows = 0;
      for (const Op &op : ops) {
        if (!op.done)
          continue;
        event("X", op, op.begin, op.name(), [&] {
          json.attribute("dur", (op.end - op.begin) * 1e6);
          json.attributeObject("args", [&] {
            json.attribute("op", static_cast<int64_t>(op.number));
            json.attributeArray("after", [&] {
              for (uint64_t number : op.after)
                json.value(static_cast<int64_t>(number));
            });
          });
        });
        for (uint64_t number : op.after) {
          const Op &before = ops[number - 1];
          if (track(before) == track(op))
            continue;
          ++arrows;
          event("s", before, before.end, "order",
                [&] { json.attribute("id", arrows); });
          event("f", op, op.begin, "order", [&] {
            json.attribute("id", arrows);
            json.attribute("bp", "e");
          });
        }
      }
    });
  });
}

} // namespace transient::sim
