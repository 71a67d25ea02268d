//===- GuardBounds.cpp - Keep promises about sizes ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-guard-bounds. Makes of a function with `transient.bound` on its
// arguments two: one that may rely on the bounds, and one that does not. The
// function itself tests its arguments and calls either (F8).
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/SizeBounds.h"
#include "transient/IR/Transient.h"
#include "transient/IR/ValueBoundsModels.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTGUARDBOUNDSPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// Whether an allocation with a dynamic size could be planned by the bounds.
bool hasBoundedAllocation(func::FuncOp function) {
  SizeBounds bounds(function);
  return function
      ->walk([&](Operation *op) {
        ValueRange sizes;
        if (auto alloc = dyn_cast<memref::AllocOp>(op))
          sizes = alloc.getDynamicSizes();
        else if (auto alloc = dyn_cast<gpu::AllocOp>(op))
          sizes = alloc.getDynamicSizes();
        if (sizes.empty())
          return WalkResult::advance();
        auto type = cast<MemRefType>(op->getResult(0).getType());
        return bounds.getSizeAtBounds(type, sizes).isKnown()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

struct GuardBoundsPass
    : public transient::impl::TransientGuardBoundsPassBase<GuardBoundsPass> {
  using TransientGuardBoundsPassBase::TransientGuardBoundsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientGuardBoundsPassBase::getDependentDialects(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> bounded;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
            return !getDeclaredBounds(function, i).empty();
          }))
        bounded.push_back(function);
    });
    if (bounded.empty())
      return markAllAnalysesPreserved();
    for (FunctionOpInterface function : bounded) {
      auto func = dyn_cast<func::FuncOp>(function.getOperation());
      if (!func) {
        function.emitError()
            << "'" << TransientDialect::getBoundAttrName()
            << "' can be kept for a 'func.func' only";
        return signalPassFailure();
      }
      if (func.isExternal() || !hasBoundedAllocation(func))
        dropBounds(func);
      else
        guard(func);
    }
  }

  static void dropBounds(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, TransientDialect::getBoundAttrName());
  }

  static func::FuncOp cloneAs(func::FuncOp function, StringRef suffix) {
    func::FuncOp clone = function.clone();
    clone.setSymName((function.getSymName() + suffix).str());
    clone.setPrivate();
    // How it is called from elsewhere is the affair of the function itself.
    clone->removeAttr("llvm.emit_c_interface");
    SymbolTable(function->getParentOp())
        .insert(clone, std::next(Block::iterator(function)));
    return clone;
  }

  static void guard(func::FuncOp function) {
    func::FuncOp beyond = cloneAs(function, "_beyond_bounds");
    dropBounds(beyond);
    func::FuncOp within = cloneAs(function, "_within_bounds");

    function.eraseBody();
    Block *entry = function.addEntryBlock();
    Location location = function.getLoc();
    OpBuilder builder = OpBuilder::atBlockEnd(entry);
    Value fits = testBounds(builder, function);
    dropBounds(function);
    SmallVector<Value> arguments(entry->getArguments());
    TypeRange results = function.getResultTypes();
    auto branch = scf::IfOp::create(builder, location, results, fits,
                                    /*withElseRegion=*/true);
    for (auto [region, callee] :
         {std::pair(&branch.getThenRegion(), within),
          std::pair(&branch.getElseRegion(), beyond)}) {
      region->getBlocks().clear();
      OpBuilder inner = OpBuilder::atBlockEnd(&region->emplaceBlock());
      auto call = func::CallOp::create(inner, location, callee, arguments);
      scf::YieldOp::create(inner, location, call.getResults());
    }
    func::ReturnOp::create(builder, location, branch.getResults());
  }

  /// Whether all arguments of `function` keep its bounds.
  static Value testBounds(OpBuilder &builder, func::FuncOp function) {
    Location location = function.getLoc();
    Value all;
    for (BlockArgument argument : function.getArguments()) {
      bool isIndex = argument.getType().isIndex();
      for (auto [dim, bound] : llvm::enumerate(
               getDeclaredBounds(function, argument.getArgNumber()))) {
        if (bound < 0)
          continue;
        Value size = argument;
        if (!isIndex)
          size = memref::DimOp::create(builder, location, argument, dim);
        Value most = arith::ConstantIndexOp::create(builder, location, bound);
        // Unsigned: a negative size exceeds each bound.
        Value fits = arith::CmpIOp::create(
            builder, location, arith::CmpIPredicate::ule, size, most);
        all = all ? arith::AndIOp::create(builder, location, all, fits)
                  : fits;
      }
    }
    return all ? all : arith::ConstantIntOp::create(builder, location, 1, 1);
  }
};

} // namespace
