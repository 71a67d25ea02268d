//===- Instrument.h - Turns a device module into host code ------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites the LLVM module of a gpu.module so that it runs on the host: calling
// conventions, built-ins, barriers, workgroup memory, the loop over a work-
// group, and, when asked, a call before each access to memory. Knows nothing of
// the JIT or of the checker behind the call.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_INSTRUMENT_H
#define TRANSIENT_LIB_SIMRUNTIME_INSTRUMENT_H

#include "llvm/IR/Module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace transient::sim {

/// What the launcher must know of a kernel.
struct KernelInfo {
  std::string name;
  std::vector<uint32_t>
      argumentBytes;           ///< of the arguments that a launch passes
  unsigned localArguments = 0; ///< workgroup attributions
  bool hasBarrier = false;     ///< known once prepared
  unsigned sites = 0;          ///< instrumented instructions; the same
};

/// The kernels of an untouched device module, in its order.
std::vector<KernelInfo> findKernels(const llvm::Module &module);

/// The name of the function that replaces kernel `name`, of type KernelEntry.
std::string entryName(const std::string &name);

/// Rewrites `module` for the host's `triple` and `layout` and fills in
/// `hasBarrier`. Returns an empty string, or what is not supported.
std::string prepareForHost(llvm::Module &module, const llvm::Triple &triple,
                           const llvm::DataLayout &layout, bool check,
                           std::vector<KernelInfo> &kernels);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_INSTRUMENT_H
