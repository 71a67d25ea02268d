//===- Commands.cpp - The verbs of transient-plan -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Glue between files and the library. Everything that decides anything is in
// the library.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Files.h"
#include "Text.h"

#include "transient/Planner/OrderingEdges.h"
#include "transient/Planner/Bound.h"
#include "transient/Planner/Explain.h"
#include "transient/Planner/Render.h"
#include "transient/Planner/Replan.h"
#include "transient/Planner/Serialize.h"
#include "transient/Planner/Verify.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>

namespace transient::planner {

namespace {

constexpr int kDone = 0, kNo = 1, kBadInput = 2;

int fail(const Error &error) {
  std::cerr << "transient-plan: error: " << error.format() << "\n";
  return error.kind == ErrorKind::Infeasible ||
                 error.kind == ErrorKind::DoesNotFit
             ? kNo
             : kBadInput;
}

int usage(const std::string &message) {
  std::cerr << "transient-plan: error: " << message << "\n";
  return kBadInput;
}

Result<ProblemFile> loadProblem(const std::string &path) {
  auto text = readFile(path);
  if (!text)
    return text.error();
  return parseProblem(*text, displayName(path));
}

Result<Plan> loadPlan(const std::string &path, const Problem &problem) {
  auto text = readFile(path);
  if (!text)
    return text.error();
  return parsePlan(*text, problem, displayName(path));
}

int write(const std::string &path, const std::string &text) {
  if (auto error = writeFile(path, text))
    return fail(*error);
  return kDone;
}

/// Whether both outputs would go to standard output; prints the error.
bool writesTwice(bool json, const std::string &output) {
  if (json && output == "-")
    usage("--json and '-o -' both write to standard output, expected one of "
          "them");
  return json && output == "-";
}

std::string idArray(const Problem &problem,
                    const std::vector<BufferIndex> &buffers) {
  std::string out = "[";
  for (BufferIndex i : buffers)
    out += (out.size() > 1 ? ", " : "") + literal(problem.buffers[i].id);
  return out + "]";
}

/// Set by the first interrupt: the search ends with what it has. The second
/// one ends the program.
std::atomic<bool> interrupted{false};

void interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

/// A line on standard error at most twice a second.
void showProgress(const SolveProgress &progress) {
  static std::chrono::steady_clock::time_point last;
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::milliseconds(500))
    return;
  last = now;
  std::cerr << "transient-plan: space " << progress.space << ": "
            << progress.physicalBytes << " bytes, bound "
            << progress.lowerBoundBytes << ", ratio "
            << ratio(progress.physicalBytes, progress.lowerBoundBytes) << ", "
            << progress.steps / 1000000 << " million steps\n";
}

std::optional<BufferIndex> findBuffer(const Problem &problem,
                                      const std::string &id) {
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
    if (problem.buffers[i].id == id)
      return i;
  return std::nullopt;
}

} // namespace

int runSolve(const SolveCommand &command) {
  if (writesTwice(command.json, command.output))
    return kBadInput;
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  if (command.output.empty())
    file->csv = CsvText(); // Nobody will ask for its rows.
  SolveOptions options = command.options;
  if (command.progress)
    options.progress = showProgress;
  static_assert(std::atomic<bool>::is_always_lock_free,
                "a signal handler may only touch lock-free atomics");
  options.stop = &interrupted;
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, interrupt);
  auto start = std::chrono::steady_clock::now();
  auto plan = solve(file->problem, options);
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (!plan) {
    Error error = plan.error();
    error.file = displayName(command.problem);
    return fail(error);
  }
  if (!command.output.empty()) {
    std::string text = file->format == Format::Csv
                           ? writePlanCsv(file->csv, *plan)
                           : writePlanJson(file->problem, *plan);
    if (int code = write(command.output, text))
      return code;
  }
  const std::string seconds = inSeconds(elapsed.count());
  const bool stopped = interrupted.load(std::memory_order_relaxed);
  auto number = [](std::uint64_t value) { return std::to_string(value); };
  if (command.json) {
    return write(
        "-",
        "{\"schema\": \"transient.solve.v1\", \"problem\": " +
            literal(displayName(command.problem)) + ", \"strategy\": \"" +
            (command.options.strategy == Strategy::Arena ? "arena" : "slots") +
            "\", \"algorithm\": " + literal(plan->algorithm) +
            ", \"buffers\": " + number(file->problem.buffers.size()) +
            ", \"physical_buffers\": " + number(plan->physicals.size()) +
            ", \"logical_bytes\": " + number(plan->logicalBytes) +
            ", \"physical_bytes\": " + number(plan->physicalBytes) +
            ", \"saved_bytes\": " + number(plan->savedBytes) +
            ", \"padding_bytes\": " + number(plan->paddingBytes) +
            ", \"fragmentation_bytes\": " + number(plan->fragmentationBytes) +
            ", \"lower_bound_bytes\": " + number(plan->lowerBoundBytes) +
            ", \"lower_bound_exact\": " + boolean(plan->lowerBoundExact) +
            ", \"optimal\": " + boolean(plan->optimal) +
            ", \"comparisons\": " + number(plan->stats.comparisons) +
            ", \"attempts\": " + number(plan->stats.attempts) +
            ", \"interrupted\": " + boolean(stopped) +
            ", \"wall_seconds\": " + seconds + "}\n");
  }
  if (command.output != "-")
    return write(
        "-", "buffers      " + number(file->problem.buffers.size()) +
                 "\nlogical      " + number(plan->logicalBytes) +
                 " bytes\nphysical     " + number(plan->physicalBytes) +
                 " bytes in " + number(plan->physicals.size()) +
                 " physical buffer" + (plan->physicals.size() == 1 ? "" : "s") +
                 "\nlower bound  " + number(plan->lowerBoundBytes) + " bytes" +
                 (plan->lowerBoundExact ? ", exact" : "") + "\nratio        " +
                 ratio(plan->physicalBytes, plan->lowerBoundBytes) +
                 (plan->optimal ? ", proved optimal" : ", not proved optimal") +
                 (stopped ? ", interrupted" : "") + "\nsaved        " +
                 number(plan->savedBytes) + " bytes\nalgorithm    " +
                 plan->algorithm + "\nseconds      " + seconds + "\n");
  return kDone;
}

int runPlanFrom(const PlanFromCommand &command) {
  if (writesTwice(command.json, command.output))
    return kBadInput;
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  auto old = loadProblem(command.oldProblem);
  if (!old)
    return fail(old.error());
  auto oldPlan = loadPlan(command.oldPlan, old->problem);
  if (!oldPlan)
    return fail(oldPlan.error());
  auto result =
      planFrom(file->problem, old->problem, *oldPlan, command.options);
  if (!result) {
    Error error = result.error();
    error.file = displayName(command.problem);
    return fail(error);
  }
  const Plan &plan = result->plan;
  if (!command.output.empty()) {
    std::string text = file->format == Format::Csv
                           ? writePlanCsv(file->csv, plan)
                           : writePlanJson(file->problem, plan);
    if (int code = write(command.output, text))
      return code;
  }
  if (command.json)
    return write(
        "-",
        "{\"schema\": \"transient.plan-from.v1\", \"problem\": " +
            literal(displayName(command.problem)) +
            ", \"physical_bytes\": " + std::to_string(plan.physicalBytes) +
            ", \"lower_bound_bytes\": " + std::to_string(plan.lowerBoundBytes) +
            ", \"optimal\": " + boolean(plan.optimal) +
            ", \"kept\": " + idArray(file->problem, result->kept) +
            ", \"moved\": " + idArray(file->problem, result->moved) +
            ", \"added\": " + idArray(file->problem, result->added) + "}\n");
  if (command.output != "-")
    return write("-",
                 "kept         " + std::to_string(result->kept.size()) +
                     "\nmoved        " + std::to_string(result->moved.size()) +
                     "\nadded        " + std::to_string(result->added.size()) +
                     "\nphysical     " + std::to_string(plan.physicalBytes) +
                     " bytes\nlower bound  " +
                     std::to_string(plan.lowerBoundBytes) + " bytes\n");
  return kDone;
}

int runVerify(const VerifyCommand &command) {
  if (command.problem == "-" && command.plan == "-")
    return usage("problem and plan cannot both come from standard input");
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  auto plan = loadPlan(command.plan, file->problem);
  if (!plan)
    return fail(plan.error());
  std::vector<Violation> violations = verify(file->problem, *plan);
  for (Violation &claim : verifyClaims(file->problem, *plan))
    violations.push_back(std::move(claim));
  if (command.json) {
    std::string out = "{\"schema\": \"transient.verify.v1\", \"ok\": " +
                      boolean(violations.empty()) + ", \"violations\": [";
    bool first = true;
    for (const Violation &it : violations) {
      std::vector<BufferIndex> who;
      for (BufferIndex i : {it.a, it.b})
        if (i != Violation::kNone && (who.empty() || who[0] != i))
          who.push_back(i);
      out += std::string(first ? "" : ", ") + "{\"rule\": \"" +
             toString(it.rule) +
             "\", \"buffers\": " + idArray(file->problem, who) +
             ", \"message\": " + literal(it.message) + "}";
      first = false;
    }
    if (int code = write("-", out + "]}\n"))
      return code;
  } else if (violations.empty()) {
    return write("-", "ok: " + std::to_string(file->problem.buffers.size()) +
                          " buffers in " + std::to_string(plan->physicalBytes) +
                          " bytes, every overlap is proved\n");
  } else {
    std::string out;
    for (const Violation &it : violations)
      out += std::string("violated ") + toString(it.rule) + ": " + it.message +
             "\n";
    if (int code = write("-", out))
      return code;
  }
  return violations.empty() ? kDone : kNo;
}

int runBound(const BoundCommand &command) {
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  auto lower = lowerBound(file->problem);
  if (!lower)
    return fail(lower.error());
  auto upper = peakUpper(file->problem);
  if (!upper)
    return fail(upper.error());
  if (command.json) {
    auto object = [&](const Bound &bound) {
      return "{\"value\": " + std::to_string(bound.bytes) +
             ", \"exact\": " + boolean(bound.exact) +
             ", \"method\": " + literal(bound.method) +
             ", \"witness\": " + idArray(file->problem, bound.witness) + "}";
    };
    return write("-", "{\"schema\": \"transient.bound.v1\", "
                      "\"lower_bound_bytes\": " +
                          std::to_string(lower->bytes) +
                          ", \"lower_bound_exact\": " + boolean(lower->exact) +
                          ", \"lower_bound\": " + object(*lower) +
                          ", \"peak_upper\": " + object(*upper) + "}\n");
  }
  auto lines = [&](const char *name, const Bound &bound) {
    std::string out = std::string(name) + std::to_string(bound.bytes) +
                      " bytes, " + (bound.exact ? "exact" : "bound") + " (" +
                      bound.method + ")\n  of";
    std::size_t shown = 0;
    for (BufferIndex i : bound.witness) {
      if (++shown > 16) {
        out += " ... (" + std::to_string(bound.witness.size()) + " in all)";
        break;
      }
      out += " " + file->problem.buffers[i].id;
    }
    return out + "\n";
  };
  return write("-",
               lines("lower bound  ", *lower) + lines("peak upper   ", *upper));
}

int runOrder(const OrderCommand &command) {
  if (writesTwice(command.json, command.output))
    return kBadInput;
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  auto bound = lowerBound(file->problem);
  if (!bound)
    return fail(bound.error());
  const std::uint64_t budget =
      command.budget.value_or(bound->bytes ? bound->bytes - 1 : 0);
  auto ordering = proposeOrdering(file->problem, budget);
  if (!ordering)
    return fail(ordering.error());
  const bool reached = ordering->bound.bytes <= budget;
  if (!command.output.empty()) {
    Problem ordered = file->problem;
    ordered.order = ordering->order;
    if (int code = write(command.output, writeProblemJson(ordered)))
      return code;
  }
  auto number = [](std::uint64_t value) { return std::to_string(value); };
  std::string out;
  if (command.json) {
    for (const OrderingEdge &edge : ordering->edges)
      out += (out.empty() ? "[" : ", [") + number(edge.from) + ", " +
             number(edge.to) + "]";
    out = "{\"schema\": \"transient.order.v1\", \"budget_bytes\": " +
          number(budget) + ", \"reached\": " + boolean(reached) +
          ", \"edges\": [" + out +
          "], \"lower_bound_bytes\": " + number(ordering->bound.bytes) +
          ", \"lower_bound_exact\": " + boolean(ordering->bound.exact) +
          ", \"lower_bound_without\": " + number(bound->bytes) +
          ", \"longest_path\": " + number(ordering->depthAfter) +
          ", \"longest_path_without\": " + number(ordering->depthBefore) +
          "}\n";
  } else if (command.output != "-") {
    out = "lower bound   " + number(bound->bytes) + " -> " +
          number(ordering->bound.bytes) + " bytes\nlongest path  " +
          number(ordering->depthBefore) + " -> " +
          number(ordering->depthAfter) + " nodes\nnew edges     " +
          number(ordering->edges.size()) + "\n";
    for (const OrderingEdge &edge : ordering->edges)
      out += "  node " + number(edge.from) + " ends before node " +
             number(edge.to) + " starts\n";
    if (!reached)
      out += "found no order with which " + number(budget) +
             " bytes can do\n";
  }
  if (!out.empty())
    if (int code = write("-", out))
      return code;
  return reached ? kDone : kNo;
}

int runExplain(const ExplainCommand &command) {
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  std::optional<BufferIndex> who[2];
  const std::string *ids[2] = {&command.a, &command.b};
  for (int k = 0; k != 2; ++k) {
    who[k] = findBuffer(file->problem, *ids[k]);
    if (!who[k]) {
      Error error(ErrorKind::UnknownBuffer, *ids[k],
                  "no buffer '" + *ids[k] + "', expected one of its " +
                      std::to_string(file->problem.buffers.size()) +
                      " buffers");
      error.file = displayName(command.problem);
      return fail(error);
    }
  }
  if (*who[0] == *who[1])
    return usage("expected two different buffers, got '" + command.a +
                 "' twice");
  return write("-", explainSharing(file->problem, *who[0], *who[1]).text);
}

int runGenerate(const GenerateCommand &command) {
  auto problem = generate(command.options);
  if (!problem)
    return fail(problem.error());
  if (command.format == "json")
    return write(command.output, writeProblemJson(*problem));
  auto csv = writeProblemCsv(*problem);
  if (!csv)
    return fail(csv.error());
  return write(command.output, *csv);
}

int runConvert(const ConvertCommand &command) {
  auto file = loadProblem(command.input);
  if (!file)
    return fail(file.error());
  std::string to = command.to;
  if (to.empty())
    to = file->format == Format::Csv ? "json" : "csv";
  if (to == "json")
    return write(command.output, writeProblemJson(file->problem));
  auto csv = writeProblemCsv(file->problem);
  if (!csv) {
    Error error = csv.error();
    error.file = displayName(command.input);
    return fail(error);
  }
  return write(command.output, *csv);
}

int runRender(const RenderCommand &command) {
  if (command.problem == "-" && command.plan == "-")
    return usage("problem and plan cannot both come from standard input");
  auto file = loadProblem(command.problem);
  if (!file)
    return fail(file.error());
  auto plan = loadPlan(command.plan, file->problem);
  if (!plan)
    return fail(plan.error());
  // A CSV plan carries no bound; the map is poorer without one.
  if (!plan->lowerBoundBytes)
    if (auto bound = lowerBound(file->problem);
        bound && bound->bytes <= plan->physicalBytes) {
      plan->lowerBoundBytes = bound->bytes;
      plan->lowerBoundExact = bound->exact;
      plan->optimal = bound->bytes == plan->physicalBytes;
    }
  RenderOptions options;
  if (!command.title.empty())
    options.title = command.title;
  return write(command.output, renderMemoryMap(file->problem, *plan, options));
}

} // namespace transient::planner
