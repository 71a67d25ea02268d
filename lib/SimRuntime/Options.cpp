//===- Options.cpp - What the environment asks for ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Report.h"

#include <cstdlib>
#include <cstring>

namespace transient::sim {

/// A variable that must be 0 or 1.
static bool parseFlag(const char *name, bool unset) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return unset;
  if (!std::strcmp(value, "0"))
    return false;
  if (!std::strcmp(value, "1"))
    return true;
  fatal(std::string(name) + ": expects 0 or 1, got '" + value + "'");
}

static void parseSchedule(Options &result) {
  const char *value = std::getenv("TRANSIENT_SIM");
  result.scheduleName = value && *value ? value : "fifo";
  const std::string &name = result.scheduleName;
  if (name == "fifo") {
    result.schedule = ScheduleKind::Fifo;
  } else if (name == "lifo") {
    result.schedule = ScheduleKind::Lifo;
  } else if (name == "adversarial") {
    result.schedule = ScheduleKind::Adversarial;
  } else if (name == "threads") {
    result.schedule = ScheduleKind::Threads;
  } else if (name.size() > 7 && name.size() <= 26 &&
             name.compare(0, 7, "random:") == 0 &&
             name.find_first_not_of("0123456789", 7) == std::string::npos) {
    result.schedule = ScheduleKind::Random;
    result.seed = std::strtoull(name.c_str() + 7, nullptr, 10);
  } else {
    fatal("TRANSIENT_SIM: expects fifo, lifo, random:SEED, adversarial or "
          "threads, got '" +
          name + "'");
  }
}

const Options &options() {
  static const Options *parsed = [] {
    auto *result = new Options;
    parseSchedule(*result);
    result->check = parseFlag("TRANSIENT_SIM_CHECK", true);
    result->stats = parseFlag("TRANSIENT_SIM_STATS", false);
    if (const char *file = std::getenv("TRANSIENT_SIM_TRACE"))
      result->traceFile = file;
    return result;
  }();
  return *parsed;
}

} // namespace transient::sim
