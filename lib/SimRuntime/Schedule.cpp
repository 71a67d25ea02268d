//===- Schedule.cpp - Which ready operation runs next ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "Memory.h"

namespace transient::sim {

/// Adversarial order. Frees come as early as the program allows. What the host
/// waits for comes before results it does not wait for (copies to host memory
/// in particular), and otherwise the latest operation comes first, so that
/// unordered writers run before the readers enqueued ahead of them.
static int urgency(const Op &op, const Op *target) {
  switch (op.kind) {
  case OpKind::Free:
  case OpKind::Record:
  case OpKind::Wait:
    return 3;
  case OpKind::Copy: {
    bool needed = !target || happensBefore(op, *target);
    bool toHost =
        !Memory::get().isDeviceAddress(reinterpret_cast<uintptr_t>(op.target));
    return toHost ? (needed ? 1 : 0) : 2;
  }
  default:
    return 2;
  }
}

size_t Schedule::pick(const std::vector<Op *> &ready, const Op *target) {
  switch (kind) {
  case ScheduleKind::Lifo:
    return ready.size() - 1;
  case ScheduleKind::Random:
    return random() % ready.size();
  case ScheduleKind::Adversarial: {
    size_t best = 0;
    for (size_t i = 1; i < ready.size(); ++i)
      if (urgency(*ready[i], target) >= urgency(*ready[best], target))
        best = i;
    return best;
  }
  case ScheduleKind::Fifo:
  case ScheduleKind::Threads:
    break;
  }
  return 0;
}

bool Schedule::eager() {
  return kind == ScheduleKind::Random && random() % 4 == 0;
}

} // namespace transient::sim
