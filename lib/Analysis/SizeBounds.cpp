//===- SizeBounds.cpp - Upper bounds of dynamic sizes ---------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/SizeBounds.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

namespace transient {

/// Values that one bound may depend on; eliminating them takes more than linear
/// time.
constexpr unsigned kMaxValues = 256;

/// A bound above this is of no use: clamps for an open end, and what any number
/// of a type can be. To plan at it would make an allocation fail that did not.
constexpr uint64_t kMaxBytes = uint64_t(1) << 40;

ArrayRef<int64_t> getDeclaredBounds(FunctionOpInterface function,
                                    unsigned index) {
  auto bounds = function.getArgAttrOfType<DenseI64ArrayAttr>(
      index, TransientDialect::getBoundAttrName());
  return bounds ? bounds.asArrayRef() : ArrayRef<int64_t>();
}

namespace {

/// `ValueBoundsConstraintSet::computeConstantBound` cuts bounds to 64 bits; this
/// does without those that do not fit.
class ConstraintSet : public ValueBoundsConstraintSet {
public:
  static std::optional<int64_t> bound(presburger::BoundType type, Value value,
                                      const StopConditionFn &stop) {
    MLIRContext *context = value.getContext();
    ConstraintSet set(context, stop);
    int64_t column = set.populateConstraints(
        AffineMap::getMultiDimIdentityMap(1, context), {{value, std::nullopt}});
    std::optional<llvm::DynamicAPInt> bound =
        set.cstr.getConstantBound(type, column);
    if (!bound || *bound < INT64_MIN || *bound > INT64_MAX)
      return std::nullopt;
    return int64fromDynamicAPInt(*bound);
  }

private:
  using ValueBoundsConstraintSet::ValueBoundsConstraintSet;
};

/// The least and the most that a value can be, where known; inclusive.
struct Interval {
  std::optional<int64_t> least, most;

  bool isKnown() const { return least && most; }
  bool isNatural() const { return least && *least >= 0; }
};

/// The values of an `arith.addi`, `subi` or `muli`, unless one may not fit 64
/// bits.
Interval combine(Operation *op, const Interval &a, const Interval &b) {
  if (!a.isKnown() || !b.isKnown())
    return {};
  Interval result;
  for (int64_t x : {*a.least, *a.most})
    for (int64_t y : {*b.least, *b.most}) {
      int64_t z;
      if (isa<arith::AddIOp>(op)   ? __builtin_add_overflow(x, y, &z)
          : isa<arith::SubIOp>(op) ? __builtin_sub_overflow(x, y, &z)
                                   : __builtin_mul_overflow(x, y, &z))
        return {};
      result.least = std::min(result.least.value_or(z), z);
      result.most = std::max(result.most.value_or(z), z);
    }
  return result;
}

/// The values of the lesser or larger of two.
Interval choose(Operation *op, const Interval &a, const Interval &b) {
  // Unsigned ops take a negative number for a large one.
  if (isa<arith::MaxUIOp, arith::MinUIOp>(op) &&
      !(a.isNatural() && b.isNatural()))
    return {};
  Interval result;
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
    if (a.most && b.most)
      result.most = std::max(*a.most, *b.most);
    result.least = std::max(a.least, b.least);
  } else {
    result.most = a.most && b.most ? std::min(*a.most, *b.most)
                  : a.most         ? a.most
                                   : b.most;
    if (a.least && b.least)
      result.least = std::min(*a.least, *b.least);
  }
  return result;
}

/// Bounds of one value, by `ValueBoundsOpInterface`, the promises of arguments,
/// and arithmetic that has no model, or one which forgets that it wraps around.
class Finder {
public:
  explicit Finder(FunctionOpInterface function) : function(function) {}

  Interval find(Value value) {
    auto [it, isNew] = known.try_emplace(value);
    if (!isNew)
      return it->second;
    auto addFacts = [&](Value value, std::optional<int64_t> dim,
                        ValueBoundsConstraintSet &constraints) {
      if (++seen > kMaxValues || isMisjudged(value))
        return true;
      if (auto argument = dyn_cast<BlockArgument>(value))
        addPromise(argument, dim, constraints);
      else if (!dim)
        return addArithmetic(value, constraints);
      return false;
    };
    Interval found{
        ConstraintSet::bound(presburger::BoundType::LB, value, addFacts),
        ConstraintSet::bound(presburger::BoundType::UB, value, addFacts)};
    return known[value] = found;
  }

private:
  void addPromise(BlockArgument argument, std::optional<int64_t> dim,
                  ValueBoundsConstraintSet &constraints) {
    if (argument.getOwner() != &function.getFunctionBody().front())
      return;
    ArrayRef<int64_t> bounds =
        getDeclaredBounds(function, argument.getArgNumber());
    size_t index = dim.value_or(0);
    if (index >= bounds.size() || bounds[index] < 0)
      return;
    if (dim) {
      constraints.bound(argument)[*dim] <= bounds[index];
      return;
    }
    // Who breaks a promise takes another way, and a negative size breaks it.
    constraints.bound(argument) <= bounds[index];
    constraints.bound(argument) >= 0;
  }

  /// Whether MLIR's model of `value` is not to be used: of a loop that compares
  /// unsigned numbers, which it takes for signed ones, and of a dimension that a
  /// shape does not have.
  static bool isMisjudged(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op = argument ? argument.getOwner()->getParentOp()
                             : value.getDefiningOp();
    if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      return loop.getUnsignedCmp();
    if (auto dim = dyn_cast_or_null<ShapedDimOpInterface>(op)) {
      auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
      std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
      return !type || !type.hasRank() || !index || *index < 0 ||
             *index >= type.getRank();
    }
    return false;
  }

  /// Returns true if the constraints are not to go further, since the op may
  /// wrap around.
  bool addArithmetic(Value value, ValueBoundsConstraintSet &constraints) {
    Operation *op = value.getDefiningOp();
    bool isChoice = isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
                        arith::MinUIOp>(op);
    if (!isChoice && !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return false;
    Interval a = find(op->getOperand(0)), b = find(op->getOperand(1));
    Interval result = isChoice ? choose(op, a, b) : combine(op, a, b);
    if (result.least)
      constraints.bound(value) >= *result.least;
    if (result.most)
      constraints.bound(value) <= *result.most;
    return !isChoice && !result.isKnown();
  }

  FunctionOpInterface function;
  llvm::DenseMap<Value, Interval> known;
  unsigned seen = 0;
};

} // namespace

std::optional<int64_t> SizeBounds::getUpperBound(Value size) {
  auto [it, isNew] = known.try_emplace(size);
  if (isNew)
    it->second = Finder(function).find(size).most;
  return it->second;
}

BufferSize SizeBounds::getSizeAtBounds(MemRefType type, ValueRange sizes) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  BufferSize unknown = getBufferSize(type, function);
  if (unknown.kind != BufferSize::Dynamic)
    return unknown;
  for (int64_t &dim : shape) {
    if (!ShapedType::isDynamic(dim))
      continue;
    std::optional<int64_t> bound = getUpperBound(sizes[next++]);
    if (!bound)
      return unknown;
    // A size that is always negative is the program's fault.
    if (*bound < 0)
      return unknown;
    dim = *bound;
  }
  BufferSize size =
      getBufferSize(MemRefType::Builder(type).setShape(shape), function);
  return size.isKnown() && size.bytes <= kMaxBytes ? size : unknown;
}

} // namespace transient
