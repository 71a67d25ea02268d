//===- Report.cpp - Violations, errors and how the process ends -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Runtime.h"

#include "transient/SimRuntime/SimRuntime.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>
#include <unistd.h>

namespace transient::sim {

static constexpr unsigned maxViolations = 16;
static std::atomic<unsigned> violations{0};

/// One write, so that messages of several threads do not mix.
static void print(const std::string &text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void leave(int status) {
  std::fflush(nullptr);
  llvm::outs().flush();
  _exit(status);
}

void fatal(const std::string &message) {
  print("transient-sim: error: " + message + "\n");
  leave(TRANSIENT_SIM_BAD_INPUT);
}

void warn(const std::string &message) {
  print("transient-sim: warning: " + message + "\n");
}

unsigned violationCount() { return violations; }

void report(const Violation &violation) {
  static std::mutex &mutex = *new std::mutex;
  static auto &seen =
      *new std::set<std::tuple<std::string, uint64_t, uint64_t>>;
  std::lock_guard<std::mutex> lock(mutex);
  if (!seen.emplace(violation.kind, violation.first, violation.second).second)
    return;
  std::string text = "transient-sim: violation " +
                     std::to_string(++violations) + ": " + violation.kind;
  if (!violation.where.empty())
    text += " on " + violation.where;
  text += "\n";
  for (const std::string &note : violation.notes)
    text += "  " + note + "\n";
  print(text);
  if (violations < maxViolations)
    return;
  print("transient-sim: stopped after " + std::to_string(maxViolations) +
        " violations\n");
  leave(TRANSIENT_SIM_VIOLATION);
}

} // namespace transient::sim
