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

/// A variable that must be a number below 2^63.
static uint64_t parseNumber(const char *name, uint64_t unset) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return unset;
  std::string text = value;
  if (text.size() > 18 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    fatal(std::string(name) + ": expects a number, got '" + value + "'");
  return std::strtoull(value, nullptr, 10);
}

static void parseSchedule(Options &result, const std::string &name) {
  result.scheduleName = name;
  result.seed = 0;
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

static void parseSchedules(Options &result) {
  const char *value = std::getenv("TRANSIENT_SIM");
  std::string text = value && *value ? value : "fifo";
  for (size_t start = 0; start != std::string::npos;) {
    size_t comma = text.find(',', start);
    result.schedules.push_back(text.substr(start, comma - start));
    start = comma == std::string::npos ? comma : comma + 1;
  }
  // All are parsed, so that a mistake in the last one shows at once.
  for (size_t i = result.schedules.size(); i-- > 0;)
    parseSchedule(result, result.schedules[i]);
}

static Options &mutableOptions() {
  static Options *parsed = [] {
    auto *result = new Options;
    parseSchedules(*result);
    result->check = parseFlag("TRANSIENT_SIM_CHECK", true);
    result->stats = parseFlag("TRANSIENT_SIM_STATS", false);
    result->steps = parseNumber("TRANSIENT_SIM_STEPS", result->steps);
    if (const char *file = std::getenv("TRANSIENT_SIM_TRACE"))
      result->traceFile = file;
    return result;
  }();
  return *parsed;
}

const Options &options() { return mutableOptions(); }

void chooseSchedule(size_t position) {
  Options &current = mutableOptions();
  parseSchedule(current, current.schedules[position]);
  if (!current.traceFile.empty())
    current.traceFile += "." + current.scheduleName;
}

} // namespace transient::sim
