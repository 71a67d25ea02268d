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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
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

/// Bounds that are not cut to 64 bits: those that do not fit are none.
class Constraints : public ValueBoundsConstraintSet {
public:
  Constraints(Value value, std::optional<int64_t> dim,
              const StopConditionFn &stop)
      : ValueBoundsConstraintSet(value.getContext(), stop),
        column(populateConstraints(
            AffineMap::getMultiDimIdentityMap(1, value.getContext()),
            {{value, dim}})) {}

  std::optional<int64_t> get(presburger::BoundType type) const {
    std::optional<llvm::DynamicAPInt> exact =
        cstr.getConstantBound(type, column);
    if (exact && *exact >= INT64_MIN && *exact <= INT64_MAX)
      return int64fromDynamicAPInt(*exact);
    return std::nullopt;
  }

private:
  int64_t column;
};

/// What a value can be, inclusive.
struct Interval {
  std::optional<int64_t> least, most;
};

/// `op` on exact numbers; nothing unless all results fit 64 bits.
Interval compute(Operation *op, const Interval &a, const Interval &b) {
  if (!a.least || !a.most || !b.least || !b.most)
    return {};
  using Wide = llvm::DynamicAPInt;
  const Wide aLow(*a.least), aHigh(*a.most), bLow(*b.least), bHigh(*b.most);
  Wide low, high;
  if (isa<arith::AddIOp>(op)) {
    low = aLow + bLow;
    high = aHigh + bHigh;
  } else if (isa<arith::SubIOp>(op)) {
    low = aLow - bHigh;
    high = aHigh - bLow;
  } else {
    low = std::min({aLow * bLow, aLow * bHigh, aHigh * bLow, aHigh * bHigh});
    high = std::max({aLow * bLow, aLow * bHigh, aHigh * bLow, aHigh * bHigh});
  }
  if (low < INT64_MIN || high > INT64_MAX)
    return {};
  return {int64fromDynamicAPInt(low), int64fromDynamicAPInt(high)};
}

Interval select(Operation *op, const Interval &a, const Interval &b) {
  // As unsigned numbers, negative ones are the largest.
  bool areNatural = a.least && b.least && std::min(*a.least, *b.least) >= 0;
  if (isa<arith::MaxUIOp, arith::MinUIOp>(op) && !areNatural)
    return {};
  Interval result;
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
    if (a.most && b.most)
      result.most = std::max(*a.most, *b.most);
    if (a.least || b.least)
      result.least =
          std::max(a.least.value_or(INT64_MIN), b.least.value_or(INT64_MIN));
    return result;
  }
  if (a.most || b.most)
    result.most =
        std::min(a.most.value_or(INT64_MAX), b.most.value_or(INT64_MAX));
  if (a.least && b.least)
    result.least = std::min(*a.least, *b.least);
  return result;
}

/// Answers one question.
class Inquiry {
public:
  /// What `value`, or dimension `dim` of it, can be where `at` runs.
  Interval ask(Value value, std::optional<int64_t> dim, Operation *at) {
    auto key = std::make_pair(Size(value, dim.value_or(isIndex)), at);
    auto [it, isNew] = answers.try_emplace(key);
    if (!isNew) // Or it is being asked.
      return it->second;
    Conditions conditions(at);
    Constraints constraints(
        value, dim,
        [&](Value value, std::optional<int64_t> dim,
            ValueBoundsConstraintSet &set) {
          return addFacts(value, dim, conditions, at, set);
        });
    Interval answer{constraints.get(presburger::BoundType::LB),
                    constraints.get(presburger::BoundType::UB)};
    return answers[key] = answer;
  }

private:
  /// Returns true if the constraints are to stop here.
  bool addFacts(Value value, std::optional<int64_t> dim,
                const Conditions &conditions, Operation *at,
                ValueBoundsConstraintSet &set) {
    if (values == 0)
      return true;
    --values;
    if (isBeyondModel(value))
      return true;
    if (std::optional<int64_t> most =
            conditions.lookup({value, dim.value_or(isIndex)})) {
      // The value as it is, whatever made it; an unsigned number.
      addInterval({0, most}, value, dim, set);
      return true;
    }
    // What goes around a loop was made in another iteration, of which the
    // conditions of this one say nothing.
    if (Operation *loop = getCarrier(value); loop && loop->isProperAncestor(at)) {
      addInterval(ask(value, dim, loop), value, dim, set);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op) {
      addInterval({std::nullopt, getMostInCalls(cast<BlockArgument>(value),
                                                dim)},
                  value, dim, set);
      return false;
    }
    if (dim) {
      if (auto view = dyn_cast<memref::ViewOp>(op))
        set.bound(value)[*dim] ==
            set.getExpr(
                view.getSizes()[view.getType().getDynamicDimIndex(*dim)]);
      return false;
    }
    bool isSelection = isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
                           arith::MinUIOp>(op);
    if (!isSelection && !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return false;
    Interval a = ask(op->getOperand(0), std::nullopt, at);
    Interval b = ask(op->getOperand(1), std::nullopt, at);
    Interval result = isSelection ? select(op, a, b) : compute(op, a, b);
    addInterval(result, value, dim, set);
    // MLIR's model of the rest is of numbers that do not wrap around.
    return !isSelection && !(result.least && result.most);
  }

  /// The loop that hands `value` from iteration to iteration, or null.
  static Operation *getCarrier(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *parent =
        argument ? argument.getOwner()->getParentOp() : nullptr;
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent);
    if (!loop)
      return nullptr;
    std::optional<SmallVector<Value>> counters = loop.getLoopInductionVars();
    return counters && llvm::is_contained(*counters, value) ? nullptr : parent;
  }

  /// Would MLIR's model of the value be wrong? It takes every `scf.for` for one
  /// of signed numbers, and every dimension for one that is there.
  static bool isBeyondModel(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value))
      op = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      return loop.getUnsignedCmp();
    auto dim = dyn_cast_or_null<ShapedDimOpInterface>(op);
    if (!dim)
      return false;
    auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    return !type || !type.hasRank() || !index || *index < 0 ||
           *index >= type.getRank();
  }

  static void addInterval(const Interval &interval, Value value,
                          std::optional<int64_t> dim,
                          ValueBoundsConstraintSet &set) {
    auto add = [&](auto &&bound) {
      if (interval.least)
        bound >= *interval.least;
      if (interval.most)
        bound <= *interval.most;
    };
    if (dim)
      add(set.bound(value)[*dim]);
    else
      add(set.bound(value));
  }

  /// The most that `dim` of the argument is in any call of its function, if all
  /// of them are known.
  std::optional<int64_t> getMostInCalls(BlockArgument argument,
                                        std::optional<int64_t> dim) {
    auto function =
        dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
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
      if (!call || calls == 0)
        return std::nullopt;
      --calls;
      Interval here =
          ask(call.getOperand(argument.getArgNumber()), dim, call);
      if (!here.most)
        return std::nullopt;
      most = std::max(most.value_or(*here.most), *here.most);
    }
    return most;
  }

  llvm::DenseMap<std::pair<Size, Operation *>, Interval> answers;
  unsigned values = maxValues, calls = maxCalls;
};

} // namespace

std::optional<int64_t> getUpperBound(Value size, Operation *at) {
  return Inquiry().ask(size, std::nullopt, at).most;
}

} // namespace transient::checker
