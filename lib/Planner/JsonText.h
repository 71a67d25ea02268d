//===- JsonText.h - JSON values that know their line -------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to serialisation. A small document tree in which every value carries
// the line it stands on, so that a wrong value far into a file is reported
// there, and in which integers are exact 64-bit numbers or are not numbers at
// all. Hides nlohmann/json, whose own tree has neither.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_JSONTEXT_H
#define TRANSIENT_LIB_PLANNER_JSONTEXT_H

#include "transient/Planner/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace transient::planner {

struct JsonValue {
  enum class Kind {
    Null,
    Bool,
    Unsigned, ///< Non-negative integer that fits 64 bits.
    Negative, ///< Negative integer; `text` is as written.
    Inexact,  ///< Fraction, exponent or too large; `text` is as written.
    String,
    Array,
    Object,
  };
  Kind kind = Kind::Null;
  bool boolean = false;
  std::uint64_t number = 0;
  std::string text;
  std::vector<JsonValue> items;
  std::vector<std::pair<std::string, JsonValue>> members;
  std::size_t line = 0;

  /// The member called `key`, or null. Linear: objects here are small.
  const JsonValue *find(std::string_view key) const;
};

/// Parses one JSON document. Fails with Parse: syntax, repeated keys, nesting
/// deeper than 64.
Result<JsonValue> parseJsonText(std::string_view text, const std::string &file);

/// `text` as a JSON string literal; bytes that are no UTF-8 are replaced.
std::string jsonString(const std::string &text);

/// A Parse error at a line.
Error parseError(const std::string &file, std::size_t line,
                 const std::string &message);

/// What `value` is, for messages: "a string", "-5", ...
std::string describe(const JsonValue &value);

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_JSONTEXT_H
