//===- CallTree.cpp - Functions whose storage callers pass in -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/CallTree.h"

#include "transient/Analysis/PlannedFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace transient {

/// Whether `op` runs on the host thread that its function runs on.
static bool isOnHostPath(Operation *op, Operation *function) {
  for (Operation *parent = op->getParentOp(); parent != function;
       parent = parent->getParentOp())
    if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp, scf::WhileOp,
             scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp,
             memref::AllocaScopeOp>(parent))
      return false;
  return true;
}

CallTree::CallTree(ModuleOp module, KernelAccessCache &cache) {
  std::vector<FunctionOpInterface> functions = getPlannedFunctions(module);
  DenseSet<Operation *> planned;
  for (FunctionOpInterface function : functions)
    planned.insert(function);
  DenseMap<Operation *, unsigned> references;
  for (FunctionOpInterface function : functions) {
    std::unique_ptr<ExecutionOrder> order;
    function->walk<WalkOrder::PreOrder>([&](func::CallOp call) {
      auto callee =
          cache.getSymbols().lookupNearestSymbolFrom<FunctionOpInterface>(
              call, call.getCalleeAttr());
      if (!callee || !planned.contains(callee))
        return;
      callees[function].push_back(callee);
      calls[callee].push_back(call);
      bool isKnown = isOnHostPath(call, function) &&
                     getCompletion(call, cache).kind == Completion::OnReturn;
      // A call without a place in the order gets no storage to pass on.
      if (isKnown && !order)
        order = std::make_unique<ExecutionOrder>(function, cache);
      references[callee] += isKnown && order->getNode(call);
    });
  }
  for (FunctionOpInterface function : functions)
    visit(function);
  // Anything else that refers to a function may call it. All attributes of the
  // module have to be looked at for that.
  DenseMap<StringAttr, unsigned> uses;
  bool isAnyCalled = llvm::any_of(calls, [](const auto &entry) {
    return cast<SymbolOpInterface>(entry.first).isPrivate();
  });
  if (!isAnyCalled) {
    calls.clear();
    return;
  }
  if (std::optional<SymbolTable::UseRange> range =
          SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (SymbolTable::SymbolUse use : *range)
      if (!isa<AllocOp>(use.getUser()))
        ++uses[use.getSymbolRef().getRootReference()];
  for (FunctionOpInterface function : functions) {
    bool isServed = isa<func::FuncOp>(function) &&
                    function->getParentOp() == module &&
                    cast<SymbolOpInterface>(function.getOperation())
                        .isPrivate() &&
                    !recursive.contains(function) &&
                    references[function] == calls[function].size() &&
                    uses[cast<SymbolOpInterface>(function.getOperation())
                             .getNameAttr()] == calls[function].size();
    if (!isServed)
      calls[function].clear();
  }
}

void CallTree::visit(FunctionOpInterface root) {
  // Depth first, with a stack of its own; `false` while a function is open.
  struct Visit {
    FunctionOpInterface function;
    unsigned next;
  };
  if (visited.count(root))
    return;
  std::vector<Visit> stack{{root, 0}};
  visited[root] = false;
  while (!stack.empty()) {
    Visit &top = stack.back();
    std::vector<FunctionOpInterface> &next = callees[top.function];
    if (top.next == next.size()) {
      visited[top.function] = true;
      bottomUp.push_back(top.function);
      stack.pop_back();
      continue;
    }
    FunctionOpInterface callee = next[top.next++];
    auto [it, inserted] = visited.try_emplace(callee, false);
    if (inserted) {
      stack.push_back({callee, 0});
    } else if (!it->second) {
      // A cycle: all that is open from the callee on.
      for (auto open = stack.rbegin(); open != stack.rend(); ++open) {
        recursive.insert(open->function);
        if (open->function == callee)
          break;
      }
    }
  }
}

ArrayRef<func::CallOp>
CallTree::getServingCalls(FunctionOpInterface function) const {
  auto it = calls.find(function);
  if (it == calls.end())
    return {};
  return it->second;
}

func::CallOp getOwnerCall(AllocOp request) {
  if (!request.getWorkspaceAttr())
    return nullptr;
  Operation *next = request->getNextNode();
  while (isa_and_nonnull<AllocOp>(next))
    next = next->getNextNode();
  return dyn_cast_or_null<func::CallOp>(next);
}

} // namespace transient
