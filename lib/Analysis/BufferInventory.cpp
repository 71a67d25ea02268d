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
                                 KernelAccessCache &kernels)
    : function(function), order(order), uses(function, kernels) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<memref::AllocOp, gpu::AllocOp, AllocOp>(op))
      addAllocation(op);
  });
  auto addOther = [&](BufferRecord::Kind kind, Value value, Operation *op) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      return;
    BufferRecord record;
    record.id = records.size();
    record.kind = kind;
    record.value = value;
    record.op = op;
    record.type = type;
    record.size = getBufferSize(type, function);
    record.alignment = record.size.alignment;
    record.alignmentSource = "abi";
    // Its content outlives the call, or comes from before it.
    record.resourceClass = ResourceClass::Escaped;
    record.uses = uses.collect(value);
    analyseUses(record);
    record.resourceClass = ResourceClass::Escaped;
    records.push_back(std::move(record));
  };
  if (!function.isExternal())
    for (BlockArgument argument : function.getArguments())
      addOther(BufferRecord::Argument, argument, nullptr);
  function->walk<WalkOrder::PreOrder>([&](memref::GetGlobalOp op) {
    addOther(BufferRecord::Global, op.getResult(), op);
  });
}

/// What the program says about the alignment of the buffer or a view of it
/// stays true of its place.
static void raiseAlignment(BufferRecord &record) {
  for (Value alias : record.uses.aliases)
    for (Operation *user : alias.getUsers()) {
      uint64_t stated = 1;
      if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(user))
        stated = assume.getAlignment();
      else if (auto attr = user->getAttrOfType<IntegerAttr>("alignment"))
        stated = attr.getValue().getZExtValue();
      if (llvm::isPowerOf2_64(stated) && stated > record.alignment) {
        record.alignment = stated;
        record.alignmentSource = "use";
      }
    }
}

void BufferInventory::addAllocation(Operation *op) {
  Value value;
  AllocKind kind = AllocKind::MemRef;
  std::optional<uint64_t> alignment;
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    value = alloc.getResult();
    alignment = alloc.getAlignment();
  } else if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    value = alloc.getMemref();
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
  record.size = getBufferSize(type, function);
  record.alignment = std::max(record.size.alignment, alignment.value_or(1));
  record.alignmentSource =
      alignment && *alignment >= record.size.alignment ? "op" : "abi";
  record.uses = uses.collect(value);
  raiseAlignment(record);

  auto block = [&](FactKind fact, const Twine &reason, StringRef resolve) {
    record.blocked.push_back({fact, reason.str(), resolve.str(), op});
  };
  switch (record.size.kind) {
  case BufferSize::Known:
    break;
  case BufferSize::Dynamic:
    block(FactKind::SizeBound, "has a dynamic size without a bound",
          "give every dimension a static size");
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
  }
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
          "is used in a function where " + *order.getUnsupportedReason(),
          "use structured control flow");
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
              "move the access to the function that owns the buffer");
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

/// Whether a region of `op` runs on the host thread, at most once at a time.
static bool runsOnceAtATime(Operation *op) {
  return isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp, scf::WhileOp,
             scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp,
             memref::AllocaScopeOp>(op);
}

void BufferInventory::analysePlacement(BufferRecord &record) {
  auto block = [&](Operation *op, const Twine &reason, const Twine &resolve) {
    record.blocked.push_back(
        {FactKind::Placement, reason.str(), resolve.str(), op});
  };
  for (Region *region = record.op->getParentRegion();
       region && region->getParentOp() != function.getOperation();
       region = region->getParentOp()->getParentRegion()) {
    Operation *parent = region->getParentOp();
    if (!region->hasOneBlock()) {
      // The blocks may form a loop.
      block(parent,
            "is allocated inside '" + parent->getName().getStringRef() +
                "' among several blocks",
            "allocate it outside");
      return;
    }
    if (!runsOnceAtATime(parent)) {
      block(parent,
            "is allocated inside '" + parent->getName().getStringRef() +
                "', whose body may run several times at once",
            "allocate it outside");
      return;
    }
    if (!isa<LoopLikeOpInterface>(parent))
      continue;
    // One place serves all iterations only if no iteration sees the buffer of
    // another: it must not leave the body, nor enter it again.
    for (Value alias : record.uses.aliases) {
      Region *region = alias.getParentRegion();
      bool carried = false;
      if (auto argument = dyn_cast<BlockArgument>(alias))
        carried = region->getParentOp() == parent;
      if (!carried && parent->isAncestor(region->getParentOp()))
        continue;
      block(parent,
            "is allocated inside '" + parent->getName().getStringRef() +
                "' and may be seen by another iteration",
            "allocate it outside the loop");
      return;
    }
  }
}

void BufferInventory::analyseFrees(BufferRecord &record) {
  auto block = [&](Operation *op, const Twine &reason, const Twine &resolve) {
    record.blocked.push_back(
        {FactKind::CompletionEdge, reason.str(), resolve.str(), op});
  };
  unsigned frees = 0;
  for (const BufferUse &use : record.uses.uses) {
    if (use.kind != BufferUse::Free)
      continue;
    Operation *op = use.getOp();
    if (++frees > 1)
      block(op, "is freed more than once", "free it once");
    else if (op->getBlock() != record.op->getBlock())
      block(op, "is freed in another block than it is allocated in",
            "free it in the block of its allocation");
    else if (use.operand->get() != record.value)
      block(op, "is freed through a view or alias", "free the buffer itself");
    else if (!isa<memref::DeallocOp, gpu::DeallocOp>(op))
      block(op, "is freed by '" + op->getName().getStringRef() + "'",
            "use memref.dealloc or gpu.dealloc");
  }
  if (frees != 1 || !record.blocked.empty() || order.isComplete())
    return;
  for (const UnorderedFree &unordered : findUnorderedFrees(record, order))
    block(unordered.free,
          "is freed after accesses whose end may be awaited in a way that is "
          "not followed",
          "pass tokens from op to op and wait for them in the same block");
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
      if (order.endsBeforeStart(*node, *freeNode))
        continue;
      if (node == freeNode) {
        // Nested in one node that completes on return: one host thread.
        Operation *ancestor =
            free.getOp()->getBlock()->findAncestorOpInBlock(*use.getOp());
        if (ancestor && ancestor->isBeforeInBlock(free.getOp()))
          continue;
      }
      found.accesses.push_back(use.getOp());
    }
    if (!found.accesses.empty())
      result.push_back(std::move(found));
  }
  return result;
}

} // namespace transient
