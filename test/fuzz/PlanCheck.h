//===- PlanCheck.h - The planner's own check, of damaged plans -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A third judge: `planner::verify` on the problem of a program and the plan
// that the views of its arenas spell. It believes lifetimes, and knows nothing
// of the order that a damaged program still has; so it judges faults of
// placement only.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_PLANCHECK_H
#define TRANSIENT_TEST_FUZZ_PLANCHECK_H

#include "transient/Planner/Problem.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace transient::fuzz {

class PlanCheck {
public:
  /// Takes the problems from a module as transient-plan leaves it.
  PlanCheck(mlir::ModuleOp placed, unsigned alignment);

  /// What is wrong with the plan that the views of `materialized` spell, before
  /// or after they are lowered; empty if nothing is.
  std::string findViolation(mlir::ModuleOp materialized) const;

private:
  struct Function {
    planner::Problem problem;
    /// By buffer: the physical buffer that it was placed in.
    std::vector<std::optional<uint32_t>> physicals;
  };
  std::map<std::string, Function> functions;
};

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_PLANCHECK_H
