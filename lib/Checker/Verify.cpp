//===- Verify.cpp - Prove that shared storage may be shared ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: for each function, follow memrefs, collect accesses to storage
// where a proof is needed, recompute order, apply the rules. Bodies that run
// concurrently are scopes of their own for what they allocate.
//
//===----------------------------------------------------------------------===//

#include "transient/Checker/Passes.h"

#include "Queries.h"
#include "Report.h"
#include "Rules.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTVERIFYPASS
#include "transient/Checker/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;
using namespace transient::checker;

namespace {

/// Accesses in one scope up to which bit sets are built (1.2 GB).
constexpr size_t maxNodes = 100000;

struct TransientVerifyPass
    : public transient::impl::TransientVerifyPassBase<TransientVerifyPass> {
  using TransientVerifyPassBase::TransientVerifyPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientVerifyPassBase::getDependentDialects(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override;

private:
  bool verifyFunction(Operation *function, AccessAnalysis &accesses);
  void verifyScope(Operation *top, const StorageMap &storage,
                   AccessAnalysis &accesses, Report &report);
};

/// The leaves and atomic ops of a scope, in textual order.
void collectSteps(Region &region, SmallVectorImpl<Operation *> &steps) {
  for (Block &block : region)
    for (Operation &op : block)
      switch (getShape(&op)) {
      case OpShape::Structured:
        for (Region &inner : op.getRegions())
          collectSteps(inner, steps);
        break;
      case OpShape::Leaf:
      case OpShape::Atomic:
        steps.push_back(&op);
        break;
      case OpShape::Skipped:
        break;
      }
}

} // namespace

void TransientVerifyPass::verifyScope(Operation *top, const StorageMap &storage,
                                      AccessAnalysis &accesses,
                                      Report &report) {
  SmallVector<Operation *> steps;
  for (Region &region : top->getRegions())
    collectSteps(region, steps);
  // Where a body may run several times at once, only what it allocates by itself
  // is anyone's own. That of an `async.execute` runs once.
  bool isNested = !isa<FunctionOpInterface, async::ExecuteOp>(top);

  SmallVector<Node> nodes;
  for (Operation *op : steps) {
    Behaviour behaviour = accesses.getBehaviour(op, storage);
    if (isNested)
      llvm::erase_if(behaviour.accesses, [&](const Access &access) {
        Operation *root = storage.getRoots()[access.range.root].op;
        return !root || !top->isProperAncestor(root);
      });
    if (!behaviour.accesses.empty())
      nodes.push_back({op, std::move(behaviour)});
  }

  // A proof is needed where tenants share, where storage is freed, and where
  // work is asynchronous. Everything else is the host's own sequence.
  llvm::BitVector isOfInterest(storage.getRoots().size());
  for (const Tenant &tenant : storage.getTenants())
    if (tenant.kind != Tenant::Whole)
      isOfInterest.set(tenant.root);
  for (const Node &node : nodes)
    for (const Access &access : node.behaviour.accesses)
      if (node.behaviour.completion != Completion::Blocking || !access.isUse())
        isOfInterest.set(access.range.root);
  for (Node &node : nodes)
    llvm::erase_if(node.behaviour.accesses, [&](const Access &access) {
      return !isOfInterest.test(access.range.root);
    });
  llvm::erase_if(
      nodes, [](const Node &node) { return node.behaviour.accesses.empty(); });

  if (nodes.size() > maxNodes)
    report.add(Report::Undecided, top,
               "a function with " + std::to_string(nodes.size()) +
                   " accesses to shared or freed storage: the limit is " +
                   std::to_string(maxNodes));
  else if (!nodes.empty())
    checkScope(Scope(top, std::move(nodes)), storage, report);

  // What atomic ops allocate for themselves.
  for (Operation *op : steps) {
    if (op->getNumRegions() == 0 || isa<linalg::LinalgOp, gpu::LaunchOp>(op))
      continue;
    if (isa<async::ExecuteOp>(op)) {
      verifyScope(op, storage, accesses, report);
      continue;
    }
    bool allocates = llvm::any_of(storage.getRoots(), [&](const Root &root) {
      return root.op && root.kind == Root::Allocation &&
             op->isProperAncestor(root.op);
    });
    // Requests placed inside: every iteration has its own, in one place.
    op->walk([&](AllocOp request) {
      if (request.getPlacementAttr())
        report.add(Report::Undecided, request,
                   "whether iterations of '" +
                       op->getName().getStringRef().str() +
                       "' that run at the same time use one placement");
    });
    if (!allocates)
      continue;
    if (runsConcurrently(op))
      verifyScope(op, storage, accesses, report);
    else
      report.add(Report::Undecided, op,
                 "what the regions of this op do with storage that they "
                 "allocate");
  }
}

bool TransientVerifyPass::verifyFunction(Operation *function,
                                         AccessAnalysis &accesses) {
  StorageMap storage(function, viewsAreTenants);
  Report report;
  for (const ViewFinding &finding : storage.getFindings()) {
    SmallVector<Report::Note> notes;
    if (finding.other && finding.other != finding.op)
      notes.push_back({finding.other->getLoc(), finding.note.str()});
    report.add(finding.undecided ? Report::Undecided : Report::Error,
               finding.op, finding.message, std::move(notes));
  }
  checkQueries(function, report);
  verifyScope(function, storage, accesses, report);
  return report.emit(function, strict, maxErrors);
}

void TransientVerifyPass::runOnOperation() {
  SymbolTableCollection symbols;
  AccessAnalysis accesses(symbols);
  bool failed = false;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Kernels are device code: what they do is part of their launches.
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (function && !function.isExternal()) {
      failed |= verifyFunction(op, accesses);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  if (failed)
    signalPassFailure();
  markAllAnalysesPreserved();
}
