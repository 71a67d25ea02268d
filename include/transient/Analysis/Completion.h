//===- Completion.h - When an op's work is complete ----------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op by itself says about its end. Says nothing about how ops relate.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_COMPLETION_H
#define TRANSIENT_ANALYSIS_COMPLETION_H

#include "transient/Analysis/BufferUses.h"

#include <string>

namespace transient {

/// When an op's own work is complete, seen from the host.
struct Completion {
  enum Kind {
    /// It touches no memory and orders nothing.
    NoWork,
    /// When the op returns to the host.
    OnReturn,
    /// When its token is ready.
    Token,
    /// Nobody can tell; `reason` says why and `culprit` which op.
    Unknown
  };
  Kind kind = Unknown;
  std::string reason;
  mlir::Operation *culprit = nullptr;
};

/// Classifies `op` by its interfaces (blocking is a fact of an op's interface,
/// not the mere absence of a token). A region op completes on return when
/// everything inside does; linear in what is nested.
Completion getCompletion(mlir::Operation *op, KernelAccessCache &callees);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_COMPLETION_H
