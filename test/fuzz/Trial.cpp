//===- Trial.cpp - One random program before all judges -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "Export.h"
#include "Judge.h"
#include "PlanCheck.h"
#include "Print.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient::fuzz {
namespace {

/// Bits of the seed for each purpose, so that shrinking one leaves the others.
enum Purpose : uint64_t { ForOptions = 1, ForValues, ForSchedules, ForFaults };

std::string toText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

bool hasControlFlow(const Block &block) {
  for (const Step &step : block.steps)
    if (step.kind == StepKind::Branch || step.kind == StepKind::Loop ||
        step.kind == StepKind::SelectBuffer ||
        step.kind == StepKind::SelectToken)
      return true;
  return false;
}

bool hasLoop(const Block &block) {
  for (const Step &step : block.steps) {
    if (step.kind == StepKind::Loop)
      return true;
    for (const Block &inner : step.blocks)
      if (hasLoop(inner))
        return true;
  }
  return false;
}

class Trial {
public:
  Trial(Subject &subject, const Program &program, const TrialOptions &options,
        Tally &tally)
      : subject(subject), program(program), options(options), tally(tally) {}

  std::vector<Failure> run() {
    ++tally.programs;
    tally.racy += program.racy;
    Random forOptions(combine(program.seed, ForOptions));
    plan = PlanOptions::any(forOptions);
    withReport = forOptions.chance(20);
    if (options.exporter) {
      plan.lower = PlanOptions::Lower::Gpu;
      // Canonicalisation merges tokens that the stock lowering needs apart; in
      // kernels it takes structured loops only.
      plan.tidy = false;
      if (plan.before == PlanOptions::Before::Blocks)
        plan.before = PlanOptions::Before::Nothing;
    }
    std::string text = print(program);
    OwningOpRef<ModuleOp> source = subject.parse(text);
    if (!source)
      return fail("generator: invalid program", messages(), text),
             std::move(failures);
    if (!subject.prepare(*source, plan))
      return fail("prepare", messages(), text), std::move(failures);
    makeValuations();
    if (!traceSource(*source, text))
      return std::move(failures);
    if (options.exporter &&
        (program.racy || !llvm::all_of(sources, hasResults)))
      return std::move(failures);
    // A program with races may also free too early, on a path not tried here.
    if (program.racy && subject.verify(*source) == Verdict::Rejected)
      return std::move(failures);
    judgePlanned(*source, text);
    return std::move(failures);
  }

private:
  void fail(std::string kind, std::string what, std::string module) {
    failures.push_back({std::move(kind), std::move(what), std::move(module)});
  }

  std::string messages() {
    std::string text;
    for (const std::string &message : subject.getMessages())
      text += (text.empty() ? "" : "; ") + message;
    return text;
  }

  Verdict verify(ModuleOp module) {
    return options.blind ? Verdict::Accepted : subject.verify(module);
  }

  void makeValuations() {
    bool branches = false;
    for (const Function &function : program.functions) {
      branches |= hasControlFlow(function.body);
      hasLoops |= hasLoop(function.body);
    }
    Random random(combine(program.seed, ForValues));
    unsigned count = branches ? 10 : 1;
    for (unsigned i = 0; i < count; ++i) {
      Valuation valuation;
      valuation.conditions = i < 2 ? (i ? 7 : 0) : random.below(8);
      for (int64_t &trips : valuation.trips)
        trips = i < 2 ? 2 : random.below(4);
      for (unsigned &flags : valuation.flags)
        flags = i == 0 ? 5 : random.below(1 << flagsSize);
      valuations.push_back(valuation);
    }
  }

  /// Traces the program as it was; false if it is of no use.
  bool traceSource(ModuleOp module, const std::string &text) {
    for (const Valuation &valuation : valuations) {
      sources.push_back(trace(module, valuation));
      const Trace &source = sources.back();
      ++tally.traces;
      if (!source.unsupported.empty()) {
        ++tally.unsupported;
        if (source.unsupported != "too many instances")
          fail("interpreter: " + source.unsupported, "", text);
        return false;
      }
      std::vector<Finding> findings = judgeAlone(source);
      if (!findings.empty()) {
        if (!program.racy)
          fail("generator: " + std::string(toString(findings[0].wrong)),
               findings[0].text, text);
        return false;
      }
      if (!program.racy && !findRaces(source).empty()) {
        fail("generator: race", "", text);
        return false;
      }
    }
    return true;
  }

  void judgePlanned(ModuleOp source, const std::string &text) {
    OwningOpRef<ModuleOp> planned(source.clone());
    Figures figures;
    bool hasFigures = withReport;
    if (!subject.plan(*planned, plan, hasFigures ? &figures : nullptr)) {
      // Stock passes cannot lower tokens that regions and calls hand on.
      if (plan.lower != PlanOptions::Lower::Gpu)
        return fail("pipeline", messages(), text);
      ++tally.notLowered;
      if (options.exporter)
        return;
      plan.lower = PlanOptions::Lower::Auto;
      planned = source.clone();
      if (!subject.plan(*planned, plan, hasFigures ? &figures : nullptr))
        return fail("pipeline", messages(), text);
    }
    if (options.plant >= 0) {
      Random random(combine(program.seed, ForFaults));
      damage(*planned, static_cast<FaultKind>(options.plant), random);
    }
    if (!judgeStage(*planned, hasFigures ? &figures : nullptr) ||
        !checkPlan(source, *planned))
      return;
    if (options.exporter) {
      options.exporter->write(program, valuations, "source", toText(source));
      write("planned", *planned, nullptr);
    }
    makeFaults(*planned, 0);
    if (!subject.lower(*planned, plan))
      return fail("lowering", messages(), text);
    if (!judgeStage(*planned, nullptr))
      return;
    makeFaults(*planned, 1);
  }

  /// Readies the planner's own check, which must accept the plan as it is.
  bool checkPlan(ModuleOp source, ModuleOp planned) {
    if (plan.lower != PlanOptions::Lower::Auto || options.plant >= 0)
      return true;
    OwningOpRef<ModuleOp> placed(source.clone());
    if (!subject.place(*placed, plan))
      return fail("pipeline", messages(), toText(source)), false;
    planCheck.emplace(*placed, plan.alignment);
    std::string violation = planCheck->findViolation(planned);
    if (!violation.empty())
      fail("plan check refuses", violation, toText(planned));
    return violation.empty();
  }

  /// Judges a stage that the project made itself.
  bool judgeStage(ModuleOp module, const Figures *figures) {
    ++tally.stages;
    Verdict verdict = verify(module);
    tally.undecided += verdict == Verdict::Undecided;
    // Known: in a cycle of blocks earlier iterations are not told from this
    // one.
    if (verdict == Verdict::Rejected &&
        plan.before == PlanOptions::Before::Blocks) {
      ++tally.rejectedCycles;
    } else if (verdict == Verdict::Rejected) {
      fail("checker rejects", messages(), toText(module));
      return false;
    }
    bool shares = false;
    Random random(combine(program.seed, ForSchedules));
    for (size_t i = 0; i < valuations.size(); ++i) {
      const Trace &source = sources[i];
      Trace planned = trace(module, valuations[i]);
      ++tally.traces;
      if (!planned.unsupported.empty()) {
        if (planned.unsupported == "too many instances")
          return true;
        fail("interpreter: " + planned.unsupported, "", toText(module));
        return false;
      }
      // Canonicalisation may drop copies that nobody reads.
      if (plan.tidy && planned.accesses().size() != source.accesses().size())
        return true;
      std::vector<Finding> findings = judgeOrder(source, planned, false);
      shares = shares || sharesBytes(planned);
      if (findings.empty())
        judgeSchedules(source, planned, figures, random, findings);
      if (!findings.empty()) {
        fail("planned: " + std::string(toString(findings[0].wrong)),
             findings[0].text + " (valuation " + std::to_string(i) + ")",
             toText(module));
        return false;
      }
    }
    tally.sharing += shares;
    return true;
  }

  /// Whether two tenants lie in the same bytes.
  static bool sharesBytes(const Trace &planned) {
    for (const Instance &a : planned.instances)
      for (const Instance &b : planned.instances)
        for (const Access &x : a.accesses)
          for (const Access &y : b.accesses)
            if (x.tenant < y.tenant && x.tenant && x.overlaps(y))
              return true;
    return false;
  }

  void judgeSchedules(const Trace &source, const Trace &planned,
                      const Figures *figures, Random &random,
                      std::vector<Finding> &findings) {
    int count = static_cast<int>(planned.instances.size());
    auto judge = [&](const std::vector<Event> &schedule) {
      ++tally.schedules;
      findings = judgeContents(source, planned, schedule);
      if (!figures || !findings.empty())
        return;
      ++tally.peaks;
      int64_t peak = measurePeak(planned, schedule);
      // In a loop a buffer that each iteration writes first is in use within
      // the iteration only, which is not seen where nobody else takes the
      // place.
      if (peak > figures->physical ||
          (!hasLoops && peak > figures->peakUpper) ||
          figures->lowerBound > figures->physical)
        findings.push_back(
            {Wrong::Judges,
             "measured a peak of " + std::to_string(peak) +
                 " bytes; reported physical " +
                 std::to_string(figures->physical) + ", peak_upper " +
                 std::to_string(figures->peakUpper) + ", lower_bound " +
                 std::to_string(figures->lowerBound)});
    };
    judge(inOrder(planned));
    if (findings.empty() && count)
      judge(atRandom(planned, random, static_cast<int>(random.below(count))));
    if (findings.empty())
      judge(atRandom(planned, random, -1));
    if (!findings.empty() || count > 14 || !random.chance(25))
      return;
    Exploration exploration;
    findings = judgeExplored(planned, options.maxStates, exploration);
    tally.states += exploration.states;
    tally.explored += exploration.complete;
  }

  //===--------------------------------------------------------------------===//
  // Faults
  //===--------------------------------------------------------------------===//

  void makeFaults(ModuleOp planned, unsigned stage) {
    if (program.racy || !options.mutants)
      return;
    // The full pipeline has one stage, which may not be damaged twice.
    if (stage == 0 && plan.lower != PlanOptions::Lower::Auto)
      return;
    for (unsigned i = 0; i < options.mutants; ++i) {
      Random random(
          combine(combine(program.seed, ForFaults + stage * 1000), i));
      auto kind = static_cast<FaultKind>(random.below(numFaultKinds));
      if (options.fault >= 0)
        kind = static_cast<FaultKind>(options.fault);
      OwningOpRef<ModuleOp> mutant(planned.clone());
      if (damage(*mutant, kind, random))
        judgeMutant(*mutant, kind);
    }
  }

  /// Hands a planned module on, with its tenants marked.
  void write(const std::string &what, ModuleOp module,
             const Exporter::Judgement *judgement) {
    OwningOpRef<ModuleOp> marked(module.clone());
    if (!subject.mark(*marked))
      return fail("mark", messages(), toText(module));
    options.exporter->write(program, valuations, what, toText(*marked),
                            judgement);
  }

  void judgeMutant(ModuleOp mutant, FaultKind kind) {
    FaultTally &faults = tally.faults[static_cast<unsigned>(kind)];
    std::string witness;
    bool order = false, results = false, settled = true;
    for (size_t i = 0; i < valuations.size(); ++i) {
      Trace planned = trace(mutant, valuations[i]);
      ++tally.traces;
      if (!planned.unsupported.empty() ||
          planned.accesses().size() != sources[i].accesses().size())
        return;
      std::vector<Finding> findings = judgeOrder(sources[i], planned, true);
      std::vector<Finding> contents =
          judgeContents(sources[i], planned, inOrder(planned));
      order |= !findings.empty();
      settled = settled && (!options.exporter || hasResults(planned));
      results |= !contents.empty();
      findings.insert(findings.end(), contents.begin(), contents.end());
      if (!findings.empty() && witness.empty())
        witness = std::string(toString(findings[0].wrong)) + ": " +
                  findings[0].text + " (valuation " + std::to_string(i) + ")";
    }
    ++faults.made;
    Verdict verdict = verify(mutant);
    faults.rejected += verdict == Verdict::Rejected;
    faults.undecided += verdict == Verdict::Undecided;
    if (options.exporter) {
      Exporter::Judgement judgement;
      judgement.unsafe = !witness.empty();
      judgement.order = order;
      judgement.results = results;
      judgement.settled = settled;
      judgement.verdict =
          verdict == Verdict::Accepted && !subject.getMessages().empty()
              ? "warned"
              : toString(verdict);
      write(toString(kind), mutant, &judgement);
    }
    if (witness.empty()) {
      faults.strict += verdict == Verdict::Rejected;
      return;
    }
    ++faults.unsafe;
    if (planCheck && isFaultOfPlacement(kind)) {
      ++faults.plans;
      bool refused = !planCheck->findViolation(mutant).empty();
      faults.byPlan += refused;
      if (!refused)
        fail("plan check accepts: " + std::string(toString(kind)), witness,
             toText(mutant));
    }
    faults.byOrder += order;
    faults.byResults += results;
    if (verdict == Verdict::Accepted) {
      ++faults.survivors;
      fail("survivor: " + std::string(toString(kind)), witness, toText(mutant));
    }
  }

  Subject &subject;
  const Program &program;
  const TrialOptions &options;
  Tally &tally;
  PlanOptions plan;
  std::optional<PlanCheck> planCheck;
  bool withReport = false, hasLoops = false;
  std::vector<Valuation> valuations;
  std::vector<Trace> sources;
  std::vector<Failure> failures;
};

} // namespace

std::vector<Failure> judge(Subject &subject, const Program &program,
                           const TrialOptions &options, Tally &tally) {
  return Trial(subject, program, options, tally).run();
}

} // namespace transient::fuzz
