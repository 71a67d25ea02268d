//===- TouchedBytes.h - How much of a buffer is ever used ----- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slack: bytes at the end of an allocation that nobody can reach (F9). Says
// nothing about when the others are used.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_TOUCHEDBYTES_H
#define TRANSIENT_ANALYSIS_TOUCHEDBYTES_H

#include "mlir/IR/Value.h"

#include <cstdint>

namespace transient {

/// The end (exclusive), in bytes from its start, of what any op may access of
/// `buffer`, a ranked memref of `bytes` bytes with identity layout. Views of
/// constant offset, sizes and strides narrow it for ops that do no more than
/// access memory; whatever else is given an alias may touch all of the buffer. Never more than `bytes`. Linear in the uses of the buffer
/// and its views.
uint64_t getTouchedEnd(mlir::Value buffer, uint64_t bytes);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_TOUCHEDBYTES_H
