//===- transient-fuzz.cpp - Random programs before all judges -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes random asynchronous programs, plans each in this process, and compares
// the checker with an interpreter of token graphs, on the plan and on damaged
// plans. Prints every disagreement with the smallest program that shows it, and
// totals. Exit status 1 if there was any.
//
//===----------------------------------------------------------------------===//

#include "Export.h"
#include "Generate.h"
#include "Model.h"
#include "Print.h"
#include "Trial.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace transient::fuzz;

namespace cl = llvm::cl;

static cl::list<std::string>
    files(cl::Positional,
          cl::desc("<programs to plan and damage, instead of random ones>"));
static cl::opt<uint64_t> programs("programs", cl::desc("How many"),
                                  cl::init(1000));
static cl::opt<uint64_t> seed("seed", cl::desc("Of the first; others follow"),
                              cl::init(1));
static cl::opt<unsigned> mutants("mutants",
                                 cl::desc("Faults for each stage of a plan"),
                                 cl::init(0));
static cl::opt<unsigned> size("size", cl::desc("About the most steps"),
                              cl::init(24));
static cl::opt<uint64_t>
    maxStates("max-states",
              cl::desc("Give an exhaustive search up after this many"),
              cl::init(3000));
static cl::opt<unsigned>
    maxFailures("max-failures", cl::desc("Stop after this many"), cl::init(10));
static cl::opt<int> onlyFault("fault", cl::desc("Only faults of this number"),
                              cl::init(-1));
static cl::opt<int>
    plant("plant",
          cl::desc("Damage each plan by this fault, as if the planner had"),
          cl::init(-1));
static cl::opt<bool> blind("blind",
                           cl::desc("Take the checker to accept everything"),
                           cl::init(false));
static cl::opt<bool> printPrograms("print", cl::desc("Print each program"),
                                   cl::init(false));
static cl::opt<bool> noShrink("no-shrink", cl::desc("Print programs whole"),
                              cl::init(false));
static cl::opt<bool> printFaults("faults", cl::desc("Print a table of faults"),
                                 cl::init(false));
static cl::opt<std::string>
    exportTo("export", cl::value_desc("folder"),
             cl::desc("Write programs, plans and damaged plans to be run"));
static cl::opt<uint64_t>
    progress("progress", cl::desc("Say so after each so many"), cl::init(0));

static unsigned sizeOf(uint64_t seed) {
  return 4 + combine(seed, 77) % std::max(1u, size.getValue() - 3);
}

static void printTotals(const Tally &tally) {
  FaultTally all;
  for (const FaultTally &faults : tally.faults) {
    all.made += faults.made;
    all.unsafe += faults.unsafe;
    all.rejected += faults.rejected;
    all.undecided += faults.undecided;
    all.survivors += faults.survivors;
    all.byResults += faults.byResults;
    all.strict += faults.strict;
    all.plans += faults.plans;
    all.byPlan += faults.byPlan;
  }
  llvm::outs() << tally.programs << " programs (" << tally.racy
               << " with races of their own, " << tally.unsupported
               << " too long), " << tally.stages << " planned stages, "
               << tally.sharing << " share bytes, " << tally.undecided
               << " undecided, " << tally.rejectedCycles
               << " rejected in cycles of blocks\n"
               << tally.traces << " executions, " << tally.schedules
               << " schedules, " << tally.explored
               << " executions in all their schedules (" << tally.states
               << " states), " << tally.peaks << " peaks\n"
               << all.made << " faults: " << all.unsafe << " unsafe, "
               << all.rejected << " rejected (" << all.strict
               << " of them without a witness), " << all.undecided
               << " undecided, " << all.byPlan << " of " << all.plans
               << " refused by the plan check, " << all.byResults
               << " change a result in order of issue, " << all.survivors
               << " survivors\n";
}

static void printTable(const Tally &tally) {
  llvm::outs() << "fault,made,unsafe,rejected,undecided,order,results,"
                  "survivors,strict,plans,plan_check\n";
  for (unsigned i = 0; i < numFaultKinds; ++i) {
    const FaultTally &faults = tally.faults[i];
    llvm::outs() << toString(static_cast<FaultKind>(i)) << "," << faults.made
                 << "," << faults.unsafe << "," << faults.rejected << ","
                 << faults.undecided << "," << faults.byOrder << ","
                 << faults.byResults << "," << faults.survivors << ","
                 << faults.strict << "," << faults.plans << "," << faults.byPlan
                 << "\n";
  }
}

/// Programs from files, `mutants` faults of each kind and stage.
static int runFiles() {
  Tally tally;
  bool failed = false;
  for (const std::string &file : files) {
    Subject subject;
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << file << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    for (const Failure &failure :
         judgeModel(subject, (*buffer)->getBuffer().str(), mutants, tally)) {
      failed = true;
      llvm::outs() << "FAILURE " << file << ": " << failure.kind << ": "
                   << failure.text << "\n";
    }
  }
  printTable(tally);
  return failed;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(
      argc, argv,
      "Random programs, planned, before the checker and an interpreter\n");
  if (!files.empty())
    return runFiles();
  TrialOptions options;
  options.mutants = mutants;
  options.maxStates = maxStates;
  options.fault = onlyFault;
  options.plant = plant;
  options.blind = blind;
  std::unique_ptr<Exporter> exporter;
  if (!exportTo.empty()) {
    exporter = Exporter::create(exportTo);
    if (!exporter)
      return 2;
  }
  Tally tally;
  unsigned failures = 0;
  auto subject = std::make_unique<Subject>();
  for (uint64_t i = 0; i < programs && failures < maxFailures; ++i) {
    options.exporter = exporter.get();
    // A context keeps what was made in it.
    if (i % 1000 == 999)
      subject = std::make_unique<Subject>();
    uint64_t number = seed + i;
    Program program = generate(number, sizeOf(number), exporter != nullptr);
    if (printPrograms)
      llvm::outs() << print(program);
    std::vector<Failure> found = judge(*subject, program, options, tally);
    if (progress && (i + 1) % progress == 0) {
      llvm::outs() << "after seed " << number << ":\n";
      printTotals(tally);
      llvm::outs().flush();
    }
    if (found.empty())
      continue;
    ++failures;
    Failure shown = found.front();
    options.exporter = nullptr;
    llvm::outs() << "FAILURE seed " << number << ": " << shown.kind << ": "
                 << shown.text << "\n";
    Program smallest =
        noShrink ? program : shrink(*subject, program, options, shown.kind);
    Tally ignored;
    for (const Failure &failure : judge(*subject, smallest, options, ignored))
      if (failure.kind == shown.kind) {
        shown = failure;
        break;
      }
    transient::fuzz::Random random(combine(number, 1));
    llvm::outs() << "smallest: " << shown.text << "\n"
                 << "options: " << PlanOptions::any(random).text() << "\n"
                 << print(smallest) << "// where it shows:\n"
                 << shown.module << "\n";
    llvm::outs().flush();
  }
  if (printFaults)
    printTable(tally);
  printTotals(tally);
  return failures ? 1 : 0;
}
