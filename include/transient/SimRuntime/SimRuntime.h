//===- SimRuntime.h - The simulated device's own ABI ------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libTransientSimRuntime.so offers beside the mgpu* functions that stock
// gpu-to-llvm calls: the exit status of a violation and the tenant markers.
// Plain C, so that lowered code and foreign programs can use it. Nothing here
// depends on LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_SIMRUNTIME_SIMRUNTIME_H
#define TRANSIENT_SIMRUNTIME_SIMRUNTIME_H

#include <stdint.h>

/// Exit status of a process in which the checker found a violation.
#define TRANSIENT_SIM_VIOLATION 86

/// Exit status after bad input: an option, a kernel, an argument count.
#define TRANSIENT_SIM_BAD_INPUT 2

#ifdef __cplusplus
extern "C" {
#endif

/// Says that the *next* operation which the calling thread enqueues (a launch,
/// copy or fill) uses the bytes [base + offset, base + offset + bytes) as the
/// buffer `tenant`; several calls name several buffers. Either all views of an
/// allocation that an operation uses are marked, or none: an access to a marked
/// allocation outside the marked ranges is reported as out of bounds.
///
/// When such an operation runs, every byte of the range that held another
/// tenant is taken over: its former users must have completed, it is poisoned,
/// and counts as never written. Bytes that an operation writes without marks
/// become nobody's, and taking over those costs nothing. A tenant is a number
/// from 0; the markers of an operation that does nothing (a copy of no bytes)
/// are forgotten with it.
void transientSimTenant(void *base, int64_t offset, int64_t bytes,
                        int64_t tenant);

/// Says that host code is about to read (0), write (1) or update atomically (2)
/// the bytes [address, address + bytes). While there is work that the host has
/// not awaited, they are judged like those of an operation; otherwise only a use
/// of shared memory that the device has released is reported.
void transientSimHostAccess(void *address, int64_t bytes, int32_t mode);

#ifdef __cplusplus
}
#endif

#endif // TRANSIENT_SIMRUNTIME_SIMRUNTIME_H
