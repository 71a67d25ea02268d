//===- Requests.h - Seed S0's planner under its own rules --------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transient lifetime reuse as luma.gl's GPU Core does it: declared requests in
// one total order of nodes, whole allocations re-used, greedy best fit. The
// stricter validation of requests (Q17: no zero bytes) lives here; the
// algorithm is `slots-best-fit` of Solve.h. For graph engines without MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_REQUESTS_H
#define TRANSIENT_PLANNER_REQUESTS_H

#include "transient/Planner/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace transient::planner {

/// One declared request. Nodes are INCLUSIVE at both ends (Q11).
struct TransientRequest {
  std::string id;
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;
  std::uint64_t firstNode = 0, lastNode = 0;
};

/// One physical allocation; size and usage are those of its first tenant.
struct TransientAllocation {
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;
};

/// Who got what.
struct TransientPlan {
  /// By request index: index into `allocations`.
  std::vector<std::uint32_t> assignments;
  /// In order of creation.
  std::vector<TransientAllocation> allocations;
  std::uint64_t logicalBytes = 0;  ///< Sum of requests.
  std::uint64_t physicalBytes = 0; ///< Sum of allocations.
  std::uint64_t savedBytes = 0;    ///< Difference (Q5).
};

/// Plans `requests` (Q1-Q18). Deterministic. Fails with EmptyId, DuplicateId,
/// ZeroBytes, BadLifetime (last before first) or Overflow.
Result<TransientPlan>
planTransientRequests(const std::vector<TransientRequest> &requests);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_REQUESTS_H
