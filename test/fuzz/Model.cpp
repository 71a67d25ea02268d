//===- Model.cpp - Damaged plans of a given program -----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

using namespace mlir;

namespace transient::fuzz {

std::vector<Failure> judgeModel(Subject &subject, const std::string &text,
                                unsigned count, Tally &tally) {
  auto fail = [&](std::string kind) {
    std::string messages;
    for (const std::string &message : subject.getMessages())
      messages += message + "\n";
    return std::vector<Failure>{{std::move(kind), messages, ""}};
  };
  ++tally.programs;
  OwningOpRef<ModuleOp> module = subject.parse(text);
  if (!module)
    return fail("invalid program");
  PlanOptions options;
  if (!subject.plan(*module, options, nullptr))
    return fail("pipeline");
  for (bool isLowered : {false, true}) {
    if (isLowered && !subject.lower(*module, options))
      return fail("lowering");
    ++tally.stages;
    Verdict verdict = subject.verify(*module);
    tally.undecided += verdict == Verdict::Undecided;
    if (verdict == Verdict::Rejected)
      return fail("checker rejects");
    for (unsigned kind = 0; kind < numFaultKinds; ++kind)
      for (unsigned i = 0; i < count; ++i) {
        Random random(combine(combine(isLowered, kind), i));
        OwningOpRef<ModuleOp> mutant(module->clone());
        if (!damage(*mutant, static_cast<FaultKind>(kind), random))
          continue;
        FaultTally &faults = tally.faults[kind];
        ++faults.made;
        Verdict judged = subject.verify(*mutant);
        faults.rejected += judged == Verdict::Rejected;
        // What was undecided before is no news.
        faults.undecided +=
            judged == Verdict::Undecided && verdict == Verdict::Accepted;
      }
  }
  return {};
}

} // namespace transient::fuzz
