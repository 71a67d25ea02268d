//===- KernelJit.h - Compiles embedded kernels, once per content *- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the blob that gpu-module-to-binary embeds, finds its kernels and
// compiles them at the first launch. Equal blobs share one compiled module for
// the life of the process.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_KERNELJIT_H
#define TRANSIENT_LIB_SIMRUNTIME_KERNELJIT_H

#include "Instrument.h"
#include "WorkItem.h"

#include <string>
#include <vector>

namespace transient::sim {

class DeviceModule;

/// One kernel of a loaded module.
struct Kernel {
  DeviceModule *module;
  KernelInfo info;
  KernelEntry entry = nullptr; ///< null until compiled
};

/// Loads the bitcode at `data`; ends the process with an error where it is
/// anything else. The result lives as long as the process.
DeviceModule *loadModule(const void *data, size_t bytes);

/// The kernel of that name, or an error that lists those there are.
Kernel *getKernel(DeviceModule *module, const std::string &name);

/// Compiles the kernel's module where that has not happened. Thread-safe.
KernelEntry compile(Kernel *kernel);

/// Compiles all modules loaded so far. What is not supported is left for the
/// launch that needs it.
void compileAll();

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_KERNELJIT_H
