//===- Generate.h - Seeded random problems -----------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instances for tests and experiments: the same seed gives the same problem on
// every platform, because the generator is ours (SplitMix64) and not the
// standard library's. Random instances are no model of real programs; see
// docs/Planner.md for those.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_GENERATE_H
#define TRANSIENT_PLANNER_GENERATE_H

#include "transient/Planner/Problem.h"

#include <cstdint>

namespace transient::planner {

/// What to generate.
struct GenerateOptions {
  enum class Kind {
    Intervals, ///< Lifetimes in the total order of the integers.
    Dag,       ///< Work on several streams with cross-stream edges.
  };
  Kind kind = Kind::Intervals;
  std::uint64_t seed = 1;
  std::uint32_t buffers = 100;
  /// Intervals: about how many buffers are live at once. Dag: streams.
  std::uint32_t width = 8;
  enum class Sizes {
    Uniform,     ///< Uniform in [1, maxBytes]: the hard case for packing.
    Skewed,      ///< Most are small and short-lived, as in programs.
    HeavyTailed, ///< Half as many of twice the size (Pareto, exponent 1): a few
                 ///< large ones make the peak, as in networks.
  };
  Sizes sizes = Sizes::Uniform;
  /// No size is larger, but for rounding up to `alignment`.
  std::uint64_t maxBytes = 1 << 20;
  std::uint64_t alignment = 1;
  /// Dag: largest number of readers a buffer has.
  std::uint32_t maxReaders = 3;
};

/// A valid problem. Fails with BadAlignment, or ZeroBytes when `maxBytes` is 0.
Result<Problem> generate(const GenerateOptions &options);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_GENERATE_H
