//===- Bench.cpp - A folder of problems, measured -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves every problem of a folder, verifies every plan, and prints a table and
// JSON. Ratios are results; seconds are what this machine took for planning
// alone, and nothing depends on them.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Files.h"
#include "HeapMeter.h"
#include "Text.h"

#include "transient/Planner/Serialize.h"
#include "transient/Planner/Verify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>

namespace transient::planner {

namespace {

/// One line of the table.
struct Row {
  std::string instance;
  std::size_t buffers = 0;
  std::uint64_t bound = 0, result = 0;
  bool proven = false;
  std::string algorithm, error;
  double seconds = 0, cpuSeconds = 0;
  /// Most bytes in use while planning, the problem itself included.
  std::uint64_t heap = 0;
  bool valid = true;
};

Row measure(const std::string &path, const std::string &name,
            const SolveOptions &options) {
  Row row;
  row.instance = name;
  auto text = readFile(path);
  if (!text) {
    row.error = text.error().format();
    return row;
  }
  auto file = parseProblem(*text, name);
  if (!file) {
    row.error = file.error().format();
    return row;
  }
  row.buffers = file->problem.buffers.size();
  // What planning does not need is not to be counted.
  text->clear();
  text->shrink_to_fit();
  file->csv = CsvText();
  restartHeapPeak();
  auto start = std::chrono::steady_clock::now();
  const std::clock_t cpuStart = std::clock();
  auto plan = solve(file->problem, options);
  row.cpuSeconds = double(std::clock() - cpuStart) / CLOCKS_PER_SEC;
  row.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  row.heap = heapPeak();
  if (!plan) {
    row.error = plan.error().format();
    return row;
  }
  row.bound = plan->lowerBoundBytes;
  row.result = plan->physicalBytes;
  row.proven = plan->optimal;
  row.algorithm = plan->algorithm;
  auto violations = verify(file->problem, *plan);
  row.valid = violations.empty();
  if (!row.valid)
    row.error = "plan refused: " + violations[0].message;
  return row;
}

std::string padded(std::string text, std::size_t width, bool left = false) {
  if (text.size() < width)
    text.insert(left ? text.size() : 0, width - text.size(), ' ');
  return text;
}

std::string toJson(const Row &row) {
  if (!row.error.empty())
    return "{\"instance\": " + literal(row.instance) +
           ", \"error\": " + literal(row.error) + "}";
  return "{\"instance\": " + literal(row.instance) +
         ", \"buffers\": " + std::to_string(row.buffers) +
         ", \"lower_bound_bytes\": " + std::to_string(row.bound) +
         ", \"physical_bytes\": " + std::to_string(row.result) +
         ", \"ratio\": " + ratio(row.result, row.bound) +
         ", \"optimal\": " + boolean(row.proven) +
         ", \"algorithm\": " + literal(row.algorithm) +
         ", \"wall_seconds\": " + inSeconds(row.seconds) +
         ", \"cpu_seconds\": " + inSeconds(row.cpuSeconds) +
         ", \"heap_bytes\": " + std::to_string(row.heap) + "}";
}

} // namespace

int runBench(const BenchCommand &command) {
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, std::string>> files; // Name, path.
  std::error_code code;
  if (fs::is_directory(command.folder, code)) {
    for (const auto &entry : fs::directory_iterator(command.folder, code)) {
      const std::string kind = entry.path().extension().string();
      if (kind == ".csv" || kind == ".json")
        files.push_back(
            {entry.path().filename().string(), entry.path().string()});
    }
    std::sort(files.begin(), files.end());
  } else {
    files.push_back({command.folder, command.folder});
  }
  if (code) {
    std::cerr << "transient-plan: error: " << command.folder
              << ": cannot read: " << code.message() << "\n";
    return 2;
  }
  if (files.empty()) {
    std::cerr << "transient-plan: error: " << command.folder
              << ": no problem in it, expected files *.csv or *.json\n";
    return 2;
  }

  std::size_t width = 8;
  for (const auto &[name, path] : files)
    width = std::max(width, name.size());
  if (!command.json)
    std::cout << padded("instance", width, true)
              << "  buffers         bound        result   ratio  proven   "
                 "seconds\n"
              << std::flush;
  std::string json;
  double logs = 0, seconds = 0;
  std::uint64_t worstPart = 0, worstWhole = 0;
  std::size_t solved = 0, proven = 0;
  bool valid = true;
  for (const auto &[name, path] : files) {
    const Row row = measure(path, name, command.options);
    json += (json.empty() ? "\n  " : ",\n  ") + toJson(row);
    valid &= row.valid;
    if (row.error.empty()) {
      ++solved;
      proven += row.proven;
      seconds += row.seconds;
      const long double here =
          row.bound ? (long double)row.result / row.bound : 1;
      logs += double(std::log(here));
      if (!worstWhole || here > (long double)worstPart / worstWhole) {
        worstPart = row.bound ? row.result : 1;
        worstWhole = row.bound ? row.bound : 1;
      }
    }
    if (command.json)
      continue;
    std::cout << padded(name, width, true);
    if (!row.error.empty())
      std::cout << "  " << row.error << "\n";
    else
      std::cout << padded(std::to_string(row.buffers), 9)
                << padded(std::to_string(row.bound), 14)
                << padded(std::to_string(row.result), 14)
                << padded(ratio(row.result, row.bound), 8)
                << padded(row.proven ? "yes" : "no", 8)
                << padded(inSeconds(row.seconds), 10) << "\n";
    std::cout << std::flush;
  }
  const double geomean = solved ? std::exp(logs / double(solved)) : 1;
  const auto scaled = std::uint64_t(std::llround(geomean * 1e6));
  const std::string summary = "\"solved\": " + std::to_string(solved) +
                              ", \"proven\": " + std::to_string(proven) +
                              ", \"geomean\": " + ratio(scaled, 1000000) +
                              ", \"worst\": " + ratio(worstPart, worstWhole) +
                              ", \"wall_seconds\": " + inSeconds(seconds);
  json = "{\"schema\": \"transient.bench.v1\", \"folder\": " +
         literal(command.folder) + ", \"instances\": [" + json + "],\n " +
         summary + "}\n";
  if (command.json)
    std::cout << json << std::flush;
  else
    std::cout << "\n"
              << solved << " of " << files.size() << " solved, " << proven
              << " proved optimal; ratio " << ratio(scaled, 1000000)
              << " geomean, " << ratio(worstPart, worstWhole) << " worst; "
              << inSeconds(seconds) << " s\n"
              << std::flush;
  if (!command.output.empty())
    if (auto error = writeFile(command.output, json)) {
      std::cerr << "transient-plan: error: " << error->format() << "\n";
      return 2;
    }
  return valid && solved ? 0 : 1;
}

} // namespace transient::planner
