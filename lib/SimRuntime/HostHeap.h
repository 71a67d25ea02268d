//===- HostHeap.h - The heap of simulated host code -------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// malloc, aligned_alloc and free for code that mlir-runner compiles. They add
// poison and the knowledge where blocks begin and end, and when, so that device
// work on host memory can be checked.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_HOSTHEAP_H
#define TRANSIENT_LIB_SIMRUNTIME_HOSTHEAP_H

#include <cstddef>

namespace transient::sim {

void *hostMalloc(size_t bytes);
void *hostAlignedAlloc(size_t alignment, size_t bytes);
void *hostCalloc(size_t count, size_t bytes);

/// Checks that no device work may still use the block. Blocks that the device
/// has seen, or that waiting work may see, are kept and only marked.
void hostFree(void *pointer);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_HOSTHEAP_H
