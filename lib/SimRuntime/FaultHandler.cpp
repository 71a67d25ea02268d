//===- FaultHandler.cpp - Faults become reports ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "FaultHandler.h"
#include "Memory.h"
#include "Report.h"

#include "transient/SimRuntime/SimRuntime.h"

#include <csignal>
#include <cstdio>

namespace transient::sim {

static struct sigaction previous;

static void onFault(int signal, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (!Memory::get().isDeviceAddress(address)) {
    // The instruction faults again, now under the former handler.
    sigaction(signal, &previous, nullptr);
    return;
  }
  char hex[24];
  std::snprintf(hex, sizeof hex, "0x%llx",
                static_cast<unsigned long long>(address));
  Violation violation;
  violation.kind = "host access to device memory";
  if (Region *region = Memory::get().nearest(address))
    violation.where = region->describe();
  violation.notes = {std::string("host code uses address ") + hex +
                     "; only gpu.alloc host_shared memory is the host's too"};
  report(violation);
  leave(TRANSIENT_SIM_VIOLATION);
}

void installFaultHandler() {
  Memory::get();
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous);
}

} // namespace transient::sim
