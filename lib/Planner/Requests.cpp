//===- Requests.cpp - Seed S0's planner under its own rules ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Q17's validation in front of `slots-best-fit`.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Requests.h"

#include "transient/Planner/Solve.h"

#include <new>

namespace transient::planner {

Result<TransientPlan>
planTransientRequests(const std::vector<TransientRequest> &requests) try {
  Problem problem;
  for (const TransientRequest &request : requests) {
    if (!request.id.empty() && !request.bytes)
      return Error{ErrorKind::ZeroBytes, request.id,
                   "request '" + request.id +
                       "' has 0 bytes, expected a positive size"};
    Buffer buffer;
    buffer.id = request.id;
    buffer.bytes = request.bytes;
    buffer.usage = request.usage;
    buffer.first = {request.firstNode};
    buffer.last = {request.lastNode};
    problem.buffers.push_back(std::move(buffer));
  }
  SolveOptions options;
  options.strategy = Strategy::Slots;
  options.algorithm = "slots-best-fit";
  auto plan = solve(problem, options);
  if (!plan)
    return plan.error();

  TransientPlan result;
  for (const Placement &placement : plan->placements)
    result.assignments.push_back(*placement.physical);
  for (const PhysicalBuffer &physical : plan->physicals)
    result.allocations.push_back({physical.bytes, physical.usage});
  result.logicalBytes = plan->logicalBytes;
  result.physicalBytes = plan->physicalBytes;
  result.savedBytes = plan->savedBytes;
  return result;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "",
               "out of memory while planning requests"};
}

} // namespace transient::planner
