//===- ReportGather.cpp - A function's numbers for the report -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is computed again from the IR at hand.
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

#include "transient/Analysis/Preconditions.h"

using namespace mlir;

namespace transient {

std::string toString(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << location;
  return text;
}

ServedFunctions::ServedFunctions(ModuleOp module, KernelAccessCache &kernels) {
  DenseMap<Operation *, int64_t> placed;
  bool hasWorkspaces = false;
  module->walk([&](AllocOp request) {
    if (!request.getWorkspaceAttr())
      return;
    hasWorkspaces = true;
    if (func::CallOp call = getOwnerCall(request);
        call && request.getPlacementAttr())
      ++placed[call];
  });
  if (!hasWorkspaces)
    return;
  CallTree tree(module, kernels);
  for (FunctionOpInterface function : tree.getBottomUp()) {
    int64_t physicals = 0;
    function->walk([&](AllocOp request) {
      if (PlacementAttr placement = request.getPlacementAttr())
        physicals = std::max(physicals, placement.getPhysical() + 1);
    });
    ArrayRef<func::CallOp> sites = tree.getServingCalls(function);
    if (physicals == 0 || sites.empty() ||
        !llvm::all_of(sites, [&](func::CallOp call) {
          return placed.lookup(call) == physicals;
        }))
      continue;
    calls[function].assign(sites.begin(), sites.end());
    for (func::CallOp call : sites)
      serving.insert(call);
  }
}

ArrayRef<func::CallOp>
ServedFunctions::getCalls(FunctionOpInterface function) const {
  auto found = calls.find(function);
  if (found == calls.end())
    return {};
  return found->second;
}

bool ServedFunctions::isVoid(AllocOp request) const {
  return request.getWorkspaceAttr() &&
         !serving.contains(getOwnerCall(request).getOperation());
}

/// Adds to a byte count; on overflow emits an error that names the buffer.
static LogicalResult addBytes(uint64_t &sum, uint64_t bytes,
                       const BufferRecord &record) {
  if (__builtin_add_overflow(sum, bytes, &sum))
    return record.op->emitError()
           << "overflow: the sum of buffer sizes up to " << record.getName()
           << " needs more than 64 "
              "bits";
  return success();
}

static LogicalResult gatherPlacements(FunctionReport &report,
                                      const ServedFunctions &served) {
  planner::Plan &plan = report.plan;
  std::map<int64_t, planner::PhysicalBuffer> physicals;
  AllocationCounter allocations;
  for (auto [index, request] : llvm::enumerate(report.built.requests)) {
    const planner::Buffer &buffer = report.built.problem.buffers[index];
    planner::Placement placement;
    PlacementAttr attr = request.getPlacementAttr();
    if (attr && served.isVoid(request)) {
      // Its bytes are not asked for; the numbering stays.
      physicals[attr.getPhysical()].space = buffer.space;
    } else if (attr) {
      placement.physical = attr.getPhysical();
      placement.offset = attr.getOffset();
      placement.bytes = attr.getBytes();
      planner::PhysicalBuffer &physical = physicals[attr.getPhysical()];
      physical.bytes =
          std::max(physical.bytes, placement.offset + placement.bytes);
      physical.alignment = std::max(physical.alignment, buffer.alignment);
      physical.usage |= buffer.usage;
      physical.space = buffer.space;
      plan.paddingBytes += placement.bytes - buffer.bytes;
      if (allocations.isFirst(request))
        plan.logicalBytes += buffer.bytes;
    }
    plan.placements.push_back(placement);
  }
  for (auto &[index, physical] : physicals) {
    if (static_cast<size_t>(index) != plan.physicals.size())
      return emitError(report.function.getLoc())
             << "transient-report: expects physical buffers to be numbered "
                "from 0 without gaps, got "
             << index;
    plan.physicals.push_back(physical);
    plan.physicalBytes += physical.bytes;
  }
  return success();
}

/// What the workspaces need among themselves: those of owners that may run
/// together add up, those of ordered owners take turns (D3). One whose owner's
/// completion is unknown may be needed together with all others, or with none.
static LogicalResult gatherWorkspaces(FunctionReport &report) {
  planner::Problem problem = report.built.problem;
  for (planner::Buffer &buffer : problem.buffers)
    buffer.unused = true;
  uint64_t largest = 0, sum = 0;
  for (const BufferRecord &record : report.inventory->getRecords()) {
    if (!report.isListed(record) ||
        record.resourceClass != ResourceClass::Workspace)
      continue;
    report.hasWorkspaces = true;
    auto found = report.problemIndex.find(record.id);
    if (found != report.problemIndex.end()) {
      problem.buffers[found->second].unused = false;
      continue;
    }
    if (record.blocked.empty())
      continue;
    report.workspacesProved = false;
    if (!record.size.isKnown())
      continue;
    largest = std::max(largest, record.size.bytes);
    if (failed(addBytes(sum, record.size.bytes, record)))
      return failure();
  }
  if (!report.hasWorkspaces)
    return success();
  auto lower = planner::lowerBound(problem);
  auto upper = planner::peakUpper(problem);
  if (!lower || !upper)
    return emitError(report.function.getLoc())
           << "transient-report: "
           << (lower ? upper.error() : lower.error()).message;
  report.workspaceLower = std::max(lower->bytes, largest);
  report.workspaceUpper = upper->bytes + sum;
  report.workspacesProved &= lower->bytes == upper->bytes;
  return success();
}

/// What the peak would be with other order. Costs two more bounds, where any
/// work is unordered.
static LogicalResult gatherOrdering(FunctionReport &report) {
  report.unconditionalLowerBound = report.lowerBound;
  const planner::Problem &problem = report.built.problem;
  auto fail = [&](const planner::Error &error) {
    return emitError(report.function.getLoc())
           << "transient-report: " << error.message;
  };
  if (!report.built.preconditions.empty()) {
    planner::Problem without = problem;
    without.order = report.order->getPartialOrder();
    auto bound = planner::lowerBound(without);
    if (!bound)
      return fail(bound.error());
    report.unconditionalLowerBound = *bound;
  }
  if (!problem.order || problem.order->isTotal() || !report.lowerBound.bytes)
    return success();
  planner::OrderingOptions options;
  options.canWait = [&](planner::NodeId end, planner::NodeId start) {
    return !getWaitObstacle(*report.order, end, start);
  };
  auto cut =
      planner::proposeOrdering(problem, report.lowerBound.bytes - 1, options);
  if (!cut)
    return fail(cut.error());
  report.cut = std::move(*cut);
  return success();
}

LogicalResult gatherReport(FunctionReport &report,
                           const ServedFunctions &served) {
  FunctionOpInterface function = report.function;
  KernelAccessCache &kernels = *report.kernels;
  report.servingCalls = served.getCalls(function);
  report.order =
      std::make_unique<ExecutionOrder>(function, kernels);
  report.inventory =
      std::make_unique<BufferInventory>(function, *report.order, kernels);
  FailureOr<PlanningProblem> built =
      buildPlanningProblem(function, *report.order, PlacementRules());
  if (failed(built))
    return failure();
  report.built = std::move(*built);
  if (failed(gatherPlacements(report, served)))
    return failure();
  llvm::DenseMap<Operation *, unsigned> requests;
  for (auto [index, request] : llvm::enumerate(report.built.requests))
    if (request.getPlacementAttr() && !served.isVoid(request))
      requests[request] = index;
  for (const BufferRecord &record : report.inventory->getRecords()) {
    if (record.kind != BufferRecord::Allocation)
      continue;
    if (auto request = dyn_cast<AllocOp>(record.op);
        request && served.isVoid(request)) {
      report.voidWorkspaces.insert(record.id);
      continue;
    }
    bool isFirst = report.allocations.isFirst(record.op);
    if (!record.size.isKnown()) {
      ++report.unknownCount;
      continue;
    }
    if (isFirst && failed(addBytes(report.logical, record.size.bytes, record)))
      return failure();
    auto found = requests.find(record.op);
    if (found != requests.end())
      report.problemIndex[record.id] = found->second;
    else if (failed(addBytes(report.unplanned, record.size.bytes, record)))
      return failure();
  }
  // Bounds are over the planned buffers.
  for (auto [buffer, placement] :
       llvm::zip_equal(report.built.problem.buffers, report.plan.placements))
    buffer.unused = !placement.physical;
  auto bound = planner::lowerBound(report.built.problem);
  if (!bound)
    return emitError(function.getLoc())
           << "transient-report: " << bound.error().message;
  report.lowerBound = *bound;
  if (failed(gatherOrdering(report)))
    return failure();
  auto peak = planner::peakUpper(report.built.problem);
  if (!peak)
    return emitError(function.getLoc())
           << "transient-report: " << peak.error().message;
  report.peakUpper = *peak;
  report.plan.savedBytes =
      report.plan.logicalBytes > report.plan.physicalBytes
          ? report.plan.logicalBytes - report.plan.physicalBytes
          : 0;
  report.plan.lowerBoundBytes = bound->bytes;
  report.plan.lowerBoundExact = bound->exact;
  report.plan.algorithm = "from the IR";
  checkSharing(report);
  return gatherWorkspaces(report);
}

} // namespace transient
