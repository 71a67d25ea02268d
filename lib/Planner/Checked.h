//===- Checked.h - 64-bit arithmetic that notices overflow -------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the planner. Unsigned 64-bit sums, products and roundings that
// give nothing instead of a wrapped number. Not used by the checker, which
// brings its own.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_PLANNER_CHECKED_H
#define TRANSIENT_LIB_PLANNER_CHECKED_H

#include <cstdint>
#include <optional>

namespace transient::planner {

inline std::optional<std::uint64_t> checkedAdd(std::uint64_t a,
                                               std::uint64_t b) {
  if (a > UINT64_MAX - b)
    return std::nullopt;
  return a + b;
}

inline std::optional<std::uint64_t> checkedMul(std::uint64_t a,
                                               std::uint64_t b) {
  if (b && a > UINT64_MAX / b)
    return std::nullopt;
  return a * b;
}

inline bool isPowerOfTwo(std::uint64_t value) {
  return value && !(value & (value - 1));
}

/// `value` rounded up to a multiple of the power of two `align`.
inline std::optional<std::uint64_t> checkedAlignTo(std::uint64_t value,
                                                   std::uint64_t align) {
  auto sum = checkedAdd(value, align - 1);
  if (!sum)
    return std::nullopt;
  return *sum & ~(align - 1);
}

/// The same where the caller knows that it fits.
inline std::uint64_t alignTo(std::uint64_t value, std::uint64_t align) {
  return (value + (align - 1)) & ~(align - 1);
}

} // namespace transient::planner

#endif // TRANSIENT_LIB_PLANNER_CHECKED_H
