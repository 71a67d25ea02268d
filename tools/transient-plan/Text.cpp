//===- Text.cpp - Small pieces of output ----------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decimal places by integer arithmetic, which knows no locale.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <cmath>
#include <cstdio>

namespace transient::planner {

std::string literal(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if ((unsigned char)c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned((unsigned char)c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string boolean(bool value) { return value ? "true" : "false"; }

static std::string decimal(unsigned long long scaled, unsigned long long unit) {
  std::string digits = std::to_string(unit + scaled % unit);
  return std::to_string(scaled / unit) + "." + digits.substr(1);
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
  if (!whole)
    return "1.0000";
  return decimal((unsigned long long)std::ceil((long double)part /
                                               (long double)whole * 10000.0L),
                 10000);
}

std::string inSeconds(double seconds) {
  return decimal((unsigned long long)(seconds * 1e6 + 0.5), 1000000);
}

} // namespace transient::planner
