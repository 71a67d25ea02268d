//===- Result.cpp - Names and text of errors ------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of error kinds, which are part of JSON output, and the one way an
// error becomes a line of text.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Result.h"

namespace transient::planner {

const char *toString(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::EmptyId:
    return "empty-id";
  case ErrorKind::DuplicateId:
    return "duplicate-id";
  case ErrorKind::ZeroBytes:
    return "zero-bytes";
  case ErrorKind::BadLifetime:
    return "bad-lifetime";
  case ErrorKind::BadAlignment:
    return "bad-alignment";
  case ErrorKind::CapacityTooSmall:
    return "capacity-too-small";
  case ErrorKind::Overflow:
    return "overflow";
  case ErrorKind::UnknownBuffer:
    return "unknown-buffer";
  case ErrorKind::NotMaterialized:
    return "not-materialized";
  case ErrorKind::CyclicOrder:
    return "cyclic-order";
  case ErrorKind::UnknownNode:
    return "unknown-node";
  case ErrorKind::Layout:
    return "layout";
  case ErrorKind::Infeasible:
    return "infeasible";
  case ErrorKind::DoesNotFit:
    return "does-not-fit";
  case ErrorKind::UnknownAlgorithm:
    return "unknown-algorithm";
  case ErrorKind::MismatchedPlan:
    return "mismatched-plan";
  case ErrorKind::Parse:
    return "parse";
  case ErrorKind::Io:
    return "io";
  case ErrorKind::Resource:
    return "resource";
  }
  return "unknown";
}

std::string Error::format() const {
  std::string text;
  if (!file.empty()) {
    text += file;
    if (line)
      text += ':' + std::to_string(line);
    text += ": ";
  }
  return text + message;
}

} // namespace transient::planner
