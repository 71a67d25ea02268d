//===- CallTree.h - Functions whose storage callers pass in ---- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private function that only known calls reach needs no storage of its own:
// what it plans is a workspace of each call, so that one arena serves the call
// tree of a public function.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_CALLTREE_H
#define TRANSIENT_ANALYSIS_CALLTREE_H

#include "transient/Analysis/ExecutionOrder.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace transient {

/// The calls between the planned functions of a module.
class CallTree {
public:
  CallTree(mlir::ModuleOp module, KernelAccessCache &callees);

  /// The planned functions of the module, each after all that it calls (in
  /// program order where nothing decides, and in cycles).
  const std::vector<mlir::FunctionOpInterface> &getBottomUp() const {
    return bottomUp;
  }

  /// The calls that reach `function`, if storage may be passed in by all of
  /// them: it is private and not recursive, nothing else refers to it, every
  /// call runs on a host path that a planned function's order covers, and is
  /// complete on return. Empty otherwise.
  llvm::ArrayRef<mlir::func::CallOp>
  getServingCalls(mlir::FunctionOpInterface function) const;

private:
  void visit(mlir::FunctionOpInterface function);

  std::vector<mlir::FunctionOpInterface> bottomUp;
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::func::CallOp>> calls;
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::FunctionOpInterface>>
      callees;
  llvm::DenseMap<mlir::Operation *, bool> visited;
  llvm::DenseSet<mlir::Operation *> recursive;
};

/// The call whose workspace `request` is; null unless it has the attribute
/// `workspace`.
mlir::func::CallOp getOwnerCall(AllocOp request);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_CALLTREE_H
