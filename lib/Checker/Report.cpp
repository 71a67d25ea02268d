//===- Report.cpp - What the checker has to say ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting by position makes the output independent of how rules iterate.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace transient::checker {

void Report::add(Severity severity, Operation *op, std::string text,
                 SmallVector<Note> notes) {
  SmallVector<unsigned> &known = byOp[op];
  for (unsigned index : known)
    if (findings[index].text == text)
      return;
  known.push_back(findings.size());
  findings.push_back({severity, op, std::move(text), std::move(notes)});
}

bool Report::emit(Operation *function, bool strict, unsigned cap) {
  if (findings.empty())
    return false;
  DenseMap<Operation *, unsigned> positions;
  function->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { positions.try_emplace(op, positions.size()); });
  for (Finding &finding : findings)
    finding.order = positions.lookup(finding.op);
  llvm::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return std::tie(a.order, a.severity) < std::tie(b.order, b.severity);
  });

  static constexpr StringLiteral names[] = {"errors", "undecided questions",
                                            "races of the program"};
  bool failed = false;
  unsigned total[3] = {0, 0, 0}, printed[3] = {0, 0, 0};
  for (const Finding &finding : findings)
    ++total[finding.severity];
  for (const Finding &finding : findings) {
    bool isError =
        finding.severity == Error || (strict && finding.severity == Undecided);
    failed |= isError;
    unsigned count = ++printed[finding.severity];
    if (count > cap)
      continue;
    InFlightDiagnostic diagnostic =
        isError ? mlir::emitError(finding.op->getLoc())
                : mlir::emitWarning(finding.op->getLoc());
    if (finding.severity == Undecided)
      diagnostic << "transient-verify cannot decide ";
    diagnostic << finding.text;
    for (const Note &note : finding.notes)
      diagnostic.attachNote(note.loc) << note.text;
    if (count == cap && total[finding.severity] > cap)
      diagnostic.attachNote(function->getLoc())
          << (total[finding.severity] - cap) << " more "
          << names[finding.severity] << " in this function are not printed";
  }
  return failed;
}

} // namespace transient::checker
