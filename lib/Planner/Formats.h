//===- Formats.h - One function a format and direction -----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to serialisation: what Serialize.cpp chooses between, once it has
// recognised a format, and the helpers that the formats have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_FORMATS_H
#define TRANSIENT_LIB_PLANNER_FORMATS_H

#include "transient/Planner/Serialize.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace transient::planner {

Result<ProblemFile> parseProblemJson(std::string_view text,
                                     const std::string &file);
Result<ProblemFile> parseProblemCsv(std::string_view text,
                                    const std::string &file);
Result<Plan> parsePlanJson(std::string_view text, const Problem &problem,
                           const std::string &file);
Result<Plan> parsePlanCsv(std::string_view text, const Problem &problem,
                          const std::string &file);

/// Validates `problem`; an error gets `file` and the line of its buffer.
/// `lines` is by buffer index.
std::optional<Error> validateWithLines(const Problem &problem,
                                       const std::string &file,
                                       const std::vector<std::size_t> &lines);

/// Buffer index by id; only ever looked up, never iterated.
using BufferNames = std::unordered_map<std::string, BufferIndex>;
BufferNames indexByName(const Problem &problem);

/// Fills the totals of `plan` from its placements and physical buffers, with
/// an unknown (zero) lower bound. Fails with Overflow.
std::optional<Error> recomputeTotals(const Problem &problem, Plan &plan);

/// Parses a decimal 64-bit number; the error says what is wrong and quotes it.
Result<std::uint64_t> parseNumber(std::string_view text);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_FORMATS_H
