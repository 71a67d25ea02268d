//===- Shrink.cpp - The smallest program that still fails -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Switches steps off, one at a time and outer ones first, as long as the same
// kind of failure is left.
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

namespace transient::fuzz {
namespace {

void gather(Block &block, std::vector<Step *> &steps) {
  for (Step &step : block.steps) {
    steps.push_back(&step);
    for (Block &inner : step.blocks)
      gather(inner, steps);
  }
}

} // namespace

Program shrink(Subject &subject, const Program &program,
               const TrialOptions &options, const std::string &kind) {
  Program best = program;
  std::vector<Step *> steps;
  for (Function &function : best.functions)
    gather(function.body, steps);
  auto fails = [&] {
    Tally ignored;
    for (const Failure &failure : judge(subject, best, options, ignored))
      if (failure.kind == kind)
        return true;
    return false;
  };
  bool changed = true;
  for (unsigned round = 0; changed && round < 4; ++round) {
    changed = false;
    // Late steps first: what they need is then free to go.
    for (size_t i = steps.size(); i-- > 0;) {
      // Without a wait the rest might not be free of races.
      if (steps[i]->off || steps[i]->kind == StepKind::Wait)
        continue;
      steps[i]->off = true;
      if (fails())
        changed = true;
      else
        steps[i]->off = false;
    }
  }
  return best;
}

} // namespace transient::fuzz
