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

/// Values that the answer to one question may depend on.
constexpr unsigned maxValues = 256;
/// Calls that are looked at for it.
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

namespace {

/// What one question may look at, over all that it leads to.
struct Effort {
  unsigned values = maxValues;
  unsigned calls = maxCalls;
};

std::optional<int64_t> findBound(presburger::BoundType type, Value value,
                                 std::optional<int64_t> dim, Operation *at,
                                 Effort &effort);

/// The most that `dim` of the argument is in any call of its function, if all of
/// them are known.
std::optional<int64_t> findBoundAtCalls(BlockArgument argument,
                                        std::optional<int64_t> dim,
                                        Effort &effort) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !function.isPrivate() ||
      !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (!uses)
    return std::nullopt;
  std::optional<int64_t> most;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call || effort.calls == 0)
      return std::nullopt;
    --effort.calls;
    std::optional<int64_t> here =
        findBound(presburger::BoundType::UB,
                  call.getOperand(argument.getArgNumber()), dim, call, effort);
    if (!here)
      return std::nullopt;
    most = std::max(most.value_or(*here), *here);
  }
  return most;
}

/// The values of an op that no affine constraint describes, inclusive.
struct Interval {
  std::optional<int64_t> least, most;
};

Interval evaluate(Operation *op, Operation *at, Effort &effort) {
  Interval a, b;
  for (auto [interval, operand] :
       {std::pair(&a, op->getOperand(0)), std::pair(&b, op->getOperand(1))}) {
    interval->least = findBound(presburger::BoundType::LB, operand,
                                std::nullopt, at, effort);
    interval->most = findBound(presburger::BoundType::UB, operand, std::nullopt,
                               at, effort);
  }
  bool bothNatural =
      a.least && b.least && std::min(*a.least, *b.least) >= 0;
  if (isa<arith::MulIOp>(op)) {
    int64_t most;
    if (!bothNatural || !a.most || !b.most ||
        __builtin_mul_overflow(*a.most, *b.most, &most))
      return {};
    return {0, most};
  }
  // As unsigned numbers, negative ones are the largest.
  if (isa<arith::MaxUIOp, arith::MinUIOp>(op) && !bothNatural)
    return {};
  Interval result;
  if (bothNatural)
    result.least = 0;
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
    if (a.most && b.most)
      result.most = std::max(*a.most, *b.most);
  } else if (a.most || b.most) {
    result.most = std::min(a.most.value_or(INT64_MAX), b.most.value_or(INT64_MAX));
  }
  return result;
}

std::optional<int64_t> findBound(presburger::BoundType type, Value value,
                                 std::optional<int64_t> dim, Operation *at,
                                 Effort &effort) {
  Conditions conditions(at);
  auto addFacts = [&](Value value, std::optional<int64_t> dim,
                      ValueBoundsConstraintSet &constraints) {
    if (effort.values == 0)
      return true;
    --effort.values;
    auto argument = dyn_cast<BlockArgument>(value);
    std::optional<int64_t> most =
        conditions.lookup({value, dim.value_or(isIndex)});
    // Conditions are on unsigned numbers.
    if (most && !dim)
      constraints.bound(value) >= 0;
    if (!most && argument)
      most = findBoundAtCalls(argument, dim, effort);
    if (most) {
      if (dim)
        constraints.bound(value)[*dim] <= *most;
      else
        constraints.bound(value) <= *most;
    }
    Operation *op = value.getDefiningOp();
    if (auto view = dyn_cast_or_null<memref::ViewOp>(op); view && dim)
      constraints.bound(value)[*dim] ==
          constraints.getExpr(
              view.getSizes()[view.getType().getDynamicDimIndex(*dim)]);
    if (!dim && isa_and_nonnull<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
                                arith::MinUIOp, arith::MulIOp>(op)) {
      Interval interval = evaluate(op, at, effort);
      if (interval.least)
        constraints.bound(value) >= *interval.least;
      if (interval.most)
        constraints.bound(value) <= *interval.most;
    }
    return false;
  };
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      type,
      dim ? ValueBoundsConstraintSet::Variable(value, *dim)
          : ValueBoundsConstraintSet::Variable(value),
      addFacts, /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

} // namespace

std::optional<int64_t> getUpperBound(Value size, Operation *at) {
  Effort effort;
  return findBound(presburger::BoundType::UB, size, std::nullopt, at, effort);
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
