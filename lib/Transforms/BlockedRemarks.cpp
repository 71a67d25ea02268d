//===- BlockedRemarks.cpp - Say why a buffer is not planned ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Transforms/BlockedRemarks.h"

using namespace mlir;

namespace transient {

void remarkNotPlanned(const BufferRecord &record) {
  // At the place, not of the op: printing each op numbers all of the function.
  InFlightDiagnostic remark = emitRemark(record.op->getLoc())
                              << "not planned: ";
  if (record.blocked.empty()) {
    remark << "the buffer is never accessed";
    return;
  }
  remark << "the buffer " << record.blocked.front().reason;
  for (const BlockedFact &fact : record.blocked) {
    if (fact.op == record.op && &fact == &record.blocked.front())
      continue;
    remark.attachNote(fact.op->getLoc())
        << stringify(fact.kind) << ": the buffer " << fact.reason;
  }
  remark.attachNote() << "to plan it, " << record.blocked.front().resolve;
}

} // namespace transient
