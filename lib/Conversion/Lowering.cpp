//===- Lowering.cpp - What both lowerings share ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace transient {

ReleasePoint findReleasePoint(Value storage, const BufferUseAnalysis &uses,
                              const ExecutionOrder &order) {
  ReleasePoint release;
  Region &body = order.getFunction()->getRegion(0);
  if (order.getUnsupportedReason()) {
    release.unknown = *order.getUnsupportedReason();
    release.culprit = order.getFunction();
    return release;
  }
  release.terminator = body.front().getTerminator();
  std::optional<unsigned> end = order.getNode(release.terminator);
  std::vector<planner::NodeId> users;
  for (const BufferUse &use : uses.collect(storage).uses) {
    if (use.kind == BufferUse::Free)
      continue;
    std::optional<unsigned> node = order.getNode(use.getOp());
    const Completion *completion =
        node ? &order.getNodes()[*node].completion : nullptr;
    if (use.kind == BufferUse::Escape)
      release.unknown = "it " + use.route;
    else if (!completion)
      release.unknown = "an access has no place in the order";
    else if (completion->kind == Completion::Unknown)
      release.unknown = completion->reason;
    if (release.unknown) {
      release.culprit = use.getOp();
      return release;
    }
    users.push_back(*node);
  }
  for (planner::NodeId user : order.getPartialOrder()->maximal(users)) {
    if (end && order.endsBeforeStart(user, *end))
      continue;
    Operation *op = order.getNodes()[user].op;
    auto async = dyn_cast<gpu::AsyncOpInterface>(op);
    if (!async || !async.getAsyncToken()) {
      release.unknown = "the end of a user is not proved at the return";
      release.culprit = op;
      return release;
    }
    release.tokens.push_back(async.getAsyncToken());
  }
  return release;
}

void lowerViews(ArenaOp arena, Value storage) {
  for (Operation *user :
       llvm::make_early_inc_range(arena.getStorage().getUsers())) {
    auto view = dyn_cast<ViewOp>(user);
    if (!view)
      continue;
    OpBuilder builder(view);
    Value offset = arith::ConstantIndexOp::create(builder, view.getLoc(),
                                                  view.getOffset());
    auto lowered = memref::ViewOp::create(builder, view.getLoc(),
                                          view.getBuffer().getType(), storage,
                                          offset, ValueRange());
    lowered->setDiscardableAttr(TransientDialect::getTenantAttrName(),
                                view.getTenantAttr());
    view.getBuffer().replaceAllUsesWith(lowered.getResult());
    view.erase();
  }
  arena.getStorage().replaceAllUsesWith(storage);
}

void remarkNotFreed(Location location, const ReleasePoint &release) {
  InFlightDiagnostic remark = emitRemark(location)
                              << "storage is not freed: " << *release.unknown;
  if (release.culprit)
    remark.attachNote(release.culprit->getLoc()) << "here";
}

} // namespace transient
