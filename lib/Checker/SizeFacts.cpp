//===- SizeFacts.cpp - What the IR shows of sizes -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "SizeFacts.h"

#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/GPU/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace transient::checker {

namespace {

/// Values that one bound may depend on.
constexpr unsigned maxValues = 64;
/// Calls of one function that are looked at.
constexpr unsigned maxCalls = 64;

/// An index value, or a dimension of a memref.
using Size = std::pair<Value, int64_t>;
constexpr int64_t isIndex = -1;

/// Upper bounds that conditions establish.
class Conditions {
public:
  explicit Conditions(Operation *at) {
    for (Region *region = at->getParentRegion();
         region && !isa<FunctionOpInterface>(region->getParentOp());
         region = region->getParentRegion()) {
      auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
      if (branch && region == &branch.getThenRegion())
        add(branch.getCondition());
    }
  }

  std::optional<int64_t> lookup(Size size) const {
    auto it = bounds.find(size);
    return it == bounds.end() ? std::nullopt : std::optional(it->second);
  }

private:
  void add(Value condition) {
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      add(both.getLhs());
      add(both.getRhs());
      return;
    }
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare || !compare.getLhs().getType().isIndex())
      return;
    auto predicate = compare.getPredicate();
    bool isStrict = predicate == arith::CmpIPredicate::ult;
    if (!isStrict && predicate != arith::CmpIPredicate::ule)
      return;
    std::optional<int64_t> most = getConstantIntValue(compare.getRhs());
    if (!most || *most < isStrict)
      return;
    addBound({compare.getLhs(), isIndex}, *most - isStrict);
    if (auto dim = compare.getLhs().getDefiningOp<memref::DimOp>())
      if (std::optional<int64_t> index = dim.getConstantIndex())
        addBound({dim.getSource(), *index}, *most - isStrict);
  }

  void addBound(Size size, int64_t most) {
    auto [it, isNew] = bounds.try_emplace(size, most);
    if (!isNew)
      it->second = std::min(it->second, most);
  }

  llvm::DenseMap<Size, int64_t> bounds;
};

} // namespace

/// The most that `dim` of the argument is in any call of its function, if all of
/// them are known.
static std::optional<int64_t> getBoundAtCalls(BlockArgument argument,
                                              std::optional<int64_t> dim,
                                              unsigned depth) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !function.isPrivate() || depth == 0 ||
      !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (!uses)
    return std::nullopt;
  std::optional<int64_t> most;
  unsigned calls = 0;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call || ++calls > maxCalls)
      return std::nullopt;
    std::optional<int64_t> here = getUpperBound(
        call.getOperand(argument.getArgNumber()), dim, call, depth - 1);
    if (!here)
      return std::nullopt;
    most = std::max(most.value_or(*here), *here);
  }
  return most;
}

std::optional<int64_t> getUpperBound(Value value, std::optional<int64_t> dim,
                                     Operation *at, unsigned depth) {
  Conditions conditions(at);
  unsigned seen = 0;
  auto addFacts = [&](Value value, std::optional<int64_t> dim,
                      ValueBoundsConstraintSet &constraints) {
    std::optional<int64_t> most =
        conditions.lookup({value, dim.value_or(isIndex)});
    if (!most)
      if (auto argument = dyn_cast<BlockArgument>(value))
        most = getBoundAtCalls(argument, dim, depth);
    if (most) {
      if (dim)
        constraints.bound(value)[*dim] <= *most;
      else
        constraints.bound(value) <= *most;
    }
    return ++seen > maxValues;
  };
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      dim ? ValueBoundsConstraintSet::Variable(value, *dim)
          : ValueBoundsConstraintSet::Variable(value),
      addFacts, /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

void registerSizeFactModels(DialectRegistry &registry) {
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  gpu::registerValueBoundsOpInterfaceExternalModels(registry);
  linalg::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
}

} // namespace transient::checker
