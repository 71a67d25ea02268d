//===- FuzzFormats.cpp - Any text as problem and plan ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. The input is the text of a problem, and after a zero byte
// that of a plan. Whatever it is: a problem that is read is written as the same
// problem again, in both formats; a plan that is read can be checked.
//
//===----------------------------------------------------------------------===//

#include "Require.h"

#include "transient/Planner/Serialize.h"
#include "transient/Planner/Verify.h"

#include <string_view>

using namespace transient::planner;

static void checkText(const Problem &problem) {
  std::string json = writeProblemJson(problem);
  Result<ProblemFile> again = parseProblem(json);
  require(static_cast<bool>(again), "cannot read what it wrote as JSON");
  require(writeProblemJson(again->problem) == json, "JSON changed");
  Result<std::string> csv = writeProblemCsv(problem);
  if (!csv)
    return;
  Result<ProblemFile> fromCsv = parseProblem(*csv);
  require(static_cast<bool>(fromCsv), "cannot read what it wrote as CSV");
  Result<std::string> csvAgain = writeProblemCsv(fromCsv->problem);
  require(csvAgain && *csvAgain == *csv, "CSV changed");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  size_t end = text.find('\0');
  Result<ProblemFile> file = parseProblem(text.substr(0, end));
  if (!file)
    return 0;
  require(!validate(file->problem), "read a problem that is not valid");
  checkText(file->problem);
  if (end == std::string_view::npos)
    return 0;
  Result<Plan> plan = parsePlan(text.substr(end + 1), file->problem);
  if (!plan)
    return 0;
  verify(file->problem, *plan);
  std::string json = writePlanJson(file->problem, *plan);
  require(static_cast<bool>(parsePlan(json, file->problem)),
          "cannot read the plan that it wrote");
  return 0;
}
