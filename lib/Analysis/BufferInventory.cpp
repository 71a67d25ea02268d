//===- BufferInventory.cpp - Every buffer of a function -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathers records, then asks of each allocation whether everything about it is
// known.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/BufferInventory.h"

#include "LoopLifetimes.h"

#include "transient/Analysis/CallTree.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient {

StringRef stringify(FactKind kind) {
  switch (kind) {
  case FactKind::Consumer:
    return "consumer";
  case FactKind::SizeBound:
    return "size_bound";
  case FactKind::CompletionEdge:
    return "completion_edge";
  case FactKind::Placement:
    return "placement";
  }
  return "consumer";
}

std::string BufferRecord::getName() const {
  std::string name;
  llvm::raw_string_ostream(name)
      << "buffer " << id << " of type '" << type << "'";
  return name;
}

BufferInventory::BufferInventory(FunctionOpInterface function,
                                 const ExecutionOrder &order,
                                 KernelAccessCache &kernels,
                                 bool allocationsOnly)
    : function(function), order(order), uses(function, kernels),
      bounds(function), layout(DataLayout::closest(function)) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<memref::AllocOp, gpu::AllocOp, AllocOp>(op))
      addAllocation(op);
  });
  if (!allocationsOnly) {
    if (!function.isExternal())
      for (BlockArgument argument : function.getArguments())
        addOther(BufferRecord::Argument, argument, nullptr);
    function->walk<WalkOrder::PreOrder>([&](memref::GetGlobalOp op) {
      addOther(BufferRecord::Global, op.getResult(), op);
    });
  }
  findSpannedLoops(records, order, kernels.getSymbols());
  // Last, since it asks what is planned.
  analyseSharedFrees();
}

void BufferInventory::addOther(BufferRecord::Kind kind, Value value,
                               Operation *op) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return;
  BufferRecord record;
  record.id = records.size();
  record.kind = kind;
  record.value = value;
  record.op = op;
  record.type = type;
  record.size = getBufferSize(type, layout);
  record.alignment = record.size.alignment;
  record.alignmentSource = "abi";
  record.uses = uses.collect(value);
  analyseUses(record);
  // Its content outlives the call, or comes from before it.
  record.resourceClass = ResourceClass::Escaped;
  records.push_back(std::move(record));
}

/// What the program says about the alignment of the buffer or a view of it
/// stays true of its place; so does what the elements of a view need, as those of
/// raw bytes do.
static void raiseAlignment(BufferRecord &record, const DataLayout &layout) {
  auto raise = [&](uint64_t alignment) {
    if (llvm::isPowerOf2_64(alignment) && alignment > record.alignment) {
      record.alignment = alignment;
      record.alignmentSource = "use";
    }
  };
  for (Value alias : record.uses.aliases) {
    if (auto type = dyn_cast<MemRefType>(alias.getType()))
      raise(getBufferSize(type, layout).alignment);
    for (Operation *user : alias.getUsers()) {
      if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(user))
        raise(assume.getAlignment());
      else if (auto attr = user->getAttrOfType<IntegerAttr>("alignment"))
        raise(attr.getValue().getZExtValue());
    }
  }
}

/// Whether the buffer is a stop on the way between host and device: copies are
/// all that touches it (B5).
static bool isStaging(const BufferRecord &record) {
  bool isCopied = false;
  for (const BufferUse &use : record.uses.uses) {
    if (use.kind == BufferUse::Escape ||
        (use.kind == BufferUse::Access &&
         !isa<gpu::MemcpyOp, memref::CopyOp>(use.getOp())))
      return false;
    isCopied |= use.kind == BufferUse::Access;
  }
  return isCopied && record.allocKind == AllocKind::GpuHostShared;
}

void BufferInventory::addAllocation(Operation *op) {
  Value value;
  AllocKind kind = AllocKind::MemRef;
  std::optional<uint64_t> alignment;
  // A request says what it needs; its size is no longer looked for.
  ValueRange sizes;
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    value = alloc.getResult();
    alignment = alloc.getAlignment();
    sizes = alloc.getDynamicSizes();
  } else if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    value = alloc.getMemref();
    sizes = alloc.getDynamicSizes();
    kind = alloc.getHostShared() ? AllocKind::GpuHostShared : AllocKind::Gpu;
  } else {
    auto request = cast<AllocOp>(op);
    value = request.getBuffer();
    kind = request.getKind();
    alignment = request.getAlignment();
  }
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return;
  BufferRecord record;
  record.id = records.size();
  record.value = value;
  record.op = op;
  record.allocKind = kind;
  record.type = type;
  record.size = getBufferSize(type, layout);
  if (record.size.kind == BufferSize::Dynamic && !sizes.empty()) {
    record.size = bounds.getSizeAtBounds(type, sizes);
    record.hasSpareBytes = record.size.isKnown();
  }
  auto required = op->getAttrOfType<IntegerAttr>(
      TransientDialect::getRequiredBytesAttrName());
  if (required && record.size.isKnown() &&
      record.size.bytes < required.getValue().getZExtValue()) {
    record.size.bytes = required.getValue().getZExtValue();
    record.hasSpareBytes = true;
  }
  record.alignment = std::max(record.size.alignment, alignment.value_or(1));
  record.alignmentSource =
      alignment && *alignment >= record.size.alignment ? "op" : "abi";
  record.uses = uses.collect(value);
  raiseAlignment(record, layout);

  auto block = [&](FactKind fact, const Twine &reason, StringRef resolve) {
    record.blocked.push_back({fact, reason.str(), resolve.str(), op});
  };
  switch (record.size.kind) {
  case BufferSize::Known:
    break;
  case BufferSize::Dynamic:
    block(FactKind::SizeBound, "has a dynamic size without a bound",
          "give every dimension a static size or a 'transient.bound'");
    break;
  case BufferSize::Unsupported:
    block(FactKind::SizeBound,
          "has a layout or element type whose size is not known",
          "use an identity layout and an element type with a fixed size");
    break;
  case BufferSize::Overflow:
    block(FactKind::SizeBound,
          "has a size that does not fit 64 bits (overflow)",
          "shrink the buffer");
    break;
  }
  analyseUses(record);
  if (auto request = dyn_cast<AllocOp>(op))
    if (func::CallOp call = getOwnerCall(request))
      analyseWorkspace(record, call);
  analysePlacement(record);
  analyseFrees(record);
  if (auto request = dyn_cast<AllocOp>(op)) {
    if (request.getUsage()) {
      record.usage = *request.getUsage();
      record.usageDeclared = true;
    }
    if (request.getResourceClass() &&
        record.resourceClass == ResourceClass::Transient)
      record.resourceClass = *request.getResourceClass();
    // Someone whom we do not see has the buffer (B2, B7).
    if (record.resourceClass == ResourceClass::RequiredOutput ||
        record.resourceClass == ResourceClass::Escaped)
      if (record.blocked.empty())
        block(FactKind::Consumer,
              "is declared '" + stringifyResourceClass(record.resourceClass) +
                  "', so others may use it after the function",
              "declare another class if nobody does");
  }
  if (record.resourceClass == ResourceClass::Transient && isStaging(record))
    record.resourceClass = ResourceClass::Staging;
  if (record.resourceClass == ResourceClass::Transient &&
      !record.blocked.empty())
    record.resourceClass = llvm::any_of(record.uses.uses,
                                        [](const BufferUse &use) {
                                          return use.kind == BufferUse::Escape;
                                        })
                               ? ResourceClass::Escaped
                               : ResourceClass::Transient;
  records.push_back(std::move(record));
}

/// Usage bits that an access implies.
static Usage getImpliedUsage(const BufferUse &use) {
  Operation *op = use.getOp();
  if (isa<gpu::MemcpyOp>(op) || isa<memref::CopyOp>(op)) {
    Usage usage = Usage::None;
    if (reads(use.mode))
      usage = usage | Usage::CopySrc;
    if (writes(use.mode))
      usage = usage | Usage::CopyDst;
    return usage;
  }
  if (isa<gpu::MemsetOp>(op))
    return Usage::CopyDst;
  return Usage::Storage;
}

void BufferInventory::analyseUses(BufferRecord &record) {
  auto block = [&](FactKind fact, Operation *op, const Twine &reason,
                   const Twine &resolve) {
    record.blocked.push_back({fact, reason.str(), resolve.str(), op});
  };
  if (record.kind == BufferRecord::Allocation && order.getUnsupportedReason())
    block(FactKind::CompletionEdge, function.getOperation(),
          "is used in a function of which " + *order.getUnsupportedReason(),
          "split the function");
  for (const BufferUse &use : record.uses.uses) {
    Operation *op = use.getOp();
    if (use.kind == BufferUse::Escape) {
      block(FactKind::Consumer, op, use.route,
            use.returned ? "return through an out-parameter"
                         : "declare what the consumer does with the buffer");
      record.resourceClass =
          use.returned ? ResourceClass::RequiredOutput : ResourceClass::Escaped;
      record.deviceOnly = false;
      continue;
    }
    if (use.kind == BufferUse::Free)
      continue;
    record.usage = record.usage | getImpliedUsage(use);
    if (!isa<gpu::LaunchFuncOp, gpu::MemcpyOp, gpu::MemsetOp>(op) &&
        !op->getParentOfType<gpu::LaunchOp>())
      record.deviceOnly = false;
    std::optional<unsigned> node = order.getNode(op);
    if (!node) {
      if (!order.getUnsupportedReason())
        block(FactKind::CompletionEdge, op,
              "is accessed by '" + op->getName().getStringRef() +
                  "', which has no place in the order",
              "move the access out of a cycle of blocks with several entries");
      continue;
    }
    const Completion &completion = order.getNodes()[*node].completion;
    if (completion.kind == Completion::Unknown)
      block(FactKind::CompletionEdge,
            completion.culprit ? completion.culprit : op,
            "is accessed by work of unknown completion: " + completion.reason,
            "await that work through a token");
    record.users.push_back(*node);
    if (writes(use.mode))
      record.writers.push_back(*node);
  }
  for (std::vector<planner::NodeId> *nodes : {&record.users, &record.writers}) {
    llvm::sort(*nodes);
    nodes->erase(llvm::unique(*nodes), nodes->end());
  }
}

/// A workspace is in use while its call runs, and nothing of it after (B4).
void BufferInventory::analyseWorkspace(BufferRecord &record,
                                       func::CallOp call) {
  record.resourceClass = ResourceClass::Workspace;
  record.deviceOnly = record.allocKind != AllocKind::MemRef;
  std::optional<unsigned> node = order.getNode(call);
  if (!node || order.getNodes()[*node].completion.kind != Completion::OnReturn)
    return;
  record.users.assign(1, *node);
  record.writers.assign(1, *node);
}

void BufferInventory::analysePlacement(BufferRecord &record) {
  auto block = [&](Operation *op, const Twine &reason, const Twine &resolve) {
    record.blocked.push_back(
        {FactKind::Placement, reason.str(), resolve.str(), op});
  };
  if (record.op->hasAttr(TransientDialect::getKeepApartAttrName()))
    block(record.op,
          "is switched out by '" +
              TransientDialect::getKeepApartAttrName().str() + "'",
          "remove the attribute");
  if (order.getUnsupportedReason())
    return;
  std::optional<unsigned> frame = order.getFrame(record.op);
  if (!frame) {
    Operation *parent = record.op->getParentOp();
    while (parent != function && !order.getFrame(parent))
      parent = parent->getParentOp();
    if (parent == function)
      block(record.op,
            "is allocated in a block that control may enter at several places "
            "of one cycle",
            "allocate it outside of the cycle");
    else
      block(parent,
            "is allocated inside '" + parent->getName().getStringRef() +
                "', whose body may run several times at once",
            "allocate it outside");
    return;
  }
  // One place serves all iterations only if no iteration sees the buffer of
  // another: it must not leave the body, nor enter it again.
  for (const ExecutionOrder::Loop &loop : order.getLoops()) {
    if (!order.isInFrame(*frame, loop.frame))
      continue;
    bool carried = false;
    for (Value alias : record.uses.aliases) {
      if (auto argument = dyn_cast<BlockArgument>(alias))
        carried |= loop.header ? argument.getOwner() == loop.header
                               : argument.getOwner()->getParentOp() == loop.op;
      std::optional<unsigned> at;
      if (Operation *definition = alias.getDefiningOp())
        at = order.getFrame(definition);
      else if (!alias.getParentBlock()->empty())
        at = order.getFrame(&alias.getParentBlock()->front());
      // An alias inside the work of a node is where that node is.
      carried |= at && !order.isInFrame(*at, loop.frame);
    }
    for (planner::NodeId user : record.users)
      carried |= !order.isInFrame(order.getNodes()[user].frame, loop.frame);
    if (!carried)
      continue;
    block(loop.op,
          loop.header ? Twine("is allocated in a cycle of blocks and may be "
                              "seen by another iteration")
                      : "is allocated inside '" +
                            loop.op->getName().getStringRef() +
                            "' and may be seen by another iteration",
          "allocate it outside the loop");
    return;
  }
}

void BufferInventory::analyseFrees(BufferRecord &record) {
  auto block = [&](Operation *op, const Twine &reason, const Twine &resolve) {
    record.blocked.push_back(
        {FactKind::CompletionEdge, reason.str(), resolve.str(), op});
  };
  SmallVector<Operation *> frees;
  for (const BufferUse &use : record.uses.uses) {
    if (use.kind != BufferUse::Free)
      continue;
    Operation *op = use.getOp();
    if (!isa<memref::DeallocOp, gpu::DeallocOp>(op))
      block(op, "is freed by '" + op->getName().getStringRef() + "'",
            "use memref.dealloc or gpu.dealloc");
    std::optional<unsigned> node = order.getNode(op);
    if (llvm::any_of(frees, [&](Operation *other) {
          std::optional<unsigned> otherNode = order.getNode(other);
          return !node || !otherNode || !order.areExclusive(*node, *otherNode);
        }))
      block(op, "is freed more than once", "free it once");
    frees.push_back(op);
  }
  if (frees.empty() || !record.blocked.empty())
    return;
  // Anything else is an error.
  for (const UnorderedFree &unordered : findUnorderedFrees(record, order))
    if (!order.isComplete())
      block(unordered.free,
            "is freed after accesses whose end may be awaited in a way that is "
            "not followed",
            "pass tokens from op to op and wait for them in the same block");
    else if (unordered.mayBeExclusive)
      block(unordered.free,
            "is freed in one branch and accessed in another, of which only one "
            "may run",
            "free it where all accesses have ended on every path");
}

/// A free may be of one buffer or another, as control flow decides. It can be
/// dropped only if all of them are planned.
void BufferInventory::analyseSharedFrees() {
  DenseMap<Value, BufferRecord *> recordOf;
  for (BufferRecord &record : records)
    recordOf[record.value] = &record;
  DenseMap<Operation *, SmallVector<BufferRecord *>> freed;
  DenseMap<Operation *, Value> freedValue;
  SmallVector<Operation *> frees;
  for (BufferRecord &record : records)
    for (const BufferUse &use : record.uses.uses) {
      if (use.kind != BufferUse::Free || use.operand->get() == record.value)
        continue;
      if (freedValue.try_emplace(use.getOp(), use.operand->get()).second)
        frees.push_back(use.getOp());
      freed[use.getOp()].push_back(&record);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *free : frees) {
      // Is everything that it may free planned?
      bool allPlanned = llvm::all_of(
          freed[free], [](BufferRecord *record) {
            return record->kind == BufferRecord::Allocation &&
                   record->isPlannable();
          });
      for (Value source : uses.getSources(freedValue[free]))
        allPlanned &= recordOf.count(source) != 0;
      if (allPlanned)
        continue;
      for (BufferRecord *record : freed[free]) {
        if (record->kind != BufferRecord::Allocation || !record->isPlannable())
          continue;
        record->blocked.push_back(
            {FactKind::Consumer,
             "is freed by an op that may free a buffer which is not planned",
             "free each buffer by itself", free});
        changed = true;
      }
    }
  }
}

/// Whether each of the two nodes is in something that may not run when the
/// other one does.
static bool mayBeExclusive(const ExecutionOrder &order, unsigned a,
                           unsigned b) {
  const std::vector<ExecutionOrder::Frame> &frames = order.getFrames();
  unsigned frameA = order.getNodes()[a].frame;
  unsigned frameB = order.getNodes()[b].frame;
  unsigned common = frameA;
  while (!order.isInFrame(frameB, common))
    common = frames[common].parent;
  return !order.runsWithFrame(frameA, common) &&
         !order.runsWithFrame(frameB, common);
}

std::vector<UnorderedFree> findUnorderedFrees(const BufferRecord &record,
                                              const ExecutionOrder &order) {
  std::vector<UnorderedFree> result;
  for (const BufferUse &free : record.uses.uses) {
    if (free.kind != BufferUse::Free)
      continue;
    std::optional<unsigned> freeNode = order.getNode(free.getOp());
    UnorderedFree found;
    found.free = free.getOp();
    // Only maximal accesses are named; the others are before one of them.
    std::vector<planner::NodeId> last =
        order.getPartialOrder()->maximal(record.users);
    for (const BufferUse &use : record.uses.uses) {
      if (use.kind != BufferUse::Access || use.mode == AccessMode::None)
        continue;
      std::optional<unsigned> node = order.getNode(use.getOp());
      if (!node || !freeNode || !llvm::is_contained(last, *node))
        continue;
      if (order.endsBeforeStart(*node, *freeNode) ||
          order.areExclusive(*node, *freeNode))
        continue;
      if (node == freeNode) {
        // Nested in one node that completes on return: one host thread.
        Operation *ancestor =
            free.getOp()->getBlock()->findAncestorOpInBlock(*use.getOp());
        if (ancestor && ancestor->isBeforeInBlock(free.getOp()))
          continue;
      }
      found.accesses.push_back(use.getOp());
      found.mayBeExclusive &=
          freeNode && mayBeExclusive(order, *node, *freeNode);
    }
    if (!found.accesses.empty())
      result.push_back(std::move(found));
  }
  return result;
}

} // namespace transient
