//===- PlannerBenchmark.cpp - How fast plans are made ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One benchmark for each problem file of the folders on the command line, and
// generated problems of growing size for each part of the planner whose cost is
// promised: dives, bounds, checks. Counters carry the quality beside the time.
//
//   planner-benchmarks [--capacity=BYTES] [benchmark options] FOLDER...
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Bound.h"
#include "transient/Planner/Generate.h"
#include "transient/Planner/Serialize.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace transient::planner;

namespace {

Problem generated(GenerateOptions::Kind kind, std::int64_t buffers,
                  std::uint32_t width) {
  GenerateOptions options;
  options.kind = kind;
  options.buffers = std::uint32_t(buffers);
  options.width = width;
  auto problem = generate(options);
  if (!problem) {
    std::cerr << problem.error().format() << "\n";
    std::exit(1);
  }
  return std::move(*problem);
}

void count(benchmark::State &state, const Plan &plan) {
  state.counters["buffers"] = double(plan.placements.size());
  state.counters["ratio"] =
      plan.lowerBoundBytes
          ? double(plan.physicalBytes) / double(plan.lowerBoundBytes)
          : 1;
  state.counters["proven"] = plan.optimal;
}

void solveWith(benchmark::State &state, const Problem &problem,
               const SolveOptions &options) {
  Plan last;
  for (auto _ : state) {
    auto plan = solve(problem, options);
    if (!plan) {
      state.SkipWithError(plan.error().format().c_str());
      return;
    }
    last = std::move(*plan);
  }
  count(state, last);
  auto violations = verify(problem, last);
  if (!violations.empty())
    state.SkipWithError(violations[0].message.c_str());
}

void diveIntervals(benchmark::State &state) {
  SolveOptions options;
  options.algorithm = "arena-dive-total-width";
  solveWith(state,
            generated(GenerateOptions::Kind::Intervals, state.range(0), 200),
            options);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(diveIntervals)
    ->RangeMultiplier(10)
    ->Range(1000, 1000000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNLogN);

void diveChains(benchmark::State &state) {
  SolveOptions options;
  options.algorithm = "arena-dive-total-area";
  solveWith(state, generated(GenerateOptions::Kind::Dag, state.range(0), 8),
            options);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(diveChains)
    ->RangeMultiplier(4)
    ->Range(1000, 64000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNLogN);

void antichain(benchmark::State &state) {
  const Problem problem =
      generated(GenerateOptions::Kind::Dag, state.range(0), 8);
  for (auto _ : state)
    benchmark::DoNotOptimize(lowerBound(problem)->bytes);
}
BENCHMARK(antichain)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

void verifyDag(benchmark::State &state) {
  const Problem problem =
      generated(GenerateOptions::Kind::Dag, state.range(0), 8);
  SolveOptions options;
  options.algorithm = "arena-dive-area";
  const Plan plan = *solve(problem, options);
  for (auto _ : state)
    benchmark::DoNotOptimize(verify(problem, plan).size());
}
BENCHMARK(verifyDag)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

/// One benchmark for each problem of `folder`; files that are none are skipped.
void addFolder(const std::string &folder, const SolveOptions &options) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".csv" ||
        entry.path().extension() == ".json")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto &path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    auto file = parseProblem(text.str(), path.string());
    if (!file) {
      std::cerr << "skipped: " << file.error().format() << "\n";
      continue;
    }
    auto problem = std::make_shared<Problem>(std::move(file->problem));
    const std::string name =
        path.parent_path().filename().string() + "/" + path.stem().string();
    benchmark::RegisterBenchmark(name.c_str(), [problem, options](
                                                   benchmark::State &state) {
      solveWith(state, *problem, options);
    })->Unit(benchmark::kMillisecond);
  }
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  SolveOptions options;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    const std::string capacity = "--capacity=";
    if (argument.compare(0, capacity.size(), capacity) == 0)
      options.capacity =
          std::strtoull(argument.c_str() + capacity.size(), nullptr, 10);
    else if (std::filesystem::is_directory(argument))
      addFolder(argument, options);
    else {
      std::cerr << "planner-benchmarks: error: " << argument
                << ": expected a folder or --capacity=BYTES\n";
      return 2;
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
