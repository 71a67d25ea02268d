//===- PlanCheck.cpp - The planner's own check, of damaged plans ----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "PlanCheck.h"

#include "transient/Analysis/ExecutionOrder.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/IR/Transient.h"
#include "transient/Planner/Verify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace transient::fuzz {

namespace {

/// What a view says of a plan.
struct Spelled {
  int64_t tenant = 0;
  uint64_t offset = 0, storageBytes = 0;
};

} // namespace

/// Nothing for an op that places no buffer.
static std::optional<Spelled> readView(Operation *op) {
  Spelled spelled;
  Value storage;
  if (auto view = dyn_cast<ViewOp>(op)) {
    spelled.tenant = view.getTenant();
    spelled.offset = view.getOffset();
    storage = view.getSource();
  } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
    auto tenant = op->getAttrOfType<IntegerAttr>("tenant");
    APInt shift;
    if (!tenant || !matchPattern(view.getByteShift(), m_ConstantInt(&shift)))
      return std::nullopt;
    spelled.tenant = tenant.getInt();
    spelled.offset = shift.getZExtValue();
    storage = view.getSource();
  } else {
    return std::nullopt;
  }
  spelled.storageBytes = cast<MemRefType>(storage.getType()).getDimSize(0);
  return spelled;
}

PlanCheck::PlanCheck(ModuleOp placed, unsigned alignment) {
  SymbolTableCollection symbols;
  KernelAccessCache kernels(symbols);
  placed.walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    ExecutionOrder order(function, kernels);
    PlacementRules rules{alignment, "option"};
    FailureOr<PlanningProblem> built =
        buildPlanningProblem(function, order, rules);
    if (failed(built))
      return;
    Function &entry = functions[function.getSymName().str()];
    entry.problem = std::move(built->problem);
    for (AllocOp request : built->requests) {
      std::optional<uint32_t> physical;
      if (PlacementAttr placement = request.getPlacementAttr())
        physical = static_cast<uint32_t>(placement.getPhysical());
      entry.physicals.push_back(physical);
    }
  });
}

std::string PlanCheck::findViolation(ModuleOp materialized) const {
  std::string found;
  materialized.walk([&](func::FuncOp op) {
    auto entry = functions.find(op.getSymName().str());
    if (!found.empty() || entry == functions.end())
      return;
    const Function &function = entry->second;
    std::map<std::string, unsigned> indices;
    for (auto [index, buffer] : llvm::enumerate(function.problem.buffers))
      indices[buffer.id] = index;
    planner::Plan plan;
    plan.placements.resize(function.problem.buffers.size());
    for (const std::optional<uint32_t> &physical : function.physicals)
      if (physical && plan.physicals.size() <= *physical)
        plan.physicals.resize(*physical + 1);
    op.walk([&](Operation *view) {
      std::optional<Spelled> spelled = readView(view);
      if (!spelled)
        return;
      auto known = indices.find("b" + std::to_string(spelled->tenant));
      // A buffer of no bytes is none to the planner.
      if (known == indices.end() || !function.physicals[known->second] ||
          function.problem.buffers[known->second].bytes == 0)
        return;
      const planner::Buffer &asked = function.problem.buffers[known->second];
      planner::Placement &placement = plan.placements[known->second];
      if (placement.physical && placement.offset != spelled->offset)
        found = asked.id + " lies in two places";
      placement.physical = function.physicals[known->second];
      placement.offset = spelled->offset;
      if (auto bytes = planner::alignedBytes(asked))
        placement.bytes = *bytes;
      planner::PhysicalBuffer &physical = plan.physicals[*placement.physical];
      physical.bytes = spelled->storageBytes;
      physical.alignment = std::max(physical.alignment, asked.alignment);
      physical.usage |= asked.usage;
      physical.space = asked.space;
    });
    planner::Problem problem = function.problem;
    for (auto [buffer, placement] :
         llvm::zip_equal(problem.buffers, plan.placements))
      buffer.unused |= !placement.physical;
    for (const planner::PhysicalBuffer &physical : plan.physicals)
      plan.physicalBytes += physical.bytes;
    // Totals are the report's business.
    for (const planner::Violation &violation : planner::verify(problem, plan))
      if (violation.rule != planner::Violation::Rule::Totals)
        found = violation.message;
  });
  return found;
}

} // namespace transient::fuzz
