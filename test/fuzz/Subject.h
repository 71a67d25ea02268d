//===- Subject.h - The project under test, in this process ----*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipeline and transient-verify on modules, and keeps what they say.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_SUBJECT_H
#define TRANSIENT_TEST_FUZZ_SUBJECT_H

#include "Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transient::fuzz {

/// How a program is planned.
struct PlanOptions {
  enum class Before { Nothing, Cse, Canonicalize, Hoist, Blocks };
  enum class Lower { Auto, MemRef, Gpu };

  Before before = Before::Nothing;
  Lower lower = Lower::Auto;
  bool slots = false, splitWebs = true, inPlace = false;
  /// Runs CSE and canonicalisation on the lowered program.
  bool tidy = false;
  unsigned alignment = 1;

  static PlanOptions any(Random &random);
  /// As options of transient-opt.
  std::string text() const;
};

enum class Verdict { Accepted, Undecided, Rejected };

const char *toString(Verdict verdict);

/// The numbers of `@main` in a report.
struct Figures {
  int64_t physical = 0, lowerBound = 0, peakUpper = 0;
};

class Subject {
public:
  Subject();
  ~Subject();

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text);
  /// The passes of `options.before`.
  bool prepare(mlir::ModuleOp module, const PlanOptions &options);
  /// Up to arenas and views; all of the pipeline where `lower` is not `auto`.
  /// Never the checker. Reads the report into `figures`, unless null.
  bool plan(mlir::ModuleOp module, const PlanOptions &options,
            Figures *figures);
  /// Only as far as transient-plan: requests with their places.
  bool place(mlir::ModuleOp module, const PlanOptions &options);
  /// The rest where `lower` is `auto`; also `tidy`.
  bool lower(mlir::ModuleOp module, const PlanOptions &options);
  /// Adds the runtime's markers of tenants.
  bool mark(mlir::ModuleOp module);
  Verdict verify(mlir::ModuleOp module);

  /// Errors and warnings of the last call.
  const std::vector<std::string> &getMessages() const { return messages; }

private:
  bool runPasses(mlir::ModuleOp module,
                 llvm::function_ref<void(mlir::OpPassManager &)> build);

  struct Implementation;
  std::unique_ptr<Implementation> implementation;
  std::vector<std::string> messages;
};

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_SUBJECT_H
