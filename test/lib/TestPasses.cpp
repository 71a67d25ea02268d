//===- TestPasses.cpp - Passes that print what tests look at --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test-transient-order prints the order of events; test-transient-structure
// prints the sequence of work with its tokens, without names, storage or
// allocations, so that two programs can be compared by text;
// test-transient-overwrite remarks on the ops that overwrite a whole buffer.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "transient/Analysis/ExecutionOrder.h"
#include "transient/Analysis/Overwrite.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace transient;

namespace {

struct TestOrderPass
    : public PassWrapper<TestOrderPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOrderPass)
  StringRef getArgument() const final { return "test-transient-order"; }
  StringRef getDescription() const final {
    return "Print nodes, completion and direct predecessors";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerOrderedOpModels(registry);
  }
  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      ExecutionOrder(function, kernels).print(llvm::outs());
  }
};

struct TestStructurePass
    : public PassWrapper<TestStructurePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestStructurePass)
  StringRef getArgument() const final { return "test-transient-structure"; }
  StringRef getDescription() const final {
    return "Print the sequence of work with its tokens";
  }

  void runOnOperation() override {
    raw_ostream &os = llvm::outs();
    for (FunctionOpInterface function : getPlannedFunctions(getOperation())) {
      os << "@" << function.getName() << "\n";
      DenseMap<Value, unsigned> tokens;
      function->walk<WalkOrder::PreOrder>([&](Operation *op) {
        auto async = dyn_cast<gpu::AsyncOpInterface>(op);
        // Planning turns the token form of allocations into waits, and drops
        // the others.
        bool isStorage = isa<gpu::AllocOp, gpu::DeallocOp>(op);
        if (isStorage && !async.getAsyncToken() &&
            async.getAsyncDependencies().empty())
          return;
        if (!async && (op == function.getOperation() ||
                       isa<ViewLikeOpInterface>(op) || isMemoryEffectFree(op) ||
                       hasSingleEffect<MemoryEffects::Allocate>(op) ||
                       hasSingleEffect<MemoryEffects::Free>(op)))
          return;
        os << "  " << (isStorage ? "gpu.wait" : op->getName().getStringRef());
        if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
          os << " " << launch.getKernelAttr();
        if (async) {
          os << (async.getAsyncToken() ? " async [" : " [");
          llvm::interleaveComma(async.getAsyncDependencies(), os,
                                [&](Value token) {
                                  auto it = tokens.find(token);
                                  if (it == tokens.end())
                                    os << "outside";
                                  else
                                    os << "t" << it->second;
                                });
          os << "]";
          if (Value token = async.getAsyncToken()) {
            unsigned index = tokens.size();
            tokens[token] = index;
            os << " -> t" << index;
          }
        }
        os << "\n";
      });
    }
  }
};

struct TestOverwritePass
    : public PassWrapper<TestOverwritePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOverwritePass)
  StringRef getArgument() const final { return "test-transient-overwrite"; }
  StringRef getDescription() const final {
    return "Remark on the ops that overwrite a whole buffer";
  }
  void runOnOperation() override {
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation())) {
      BufferUseAnalysis analysis(function, kernels);
      function->walk([&](memref::AllocOp alloc) {
        BufferUses uses = analysis.collect(alloc);
        // Ops that contain a use too: a loop overwrites what is stored in it.
        for (Operation &op : *alloc->getBlock())
          if (overwritesWhole(&op, alloc, uses, &symbols))
            op.emitRemark() << "overwrites all of it";
      });
    }
  }
};

} // namespace

void transient::test::registerTestPasses() {
  PassRegistration<TestOrderPass>();
  PassRegistration<TestStructurePass>();
  PassRegistration<TestOverwritePass>();
}
