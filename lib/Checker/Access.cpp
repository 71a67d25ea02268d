//===- Access.cpp - What an op does with memory ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Effects come from interfaces; kernels and callees with a body are read. The
// absence of a token is no proof of completion: only ops of dialects that are
// known to run on the calling thread block it.
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace transient::checker {

/// Ops of these dialects do their work on the calling thread before they
/// return, unless singled out below.
static bool isHostSynchronous(Operation *op) {
  if (isa<memref::DmaStartOp, affine::AffineDmaStartOp>(op))
    return false;
  Dialect *dialect = op->getDialect();
  if (!dialect)
    return false;
  static constexpr StringLiteral names[] = {
      "affine",  "arith",  "bufferization", "builtin",       "cf",
      "complex", "func",   "index",         "linalg",        "math",
      "memref",  "scf",    "shape",         "sparse_tensor", "tensor",
      "ub",      "vector", "transient"};
  return llvm::is_contained(names, dialect->getNamespace());
}

bool runsConcurrently(Operation *op) {
  return isa<scf::ParallelOp, scf::ForallOp, affine::AffineParallelOp,
             async::ExecuteOp>(op);
}

OpShape getShape(Operation *op) {
  if (isa<FunctionOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>())
    return OpShape::Skipped;
  if (op->getNumRegions() == 0)
    return OpShape::Leaf;
  return isStructured(op) ? OpShape::Structured : OpShape::Atomic;
}

static bool isMemRef(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

static bool hasMemRefOperand(Operation *op) {
  return llvm::any_of(op->getOperands(), isMemRef);
}

/// Pure ops that only look at or forward memrefs, so that uses of their results
/// are the accesses. Other pure ops may hand the address to someone.
static bool onlyForwards(Operation *op) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp, UnrealizedConversionCastOp>(
          op))
    return false;
  if (op->getNumResults() == 0 || !isHostSynchronous(op) ||
      !isMemoryEffectFree(op))
    return false;
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    return isa<BaseMemRefType>(type) || type.isIntOrIndexOrFloat();
  });
}

/// Memrefs that control flow forwards; following them is StorageMap's task.
static bool isForwardingTerminator(Operation *op) {
  if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op))
    return op->getParentOp() && isStructured(op->getParentOp());
  return isa<BranchOpInterface>(op);
}

static bool isDense(MemRefType type) {
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

//===----------------------------------------------------------------------===//
// Summaries of kernels and callees
//===----------------------------------------------------------------------===//

/// How a body uses a memref, through views. Anything else that happens to it is
/// an escape.
AccessAnalysis::ArgumentUse AccessAnalysis::summarizeValue(Value value,
                                                           unsigned depth) {
  ArgumentUse use;
  auto merge = [&](const ArgumentUse &other) {
    use.effects |= other.effects;
    use.certain &= other.certain;
    use.escapes |= other.escapes;
  };
  ArgumentUse unknown{ReadWrite, false, true};
  for (OpOperand &operand : value.getUses()) {
    Operation *user = operand.getOwner();
    if (depth > 32)
      return unknown;
    if (onlyForwards(user)) {
      for (Value result : user->getResults())
        if (isMemRef(result))
          merge(summarizeValue(result, depth + 1));
      continue;
    }
    // Pure, but not a view: it forwards the address where we do not follow.
    if (isMemoryEffectFree(user))
      return unknown;
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    // A memref that is itself stored is an escape, whatever the effects say.
    bool isStored =
        isa<memref::StoreOp>(user) && operand.getOperandNumber() == 0;
    if (!effects || isStored || user->getNumRegions() != 0) {
      if (isa<linalg::LinalgOp>(user)) {
        merge({ReadWrite, false, false});
        continue;
      }
      return unknown;
    }
    SmallVector<MemoryEffects::EffectInstance> list;
    effects.getEffectsOnValue(value, list);
    if (list.empty())
      merge({ReadWrite, false, false});
    for (const MemoryEffects::EffectInstance &effect : list) {
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        merge({Read, true, false});
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        merge({Write, true, false});
      else
        return unknown;
    }
  }
  return use;
}

const AccessAnalysis::Summary &
AccessAnalysis::summarize(FunctionOpInterface function) {
  auto [it, inserted] = summaries.try_emplace(function);
  if (!inserted)
    return it->second;
  Summary summary;
  summary.known = !function.isExternal();
  if (summary.known) {
    for (Value argument : function.getArguments())
      summary.arguments.push_back(
          isMemRef(argument) ? summarizeValue(argument, 0) : ArgumentUse());
    // Calls inside are not followed: recursion cannot occur.
    function->walk([&](Operation *op) {
      if (op == function.getOperation())
        return;
      if (isa<CallOpInterface>(op) || runsConcurrently(op) ||
          (!isHostSynchronous(op) && !isMemoryEffectFree(op)))
        summary.synchronous = false;
    });
  }
  // try_emplace's iterator may be stale by now.
  return summaries[function] = std::move(summary);
}

//===----------------------------------------------------------------------===//
// Behaviours
//===----------------------------------------------------------------------===//

void AccessAnalysis::addAccess(Value value, unsigned effects, bool overwrites,
                               bool certain, const StorageMap &storage,
                               Behaviour &behaviour) {
  ArrayRef<ByteRange> ranges = storage.lookup(value);
  bool isOne = ranges.size() == 1;
  for (const ByteRange &range : ranges) {
    unsigned mine = effects;
    if ((mine & Free) && !isOne)
      mine = (mine & ~Free) | MaybeFree;
    bool whole = overwrites && isOne && range.exact &&
                 isDense(dyn_cast<MemRefType>(value.getType()));
    // One op, one range: merge what its operands do to it.
    auto *known = llvm::find_if(behaviour.accesses, [&](const Access &access) {
      return access.range == range;
    });
    if (known == behaviour.accesses.end()) {
      behaviour.accesses.push_back({range, mine, whole, certain});
      continue;
    }
    if ((known->effects | mine) & Read)
      whole = false;
    known->overwrites = whole && !(known->effects & Read);
    known->effects |= mine;
    known->certain &= certain;
  }
}

/// `func.call`: a declaration may say how it accesses its arguments; a body is
/// read if it runs to its end on this thread.
void AccessAnalysis::addCall(Operation *op, const StorageMap &storage,
                             Behaviour &behaviour) {
  auto call = cast<CallOpInterface>(op);
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  bool isKnown =
      callee && llvm::equal(ValueRange(call.getArgOperands()).getTypes(),
                            callee.getArgumentTypes());
  const Summary *summary = nullptr;
  if (isKnown && !callee.isExternal()) {
    summary = &summarize(callee);
    isKnown = summary->synchronous;
  }
  for (auto [index, argument] : llvm::enumerate(call.getArgOperands())) {
    if (!isMemRef(argument))
      continue;
    unsigned effects = ReadWrite;
    bool certain = false, bounded = false;
    if (isKnown && summary) {
      effects = summary->arguments[index].effects;
      certain = summary->arguments[index].certain;
      bounded = !summary->arguments[index].escapes;
    } else if (isKnown) {
      auto access = callee.getArgAttrOfType<StringAttr>(
          index, bufferization::BufferizationDialect::kBufferAccessAttrName);
      if (access) {
        certain = bounded = true;
        effects = llvm::StringSwitch<unsigned>(access.getValue())
                      .Case("none", NoEffect)
                      .Case("read", Read)
                      .Case("write", Write)
                      .Default(ReadWrite);
      }
    }
    if (!bounded) {
      behaviour.completion = Completion::Unknown;
      behaviour.reason = "the callee says nothing of what it keeps or when it "
                         "is done";
    }
    if (effects)
      addAccess(argument, effects, false, certain, storage, behaviour);
  }
}

void AccessAnalysis::addLaunch(Operation *op, const StorageMap &storage,
                               Behaviour &behaviour) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(op, launch.getKernel()));
  const Summary *summary = kernel ? &summarize(kernel) : nullptr;
  for (unsigned i = 0, e = launch.getNumKernelOperands(); i != e; ++i) {
    Value argument = launch.getKernelOperand(i);
    if (!isMemRef(argument))
      continue;
    ArgumentUse use{ReadWrite, false, false};
    // A lowered kernel takes pointers: its arguments are not these.
    if (summary && summary->known && i < summary->arguments.size() &&
        isMemRef(kernel.getArgument(i)) && !summary->arguments[i].escapes)
      use = summary->arguments[i];
    if (use.effects)
      addAccess(argument, use.effects, false, use.certain, storage, behaviour);
  }
}

void AccessAnalysis::addLeaf(Operation *op, const StorageMap &storage,
                             Behaviour &behaviour) {
  if (isForwardingTerminator(op) || onlyForwards(op))
    return;
  auto setUnknown = [&](StringRef reason) {
    behaviour.completion = Completion::Unknown;
    behaviour.reason = reason;
  };

  if (isa<CallOpInterface>(op))
    return addCall(op, storage, behaviour);

  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    if (async.getAsyncToken())
      behaviour.completion = Completion::Token;
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (launch.getAsyncObject())
        setUnknown("it is launched on a stream that this program does not "
                   "define");
      return addLaunch(op, storage, behaviour);
    }
    if (isa<gpu::WaitOp>(op))
      return;
    if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
      if (alloc.getAsyncToken())
        addAccess(alloc.getMemref(), Allocate, false, true, storage, behaviour);
      return;
    }
    if (!isa<gpu::MemcpyOp, gpu::MemsetOp, gpu::DeallocOp>(op)) {
      // Sparse handles keep the addresses that they were made from.
      if (!hasMemRefOperand(op))
        return;
      if (llvm::any_of(op->getResultTypes(), [](Type type) {
            return !isa<gpu::AsyncTokenType>(type);
          }))
        setUnknown("its result keeps the address");
      for (Value operand : op->getOperands())
        if (isMemRef(operand))
          addAccess(operand, ReadWrite, false, false, storage, behaviour);
      return;
    }
  } else if (op->hasTrait<OpTrait::ReturnLike>() ||
             isa<RegionBranchTerminatorOpInterface>(op)) {
    if (hasMemRefOperand(op))
      setUnknown("it hands the buffer to whoever comes after");
    for (Value operand : op->getOperands())
      if (isMemRef(operand))
        addAccess(operand, Read, false, true, storage, behaviour);
    return;
  } else if (!isHostSynchronous(op)) {
    if (isMemoryEffectFree(op) && !hasMemRefOperand(op))
      return;
    setUnknown("the op does not say when it is done");
  }

  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!effects || isMemoryEffectFree(op) ||
      (store && isMemRef(store.getValueToStore()))) {
    if (!hasMemRefOperand(op))
      return;
    // The address is out of our sight from here on.
    setUnknown("the address of the buffer escapes there");
    for (Value operand : op->getOperands())
      if (isMemRef(operand))
        addAccess(operand, ReadWrite, false, false, storage, behaviour);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> list;
  effects.getEffects(list);
  bool isConditional = isa<bufferization::DeallocOp>(op);
  bool isBlanket = false;
  // Reads first, so that a range that is read is never called overwritten.
  for (bool reads : {true, false})
    for (const MemoryEffects::EffectInstance &effect : list) {
      if (isa<MemoryEffects::Read>(effect.getEffect()) != reads)
        continue;
      Value value = effect.getValue();
      if (!value) {
        isBlanket |= !isa<MemoryEffects::Allocate>(effect.getEffect());
        continue;
      }
      if (!isMemRef(value) || isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      unsigned mine = reads                                           ? Read
                      : isa<MemoryEffects::Write>(effect.getEffect()) ? Write
                      : isConditional ? MaybeFree
                                      : Free;
      bool overwrites = false;
      if (mine == Write) {
        if (isa<gpu::MemsetOp, gpu::MemcpyOp, memref::CopyOp>(op)) {
          overwrites = true;
        } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
          overwrites =
              llvm::all_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
                return init.get() != value ||
                       (!linalgOp.payloadUsesValueFromOperand(&init) &&
                        linalgOp.getMatchingIndexingMap(&init)
                            .isProjectedPermutation());
              });
        }
      }
      addAccess(value, mine, overwrites, true, storage, behaviour);
    }
  if (isBlanket)
    for (Value operand : op->getOperands())
      if (isMemRef(operand))
        addAccess(operand, ReadWrite, false, false, storage, behaviour);
}

Behaviour AccessAnalysis::getBehaviour(Operation *op,
                                       const StorageMap &storage) {
  Behaviour behaviour;
  if (op->getNumRegions() == 0) {
    addLeaf(op, storage, behaviour);
    return behaviour;
  }
  Behaviour own;
  // What a region op does by itself, beside what is done inside.
  auto hasOwnEffects = [](Operation *op) {
    return !isStructured(op) && !isa<gpu::LaunchOp>(op) &&
           !runsConcurrently(op) &&
           (isa<MemoryEffectOpInterface>(op) ||
            !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
  };
  if (hasOwnEffects(op))
    addLeaf(op, storage, own);
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      if (getShape(inner) == OpShape::Skipped)
        return WalkResult::skip();
      if (inner->hasTrait<OpTrait::IsTerminator>() &&
          !isa<BranchOpInterface>(inner) && !hasMemRefOperand(inner))
        return WalkResult::advance();
      if (inner->getNumRegions() != 0) {
        if (!isStructured(inner) && !isHostSynchronous(inner) &&
            !isa<gpu::LaunchOp>(inner)) {
          behaviour.completion = Completion::Unknown;
          behaviour.reason = "it has regions that are not understood";
        }
        if (!hasOwnEffects(inner))
          return WalkResult::advance();
      }
      Behaviour nested;
      addLeaf(inner, storage, nested);
      bool isDevice = isa<gpu::LaunchOp>(op);
      if (nested.completion != Completion::Blocking && !isDevice &&
          !isa<gpu::WaitOp>(inner)) {
        behaviour.completion = Completion::Unknown;
        behaviour.reason = nested.completion == Completion::Token
                               ? "asynchronous work inside may leave it "
                                 "unfinished"
                               : nested.reason;
      }
      for (Access access : nested.accesses) {
        Operation *root = storage.getRoots()[access.range.root].op;
        if (root && op->isProperAncestor(root))
          continue;
        access.overwrites = false;
        own.accesses.push_back(access);
      }
      return WalkResult::advance();
    });
  if (own.completion == Completion::Unknown) {
    behaviour.completion = own.completion;
    behaviour.reason = own.reason;
  }
  // The op as a whole.
  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    if (behaviour.completion == Completion::Blocking && async.getAsyncToken())
      behaviour.completion = Completion::Token;
  } else if (isa<async::ExecuteOp>(op)) {
    behaviour.completion = Completion::Unknown;
    behaviour.reason = "it runs on another host path";
  } else if (!isHostSynchronous(op)) {
    behaviour.completion = Completion::Unknown;
    behaviour.reason = "it has regions that are not understood";
  }
  // One access for each range.
  for (const Access &access : own.accesses) {
    auto *known = llvm::find_if(behaviour.accesses, [&](const Access &other) {
      return other.range == access.range;
    });
    if (known == behaviour.accesses.end()) {
      behaviour.accesses.push_back(access);
      continue;
    }
    known->effects |= access.effects;
    known->certain &= access.certain;
    known->overwrites &= access.overwrites;
  }
  return behaviour;
}

} // namespace transient::checker
