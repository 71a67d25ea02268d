//===- Report.h - What the checker has to say ----------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects findings of one function in any order and prints them in the order
// of the ops they are about, each once, with a cap. No rule lives here.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_REPORT_H
#define TRANSIENT_LIB_CHECKER_REPORT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace transient::checker {

class Report {
public:
  enum Severity { Error, Undecided, Race };
  struct Note {
    mlir::Location loc;
    std::string text;
  };

  /// Adds a finding at `op`; a second one with the same text at the same op is
  /// dropped.
  void add(Severity severity, mlir::Operation *op, std::string text,
           llvm::SmallVector<Note> notes = {});

  size_t size() const { return findings.size(); }

  /// Prints what was found in `function`, at most `cap` of each severity, and
  /// says how many more there are. Returns true if an error was printed.
  bool emit(mlir::Operation *function, bool strict, unsigned cap);

private:
  struct Finding {
    Severity severity;
    mlir::Operation *op;
    std::string text;
    llvm::SmallVector<Note> notes;
    unsigned order = 0;
  };
  llvm::SmallVector<Finding> findings;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> byOp;
};

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_REPORT_H
