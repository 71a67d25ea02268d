//===- ReportData.h - What a report says, before it is written -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of one function, and who writes which part of them. Private to
// transient-report.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_TRANSFORMS_REPORTDATA_H
#define TRANSIENT_LIB_TRANSFORMS_REPORTDATA_H

#include "transient/Analysis/BufferInventory.h"
#include "transient/Analysis/CallTree.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/Planner/Bound.h"
#include "transient/Planner/Plan.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace transient {

/// `file:line:column`, or the location as it prints.
std::string toString(mlir::Location location);

/// Counts each allocation of the program once, however many values it was split
/// into.
class AllocationCounter {
public:
  /// Whether `op` is the first of its allocation that is asked about.
  bool isFirst(mlir::Operation *op) {
    auto request = llvm::dyn_cast<AllocOp>(op);
    std::optional<uint64_t> group = request ? request.getWebOf() : std::nullopt;
    return !group || ++websOf[*group] == 1;
  }
  uint64_t getSplit() const { return websOf.size(); }
  uint64_t getWebs() const {
    uint64_t webs = 0;
    for (auto [group, count] : websOf)
      webs += count;
    return webs;
  }

private:
  std::map<uint64_t, uint64_t> websOf;
};

/// Which functions take their storage from all of their callers (B4).
class ServedFunctions {
public:
  ServedFunctions(mlir::ModuleOp module, KernelAccessCache &kernels);

  /// The calls that pass storage to `function`; empty if it has its own.
  llvm::ArrayRef<mlir::func::CallOp>
  getCalls(mlir::FunctionOpInterface function) const;
  /// Whether `request` is a workspace that nobody takes: not every call of the
  /// callee has one.
  bool isVoid(AllocOp request) const;

private:
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::func::CallOp>> calls;
  llvm::DenseSet<mlir::Operation *> serving;
};

/// Two buffers and the first condition for sharing that they do not meet (G0).
struct UnprovedPair {
  unsigned a = 0, b = 0;
  std::string condition, reason;
};

/// All numbers about one function, gathered before anything is written.
struct FunctionReport {
  mlir::FunctionOpInterface function;
  KernelAccessCache *kernels = nullptr;
  std::unique_ptr<ExecutionOrder> order;
  std::unique_ptr<BufferInventory> inventory;
  PlanningProblem built;
  planner::Plan plan;
  /// Problem index of the request at an allocation's index, if it is placed.
  std::map<unsigned, unsigned> problemIndex;
  planner::Bound lowerBound, peakUpper;
  /// Without the preconditions; the same if there are none.
  planner::Bound unconditionalLowerBound;
  /// The least order that would lower `lowerBound`; without edges if none that
  /// can be realised does.
  planner::OrderingProposal cut;
  AllocationCounter allocations;
  uint64_t logical = 0, unplanned = 0, unknownCount = 0;
  /// The calls that pass in all of `plan`; empty if the storage is the
  /// function's own.
  llvm::ArrayRef<mlir::func::CallOp> servingCalls;
  /// Records of workspaces that nobody takes: they hold no storage.
  llvm::DenseSet<unsigned> voidWorkspaces;
  /// Workspaces alone: bytes that some execution needs at once, and that none
  /// exceeds. They differ where exclusivity is not proved (D4).
  uint64_t workspaceLower = 0, workspaceUpper = 0;
  bool hasWorkspaces = false, workspacesProved = true;

  /// By problem index. Pairs where the second takes bytes over directly from
  /// the first, all conditions proved; and pairs that lie in the same bytes
  /// without that, in a plan that was edited.
  std::vector<std::pair<unsigned, unsigned>> takeovers;
  std::vector<UnprovedPair> unprovedPairs;
  /// How many pairs overlap in bytes, directly or not.
  uint64_t overlappingPairs = 0;

  /// The allocations that a report lists: all but void workspaces.
  bool isListed(const BufferRecord &record) const {
    return record.kind == BufferRecord::Allocation &&
           !voidWorkspaces.contains(record.id);
  }
};

/// Fills `report`, whose function and kernels are set. Emits an error on failure.
mlir::LogicalResult gatherReport(FunctionReport &report,
                                 const ServedFunctions &served);

/// Checks the conditions for sharing for every pair that overlaps in bytes, and
/// fills `takeovers`, `unprovedPairs` and `overlappingPairs`. Cost as for
/// planner::verify.
void checkSharing(FunctionReport &report);

/// Writes one function's object.
void writeFunctionReport(llvm::json::OStream &json,
                         const FunctionReport &report);

/// Writes the elements of `inventory`: every material object that the function
/// touches, with its ten audit fields (A1-A3), and views (A2).
void writeInventory(llvm::json::OStream &json, const FunctionReport &report);
/// Writes the elements of `excluded`: what is no resource, and why (A4).
void writeExcluded(llvm::json::OStream &json, const FunctionReport &report);
/// Writes the elements of `sharing`: who takes over from whom, and the proof.
void writeSharing(llvm::json::OStream &json, const FunctionReport &report);
/// Writes `sharing_counts`: how many of these hold in every execution, and how
/// many if the preconditions do (G9).
void writeSharingCounts(llvm::json::OStream &json,
                        const FunctionReport &report);
/// Writes `ordering`: the preconditions, and which order would cut the peak
/// (G2b, N2).
void writeOrdering(llvm::json::OStream &json, const FunctionReport &report);
/// Writes the elements of `rejected`: why the largest residents of the peak
/// cannot share with each other.
void writeRejected(llvm::json::OStream &json, const FunctionReport &report);

} // namespace transient

#endif // TRANSIENT_LIB_TRANSFORMS_REPORTDATA_H
