//===- Files.h - Whole files in and out --------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing files for the tool, with "-" for the standard streams.
// Knows nothing of what is in them.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TOOLS_TRANSIENT_PLAN_FILES_H
#define TRANSIENT_TOOLS_TRANSIENT_PLAN_FILES_H

#include "transient/Planner/Result.h"

#include <optional>
#include <string>

namespace transient::planner {

/// All bytes of `path`, or of standard input for "-". Fails with Io.
Result<std::string> readFile(const std::string &path);

/// Replaces `path`, or writes to standard output for "-". Fails with Io, also
/// when the last byte cannot be written.
std::optional<Error> writeFile(const std::string &path,
                               const std::string &text);

/// How `path` is called in messages.
std::string displayName(const std::string &path);

} // namespace transient::planner

#endif // TRANSIENT_TOOLS_TRANSIENT_PLAN_FILES_H
