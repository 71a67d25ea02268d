//===- Trace.h - The schedule as a picture ----------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what ran when as Chrome trace events, which Perfetto and
// chrome://tracing show.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_TRACE_H
#define TRANSIENT_LIB_SIMRUNTIME_TRACE_H

#include "Op.h"

#include <deque>
#include <string>

namespace transient::sim {

/// Writes one slice per operation, on the track of its stream (track 0 is the
/// host), and one arrow per order between streams. Warns where the file cannot
/// be written.
void writeTrace(const std::string &file, const std::deque<Op> &ops);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_TRACE_H
