//===- Solve.h - From a problem to a plan ------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one entry point of planning. Picks and runs algorithms; the result is a
// function of the problem and the options alone: no clock, no random numbers,
// no address or hash order, no thread (Q4). Does not check its own result:
// Verify.h does, and shares nothing with what is behind this header.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_SOLVE_H
#define TRANSIENT_PLANNER_SOLVE_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace transient::planner {

/// What a physical buffer is.
enum class Strategy {
  Arena, ///< One physical buffer a space, tenants at byte offsets (seed S3).
  Slots, ///< Whole physical buffers are re-used, all offsets zero (seed S0).
};

/// How long to go on where the cheap algorithms leave a gap to the bound.
/// Counted in steps of work, never in time, so that the result is the same on
/// every machine; a step is a few nanoseconds.
enum class Effort {
  Fast,   ///< Cheap algorithms; search only what is tiny: milliseconds.
  Normal, ///< Up to 1.2 * 10^9 steps of search a space, for about 300 to 500
          ///< buffers; fewer for fewer or more. Seconds, where needed.
  High,   ///< 3 * 10^10 steps: minutes.
  Max,    ///< 10^12 steps: about an hour.
};

/// Name as in `--effort=`. Never null.
const char *toString(Effort effort);

/// How far `solve` has come.
struct SolveProgress {
  std::uint64_t physicalBytes = 0; ///< Of the best layout of this space so far.
  std::uint64_t lowerBoundBytes = 0; ///< Of this space.
  std::uint64_t steps = 0;           ///< Of search, in this space.
  std::uint32_t space = 0;
};

/// Options of `solve`; the defaults are the ones of the tools.
struct SolveOptions {
  Strategy strategy = Strategy::Arena;
  /// One of `algorithmNames(strategy)`. "auto" means, for slots, exactly
  /// S0's planner, and for an arena: run the cheap algorithms in a fixed order,
  /// keep the smallest (the earliest of equals), stop at the lower bound.
  std::string algorithm = "auto";
  /// Offsets, fixed ones too, are multiples of this and of the buffer's own
  /// alignment. A power of two. 1: the buffers' alignments decide. S3's planner
  /// uses 256 (GroupPlan.h).
  std::uint64_t arenaAlign = 1;
  /// Bytes that all physical buffers together may take. The first plan within
  /// it is taken; without it plans are made as small as the effort allows.
  std::optional<std::uint64_t> capacity;
  /// Bytes that one physical buffer may have at most: arenas are split where
  /// they are larger, buffers never are.
  std::optional<std::uint64_t> maxBufferBytes;
  Effort effort = Effort::Normal;
  /// Steps of search a space, in place of those of `effort`.
  std::optional<std::uint64_t> steps;
  /// Called now and then during long searches, from the thread of `solve`.
  std::function<void(const SolveProgress &)> progress;
  /// Once it says true, the best plan so far is returned. May be null. The only
  /// option that can make two runs differ.
  const std::atomic<bool> *stop = nullptr;
};

/// Places every buffer that needs storage.
///
/// Fails with what `validate` finds, BadAlignment (arenaAlign), Infeasible
/// (the lower bound exceeds the capacity, or fixed offsets contradict
/// conflicts, the strategy or arenaAlign), DoesNotFit (the best plan found
/// exceeds the capacity), UnknownAlgorithm, Overflow, Resource.
///
/// Cost: intervals O(n log n) an algorithm for the dive, O(n * live) for first
/// fit by start, O(n^2) for greedy by size (which `auto` gives up after a
/// number of comparisons); partial order O(n * chains * log n) for the dive, a
/// number of times; then the steps of `effort` where a gap is left.
Result<Plan> solve(const Problem &problem, const SolveOptions &options = {});

/// Names that `SolveOptions::algorithm` accepts, "auto" first:
///  * slots-best-fit: S0 (Q1-Q19): first node ascending, bytes descending,
///    declaration order; least waste among whole buffers whose tenants all
///    precede; never grows, never widens usage.
///  * slots-greedy-by-size: largest first, into the smallest slot that has no
///    conflicting tenant (Pisarchyk and Lee 2020).
///  * slots-search: largest first, least idle time, then ruin and recreate of
///    slots against the bound of SlotBound.h.
///  * arena-first-fit: S3 (R18): start ascending, bytes descending, index;
///    lowest offset that is free.
///  * arena-greedy-by-size: bytes descending; lowest offset that is free.
///  * arena-best-fit-by-size: the same order, smallest gap that fits.
///  * arena-greedy-by-area: bytes times lifetime descending, first fit.
///  * arena-greedy-by-breadth: most bytes live during the buffer descending,
///    first fit (Pisarchyk and Lee 2020).
///  * arena-dive-{area,size,total-area,total-width,width,breadth}: lowest place
///    first; without fixed offsets, and in a total order without pairs.
///  * arena-critical-dive-{total-width,total-area,area,size,breadth}: likewise,
///    what the fullest moment of that place needs first; in a partial order the
///    dive of that rank.
///  * arena-squeaky-wheel: the dives, with what stuck out placed sooner.
///  * arena-search: all of these, then exact search; for at most 4096 buffers a
///    space and 4 million conflicts. `auto` is this wherever it applies.
std::vector<std::string> algorithmNames(Strategy strategy);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_SOLVE_H
