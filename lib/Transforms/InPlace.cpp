//===- InPlace.cpp - Write results in place of operands -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-in-place. Takes pairs in program order, and keeps the records
// of merged requests up to date instead of looking at the function again: the
// accesses stay the same ops, so their order stays what it was.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/InPlace.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"
#include "transient/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTINPLACEPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// Makes `operand` stand for `result`, too.
void mergeRequests(AllocOp operand, AllocOp result) {
  Builder builder(operand.getContext());
  // Views of the result may stand before the operand's request.
  if (result->isBeforeInBlock(operand))
    operand->moveBefore(result);
  operand->setLoc(builder.getFusedLoc({operand.getLoc(), result.getLoc()}));
  uint64_t alignment = std::max(operand.getAlignment().value_or(0),
                                result.getAlignment().value_or(0));
  if (alignment != 0)
    operand.setAlignmentAttr(builder.getI64IntegerAttr(alignment));
  operand.setInPlaceAttr(builder.getI64IntegerAttr(
      operand.getInPlace().value_or(0) + result.getInPlace().value_or(0) + 1));
  result.getBuffer().replaceAllUsesWith(operand.getBuffer());
  result.erase();
}

struct InPlacePass
    : public transient::impl::TransientInPlacePassBase<InPlacePass> {
  using TransientInPlacePassBase::TransientInPlacePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientInPlacePassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      runOnFunction(function, kernels);
  }

  void runOnFunction(FunctionOpInterface function, KernelAccessCache &kernels) {
    bool hasRequests = false;
    function->walk([&](AllocOp) { hasRequests = true; });
    if (!hasRequests)
      return;
    ExecutionOrder order(function, kernels);
    BufferInventory inventory(function, order, kernels,
                              /*allocationsOnly=*/true);
    std::vector<BufferRecord> records = inventory.getRecords();
    // Into which record each has been merged: itself, or an earlier operand.
    std::vector<unsigned> mergedInto(records.size());
    for (unsigned index = 0; index < records.size(); ++index)
      mergedInto[index] = index;
    auto find = [&](unsigned index) {
      while (mergedInto[index] != index)
        index = mergedInto[index] = mergedInto[mergedInto[index]];
      return index;
    };
    std::vector<InPlacePair> pairs =
        findInPlacePairs(records, inventory.getUses());
    for (size_t first = 0, last = 0; first < pairs.size(); first = last) {
      // All operands for one result: the first that can, or all reasons.
      std::vector<std::pair<unsigned, InPlaceObstacle>> obstacles;
      bool isMerged = false;
      for (; last < pairs.size() && pairs[last].write == pairs[first].write;
           ++last) {
        unsigned a = find(pairs[last].operand), b = find(pairs[last].result);
        if (isMerged || a == b)
          continue;
        std::optional<InPlaceObstacle> obstacle = findObstacle(
            pairs[last], records[a], records[b], order, kernels.getSymbols());
        isMerged = !obstacle;
        if (obstacle) {
          obstacles.push_back({a, std::move(*obstacle)});
          continue;
        }
        mergeRequests(cast<AllocOp>(records[a].op),
                      cast<AllocOp>(records[b].op));
        mergeRecords(records[a], records[b]);
        mergedInto[b] = a;
      }
      if (isMerged)
        continue;
      for (const auto &[operand, obstacle] : obstacles)
        if (!obstacle.isExpected)
          remarkNotInPlace(pairs[first].op, records[operand], obstacle);
    }
  }

  std::optional<InPlaceObstacle>
  findObstacle(const InPlacePair &pair, const BufferRecord &operand,
               const BufferRecord &result, const ExecutionOrder &order,
               SymbolTableCollection &symbols) const {
    std::optional<InPlaceObstacle> obstacle =
        findInPlaceObstacle(pair, operand, result, order, symbols);
    // Ops that are no launches yet may become some.
    if (!obstacle && target == Target::WebGpu)
      return InPlaceObstacle{
          "target=webgpu lets no dispatch read and write one buffer", nullptr,
          ""};
    return obstacle;
  }

  static void mergeRecords(BufferRecord &operand, BufferRecord &result) {
    llvm::append_range(operand.uses.uses, result.uses.uses);
    result.uses = BufferUses();
  }

  static void remarkNotInPlace(Operation *op, const BufferRecord &operand,
                               const InPlaceObstacle &obstacle) {
    InFlightDiagnostic remark = op->emitRemark()
                                << "not written in place of "
                                << operand.getName() << ": " << obstacle.reason;
    if (obstacle.op)
      remark.attachNote(obstacle.op->getLoc()) << obstacle.note;
  }
};

} // namespace
