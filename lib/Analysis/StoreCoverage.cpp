//===- StoreCoverage.cpp - Does a store reach every element? --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each index is brought into the form c + f1*k1 + f2*k2 + ... over counters
// that run independently from 0. Such a sum takes every value from 0 to n-1
// exactly once if c is 0 and the factors are those of a mixed-radix number: 1,
// the range of the first counter, the product of the first two, and so on up to
// n. If no counter serves two dimensions, the indices take every combination.
//
//===----------------------------------------------------------------------===//

#include "StoreCoverage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>
#include <map>
#include <set>
#include <tuple>

using namespace mlir;

namespace transient {
namespace {

/// What counts: a loop variable, or an id (block or thread) of a dimension.
struct Counter {
  void *variable = nullptr;
  unsigned id = 0;

  static Counter block(gpu::Dimension d) {
    return {nullptr, static_cast<unsigned>(d)};
  }
  static Counter thread(gpu::Dimension d) {
    return {nullptr, 3 + static_cast<unsigned>(d)};
  }
  bool operator<(const Counter &other) const {
    return std::tie(variable, id) < std::tie(other.variable, other.id);
  }
};

/// constant + the sum of factor times counter.
struct Sum {
  int64_t constant = 0;
  std::map<Counter, int64_t> factors;

  /// Adds `factor` times `other`; false on overflow.
  bool add(const Sum &other, int64_t factor) {
    auto accumulate = [factor](int64_t &into, int64_t value) {
      int64_t product = 0;
      return !llvm::MulOverflow(value, factor, product) &&
             !llvm::AddOverflow(into, product, into);
    };
    if (!accumulate(constant, other.constant))
      return false;
    for (auto [counter, value] : other.factors)
      if (!accumulate(factors[counter], value))
        return false;
    return true;
  }
};

class Coverage {
public:
  explicit Coverage(gpu::LaunchFuncOp launch = nullptr) : launch(launch) {}

  /// Gives the ids of the launch their ranges. False if one is not known.
  bool addLaunch() {
    // Clusters number blocks in another way.
    if (launch.hasClusterSize())
      return false;
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    const Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    for (auto [d, size] : llvm::enumerate(sizes)) {
      std::optional<int64_t> value = getConstantIntValue(size);
      if (!value || *value < 1)
        return false;
      ranges[{nullptr, static_cast<unsigned>(d)}] = *value;
    }
    return true;
  }

  /// Takes in everything around `store` below `end`, and `end` itself unless it
  /// is a kernel. False if it is not certain that all of it runs, or, with
  /// `conditional`, that it runs once in each iteration if at all.
  bool addLoops(Operation *store, Operation *end, bool conditional = false) {
    for (Operation *op = store->getParentOp();; op = op->getParentOp()) {
      bool isKernel = isa_and_nonnull<FunctionOpInterface>(op);
      bool isSkipped =
          isKernel || (conditional && isa_and_nonnull<scf::IfOp>(op));
      if (!op || (isKernel && op != end) || (!isSkipped && !addLoop(op)))
        return false;
      if (op == end)
        return true;
    }
  }

  /// Whether the store's indices take every combination of values.
  bool covers(Operation *store, MemRefType type) const {
    SmallVector<std::optional<Sum>> sums;
    if (auto op = dyn_cast<affine::AffineStoreOp>(store)) {
      AffineMap map = op.getAffineMap();
      SmallVector<Value> operands(op.getMapOperands());
      for (AffineExpr expr : map.getResults())
        sums.push_back(evaluate(expr, map.getNumDims(), operands, 0));
    } else {
      for (Value index : cast<memref::StoreOp>(store).getIndices())
        sums.push_back(evaluate(index, 0));
    }
    std::set<Counter> taken;
    for (auto [sum, size] : llvm::zip_equal(sums, type.getShape())) {
      if (size == 1)
        continue;
      if (!sum || !takesEveryValue(*sum, size))
        return false;
      for (auto [counter, factor] : sum->factors)
        if (factor != 0 && getRange(counter) != 1 &&
            !taken.insert(counter).second)
          return false;
    }
    return true;
  }

  /// Whether no two combinations of values of all counters give the same
  /// indices: each counter follows from an index by itself.
  bool separates(Operation *store) const {
    std::set<Counter> known;
    for (Value index : cast<memref::StoreOp>(store).getIndices())
      if (std::optional<Sum> sum = evaluate(index, 0); sum && isInjective(*sum))
        for (auto [counter, factor] : sum->factors)
          if (factor != 0)
            known.insert(counter);
    return llvm::all_of(ranges, [&](const auto &entry) {
      return entry.second == 1 || known.count(entry.first);
    });
  }

private:
  /// Expressions are trees of additions; this bounds what a shared subtree
  /// costs.
  static constexpr unsigned kMaxDepth = 8;

  bool addCounter(Value variable, int64_t lower, int64_t upper, int64_t step) {
    int64_t extent = 0;
    if (step < 1 || llvm::SubOverflow(upper, lower, extent) || extent < 1)
      return false;
    Counter counter{variable.getAsOpaquePointer(), 0};
    ranges[counter] = (extent - 1) / step + 1;
    Sum sum;
    sum.constant = lower;
    sum.factors[counter] = step;
    sumOf[variable] = sum;
    return true;
  }

  bool addLoop(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<int64_t> lower = getConstant(loop.getLowerBound());
      std::optional<int64_t> upper = getConstant(loop.getUpperBound());
      std::optional<int64_t> step = getConstant(loop.getStep());
      return lower && upper && step && !loop.getUnsignedCmp() &&
             addCounter(loop.getInductionVar(), *lower, *upper, *step);
    }
    if (auto loop = dyn_cast<affine::AffineForOp>(op))
      return loop.hasConstantBounds() &&
             addCounter(loop.getInductionVar(), loop.getConstantLowerBound(),
                        loop.getConstantUpperBound(), loop.getStepAsInt());
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return llvm::all_of(llvm::zip_equal(loop.getInductionVars(),
                                          loop.getLowerBound(),
                                          loop.getUpperBound(), loop.getStep()),
                          [&](auto of) {
                            auto [variable, from, to, by] = of;
                            std::optional<int64_t> lower = getConstant(from);
                            std::optional<int64_t> upper = getConstant(to);
                            std::optional<int64_t> step = getConstant(by);
                            return lower && upper && step &&
                                   addCounter(variable, *lower, *upper, *step);
                          });
    return false;
  }

  /// A constant, or a kernel argument for which the launch passes one.
  std::optional<int64_t> getConstant(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && launch &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
        argument.getArgNumber() < launch.getKernelOperands().size())
      value = launch.getKernelOperands()[argument.getArgNumber()];
    return getConstantIntValue(value);
  }

  int64_t getRange(const Counter &counter) const {
    auto it = ranges.find(counter);
    return it == ranges.end() ? 0 : it->second;
  }

  std::optional<Sum> evaluate(Value value, unsigned depth) const;
  std::optional<Sum> evaluate(AffineExpr expr, unsigned numDims,
                              ArrayRef<Value> operands, unsigned depth) const;

  /// Whether `sum` takes each value from 0 to `size` - 1 exactly once.
  bool takesEveryValue(const Sum &sum, int64_t size) const {
    SmallVector<std::pair<int64_t, int64_t>> digits;
    for (auto [counter, factor] : sum.factors)
      if (factor != 0 && getRange(counter) != 1)
        digits.push_back({factor, getRange(counter)});
    llvm::sort(digits);
    int64_t expected = 1;
    for (auto [factor, range] : digits)
      if (factor != expected || llvm::MulOverflow(expected, range, expected))
        return false;
    return sum.constant == 0 && expected == size;
  }

  /// Whether the counters follow from the value of `sum`, as the digits of a
  /// number do: each factor is more than all that is below it can add up to.
  bool isInjective(const Sum &sum) const {
    SmallVector<std::pair<int64_t, int64_t>> digits;
    for (auto [counter, factor] : sum.factors)
      if (factor != 0 && getRange(counter) != 1)
        digits.push_back({factor, getRange(counter)});
    llvm::sort(digits);
    int64_t below = 1;
    for (auto [factor, range] : digits)
      if (factor < below || llvm::MulOverflow(factor, range, below))
        return false;
    // A device may count with 32 bits, where larger numbers wrap around.
    return below <= std::numeric_limits<int32_t>::max();
  }

  mutable gpu::LaunchFuncOp launch;
  std::map<Counter, int64_t> ranges;
  llvm::DenseMap<Value, Sum> sumOf;
};

} // namespace

static std::optional<Sum>
addScaled(std::optional<Sum> a, const std::optional<Sum> &b, int64_t factor) {
  if (!a || !b || !a->add(*b, factor))
    return std::nullopt;
  return a;
}

static std::optional<Sum> multiply(const std::optional<Sum> &a,
                                   const std::optional<Sum> &b) {
  if (!a || !b)
    return std::nullopt;
  if (a->factors.empty())
    return addScaled(Sum(), b, a->constant);
  if (b->factors.empty())
    return addScaled(Sum(), a, b->constant);
  return std::nullopt;
}

std::optional<Sum> Coverage::evaluate(Value value, unsigned depth) const {
  Sum sum;
  if (std::optional<int64_t> constant = getConstant(value)) {
    sum.constant = *constant;
    return sum;
  }
  if (auto it = sumOf.find(value); it != sumOf.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth)
    return std::nullopt;
  if (auto add = dyn_cast<arith::AddIOp>(op))
    return addScaled(evaluate(add.getLhs(), depth + 1),
                     evaluate(add.getRhs(), depth + 1), 1);
  if (auto mul = dyn_cast<arith::MulIOp>(op))
    return multiply(evaluate(mul.getLhs(), depth + 1),
                    evaluate(mul.getRhs(), depth + 1));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Value> operands(apply.getMapOperands());
    return evaluate(apply.getAffineMap().getResult(0),
                    apply.getAffineMap().getNumDims(), operands, depth + 1);
  }
  if (!launch)
    return std::nullopt;
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    sum.factors[Counter::block(id.getDimension())] = 1;
    return sum;
  }
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    sum.factors[Counter::thread(id.getDimension())] = 1;
    return sum;
  }
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    Counter thread = Counter::thread(id.getDimension());
    sum.factors[thread] = 1;
    sum.factors[Counter::block(id.getDimension())] = getRange(thread);
    return sum;
  }
  if (auto size = dyn_cast<gpu::BlockDimOp>(op)) {
    sum.constant = getRange(Counter::thread(size.getDimension()));
    return sum;
  }
  if (auto size = dyn_cast<gpu::GridDimOp>(op)) {
    sum.constant = getRange(Counter::block(size.getDimension()));
    return sum;
  }
  return std::nullopt;
}

std::optional<Sum> Coverage::evaluate(AffineExpr expr, unsigned numDims,
                                      ArrayRef<Value> operands,
                                      unsigned depth) const {
  if (depth == kMaxDepth)
    return std::nullopt;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    Sum sum;
    sum.constant = constant.getValue();
    return sum;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return evaluate(operands[dim.getPosition()], depth + 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(operands[numDims + symbol.getPosition()], depth + 1);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = evaluate(binary.getLHS(), numDims, operands, depth + 1);
  auto rhs = evaluate(binary.getRHS(), numDims, operands, depth + 1);
  if (expr.getKind() == AffineExprKind::Add)
    return addScaled(lhs, rhs, 1);
  if (expr.getKind() == AffineExprKind::Mul)
    return multiply(lhs, rhs);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

/// The memref that `op` stores an element to; null if it is no store.
static Value getTarget(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getMemRef();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return store.getMemRef();
  return Value();
}

bool storesAllInLoop(Operation *store, Operation *loop) {
  Value target = getTarget(store);
  Coverage coverage;
  return target && coverage.addLoops(store, loop) &&
         coverage.covers(store, cast<MemRefType>(target.getType()));
}

bool storesAllInKernel(gpu::LaunchFuncOp launch, FunctionOpInterface kernel,
                       unsigned index) {
  if (!kernel.getFunctionBody().hasOneBlock() ||
      index >= kernel.getNumArguments())
    return false;
  BlockArgument argument = kernel.getArgument(index);
  auto type = dyn_cast<MemRefType>(argument.getType());
  return type && llvm::any_of(argument.getUsers(), [&](Operation *user) {
           Coverage coverage(launch);
           return getTarget(user) == argument && coverage.addLaunch() &&
                  coverage.addLoops(user, kernel) &&
                  coverage.covers(user, type);
         });
}

bool storesEachOnce(gpu::LaunchFuncOp launch, FunctionOpInterface kernel,
                    memref::StoreOp store) {
  Coverage coverage(launch);
  return kernel.getFunctionBody().hasOneBlock() && coverage.addLaunch() &&
         coverage.addLoops(store, kernel, /*conditional=*/true) &&
         coverage.separates(store);
}

} // namespace transient
