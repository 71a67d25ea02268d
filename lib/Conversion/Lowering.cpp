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

ReleasePoint findReleasePoint(Value storage, const BufferUses &uses,
                              const ExecutionOrder &order) {
  ReleasePoint release;
  Region &body = order.getFunction()->getRegion(0);
  if (order.getUnsupportedReason()) {
    release.unknown = *order.getUnsupportedReason();
    release.culprit = order.getFunction();
    return release;
  }
  for (Block &block : body)
    if (block.mightHaveTerminator() && block.getNumSuccessors() == 0)
      release.returns.push_back(block.getTerminator());
  if (storage.getParentBlock() != &body.front()) {
    release.unknown = storage.getParentRegion() == &body
                          ? "it is allocated in a block that not every return "
                            "follows"
                          : "it is allocated in a nested region";
    return release;
  }
  auto fail = [&](const Twine &reason, Operation *culprit) {
    release.tokens.clear();
    release.unknown = reason.str();
    release.culprit = culprit;
    return release;
  };
  std::vector<planner::NodeId> users;
  for (const BufferUse &use : uses.uses) {
    if (use.kind == BufferUse::Free)
      continue;
    if (use.kind == BufferUse::Escape)
      return fail("it " + use.route, use.getOp());
    std::optional<unsigned> node = order.getNode(use.getOp());
    if (!node)
      return fail("an access has no place in the order", use.getOp());
    const Completion &completion = order.getNodes()[*node].completion;
    if (completion.kind == Completion::Unknown)
      return fail(completion.reason, use.getOp());
    users.push_back(*node);
  }
  // A user in a branch does not stand for one before it, at a return that the
  // branch does not lead to.
  if (release.returns.size() == 1)
    users = order.getPartialOrder()->maximal(users);
  for (Operation *terminator : release.returns) {
    std::optional<unsigned> end = order.getNode(terminator);
    for (planner::NodeId user : users) {
      if (end && (order.endsBeforeStart(user, *end) ||
                  order.areExclusive(user, *end)))
        continue;
      Operation *op = order.getNodes()[user].op;
      auto async = dyn_cast<gpu::AsyncOpInterface>(op);
      if (!async || !async.getAsyncToken() ||
          op->getBlock() != terminator->getBlock() ||
          release.returns.size() != 1)
        return fail("the end of a user is not proved at the return", op);
      release.tokens.push_back(async.getAsyncToken());
    }
  }
  return release;
}

void lowerView(ViewOp view, Value storage) {
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

void lowerViews(ArenaOp arena, Value storage) {
  for (Operation *user :
       llvm::make_early_inc_range(arena.getStorage().getUsers()))
    if (auto view = dyn_cast<ViewOp>(user))
      lowerView(view, storage);
  arena.getStorage().replaceAllUsesWith(storage);
}

void remarkNotFreed(Location location, const ReleasePoint &release) {
  InFlightDiagnostic remark = emitRemark(location)
                              << "storage is not freed: " << *release.unknown;
  if (release.culprit)
    remark.attachNote(release.culprit->getLoc()) << "here";
}

} // namespace transient
