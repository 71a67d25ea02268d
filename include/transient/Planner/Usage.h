//===- Usage.h - Names of buffer usage bits ----------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The usage bits of WebGPU (names and values of gpuweb's GPUBufferUsage), which
// this project uses for every target. The planner itself only ever asks whether
// one set of bits contains another; which combinations a target allows is not
// known here.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_USAGE_H
#define TRANSIENT_PLANNER_USAGE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace transient::planner {

/// Usage bits; values are part of the file formats.
enum Usage : std::uint32_t {
  UsageMapRead = 0x1,
  UsageMapWrite = 0x2,
  UsageCopySrc = 0x4,
  UsageCopyDst = 0x8,
  UsageIndex = 0x10,
  UsageVertex = 0x20,
  UsageUniform = 0x40,
  UsageStorage = 0x80,
  UsageIndirect = 0x100,
  UsageQueryResolve = 0x200,
};

/// Names of the bits of `usage`, lowest bit first ("map_read", ...); bits
/// without a name appear as one hexadecimal string at the end.
std::vector<std::string> usageNames(std::uint32_t usage);

/// The bit called `name`, or nothing.
std::optional<std::uint32_t> usageBit(const std::string &name);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_USAGE_H
