//===- InPlace.cpp - Results that may take an operand's buffer ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said of two requests and of the order around an op; the op itself is
// looked into by Elementwise.cpp.
//
// Why the order is enough: nothing but the op touches both buffers, for it
// would have to be before the op and after it. So on one buffer all that the
// operand was used for is over when the op starts, and all that the result is
// used for finds what the op has left. What the op does not write of the result
// was never written, and may hold anything.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/InPlace.h"

#include "Elementwise.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace transient {

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

std::vector<InPlacePair>
findInPlacePairs(const std::vector<BufferRecord> &records,
                 const BufferUseAnalysis &uses) {
  struct Use {
    unsigned position = 0, record = 0;
    const BufferUse *use = nullptr;
  };
  std::vector<Use> reads, writes;
  for (auto [index, record] : llvm::enumerate(records)) {
    if (!isa_and_nonnull<AllocOp>(record.op))
      continue;
    for (const BufferUse &use : record.uses.uses) {
      if (use.kind != BufferUse::Access || !use.modeProved ||
          !isa<linalg::LinalgOp, gpu::LaunchFuncOp>(use.getOp()))
        continue;
      Use entry{uses.getPosition(use.getOp()), static_cast<unsigned>(index),
                &use};
      if (use.mode == AccessMode::Read)
        reads.push_back(entry);
      else if (use.mode == AccessMode::Write)
        writes.push_back(entry);
    }
  }
  auto isBefore = [](const Use &a, const Use &b) {
    return std::make_pair(a.position, a.use->operand->getOperandNumber()) <
           std::make_pair(b.position, b.use->operand->getOperandNumber());
  };
  llvm::stable_sort(reads, isBefore);
  llvm::stable_sort(writes, isBefore);
  std::vector<InPlacePair> pairs;
  for (const Use &write : writes) {
    auto read = llvm::lower_bound(reads, write.position,
                                  [](const Use &use, unsigned position) {
                                    return use.position < position;
                                  });
    size_t first = pairs.size();
    auto isKnown = [&](unsigned record) {
      return llvm::any_of(
          llvm::drop_begin(pairs, first),
          [&](const InPlacePair &pair) { return pair.operand == record; });
    };
    for (; read != reads.end() && read->position == write.position; ++read)
      if (records[read->record].type == records[write.record].type &&
          !isKnown(read->record))
        pairs.push_back({write.use->getOp(), read->record, write.record,
                         read->use->operand, write.use->operand});
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

static InPlaceObstacle makeObstacle(const Twine &reason,
                                    Operation *op = nullptr,
                                    StringRef note = "here") {
  return {reason.str(), op, note.str()};
}

/// What the request of `record`, called `name`, says against it.
static std::optional<InPlaceObstacle>
findRequestObstacle(const BufferRecord &record, StringRef name) {
  auto request = cast<AllocOp>(record.op);
  if (!record.isPlannable()) {
    const BlockedFact &fact = record.blocked.front();
    return makeObstacle(name + " is not planned: it " + fact.reason, fact.op);
  }
  if (request.getLifetimeAttr() || request.getPlacementAttr() ||
      request.getWorkspaceAttr())
    return makeObstacle(name + " has a lifetime or a place already", request);
  std::optional<ResourceClass> declared = request.getResourceClass();
  if (declared && *declared != ResourceClass::Transient)
    return makeObstacle(name + " is of class '" +
                            stringifyResourceClass(*declared) +
                            "', not 'transient'",
                        request);
  return std::nullopt;
}

/// In what two requests of one type differ; empty if in nothing that matters.
static StringRef findDifference(AllocOp a, AllocOp b) {
  if (a.getKind() != b.getKind())
    return "kind";
  if (a.getUsageAttr() != b.getUsageAttr())
    return "usage";
  if (a.getOwnerAttr() != b.getOwnerAttr())
    return "owner";
  if (a->getDiscardableAttrDictionary() != b->getDiscardableAttrDictionary())
    return "other attributes";
  return "";
}

/// Whether `record` is live throughout a loop that its allocation is inside of.
static bool livesOnInLoop(const BufferRecord &record,
                          const ExecutionOrder &order) {
  std::optional<unsigned> frame = order.getFrame(record.op);
  return !frame || llvm::any_of(record.spannedLoops, [&](unsigned loop) {
    return order.isInFrame(*frame, order.getLoops()[loop].frame);
  });
}

static std::optional<InPlaceObstacle>
findOrderObstacle(const InPlacePair &pair, const BufferRecord &operand,
                  const BufferRecord &result, const ExecutionOrder &order) {
  unsigned node = *order.getNode(pair.op);
  auto isOther = [&](const BufferUse &use, OpOperand *own) {
    return use.operand != own && use.kind == BufferUse::Access;
  };
  for (const BufferRecord *record : {&operand, &result}) {
    for (const BufferUse &use : record->uses.uses) {
      if (use.kind == BufferUse::Free)
        return makeObstacle("the operand or the result is freed", use.getOp());
      if (use.operand != pair.read && use.operand != pair.write &&
          pair.op->isAncestor(use.getOp()))
        return makeObstacle(
            "this op uses the operand or the result in another way, too",
            use.getOp());
    }
  }
  for (const BufferUse &use : operand.uses.uses) {
    std::optional<unsigned> other = order.getNode(use.getOp());
    if (!isOther(use, pair.read) ||
        (other && order.endsBeforeStart(*other, node)))
      continue;
    if (other && order.endsBeforeStart(node, *other))
      return makeObstacle("the operand is needed after this op", use.getOp(),
                          "by this access");
    return makeObstacle("the operand may be accessed while this op runs",
                        use.getOp(),
                        "by this access, which is not proved to end before");
  }
  for (const BufferUse &use : result.uses.uses) {
    std::optional<unsigned> other = order.getNode(use.getOp());
    if (!isOther(use, pair.write) ||
        (other && order.endsBeforeStart(node, *other)))
      continue;
    if (other && order.endsBeforeStart(*other, node))
      return makeObstacle("the result is in use before this op", use.getOp(),
                          "by this access");
    return makeObstacle("the result may be accessed while this op runs",
                        use.getOp(),
                        "by this access, which is not proved to start after");
  }
  return std::nullopt;
}

/// What is in the way around the op.
static std::optional<InPlaceObstacle>
findOuterObstacle(const InPlacePair &pair, const BufferRecord &operand,
                  const BufferRecord &result, const ExecutionOrder &order) {
  for (auto [record, name] : {std::make_pair(&operand, "the operand"),
                              std::make_pair(&result, "the result")})
    if (auto obstacle = findRequestObstacle(*record, name))
      return obstacle;
  if (auto obstacle = findOrderObstacle(pair, operand, result, order))
    return obstacle;
  for (const BufferRecord *record : {&operand, &result})
    if (record->op->getBlock() != pair.op->getBlock())
      return makeObstacle("a buffer is requested in another block than that of "
                          "this op",
                          record->op);
  for (const BufferRecord *record : {&operand, &result})
    if (livesOnInLoop(*record, order))
      return makeObstacle("a buffer's accesses may go on in the next iteration",
                          record->op, "requested here");
  StringRef difference =
      findDifference(cast<AllocOp>(operand.op), cast<AllocOp>(result.op));
  if (!difference.empty())
    return makeObstacle("the operand and the result differ in " + difference,
                        result.op, "the result is requested here");
  return std::nullopt;
}

std::optional<InPlaceObstacle>
findInPlaceObstacle(const InPlacePair &pair, const BufferRecord &operand,
                    const BufferRecord &result, const ExecutionOrder &order,
                    SymbolTableCollection &symbols) {
  std::optional<unsigned> node = order.getNode(pair.op);
  InPlaceObstacle expected;
  expected.isExpected = true;
  // Part of something else that is one piece of work, or of no order at all.
  if (!node || order.getNodes()[*node].op != pair.op)
    return expected;
  std::optional<InPlaceObstacle> inner =
      findElementwiseObstacle(pair, operand.value, result.value, symbols);
  if (inner && inner->isExpected)
    return inner;
  std::optional<InPlaceObstacle> outer =
      findOuterObstacle(pair, operand, result, order);
  if (inner && outer)
    return expected;
  return inner ? inner : outer;
}

} // namespace transient
