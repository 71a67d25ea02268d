//===- Commands.h - The verbs of transient-plan ------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a verb, from parsed options to an exit code: 0 done, 1 the
// answer is no, 2 bad input or usage. Each prints at most one error.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TOOLS_TRANSIENT_PLAN_COMMANDS_H
#define TRANSIENT_TOOLS_TRANSIENT_PLAN_COMMANDS_H

#include "transient/Planner/Generate.h"
#include "transient/Planner/Solve.h"

#include <optional>
#include <string>

namespace transient::planner {

struct SolveCommand {
  std::string problem, output;
  SolveOptions options;
  bool json = false;
  bool progress = false; ///< Lines on standard error during long searches.
};
int runSolve(const SolveCommand &command);

struct PlanFromCommand {
  std::string problem, oldProblem, oldPlan, output;
  SolveOptions options;
  bool json = false;
};
int runPlanFrom(const PlanFromCommand &command);

struct VerifyCommand {
  std::string problem, plan;
  bool json = false;
};
int runVerify(const VerifyCommand &command);

struct BoundCommand {
  std::string problem;
  bool json = false;
};
int runBound(const BoundCommand &command);

struct OrderCommand {
  std::string problem, output;
  /// Bytes; one less than the bound if not given.
  std::optional<std::uint64_t> budget;
  bool json = false;
};
/// 0 when the bound of the problem with the edges is within the budget.
int runOrder(const OrderCommand &command);

struct ExplainCommand {
  std::string problem, a, b;
};
int runExplain(const ExplainCommand &command);

struct GenerateCommand {
  GenerateOptions options;
  std::string format = "json", output = "-";
};
int runGenerate(const GenerateCommand &command);

struct ConvertCommand {
  std::string input, to, output = "-";
};
int runConvert(const ConvertCommand &command);

struct RenderCommand {
  std::string problem, plan, output = "-", title;
};
int runRender(const RenderCommand &command);

struct BenchCommand {
  std::string folder, output;
  SolveOptions options;
  bool json = false;
};
/// 0 when every problem that could be read was solved and its plan verified.
int runBench(const BenchCommand &command);

} // namespace transient::planner

#endif // TRANSIENT_TOOLS_TRANSIENT_PLAN_COMMANDS_H
