//===- Storage.cpp - Which bytes a value may name -------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward pass over the function, repeated until nothing changes. Ranges that
// still grow after a few passes (a view of a view carried around a loop) are
// widened to the whole root, so the passes end.
//
//===----------------------------------------------------------------------===//

#include "Storage.h"

#include "SizeFacts.h"

#include "transient/IR/BufferSize.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient::checker {

//===----------------------------------------------------------------------===//
// Control flow and constants
//===----------------------------------------------------------------------===//

bool isStructured(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp,
             memref::AllocaScopeOp>(op);
}

/// Do the constants among its operands show that the loop has an iteration?
static bool runsAtLeastOnce(Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return loop.hasConstantBounds() &&
           loop.getConstantLowerBound() < loop.getConstantUpperBound();
  auto loop = dyn_cast<scf::ForOp>(op);
  APInt first, end;
  if (!loop || !matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)))
    return false;
  return loop.getUnsignedCmp() ? first.ult(end) : first.slt(end);
}

void forEachRegionEdge(
    Operation *op,
    llvm::function_ref<void(Operation *, Region *, ValueRange, ValueRange)>
        visit) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return;
  SmallVector<Attribute> constants(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands())
    matchPattern(operand.get(),
                 m_Constant(&constants[operand.getOperandNumber()]));
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(constants, successors);
  bool isEntered = runsAtLeastOnce(op);
  for (RegionSuccessor &successor : successors)
    if (!isEntered || successor.getSuccessor())
      visit(nullptr, successor.getSuccessor(),
            branch.getEntrySuccessorOperands(successor),
            successor.getSuccessorInputs());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      branch.getSuccessorRegions(RegionBranchPoint(terminator), successors);
      for (RegionSuccessor &successor : successors)
        visit(terminator, successor.getSuccessor(),
              terminator.getSuccessorOperands(successor),
              successor.getSuccessorInputs());
    }
}

/// Does a path of edges lead from `from` to `to` without entering `without`?
static bool reachesWithout(Block *from, Block *to, Block *without) {
  SmallVector<Block *> worklist(from->getSuccessors());
  SmallPtrSet<Block *, 16> seen;
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (block == without || !seen.insert(block).second)
      continue;
    if (block == to)
      return true;
    llvm::append_range(worklist, block->getSuccessors());
  }
  return false;
}

const BlockLoops::Loop *BlockLoops::getLoop(Block *from, Block *to) {
  Region *region = from->getParent();
  if (region->hasOneBlock() && from != to)
    return nullptr;
  auto [it, inserted] = positions.try_emplace(region);
  if (inserted)
    for (Block *block :
         llvm::ReversePostOrderTraversal<Block *>(&region->front()))
      it->second.try_emplace(block, it->second.size());
  auto first = it->second.find(from), second = it->second.find(to);
  if (first == it->second.end() || second == it->second.end() ||
      first->second < second->second)
    return nullptr;
  auto [slot, isNew] = loops.try_emplace({from, to});
  Loop &loop = slot->second;
  if (isNew) {
    Block *entry = &region->front();
    loop.isNatural = from == to || to == entry ||
                     (from != entry && !reachesWithout(entry, from, to));
    SmallVector<Block *> worklist{from};
    loop.blocks.insert(to);
    while (!worklist.empty()) {
      Block *block = worklist.pop_back_val();
      if (loop.blocks.insert(block).second)
        llvm::append_range(worklist, block->getPredecessors());
    }
  }
  return &loop;
}

std::optional<int64_t> evaluateConstant(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  auto operand = [&](unsigned i) {
    return evaluateConstant(op->getOperand(i), depth - 1);
  };
  if (isa<arith::IndexCastOp>(op)) {
    // What does not fit the narrower of the two types is cut off.
    std::optional<int64_t> input = operand(0);
    unsigned width = 64;
    for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()})
      if (auto integer = dyn_cast<IntegerType>(type))
        width = std::min(width, integer.getWidth());
    if (!input || width == 0)
      return std::nullopt;
    return llvm::SignExtend64(static_cast<uint64_t>(*input), width);
  }
  int64_t result;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
      op->getResult(0).getType().isIndex()) {
    std::optional<int64_t> a = operand(0), b = operand(1);
    if (!a || !b)
      return std::nullopt;
    bool overflow =
        isa<arith::AddIOp>(op)   ? __builtin_add_overflow(*a, *b, &result)
        : isa<arith::SubIOp>(op) ? __builtin_sub_overflow(*a, *b, &result)
                                 : __builtin_mul_overflow(*a, *b, &result);
    if (overflow)
      return std::nullopt;
    return result;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Attribute> inputs, outputs;
    Builder builder(op->getContext());
    for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i) {
      std::optional<int64_t> input = operand(i);
      if (!input)
        return std::nullopt;
      inputs.push_back(builder.getIndexAttr(*input));
    }
    if (failed(apply.getAffineMap().constantFold(inputs, outputs)))
      return std::nullopt;
    return cast<IntegerAttr>(outputs[0]).getInt();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// StorageBuilder
//===----------------------------------------------------------------------===//

namespace {
/// Ranges of one tenant that a set may hold before they are merged into one.
constexpr unsigned maxRanges = 16;
/// Passes after which a range that still changes is widened.
constexpr unsigned maxExactPasses = 3;
/// Passes after which the checker gives up: a memref goes around loops for as
/// many, one position a pass.
constexpr unsigned maxPasses = 1000;

/// The layout of a memref in bytes relative to its aligned pointer.
struct Extent {
  bool known = false;
  int64_t lo = 0, hi = 0;
};
} // namespace

/// Bytes between elements, or nothing for types without a known size.
static std::optional<int64_t> getElementStride(MemRefType type,
                                               const DataLayout &layout) {
  MemRefType one = MemRefType::get({1}, type.getElementType());
  BufferSize size = getBufferSize(one, layout);
  if (!size.isKnown() || size.bytes == 0)
    return std::nullopt;
  return static_cast<int64_t>(size.bytes);
}

static Extent computeExtent(MemRefType type, const DataLayout &layout) {
  Extent extent;
  SmallVector<int64_t> strides;
  int64_t offset;
  std::optional<int64_t> element = getElementStride(type, layout);
  if (!element || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || offset < 0)
    return extent;
  int64_t last = offset;
  for (auto [dim, stride] : llvm::zip(type.getShape(), strides)) {
    int64_t span;
    if (ShapedType::isDynamic(stride) || stride < 0)
      return extent;
    if (dim == 0) {
      extent.known = !__builtin_mul_overflow(offset, *element, &extent.lo);
      extent.hi = extent.lo;
      return extent;
    }
    if (__builtin_mul_overflow(dim - 1, stride, &span) ||
        __builtin_add_overflow(last, span, &last))
      return extent;
  }
  extent.known = !__builtin_mul_overflow(offset, *element, &extent.lo) &&
                 !__builtin_add_overflow(last, int64_t(1), &last) &&
                 !__builtin_mul_overflow(last, *element, &extent.hi);
  return extent;
}

/// Bytes of a view that packs its elements, at most; with what the IR shows of
/// its dynamic sizes.
static Extent computeBoundedExtent(
    memref::ViewOp view, const DataLayout &layout,
    llvm::function_ref<std::optional<int64_t>(Value)> getMost) {
  Extent extent;
  std::optional<int64_t> element = getElementStride(view.getType(), layout);
  if (!element)
    return extent;
  int64_t bytes = *element;
  unsigned next = 0;
  for (int64_t dim : view.getType().getShape()) {
    if (ShapedType::isDynamic(dim)) {
      std::optional<int64_t> most = getMost(view.getSizes()[next++]);
      if (!most || *most < 0)
        return extent;
      dim = *most;
    }
    if (__builtin_mul_overflow(bytes, dim, &bytes))
      return extent;
  }
  extent.known = true;
  extent.hi = bytes;
  return extent;
}

class StorageBuilder {
public:
  StorageBuilder(StorageMap &map, Operation *function)
      : map(map), function(function), layout(DataLayout::closest(function)) {}

  void run();

private:
  unsigned addRoot(Root root) {
    map.roots.push_back(root);
    unsigned index = map.roots.size() - 1;
    map.tenants.push_back({Tenant::Whole, index, -1, root.op});
    wholeTenants.push_back(map.tenants.size() - 1);
    return index;
  }
  ByteRange whole(unsigned root) const {
    int64_t size = map.roots[root].size;
    return {root, wholeTenants[root], 0, 0, size < 0 ? INT64_MAX : size};
  }
  int64_t getEnd(unsigned root) const {
    return map.roots[root].size < 0 ? INT64_MAX : map.roots[root].size;
  }
  /// One root for a key value; created on first sight.
  ByteRange rootOf(Value key, Root::Kind kind);
  unsigned getTenant(unsigned root, Tenant::Kind kind, int64_t number,
                     Operation *op);
  /// By the data layout of the function; few types are used many times.
  const Extent &getExtent(MemRefType type) {
    auto [it, inserted] = extents.try_emplace(type);
    if (inserted)
      it->second = computeExtent(type, layout);
    return it->second;
  }

  const Extent &getBoundedExtent(memref::ViewOp view) {
    auto [it, inserted] = boundedExtents.try_emplace(view);
    if (inserted)
      it->second = computeBoundedExtent(view, layout, [&](Value size) {
        // The same conditions hold in all of a region.
        auto [it, isNew] =
            sizeBounds.try_emplace({size, view->getParentRegion()});
        if (isNew)
          it->second = getUpperBound(size, view);
        return it->second;
      });
    return it->second;
  }

  /// Replaces or adds to the ranges of a value; notes whether they changed.
  void set(Value value, Ranges ranges);
  void join(Value value, ArrayRef<ByteRange> ranges);
  /// How control gets from a value to the one it is handed on to.
  struct Edge {
    /// The op is in a loop that the edge continues or leaves.
    llvm::function_ref<bool(Operation *)> isInLoop = nullptr;
    /// ... continues, here.
    Block *header = nullptr;
    /// ... which may be entered in several places.
    bool isIrregular = false;
  };
  void transfer(ValueRange sources, ValueRange targets, const Edge &edge);

  void visitOp(Operation *op);
  void visitView(Operation *op, Value source, Value result,
                 std::optional<int64_t> offset, std::optional<int64_t> number);
  void visitPlacement(AllocOp op);
  void visitLayoutView(Operation *op, Value source, Value result,
                       bool relativeToBase);
  void checkAlignment(Operation *op);
  void checkAlignment(Operation *op, Value buffer, int64_t alignment,
                      OperandRange indices);
  void report(bool undecided, Operation *op, const Twine &message,
              unsigned root, Operation *other = nullptr,
              StringRef note = "the storage is made here");

  StorageMap &map;
  Operation *function;
  DataLayout layout;
  SmallVector<unsigned> wholeTenants;
  DenseMap<Value, unsigned> rootsByValue;
  DenseMap<Type, Extent> extents;
  DenseMap<Operation *, Extent> boundedExtents;
  DenseMap<std::pair<Value, Region *>, std::optional<int64_t>> sizeBounds;
  llvm::StringMap<unsigned> globals;
  std::map<int64_t, unsigned> physicals;
  std::map<int64_t, AllocOp> firstPlaced;
  DenseMap<std::pair<unsigned, int64_t>, unsigned> named;
  DenseMap<Operation *, unsigned> tenantsByOp;
  /// Where a numbered tenant was seen first.
  struct Place {
    int64_t lo, hi;
    Operation *op;
  };
  DenseMap<unsigned, Place> places;
  int64_t numAnonymous = 0, numPlaced = 0;
  BlockLoops blockLoops;
  unsigned pass = 0;
  bool changed = false;
  bool reporting = false;
};

void StorageBuilder::report(bool undecided, Operation *op, const Twine &message,
                            unsigned root, Operation *other, StringRef note) {
  if (reporting)
    map.findings.push_back({undecided, op, message.str(),
                            other ? other : map.roots[root].op, note});
}

/// The type of an allocation, with the sizes that are constants.
static MemRefType getTypeOfConstantSizes(MemRefType type, Operation *op) {
  ValueRange sizes;
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    sizes = alloc.getDynamicSizes();
  else if (auto alloc = dyn_cast_or_null<gpu::AllocOp>(op))
    sizes = alloc.getDynamicSizes();
  if (sizes.size() != static_cast<size_t>(type.getNumDynamicDims()))
    return type;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &dim : shape)
    if (ShapedType::isDynamic(dim)) {
      std::optional<int64_t> size = evaluateConstant(sizes.front());
      if (size && *size >= 0)
        dim = *size;
      sizes = sizes.drop_front();
    }
  return MemRefType::Builder(type).setShape(shape);
}

ByteRange StorageBuilder::rootOf(Value key, Root::Kind kind) {
  auto it = rootsByValue.find(key);
  if (it != rootsByValue.end())
    return whole(it->second);
  Root root{kind, key.getDefiningOp(), key.getLoc()};
  if (auto argument = dyn_cast<BlockArgument>(key))
    root.argument = argument.getArgNumber();
  if (kind == Root::Allocation || kind == Root::Argument)
    if (auto type = dyn_cast<MemRefType>(key.getType())) {
      Extent extent = getExtent(getTypeOfConstantSizes(type, root.op));
      if (extent.known)
        root.size = extent.hi;
    }
  if (root.op)
    if (auto attr = root.op->getAttrOfType<IntegerAttr>("alignment"))
      root.alignment = attr.getInt();
  unsigned index = addRoot(root);
  rootsByValue[key] = index;
  return whole(index);
}

unsigned StorageBuilder::getTenant(unsigned root, Tenant::Kind kind,
                                   int64_t number, Operation *op) {
  map.roots[root].isShared = true;
  if (kind == Tenant::Named) {
    auto [it, inserted] = named.try_emplace({root, number}, map.tenants.size());
    if (inserted)
      map.tenants.push_back({kind, root, number, op});
    return it->second;
  }
  auto [it, inserted] = tenantsByOp.try_emplace(op, map.tenants.size());
  if (inserted)
    map.tenants.push_back({kind, root, numAnonymous++, op});
  return it->second;
}

void StorageBuilder::set(Value value, Ranges ranges) {
  Ranges &old = map.ranges[value];
  if (old.size() == ranges.size() &&
      std::equal(old.begin(), old.end(), ranges.begin()))
    return;
  old = std::move(ranges);
  changed = true;
}

void StorageBuilder::join(Value value, ArrayRef<ByteRange> ranges) {
  Ranges &old = map.ranges[value];
  for (auto [index, source] : llvm::enumerate(ranges)) {
    // The usual case of a second pass.
    if (index < old.size() && old[index] == source)
      continue;
    if (llvm::is_contained(old, source))
      continue;
    ByteRange range = source;
    auto isSame = [&](const ByteRange &other) {
      return other.root == range.root && other.tenant == range.tenant;
    };
    // Bytes that move with every pass do not end; anything else does.
    bool moves = pass >= maxExactPasses &&
                 llvm::any_of(old, [&](const ByteRange &other) {
                   return isSame(other) && !other.isSamePlace(range);
                 });
    if (!moves && llvm::count_if(old, isSame) < maxRanges) {
      changed = true;
      old.push_back(range);
      continue;
    }
    // Widen: one range for each tenant, the whole root.
    range.base = ByteRange::unknown;
    range.lo = 0;
    range.hi = getEnd(range.root);
    range.exact = false;
    range.lost = true;
    for (const ByteRange &other : old) {
      if (!isSame(other))
        continue;
      range.carried |= other.carried;
      if (range.age != other.age || range.header != other.header) {
        range.age = 2;
        range.header = nullptr;
      }
      range.merged |= other.merged;
      range.guessed |= other.guessed;
      range.copied &= other.copied;
    }
    if (llvm::is_contained(old, range))
      continue;
    changed = true;
    llvm::erase_if(old, isSame);
    old.push_back(range);
  }
}

/// Forwards memrefs along a control flow edge. What an iteration of a loop
/// makes reaches the next one on its back edge.
void StorageBuilder::transfer(ValueRange sources, ValueRange targets,
                              const Edge &edge) {
  for (auto [source, target] : llvm::zip(sources, targets)) {
    if (!isa<BaseMemRefType, async::ValueType>(target.getType()))
      continue;
    Ranges ranges(map.lookup(source));
    for (ByteRange &range : ranges) {
      range.merged = true;
      if (!edge.isInLoop)
        continue;
      Root &root = map.roots[range.root];
      if (root.op && edge.isInLoop(root.op)) {
        range.carried = true;
        root.carriedAt = root.op;
      }
      // A tenant has one place in all iterations, whatever its root.
      const Tenant &tenant = map.tenants[range.tenant];
      if (edge.header && tenant.kind != Tenant::Whole && tenant.op &&
          edge.isInLoop(tenant.op)) {
        range.age = edge.isIrregular || range.age > 0 ? 2 : 1;
        range.header = range.age == 1 ? edge.header : nullptr;
      }
    }
    join(target, ranges);
  }
}

/// A view of bytes from `offset`, possibly a tenant's.
void StorageBuilder::visitView(Operation *op, Value source, Value result,
                               std::optional<int64_t> offset,
                               std::optional<int64_t> number) {
  Ranges out;
  auto type = cast<MemRefType>(result.getType());
  Extent extent = getExtent(type);
  // Few views have one, and it takes longer.
  bool isAtBound = !extent.known && isa<memref::ViewOp>(op);
  if (isAtBound)
    extent = getBoundedExtent(cast<memref::ViewOp>(op));
  uint64_t alignment = getBufferSize(type, layout).alignment;
  for (ByteRange range : map.lookup(source)) {
    Root &root = map.roots[range.root];
    // Only a view of raw bytes of a root starts a tenant; a view inside a
    // tenant stays that tenant unless it carries a number of its own.
    bool isWhole = map.tenants[range.tenant].kind == Tenant::Whole;
    unsigned source = range.tenant;
    if (number)
      range.tenant = getTenant(range.root, Tenant::Named, *number, op);
    else if (isWhole)
      range.tenant = getTenant(range.root, Tenant::Anonymous, -1, op);
    if (range.tenant != source) {
      range.age = 0;
      range.header = nullptr;
    }
    int64_t lo, hi;
    if (offset && range.base != ByteRange::unknown && extent.known &&
        !__builtin_add_overflow(range.base, *offset, &lo) &&
        !__builtin_add_overflow(lo, extent.hi, &hi)) {
      // V5, V6
      if (number && root.size < 0)
        report(true, op,
               "whether this view lies within its storage: the size of that is "
               "not known",
               range.root);
      if (isAtBound && lo >= range.lo && hi > range.hi)
        report(true, op,
               "whether this view lies within the bytes [" + Twine(range.lo) +
                   ", " + Twine(range.hi) + ") of its source: all that is "
                   "shown of its size is that it ends by byte " + Twine(hi),
               range.root);
      else if (lo < range.lo || hi > range.hi || *offset < 0)
        report(false, op,
               "view of bytes [" + Twine(lo) + ", " + Twine(hi) +
                   ") goes beyond the bytes [" + Twine(range.lo) + ", " +
                   Twine(range.hi) + ") of its source (V5)",
               range.root);
      if (lo % static_cast<int64_t>(alignment) != 0)
        report(false, op,
               "view at byte " + Twine(lo) +
                   " is not a multiple of its element's alignment " +
                   Twine(alignment) + " (V6)",
               range.root);
      if (root.alignment &&
          root.alignment % static_cast<int64_t>(alignment) != 0)
        report(false, op,
               "view needs alignment " + Twine(alignment) +
                   ", but the storage is only aligned to " +
                   Twine(root.alignment) + " (V6)",
               range.root);
      // V5: the number says that it is one buffer; that is in one place. A view
      // of a part of it is made from a view of all of it.
      if (number && reporting && range.tenant != source) {
        auto [it, isFirst] =
            places.try_emplace(range.tenant, Place{lo, hi, op});
        if (!isFirst && it->second.lo != lo)
          report(false, op,
                 "tenant " + Twine(*number) + " is at bytes [" + Twine(lo) +
                     ", " + Twine(hi) + ") here and at bytes [" +
                     Twine(it->second.lo) + ", " + Twine(it->second.hi) +
                     ") elsewhere (V5)",
                 range.root, it->second.op, "the other place");
      }
      range.base = range.lo = lo;
      range.hi = isAtBound ? std::min(hi, range.hi) : hi;
      range.exact = !isAtBound;
    } else {
      // Within a tenant, a view of unknown size may reach the next one.
      if (number || (offset && map.tenants[range.tenant].kind == Tenant::Named))
        report(true, op,
               offset ? Twine("whether this view lies within its storage: "
                              "its size is not known")
                      : Twine("whether this view lies within its storage: "
                              "its offset is not constant"),
               range.root);
      range.base = ByteRange::unknown;
      range.exact = false;
      range.lost = true;
    }
    out.push_back(range);
  }
  set(result, std::move(out));
}

/// A `transient.alloc` with a placement is a tenant of a physical buffer that
/// no op allocates yet.
void StorageBuilder::visitPlacement(AllocOp op) {
  PlacementAttr placement = op.getPlacementAttr();
  int64_t physical = placement.getPhysical();
  auto [it, inserted] = physicals.try_emplace(physical, 0);
  if (inserted) {
    it->second = addRoot({Root::Physical, nullptr, op.getLoc()});
    firstPlaced[physical] = op;
  }
  unsigned root = it->second;
  bool isNew = !tenantsByOp.count(op);
  if (isNew) {
    tenantsByOp[op] = map.tenants.size();
    map.tenants.push_back({Tenant::Named, root, numPlaced++, op});
  }
  int64_t lo = placement.getOffset();
  ByteRange range{root, tenantsByOp[op], lo, lo, lo + placement.getBytes()};
  BufferSize size = getBufferSize(op.getMemRefType(), layout);
  if (size.isKnown()) {
    if (size.bytes > static_cast<uint64_t>(placement.getBytes()))
      report(false, op,
             "placement of " + Twine(placement.getBytes()) +
                 " bytes is smaller than the buffer's " + Twine(size.bytes) +
                 " (V5)",
             root);
  } else {
    report(true, op,
           "whether the placement of " + Twine(placement.getBytes()) +
               " bytes is large enough: the buffer's size is not static",
           root);
  }
  if (lo % static_cast<int64_t>(size.alignment) != 0)
    report(false, op,
           "placement at byte " + Twine(lo) +
               " is not a multiple of its element's alignment " +
               Twine(size.alignment) + " (V6)",
           root);
  // V7: what the tenants of one physical buffer must have in common.
  AllocOp first = firstPlaced[physical];
  if (first.getKind() != op.getKind())
    report(false, op,
           "placed in physical buffer " + Twine(physical) + " of kind '" +
               stringifyAllocKind(first.getKind()) + "', but allocated as '" +
               stringifyAllocKind(op.getKind()) + "' (V7)",
           root);
  if (first.getMemRefType().getMemorySpace() !=
      op.getMemRefType().getMemorySpace())
    report(false, op,
           "placed in physical buffer " + Twine(physical) +
               " of another memory space (V7)",
           root);
  // One that is not said is not the same.
  if (first.getOwnerAttr() != op.getOwnerAttr())
    report(false, op,
           "placed in physical buffer " + Twine(physical) +
               " of another owner (V7)",
           root);
  set(op.getBuffer(), {range});
}

/// A view whose type says where it lies relative to the aligned pointer.
void StorageBuilder::visitLayoutView(Operation *op, Value source, Value result,
                                     bool relativeToBase) {
  Ranges out;
  auto type = dyn_cast<MemRefType>(result.getType());
  Extent extent = type ? getExtent(type) : Extent();
  for (ByteRange range : map.lookup(source)) {
    int64_t lo, hi;
    if (extent.known && range.base != ByteRange::unknown &&
        !__builtin_add_overflow(range.base, extent.lo, &lo) &&
        !__builtin_add_overflow(range.base, extent.hi, &hi)) {
      int64_t least = relativeToBase ? 0 : range.lo;
      int64_t most = relativeToBase ? getEnd(range.root) : range.hi;
      // V5
      if (hi > lo && (lo < least || hi > most))
        report(false, op,
               "view of bytes [" + Twine(lo) + ", " + Twine(hi) +
                   ") goes beyond the bytes [" + Twine(least) + ", " +
                   Twine(most) + ") of its source (V5)",
               range.root);
      range.lo = lo;
      range.hi = hi;
      range.exact = type.getLayout().isIdentity() ||
                    hi - lo == type.getNumElements() *
                                   getElementStride(type, layout).value_or(0);
    } else if (relativeToBase) {
      // The new offset replaces the old one: it may be anywhere in the root.
      range.lo = 0;
      range.hi = getEnd(range.root);
      range.exact = false;
      range.lost = true;
    } else {
      range.exact = false;
    }
    out.push_back(range);
  }
  set(result, std::move(out));
}

/// Bytes from the first element of a memref to the one at `indices`.
static std::optional<int64_t> getOffsetOf(MemRefType type, OperandRange indices,
                                          const DataLayout &layout) {
  SmallVector<int64_t> strides;
  int64_t start, offset = 0;
  std::optional<int64_t> element = getElementStride(type, layout);
  if (!element || failed(type.getStridesAndOffset(strides, start)) ||
      strides.size() != indices.size())
    return std::nullopt;
  for (auto [stride, value] : llvm::zip(strides, indices)) {
    std::optional<int64_t> index = evaluateConstant(value);
    if (index && *index == 0)
      continue;
    int64_t bytes;
    if (!index || ShapedType::isDynamic(stride) ||
        __builtin_mul_overflow(*index, stride, &bytes) ||
        __builtin_mul_overflow(bytes, *element, &bytes) ||
        __builtin_add_overflow(offset, bytes, &offset))
      return std::nullopt;
  }
  return offset;
}

/// V6 for an op that promises that a buffer, or an element of it, is aligned. A
/// buffer that was not given a place in shared storage is the program's affair.
void StorageBuilder::checkAlignment(Operation *op, Value buffer,
                                    int64_t alignment, OperandRange indices) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  bool isKnown = indices.empty();
  int64_t offset = 0;
  if (!isKnown && type)
    if (std::optional<int64_t> known = getOffsetOf(type, indices, layout)) {
      isKnown = true;
      offset = *known;
    }
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  for (const ByteRange &range : map.lookup(buffer)) {
    const Tenant &tenant = map.tenants[range.tenant];
    const Root &root = map.roots[range.root];
    if (tenant.kind == Tenant::Whole || range.guessed)
      continue;
    if (root.alignment && root.alignment % alignment != 0) {
      report(false, op,
             name + " needs alignment " + Twine(alignment) +
                 ", but the storage is only aligned to " +
                 Twine(root.alignment) + " (V6)",
             range.root);
      continue;
    }
    if (!range.exact || range.lost) {
      report(true, op,
             "whether " + name + " has its alignment " + Twine(alignment) +
                 ": where its buffer lies is not known",
             range.root);
      continue;
    }
    // Without constant indices, as good as the start of the buffer.
    int64_t at = range.lo + offset;
    if (at % alignment == 0)
      continue;
    if (isKnown)
      report(false, op,
             name + " needs alignment " + Twine(alignment) +
                 ", but is at byte " + Twine(at) + " of its storage (V6)",
             range.root);
    else
      report(true, op,
             "whether " + name + " has its alignment " + Twine(alignment) +
                 ": its buffer starts at byte " + Twine(at) +
                 " and its indices are not constant",
             range.root);
  }
}

/// What the base of an argument must be aligned to, as the body's views of it take
/// for granted: a body is looked at without its callers.
static int64_t getNeededAlignment(Value argument, const DataLayout &layout,
                                  DenseSet<Value> &seen) {
  int64_t needed = 1;
  SmallVector<Value> worklist{argument};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !seen.insert(value).second)
      continue;
    if (value != argument)
      needed = std::max<int64_t>(needed, getBufferSize(type, layout).alignment);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
        if (view.getViewSource() == value)
          worklist.push_back(view.getViewDest());
      } else if (auto call = dyn_cast<CallOpInterface>(user)) {
        auto callee =
            dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
        if (!callee || callee.isExternal() ||
            !llvm::equal(call.getArgOperands().getTypes(),
                         callee.getArgumentTypes()))
          continue;
        for (auto [index, operand] : llvm::enumerate(call.getArgOperands()))
          if (operand == value)
            needed = std::max(needed, getNeededAlignment(
                                          callee.getArgument(index), layout,
                                          seen));
      }
    }
  }
  return needed;
}

void StorageBuilder::checkAlignment(Operation *op) {
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
    if (!callee || callee.isExternal() ||
        !llvm::equal(call.getArgOperands().getTypes(),
                     callee.getArgumentTypes()))
      return;
    for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      DenseSet<Value> seen;
      int64_t needed =
          getNeededAlignment(callee.getArgument(index), layout, seen);
      if (needed > 1)
        checkAlignment(op, operand, needed, call.getArgOperands().take_front(0));
    }
    return;
  }
  if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(op))
    return checkAlignment(op, assume.getMemref(), assume.getAlignment(),
                          op->getOperands().drop_front(1));
  // Loads and stores of several dialects have this attribute; allocations, too.
  auto attr = op->getAttrOfType<IntegerAttr>("alignment");
  if (!attr || attr.getInt() <= 1)
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
        checkAlignment(op, access.getMemRef(), attr.getInt(),
                       access.getIndices());
      })
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp, vector::ExpandLoadOp,
            vector::CompressStoreOp>([&](auto access) {
        checkAlignment(op, access.getBase(), attr.getInt(),
                       access.getIndices());
      })
      .Case<vector::GatherOp, vector::ScatterOp>([&](auto access) {
        checkAlignment(op, access.getBase(), attr.getInt(),
                       access.getOffsets());
      });
}

/// Whether result `number` of `call` may be made from one of its operands, for
/// each operand. A body says so: whatever reaches its returns, by any way.
static SmallVector<bool> getReturnedOperands(CallOpInterface call,
                                             unsigned number) {
  OperandRange operands = call.getArgOperands();
  SmallVector<bool> result(operands.size(), true);
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  if (!callee || callee.isExternal() ||
      !llvm::equal(operands.getTypes(), callee.getArgumentTypes()))
    return result;
  SmallVector<Value> worklist;
  DenseSet<Value> seen;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isa<BaseMemRefType>(value.getType()) && seen.insert(value).second)
        worklist.push_back(value);
  };
  for (Block &block : callee.getFunctionBody())
    if (block.mightHaveTerminator() && block.getNumSuccessors() == 0) {
      Operation *end = block.getTerminator();
      if (number >= end->getNumOperands())
        return result;
      add(end->getOperand(number));
    }
  result.assign(operands.size(), false);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *definition = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Block *block = argument.getOwner();
      if (block->isEntryBlock()) {
        definition = block->getParentOp();
        if (definition == callee.getOperation()) {
          result[argument.getArgNumber()] = true;
          continue;
        }
      }
      for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
        Operation *end = (*it)->getTerminator();
        auto branch = dyn_cast<BranchOpInterface>(end);
        Value passed =
            branch ? branch.getSuccessorOperands(
                         it.getSuccessorIndex())[argument.getArgNumber()]
                   : Value();
        add(passed ? ValueRange(passed) : ValueRange(end->getOperands()));
      }
    }
    if (!definition)
      continue;
    if (isStructured(definition)) {
      forEachRegionEdge(definition, [&](Operation *, Region *,
                                        ValueRange sources,
                                        ValueRange targets) {
        for (auto [source, target] : llvm::zip(sources, targets))
          if (target == value)
            add(source);
      });
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(definition);
    if (effects && !isa<bufferization::CloneOp>(definition) &&
        effects.getEffectOnValue<MemoryEffects::Allocate>(value))
      continue;
    // Something made of memory that is no memref may be anything.
    if (llvm::any_of(definition->getOperandTypes(), [](Type type) {
          return !isa<BaseMemRefType>(type) && !type.isIntOrIndexOrFloat();
        })) {
      result.assign(operands.size(), true);
      return result;
    }
    add(definition->getOperands());
    for (Region &region : definition->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          add(block.getTerminator()->getOperands());
  }
  return result;
}

/// Is it a value that a body hands out?
static bool isHandedOut(Value value) {
  return isa<async::ValueType>(value.getType()) &&
         isa_and_nonnull<async::ExecuteOp>(value.getDefiningOp());
}

void StorageBuilder::visitOp(Operation *op) {
  // Control flow first: it forwards, it makes nothing.
  if (isa<RegionBranchOpInterface>(op) && isStructured(op)) {
    bool isLoop = isa<LoopLikeOpInterface>(op);
    auto isInLoop = [&](Operation *inner) {
      return op->isProperAncestor(inner);
    };
    forEachRegionEdge(op, [&](Operation *terminator, Region *region,
                              ValueRange sources, ValueRange targets) {
      Edge edge;
      if (isLoop && terminator) {
        if (region && region->getRegionNumber() <=
                          terminator->getParentRegion()->getRegionNumber())
          edge.header = &region->front();
        if (!region || edge.header)
          edge.isInLoop = isInLoop;
      }
      transfer(sources, targets, edge);
    });
    return;
  }
  // A body gets what its operands carry and hands out what it yields.
  if (auto execute = dyn_cast<async::ExecuteOp>(op)) {
    for (auto [operand, argument] :
         llvm::zip_equal(execute.getBodyOperands(),
                         execute.getBodyRegion().getArguments()))
      if (isHandedOut(operand))
        transfer(operand, ValueRange(argument), Edge());
    for (Block &block : execute.getBodyRegion())
      if (auto yield = dyn_cast<async::YieldOp>(block.getTerminator()))
        transfer(yield.getOperands(), execute.getBodyResults(), Edge());
    return;
  }
  if (isa<async::AwaitOp>(op) && isHandedOut(op->getOperand(0))) {
    transfer(op->getOperands(), op->getResults(), Edge());
    return;
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      Block *successor = op->getSuccessor(i);
      unsigned produced = operands.getProducedOperandCount();
      const BlockLoops::Loop *loop =
          blockLoops.getLoop(op->getBlock(), successor);
      auto isInLoop = [&](Operation *inner) {
        Operation *ancestor =
            op->getParentRegion()->findAncestorOpInRegion(*inner);
        return ancestor && loop->blocks.contains(ancestor->getBlock());
      };
      Edge edge;
      if (loop) {
        edge.isInLoop = isInLoop;
        edge.header = successor;
        edge.isIrregular = !loop->isNatural;
      }
      transfer(operands.getForwardedOperands(),
               successor->getArguments().drop_front(produced), edge);
    }
    return;
  }
  if (isa<RegionBranchTerminatorOpInterface>(op) || op->getNumResults() == 0)
    return;

  if (auto alloc = dyn_cast<AllocOp>(op); alloc && alloc.getPlacementAttr())
    return visitPlacement(alloc);
  if (auto view = dyn_cast<ViewOp>(op))
    return visitView(op, view.getSource(), view.getBuffer(), view.getOffset(),
                     view.getTenant());
  std::optional<int64_t> number;
  if (auto attr =
          op->getAttrOfType<IntegerAttr>(TransientDialect::getTenantAttrName()))
    number = attr.getInt();
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return visitView(op, view.getSource(), view.getResult(),
                     evaluateConstant(view.getByteShift()), number);
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return visitLayoutView(op, view.getSource(), view.getResult(), false);
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
    return visitLayoutView(op, view.getSource(), view.getResult(), true);
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return set(metadata.getBaseBuffer(),
               Ranges(map.lookup(metadata.getSource())));
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::ExpandShapeOp,
          memref::CollapseShapeOp, memref::TransposeOp, memref::ReshapeOp,
          memref::AssumeAlignmentOp>(op))
    return set(op->getResult(0), Ranges(map.lookup(op->getOperand(0))));
  if (isa<memref::DistinctObjectsOp>(op)) {
    for (auto [operand, result] :
         llvm::zip(op->getOperands(), op->getResults()))
      set(result, Ranges(map.lookup(operand)));
    return;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (!isa<BaseMemRefType>(select.getType()))
      return;
    transfer(select.getTrueValue(), select.getResult(), Edge());
    return transfer(select.getFalseValue(), select.getResult(), Edge());
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    auto [it, inserted] = globals.try_emplace(global.getName(), 0);
    if (inserted) {
      Root root{Root::Global, op, op->getLoc()};
      if (Extent extent = getExtent(global.getType()); extent.known)
        root.size = extent.hi;
      it->second = addRoot(root);
    }
    return set(global.getResult(), {whole(it->second)});
  }

  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  for (OpResult result : op->getResults()) {
    if (!isa<BaseMemRefType>(result.getType()))
      continue;
    if (effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result)) {
      Ranges fresh = {rootOf(result, Root::Allocation)};
      // A clone may be its source: it is the reader's duty not to notice.
      if (auto clone = dyn_cast<bufferization::CloneOp>(op))
        for (ByteRange range : map.lookup(clone.getInput())) {
          range.copied = true;
          if (clone.getInput().getType() != result.getType())
            range.base = ByteRange::unknown;
          fresh.push_back(range);
        }
      set(result, std::move(fresh));
      continue;
    }
    // An op that we do not know may return a part of anything it is given, or
    // something else.
    Ranges any = {rootOf(result, Root::Unknown)};
    SmallVector<Value> sources(op->getOperands());
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      sources.clear();
      for (auto [operand, isReturned] : llvm::zip_equal(
               call.getArgOperands(), getReturnedOperands(call, result.getResultNumber())))
        if (isReturned)
          sources.push_back(operand);
    }
    for (Value operand : sources)
      for (ByteRange range : map.lookup(operand)) {
        range.base = ByteRange::unknown;
        range.exact = false;
        if (!isa<ViewLikeOpInterface>(op)) {
          range.lo = 0;
          range.hi = getEnd(range.root);
          range.lost = range.guessed = true;
        }
        if (!llvm::is_contained(any, range))
          any.push_back(range);
      }
    set(result, std::move(any));
  }
}

void StorageBuilder::run() {
  for (Region &region : function->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        if (block.isEntryBlock() && isa<BaseMemRefType>(argument.getType()))
          set(argument, {rootOf(argument, Root::Argument)});
  // Bodies of ops that we do not follow get arguments of unknown origin.
  function->walk([&](Operation *op) {
    if (op == function || isStructured(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          auto execute = dyn_cast<async::ExecuteOp>(op);
          if (isa<BaseMemRefType>(argument.getType()) &&
              !(execute && isHandedOut(execute.getBodyOperands()
                                           [argument.getArgNumber()])))
            set(argument, {rootOf(argument, Root::Unknown)});
        }
  });
  do {
    changed = false;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function)
        visitOp(op);
    });
  } while (changed && ++pass < maxPasses);
  reporting = true;
  // On the last pass, also what ops ask of their operands.
  function->walk([&](Operation *op) { checkAlignment(op); });
  if (changed)
    map.findings.push_back({true, function,
                            "which buffers memrefs name: they are handed "
                            "around loops too often",
                            nullptr, ""});
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      visitOp(op);
  });
}

//===----------------------------------------------------------------------===//
// StorageMap
//===----------------------------------------------------------------------===//

StorageMap::StorageMap(Operation *function, bool viewsAreTenants)
    : viewsAreTenants(viewsAreTenants) {
  StorageBuilder(*this, function).run();
}

ArrayRef<ByteRange> StorageMap::lookup(Value value) const {
  auto it = ranges.find(value);
  return it == ranges.end() ? ArrayRef<ByteRange>() : it->second;
}

std::string StorageMap::describe(unsigned tenant) const {
  const Tenant &t = tenants[tenant];
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (t.kind) {
  case Tenant::Whole: {
    const Root &root = roots[t.root];
    if (root.kind == Root::Argument)
      os << "argument " << root.argument;
    else if (root.kind == Root::Unknown)
      os << "a buffer of unknown origin";
    else if (root.kind == Root::Global)
      os << "global @" << cast<memref::GetGlobalOp>(root.op).getName();
    else if (root.isShared)
      os << "the storage itself";
    else
      os << "this allocation";
    break;
  }
  case Tenant::Anonymous:
    os << "view " << t.number << " without tenant";
    break;
  case Tenant::Named:
    os << "tenant " << t.number;
    break;
  }
  return text;
}

} // namespace transient::checker
