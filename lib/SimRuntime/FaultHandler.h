//===- FaultHandler.h - Faults become reports -------------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code that touches device-only memory faults, since those addresses are
// not mapped; so does a kernel that overruns its workgroup memory. The handler
// says which and ends the process.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_FAULTHANDLER_H
#define TRANSIENT_LIB_SIMRUNTIME_FAULTHANDLER_H

namespace transient::sim {

/// Catches SIGSEGV at device addresses; other faults go where they went before.
void installFaultHandler();

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_FAULTHANDLER_H
