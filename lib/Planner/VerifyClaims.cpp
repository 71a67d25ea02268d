//===- VerifyClaims.cpp - Check of what a plan says of itself -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from Verify.cpp, which may not know the planner: a claim of optimality
// is about the problem, and is confirmed by the bound or not at all.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Bound.h"
#include "transient/Planner/Verify.h"

namespace transient::planner {

std::vector<Violation> verifyClaims(const Problem &problem, const Plan &plan) {
  std::vector<Violation> violations;
  auto report = [&](std::string message) {
    violations.push_back({Violation::Rule::Claims, Violation::kNone,
                          Violation::kNone, std::move(message)});
  };
  if (!plan.lowerBoundBytes && !plan.lowerBoundExact && !plan.optimal)
    return violations;
  auto bound = lowerBound(problem);
  if (!bound) {
    report("the claimed lower bound cannot be confirmed: " +
           bound.error().message);
    return violations;
  }
  const std::string found = std::to_string(bound->bytes) + " (" +
                            bound->method + (bound->exact ? ", exact)" : ")");
  if (plan.lowerBoundBytes > bound->bytes)
    report("lower bound is " + std::to_string(plan.lowerBoundBytes) +
           ", expected at most " + found);
  else if (plan.lowerBoundExact &&
           (!bound->exact || plan.lowerBoundBytes != bound->bytes))
    report("lower bound of " + std::to_string(plan.lowerBoundBytes) +
           " is claimed to be exact, but what can be confirmed is " + found);
  if (plan.optimal && plan.physicalBytes != bound->bytes)
    report("plan of " + std::to_string(plan.physicalBytes) +
           " bytes is claimed to be optimal, but the lower bound is " + found);
  return violations;
}

} // namespace transient::planner
