//===- transient-plan.cpp - The planner's command line --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares verbs and options. Exit codes: 0 done, 1 the answer is no, 2 bad
// input or usage. Needs no LLVM, and neither does anything it links.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <CLI/CLI.hpp>

#include <deque>
#include <functional>
#include <iostream>

using namespace transient::planner;

namespace {

/// Text of `option` as an exact 64-bit number: CLI11's own conversion takes
/// "-1" for a large one.
void addNumber(CLI::App *verb, const std::string &name, std::uint64_t &target,
               const std::string &help) {
  verb->add_option_function<std::string>(
          name,
          [&target, name](const std::string &text) {
            std::uint64_t value = 0;
            bool good = !text.empty();
            for (char c : text) {
              good = good && c >= '0' && c <= '9' &&
                     value <= (UINT64_MAX - std::uint64_t(c - '0')) / 10;
              if (good)
                value = value * 10 + std::uint64_t(c - '0');
            }
            if (!good)
              throw CLI::ValidationError(
                  name, "expected a non-negative integer of at most 64 bits, "
                        "got '" +
                            text + "'");
            target = value;
          },
          help)
      ->type_name("N");
}

CLI::App *addVerb(CLI::App &app, const std::string &name,
                  const std::string &what, const std::string &example) {
  CLI::App *verb = app.add_subcommand(name, what);
  verb->footer("\nExample:\n  " + example);
  return verb;
}

/// Numbers that count only where they are given.
struct OptionalNumbers {
  std::uint64_t capacity = 0, maxBufferBytes = 0, steps = 0;
  CLI::App *verb = nullptr;

  void apply(SolveOptions &options) const {
    if (verb->count("--capacity"))
      options.capacity = capacity;
    if (verb->count("--max-buffer-bytes"))
      options.maxBufferBytes = maxBufferBytes;
    if (verb->count("--steps"))
      options.steps = steps;
  }
};

/// The options of `solve` and `bench`. The result lives as long as the program.
OptionalNumbers *addSolveOptions(CLI::App *verb, SolveOptions &options) {
  static std::deque<OptionalNumbers> all;
  OptionalNumbers *numbers = &all.emplace_back();
  numbers->verb = verb;
  verb->add_option_function<std::string>(
          "--strategy",
          [&options](const std::string &name) {
            options.strategy =
                name == "slots" ? Strategy::Slots : Strategy::Arena;
          },
          "arena: offsets in one physical buffer a space; slots: whole "
          "physical buffers re-used (default arena)")
      ->check(CLI::IsMember({"arena", "slots"}));
  std::string names;
  for (Strategy strategy : {Strategy::Arena, Strategy::Slots})
    for (const std::string &name : algorithmNames(strategy))
      if (strategy == Strategy::Arena || name != "auto")
        names += (names.empty() ? "" : ", ") + name;
  verb->add_option("--algorithm", options.algorithm, "One of " + names)
      ->capture_default_str();
  addNumber(verb, "--arena-align", options.arenaAlign,
            "Offsets are multiples of this power of two and of each buffer's "
            "alignment (default 1)");
  addNumber(verb, "--capacity", numbers->capacity,
            "Exit 1 unless all physical buffers together fit N bytes");
  addNumber(verb, "--max-buffer-bytes", numbers->maxBufferBytes,
            "Split arenas so that no physical buffer has more than N bytes");
  verb->add_option_function<std::string>(
          "--effort",
          [&options](const std::string &name) {
            for (Effort effort :
                 {Effort::Fast, Effort::Normal, Effort::High, Effort::Max})
              if (name == toString(effort))
                options.effort = effort;
          },
          "How long to search where cheap algorithms leave a gap, in steps "
          "and not in time: fast, normal, high or max (default normal)")
      ->check(CLI::IsMember({"fast", "normal", "high", "max"}));
  addNumber(verb, "--steps", numbers->steps, "Steps of search a space");
  return numbers;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Plans storage of short-lived buffers, and proves that they may "
               "share it.\n\nPROBLEM is JSON (transient.problem.v1) or CSV "
               "(id,lower,upper,size[,alignment,...], half-open\nlifetimes), "
               "recognised by content; - is standard input."};
  app.name("transient-plan");
  app.set_version_flag("--version", "transient-plan " TRANSIENT_VERSION);
  app.require_subcommand(1);
  app.footer("\nExit codes: 0 done, 1 the answer is no, 2 bad input or usage.\n"
             "\nExample:\n  transient-plan solve model.csv -o plan.csv && "
             "transient-plan verify model.csv plan.csv");

  std::function<int()> action;

  SolveCommand solveCommand;
  {
    CLI::App *verb =
        addVerb(app, "solve", "Plan a problem",
                "transient-plan solve model.csv --json -o plan.csv");
    verb->add_option("PROBLEM", solveCommand.problem, "Problem file")
        ->required();
    OptionalNumbers *numbers = addSolveOptions(verb, solveCommand.options);
    verb->add_option("-o,--output", solveCommand.output,
                     "Write the plan, in the problem's own format");
    verb->add_flag("--json", solveCommand.json,
                   "Print the outcome as one JSON object");
    verb->add_flag("--progress", solveCommand.progress,
                   "Say on standard error how far long searches are");
    verb->callback([&, numbers] {
      numbers->apply(solveCommand.options);
      action = [&] { return runSolve(solveCommand); };
    });
  }

  PlanFromCommand fromCommand;
  {
    CLI::App *verb = addVerb(
        app, "plan-from", "Plan a changed problem, keeping old offsets",
        "transient-plan plan-from new.csv old.csv old-plan.csv -o plan.csv");
    verb->add_option("PROBLEM", fromCommand.problem, "The problem as it is now")
        ->required();
    verb->add_option("OLDPROBLEM", fromCommand.oldProblem,
                     "The problem as it was")
        ->required();
    verb->add_option("OLDPLAN", fromCommand.oldPlan, "Its plan")->required();
    OptionalNumbers *numbers = addSolveOptions(verb, fromCommand.options);
    verb->add_option("-o,--output", fromCommand.output,
                     "Write the plan, in the problem's own format");
    verb->add_flag("--json", fromCommand.json,
                   "Print the outcome as one JSON object");
    verb->callback([&, numbers] {
      numbers->apply(fromCommand.options);
      action = [&] { return runPlanFrom(fromCommand); };
    });
  }

  VerifyCommand verifyCommand;
  {
    CLI::App *verb = addVerb(app, "verify", "Check a plan independently",
                             "transient-plan verify model.csv plan.csv");
    verb->add_option("PROBLEM", verifyCommand.problem, "Problem file")
        ->required();
    verb->add_option("PLAN", verifyCommand.plan, "Plan file")->required();
    verb->add_flag("--json", verifyCommand.json, "Print JSON");
    verb->callback([&] { action = [&] { return runVerify(verifyCommand); }; });
  }

  BoundCommand boundCommand;
  {
    CLI::App *verb =
        addVerb(app, "bound", "Lower bound of every plan, and the peak",
                "transient-plan bound model.json --json");
    verb->add_option("PROBLEM", boundCommand.problem, "Problem file")
        ->required();
    verb->add_flag("--json", boundCommand.json, "Print JSON");
    verb->callback([&] { action = [&] { return runBound(boundCommand); }; });
  }

  OrderCommand orderCommand;
  std::uint64_t budget = 0;
  {
    CLI::App *verb =
        addVerb(app, "order", "Which new ordering edges would lower the bound",
                "transient-plan order model.json --budget=1048576");
    verb->add_option("PROBLEM", orderCommand.problem, "Problem file")
        ->required();
    addNumber(verb, "--budget", budget,
              "Bytes that the bound may have (default: one less than it has); "
              "exit 1 if it has more");
    verb->add_option("-o,--output", orderCommand.output,
                     "Write the problem with the edges, as JSON");
    verb->add_flag("--json", orderCommand.json, "Print JSON");
    verb->callback([&, verb] {
      if (verb->count("--budget"))
        orderCommand.budget = budget;
      action = [&] { return runOrder(orderCommand); };
    });
  }

  ExplainCommand explainCommand;
  {
    CLI::App *verb =
        addVerb(app, "explain", "Why two buffers may or may not share",
                "transient-plan explain model.json conv1 relu4");
    verb->add_option("PROBLEM", explainCommand.problem, "Problem file")
        ->required();
    verb->add_option("A", explainCommand.a, "Buffer id")->required();
    verb->add_option("B", explainCommand.b, "Buffer id")->required();
    verb->callback(
        [&] { action = [&] { return runExplain(explainCommand); }; });
  }

  GenerateCommand generateCommand;
  std::uint64_t buffers = generateCommand.options.buffers,
                width = generateCommand.options.width,
                readers = generateCommand.options.maxReaders;
  {
    CLI::App *verb = addVerb(
        app, "generate", "Write a seeded random problem",
        "transient-plan generate --kind=dag --buffers=1000 --seed=7 -o g.json");
    verb->add_option_function<std::string>(
            "--kind",
            [&](const std::string &name) {
              generateCommand.options.kind =
                  name == "dag" ? GenerateOptions::Kind::Dag
                                : GenerateOptions::Kind::Intervals;
            },
            "intervals: a total order; dag: work on streams (default "
            "intervals)")
        ->check(CLI::IsMember({"intervals", "dag"}));
    addNumber(verb, "--seed", generateCommand.options.seed, "Seed (default 1)");
    addNumber(verb, "--buffers", buffers, "Buffers (default 100)");
    addNumber(verb, "--width", width,
              "Buffers live at once, or streams (default 8)");
    verb->add_option_function<std::string>(
            "--sizes",
            [&](const std::string &name) {
              generateCommand.options.sizes =
                  name == "skewed"         ? GenerateOptions::Sizes::Skewed
                  : name == "heavy-tailed" ? GenerateOptions::Sizes::HeavyTailed
                                           : GenerateOptions::Sizes::Uniform;
            },
            "uniform; skewed: most buffers small and short-lived; "
            "heavy-tailed: "
            "half as many of twice the size (default "
            "uniform)")
        ->check(CLI::IsMember({"uniform", "skewed", "heavy-tailed"}));
    addNumber(verb, "--max-bytes", generateCommand.options.maxBytes,
              "Largest size (default 1048576)");
    addNumber(verb, "--alignment", generateCommand.options.alignment,
              "Alignment, a power of two (default 1)");
    addNumber(verb, "--max-readers", readers,
              "dag: most readers of a buffer (default 3)");
    verb->add_option("--format", generateCommand.format, "json or csv")
        ->check(CLI::IsMember({"json", "csv"}))
        ->capture_default_str();
    verb->add_option("-o,--output", generateCommand.output, "Output file")
        ->capture_default_str();
    verb->callback([&] {
      action = [&] {
        if (std::max({buffers, width, readers}) > 100000000) {
          std::cerr << "transient-plan: error: expected --buffers, --width and "
                       "--max-readers to be at most 100000000\n";
          return 2;
        }
        generateCommand.options.buffers = std::uint32_t(buffers);
        generateCommand.options.width = std::uint32_t(width);
        generateCommand.options.maxReaders = std::uint32_t(readers);
        return runGenerate(generateCommand);
      };
    });
  }

  ConvertCommand convertCommand;
  {
    CLI::App *verb = addVerb(app, "convert", "Translate between JSON and CSV",
                             "transient-plan convert model.csv -o model.json");
    verb->add_option("INPUT", convertCommand.input, "Problem file")->required();
    verb->add_option("--to", convertCommand.to,
                     "json or csv (default: the other one)")
        ->check(CLI::IsMember({"json", "csv"}));
    verb->add_option("-o,--output", convertCommand.output, "Output file")
        ->capture_default_str();
    verb->callback(
        [&] { action = [&] { return runConvert(convertCommand); }; });
  }

  RenderCommand renderCommand;
  {
    CLI::App *verb = addVerb(app, "render", "Draw a plan as SVG",
                             "transient-plan render model.csv plan.csv -o "
                             "map.svg");
    verb->add_option("PROBLEM", renderCommand.problem, "Problem file")
        ->required();
    verb->add_option("PLAN", renderCommand.plan, "Plan file")->required();
    verb->add_option("-o,--output", renderCommand.output, "Output file")
        ->capture_default_str();
    verb->add_option("--title", renderCommand.title, "Heading");
    verb->callback([&] { action = [&] { return runRender(renderCommand); }; });
  }

  BenchCommand benchCommand;
  {
    CLI::App *verb =
        addVerb(app, "bench", "Solve, verify and measure a folder of problems",
                "transient-plan bench models -o bench.json");
    verb->add_option("FOLDER", benchCommand.folder,
                     "Folder of *.csv and *.json, or one file")
        ->required();
    OptionalNumbers *numbers = addSolveOptions(verb, benchCommand.options);
    verb->add_option("-o,--output", benchCommand.output, "Write JSON");
    verb->add_flag("--json", benchCommand.json,
                   "Print JSON instead of the table");
    verb->callback([&, numbers] {
      numbers->apply(benchCommand.options);
      action = [&] { return runBench(benchCommand); };
    });
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Help and version come this way too, with code 0.
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::cerr << "transient-plan: error: " << error.what()
              << "\nRun with --help for usage.\n";
    return 2;
  }
  try {
    return action();
  } catch (const std::exception &error) {
    std::cerr << "transient-plan: error: " << error.what() << "\n";
    return 2;
  }
}
