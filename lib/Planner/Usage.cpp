//===- Usage.cpp - Names of buffer usage bits -----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of usage names, lowest bit first.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Usage.h"

#include <cstdio>

namespace transient::planner {

static const char *const kNames[] = {
    "map_read", "map_write", "copy_src", "copy_dst", "index",
    "vertex",   "uniform",   "storage",  "indirect", "query_resolve"};

std::vector<std::string> usageNames(std::uint32_t usage) {
  std::vector<std::string> names;
  std::uint32_t bit = 1;
  for (const char *name : kNames) {
    if (usage & bit)
      names.push_back(name);
    usage &= ~bit;
    bit <<= 1;
  }
  if (usage) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", unsigned(usage));
    names.push_back(text);
  }
  return names;
}

std::optional<std::uint32_t> usageBit(const std::string &name) {
  std::uint32_t bit = 1;
  for (const char *known : kNames) {
    if (name == known)
      return bit;
    bit <<= 1;
  }
  return std::nullopt;
}

} // namespace transient::planner
