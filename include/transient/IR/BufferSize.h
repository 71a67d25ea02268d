//===- BufferSize.h - Bytes of a memref type ------------------ -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes a buffer of a memref type occupies, and how its elements must
// be aligned, as the stock lowering to LLVM lays them out. All arithmetic is
// checked: an overflow is an answer, never a wrapped number.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_BUFFERSIZE_H
#define TRANSIENT_IR_BUFFERSIZE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <cstdint>

namespace transient {

/// The size of a buffer, or why it is not known.
struct BufferSize {
  enum Kind {
    /// `bytes` and `alignment` hold.
    Known,
    /// A dimension, stride or offset is dynamic; `alignment` holds.
    Dynamic,
    /// The element type or layout has no size that we can prove.
    Unsupported,
    /// The size does not fit a signed 64-bit number; `alignment` holds.
    Overflow
  };
  Kind kind = Unsupported;
  /// Bytes from the first to one past the last element.
  uint64_t bytes = 0;
  /// ABI alignment of the element type in bytes; a power of two.
  uint64_t alignment = 1;

  bool isKnown() const { return kind == Known; }
};

/// The base alignment in bytes that device allocators promise: `gpu.alloc` takes
/// no alignment in the stock lowering. CUDA C++ Programming Guide, "Device Memory
/// Accesses".
constexpr uint64_t kDeviceBaseAlignment = 256;

/// Returns the size of a buffer of type `type` with identity layout, under the
/// data layout in force at `scope`. `i1` occupies a byte, `index` eight, `i24`
/// four: elements are spaced by their size rounded up to their ABI alignment,
/// as the lowering to LLVM does. A layout other than identity is
/// `Unsupported`. O(rank).
BufferSize getBufferSize(mlir::MemRefType type, mlir::Operation *scope);

/// The same, under `layout`: to find the one in force takes longer than the rest.
BufferSize getBufferSize(mlir::MemRefType type, const mlir::DataLayout &layout);

} // namespace transient

#endif // TRANSIENT_IR_BUFFERSIZE_H
