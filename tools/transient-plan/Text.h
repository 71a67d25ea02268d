//===- Text.h - Small pieces of output ---------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the verbs of the tool write strings, ratios and seconds, the same in text
// and JSON, whatever the locale.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TOOLS_TRANSIENT_PLAN_TEXT_H
#define TRANSIENT_TOOLS_TRANSIENT_PLAN_TEXT_H

#include <cstdint>
#include <string>

namespace transient::planner {

/// A JSON string literal of text that is plain enough not to need a library.
std::string literal(const std::string &text);

/// "true" or "false".
std::string boolean(bool value);

/// `part` of `whole` as "1.2345", rounded up, so that 1.0000 means equal;
/// "1.0000" for a whole of 0.
std::string ratio(std::uint64_t part, std::uint64_t whole);

/// "0.123456".
std::string inSeconds(double seconds);

} // namespace transient::planner

#endif // TRANSIENT_TOOLS_TRANSIENT_PLAN_TEXT_H
