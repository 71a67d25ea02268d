//===- HeapMeter.h - How much memory planning takes --------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that `new` has handed out and not got back, counted by operators of
// the tool's own. The resident set of a process is no measure of one plan of
// many: it never shrinks.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLAN_HEAPMETER_H
#define TRANSIENT_PLAN_HEAPMETER_H

#include <cstdint>

namespace transient::planner {

/// Bytes in use now.
std::uint64_t heapBytes();

/// Most bytes in use at once since the last call of `restartHeapPeak`.
std::uint64_t heapPeak();
void restartHeapPeak();

} // namespace transient::planner

#endif // TRANSIENT_PLAN_HEAPMETER_H
