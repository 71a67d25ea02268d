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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

/// May a value of this type be, or lead to, an address that it was made from?
/// Memrefs are followed by StorageMap.
static bool mayCarryAddress(Type type) {
  if (isa<BaseMemRefType, gpu::AsyncTokenType, async::TokenType, NoneType,
          gpu::MMAMatrixType>(type))
    return false;
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  return !type.isIntOrIndexOrFloat() && !isa<ComplexType>(type);
}

/// Do the buffers that the body yields go only where StorageMap follows them: to
/// other bodies, and to who awaits them?
static bool handsToBodies(Operation *yield) {
  auto execute = dyn_cast<async::ExecuteOp>(yield->getParentOp());
  if (!execute)
    return false;
  for (auto [operand, result] :
       llvm::zip_equal(yield->getOperands(), execute.getBodyResults()))
    if (isMemRef(operand) &&
        !llvm::all_of(result.getUsers(), [](Operation *user) {
          return isa<async::ExecuteOp, async::AwaitOp>(user);
        }))
      return false;
  return true;
}

/// The results are what was in the bytes, not where they are.
static bool returnsContent(Operation *op) {
  return isa<memref::LoadOp, affine::AffineLoadOp, memref::AtomicRMWOp,
             memref::GenericAtomicRMWOp, vector::LoadOp,
             vector::TransferReadOp>(op);
}

/// Does a result hold on to the address of an operand, where StorageMap does
/// not follow it?
static bool returnsAddress(Operation *op) {
  return hasMemRefOperand(op) && !returnsContent(op) &&
         llvm::any_of(op->getResultTypes(), mayCarryAddress);
}

static StringRef addressLivesOn(Operation *op) {
  bool isTensor = llvm::any_of(op->getResultTypes(),
                               [](Type type) { return isa<TensorType>(type); });
  return isTensor ? "the address lives on in a tensor"
                  : "the address lives on in its result";
}

/// Does the op write the address `value` itself somewhere? It has effects, but
/// none on what the address points to.
static bool storesAddress(Operation *op, Value value) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<ViewLikeOpInterface>(op))
    return false;
  SmallVector<MemoryEffects::EffectInstance> list;
  effects.getEffects(list);
  bool writes = false;
  for (const MemoryEffects::EffectInstance &effect : list) {
    // A blanket effect is one on everything.
    if (!effect.getValue() || effect.getValue() == value)
      return false;
    writes |= isa<MemoryEffects::Write>(effect.getEffect());
  }
  return writes;
}

static bool isHandle(Value value) {
  return isa<gpu::SparseDnTensorHandleType, gpu::SparseSpMatHandleType>(
      value.getType());
}

/// A sparse handle that ends in the block that makes it, and that no user
/// passes on to another op.
static bool hasKnownUses(Value handle) {
  if (!isHandle(handle))
    return false;
  bool ends = false;
  for (Operation *user : handle.getUsers()) {
    bool isEnd = isa<gpu::DestroyDnTensorOp, gpu::DestroySpMatOp>(user);
    ends |= isEnd && user->getBlock() == handle.getParentBlock();
    if (!isEnd &&
        !isa<gpu::SpMVOp, gpu::SpMVBufferSizeOp, gpu::SpMMOp,
             gpu::SpMMBufferSizeOp, gpu::SDDMMOp, gpu::SDDMMBufferSizeOp,
             gpu::SpMatGetSizeOp>(user))
      return false;
  }
  return ends;
}

/// A pointer that is compared and nothing else gives nobody access.
static bool isOnlyCompared(Operation *op) {
  return isa<memref::ExtractAlignedPointerAsIndexOp>(op) &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<arith::CmpIOp>(user); });
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

/// How a body uses a memref, through views, control flow, pointers made from it
/// and device functions that it is given to. Each value is looked at once.
AccessAnalysis::ArgumentUse AccessAnalysis::summarizeValue(Value root) {
  ArgumentUse use;
  auto merge = [&](unsigned effects, bool certain) {
    use.effects |= effects;
    use.certain &= certain;
  };
  const ArgumentUse unknown{ReadWrite, false, true};
  SmallVector<Value> worklist{root};
  DenseSet<Value> seen{root};
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };
  auto followResults = [&](Operation *op) {
    for (Value result : op->getResults())
      if (isMemRef(result) || mayCarryAddress(result.getType()))
        follow(result);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &operand : value.getUses()) {
      Operation *user = operand.getOwner();
      unsigned index = operand.getOperandNumber();
      if (auto branch = dyn_cast<BranchOpInterface>(user)) {
        std::optional<BlockArgument> argument =
            branch.getSuccessorBlockArgument(index);
        if (!argument)
          return unknown;
        follow(*argument);
        continue;
      }
      Operation *structured = isForwardingTerminator(user) ? user->getParentOp()
                              : isStructured(user)         ? user
                                                           : nullptr;
      if (structured) {
        forEachRegionEdge(
            structured,
            [&](Operation *, Region *, ValueRange sources, ValueRange targets) {
              for (auto [source, target] : llvm::zip(sources, targets))
                if (source == value)
                  follow(target);
            });
        continue;
      }
      if (auto call = dyn_cast<CallOpInterface>(user)) {
        auto callee = dyn_cast_or_null<FunctionOpInterface>(
            call.resolveCallableInTable(&symbols));
        OperandRange arguments = call.getArgOperands();
        if (!callee || llvm::none_of(arguments, [&](Value argument) {
              return argument == value;
            }))
          return unknown;
        bool isReadable =
            !callee.isExternal() &&
            llvm::equal(arguments.getTypes(), callee.getArgumentTypes());
        if (isReadable) {
          for (auto [position, argument] : llvm::enumerate(arguments))
            if (argument == value)
              follow(callee.getArgument(position));
        } else {
          merge(ReadWrite, false);
          followResults(user);
        }
        continue;
      }
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(user)) {
        ArgumentUse inKernel = summarizeLaunch(launch, value);
        if (inKernel.escapes)
          return unknown;
        merge(inKernel.effects, inKernel.certain);
        continue;
      }
      if (onlyForwards(user)) {
        followResults(user);
        continue;
      }
      if (isMemoryEffectFree(user)) {
        // A pointer is followed; a number made of it is not.
        for (Type type : user->getResultTypes())
          if (type.isIntOrIndexOrFloat() && !type.isInteger(1))
            return unknown;
        if (user->getNumResults() == 0)
          return unknown;
        followResults(user);
        continue;
      }
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      if (!effects) {
        if (!isa<linalg::LinalgOp>(user))
          return unknown;
        merge(ReadWrite, false);
        followResults(user);
        continue;
      }
      if (storesAddress(user, value))
        return unknown;
      SmallVector<MemoryEffects::EffectInstance> list;
      effects.getEffectsOnValue(value, list);
      if (list.empty() || isa<linalg::LinalgOp>(user))
        merge(ReadWrite, false);
      for (const MemoryEffects::EffectInstance &effect : list) {
        if (isa<MemoryEffects::Read>(effect.getEffect()))
          merge(Read, true);
        else if (isa<MemoryEffects::Write>(effect.getEffect()))
          merge(Write, true);
        else
          return unknown;
      }
      if (!returnsContent(user))
        followResults(user);
    }
  }
  return use;
}

/// The host, in the block of the op that makes `token`, waits for that op or
/// for one that starts after it.
static bool isAwaited(Value token) {
  SmallVector<Value> worklist{token};
  DenseSet<Value> seen{token};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    for (Operation *user : next.getUsers()) {
      auto async = dyn_cast<gpu::AsyncOpInterface>(user);
      if (!async || user->getBlock() != token.getParentBlock())
        continue;
      if (!async.getAsyncToken())
        return true;
      if (seen.insert(async.getAsyncToken()).second)
        worklist.push_back(async.getAsyncToken());
    }
  }
  return false;
}

/// Whether what `op`, inside a function, does has ended when control leaves the
/// op's block.
bool AccessAnalysis::endsBeforeReturn(Operation *op) {
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (!callee || !isHostSynchronous(op))
      return false;
    if (!callee.isExternal())
      return summarize(callee).synchronous;
    StringRef access =
        bufferization::BufferizationDialect::kBufferAccessAttrName;
    for (auto [index, argument] : llvm::enumerate(call.getArgOperands()))
      if (!isMemRef(argument) || index >= callee.getNumArguments() ||
          !callee.getArgAttr(index, access))
        return false;
    return true;
  }
  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (launch && launch.getAsyncObject())
      return false;
    return !async.getAsyncToken() || isAwaited(async.getAsyncToken());
  }
  // What a kernel does is part of its launch.
  if (op->getParentOfType<gpu::LaunchOp>())
    return true;
  return isHostSynchronous(op) || isMemoryEffectFree(op);
}

const AccessAnalysis::Summary &
AccessAnalysis::summarize(FunctionOpInterface function) {
  auto [it, inserted] = summaries.try_emplace(function);
  if (!inserted)
    return it->second;
  // While it is made, a function that reaches itself is not known to end.
  it->second.synchronous = false;
  Summary summary;
  summary.known = !function.isExternal();
  if (summary.known) {
    for (Value argument : function.getArguments())
      summary.arguments.push_back(isMemRef(argument) ? summarizeValue(argument)
                                                     : ArgumentUse());
    function->walk([&](Operation *op) {
      if (op == function.getOperation())
        return;
      if (!endsBeforeReturn(op))
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
                               Behaviour &behaviour, bool addressOnly) {
  ArrayRef<ByteRange> ranges = storage.lookup(value);
  // What may be a copy is freed as one, and is no one's but its own.
  bool isOne = llvm::count_if(ranges, [](const ByteRange &range) {
                 return !range.copied;
               }) == 1;
  for (const ByteRange &range : ranges) {
    if (range.copied && (effects & (Free | MaybeFree)))
      continue;
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
      behaviour.accesses.push_back({range, mine, whole, certain, addressOnly});
      continue;
    }
    if ((known->effects | mine) & Read)
      whole = false;
    known->overwrites = whole && !(known->effects & Read);
    known->effects |= mine;
    known->certain &= certain;
    known->addressOnly &= addressOnly;
  }
}

/// `func.call`: a declaration may say how it accesses its arguments; a body is
/// read if it runs to its end on this thread.
void AccessAnalysis::addCall(Operation *op, const StorageMap &storage,
                             Behaviour &behaviour) {
  auto call = cast<CallOpInterface>(op);
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  // Calls of other dialects, `async.call` for one, may return before the callee.
  bool isKnown =
      callee && isHostSynchronous(op) &&
      llvm::equal(ValueRange(call.getArgOperands()).getTypes(),
                            callee.getArgumentTypes());
  const Summary *summary = nullptr;
  if (isKnown && !callee.isExternal()) {
    summary = &summarize(callee);
    isKnown = summary->synchronous;
  }
  for (auto [index, argument] : llvm::enumerate(call.getArgOperands())) {
    if (!isMemRef(argument))
      continue;
    // Whatever else the body does, and whenever it ends.
    if (summary && !summary->arguments[index].effects &&
        !summary->arguments[index].escapes)
      continue;
    unsigned effects = ReadWrite;
    bool certain = false, bounded = false;
    if (summary && summary->arguments[index].escapes)
      behaviour.escapes = true;
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
  // A declaration may promise to keep nothing, and still return it.
  if (behaviour.completion == Completion::Blocking && returnsAddress(op) &&
      !summary) {
    behaviour.completion = Completion::Unknown;
    behaviour.reason = addressLivesOn(op);
  }
}

/// What the kernel does to its argument `index`.
AccessAnalysis::ArgumentUse
AccessAnalysis::summarizeArgument(gpu::LaunchFuncOp launch, unsigned index) {
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
  const Summary *summary = kernel ? &summarize(kernel) : nullptr;
  // A lowered kernel takes pointers: its arguments are not these.
  if (summary && summary->known && index < summary->arguments.size() &&
      isMemRef(kernel.getArgument(index)))
    return summary->arguments[index];
  return {ReadWrite, false, false};
}

/// What the kernel does to `value`, through all arguments that are it.
AccessAnalysis::ArgumentUse
AccessAnalysis::summarizeLaunch(gpu::LaunchFuncOp launch, Value value) {
  ArgumentUse use;
  for (unsigned i = 0, e = launch.getNumKernelOperands(); i != e; ++i) {
    if (launch.getKernelOperand(i) != value)
      continue;
    ArgumentUse argument = summarizeArgument(launch, i);
    use.effects |= argument.effects;
    use.certain &= argument.certain;
    use.escapes |= argument.escapes;
  }
  return use;
}

void AccessAnalysis::addLaunch(Operation *op, const StorageMap &storage,
                               Behaviour &behaviour) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  for (unsigned i = 0, e = launch.getNumKernelOperands(); i != e; ++i) {
    Value argument = launch.getKernelOperand(i);
    if (!isMemRef(argument))
      continue;
    ArgumentUse use = summarizeArgument(launch, i);
    if (use.escapes) {
      behaviour.completion = Completion::Unknown;
      behaviour.reason = "the kernel hands on the address of its argument";
      behaviour.escapes = true;
    }
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
      // Sparse handles keep the addresses that they were made from: whoever is
      // given one may use them.
      for (Value operand : op->getOperands())
        if (Operation *maker = isHandle(operand) ? operand.getDefiningOp()
                                                 : nullptr)
          for (Value held : maker->getOperands())
            if (isMemRef(held))
              addAccess(held, ReadWrite, false, false, storage, behaviour);
      if (!hasMemRefOperand(op))
        return;
      if (llvm::any_of(op->getOperands(), isHandle) &&
          !isa<gpu::SpMVOp, gpu::SpMMOp, gpu::SDDMMOp>(op))
        setUnknown("a handle that it is given may keep the address");
      for (Value result : op->getResults())
        if (!isa<gpu::AsyncTokenType>(result.getType()) &&
            !hasKnownUses(result))
          setUnknown("its result keeps the address");
      for (Value operand : op->getOperands())
        if (isMemRef(operand))
          addAccess(operand, ReadWrite, false, false, storage, behaviour);
      return;
    }
  } else if (op->hasTrait<OpTrait::ReturnLike>() ||
             isa<RegionBranchTerminatorOpInterface>(op)) {
    if (isa<async::YieldOp>(op) && handsToBodies(op))
      return;
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

  auto setEscape = [&](StringRef reason) {
    setUnknown(reason);
    behaviour.escapes = true;
  };
  static constexpr StringLiteral escape =
      "the address of the buffer escapes there";
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool isPure = isMemoryEffectFree(op);
  if (!effects || isPure) {
    if (!hasMemRefOperand(op) || isOnlyCompared(op))
      return;
    // Device code runs within its launch: so do uses of the pointers it makes.
    if (isPure && op->getParentOfType<gpu::LaunchOp>()) {
      ArgumentUse use;
      for (Value result : op->getResults()) {
        ArgumentUse mine = result.getType().isIntOrIndexOrFloat()
                               ? ArgumentUse{ReadWrite, false, true}
                               : summarizeValue(result);
        use.effects |= mine.effects;
        use.escapes |= mine.escapes;
      }
      for (Value operand : op->getOperands())
        if (isMemRef(operand) && use.effects)
          addAccess(operand, use.effects, false, false, storage, behaviour);
      if (use.escapes)
        setEscape(escape);
      return;
    }
    // The address is out of our sight from here on.
    setEscape(escape);
    for (Value operand : op->getOperands())
      if (isMemRef(operand))
        addAccess(operand, ReadWrite, false, false, storage, behaviour,
                  /*addressOnly=*/isPure);
    return;
  }
  if (returnsAddress(op))
    setEscape(addressLivesOn(op));
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
      // The clone's own copying is no write to its source.
      if (isa<bufferization::CloneOp>(op) && value.getDefiningOp() == op)
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
  for (Value operand : op->getOperands()) {
    if (!isMemRef(operand))
      continue;
    if (isBlanket) {
      addAccess(operand, ReadWrite, false, false, storage, behaviour);
    } else if (storesAddress(op, operand)) {
      setEscape(escape);
      addAccess(operand, ReadWrite, false, false, storage, behaviour,
                /*addressOnly=*/true);
    }
  }
}

Behaviour AccessAnalysis::getBehaviour(Operation *op,
                                       const StorageMap &storage) {
  Behaviour behaviour;
  if (op->getNumRegions() == 0) {
    addLeaf(op, storage, behaviour);
    return behaviour;
  }
  Behaviour own;
  // What a body allocates for itself is nobody else's, unless it hands it out.
  llvm::SmallDenseSet<unsigned, 4> handedOut;
  if (auto execute = dyn_cast<async::ExecuteOp>(op))
    for (Value result : execute.getBodyResults())
      for (const ByteRange &range : storage.lookup(result))
        handedOut.insert(range.root);
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
      // A launch ends when all its threads have: only what they store of
      // addresses outlives it.
      bool isDevice = isa<gpu::LaunchOp>(op);
      behaviour.escapes |= nested.escapes;
      if (isDevice ? nested.escapes
                   : nested.completion != Completion::Blocking &&
                         !isa<gpu::WaitOp>(inner)) {
        behaviour.completion = Completion::Unknown;
        behaviour.reason = nested.completion == Completion::Token
                               ? "asynchronous work inside may leave it "
                                 "unfinished"
                               : nested.reason;
      }
      for (Access access : nested.accesses) {
        Operation *root = storage.getRoots()[access.range.root].op;
        if (root && op->isProperAncestor(root) &&
            !handedOut.contains(access.range.root))
          continue;
        access.overwrites = false;
        own.accesses.push_back(access);
      }
      return WalkResult::advance();
    });
  if (own.completion == Completion::Unknown) {
    behaviour.completion = own.completion;
    behaviour.reason = own.reason;
    behaviour.escapes |= own.escapes;
  }
  // The op as a whole.
  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    if (behaviour.completion == Completion::Blocking && async.getAsyncToken())
      behaviour.completion = Completion::Token;
  } else if (isa<async::ExecuteOp>(op)) {
    if (behaviour.completion == Completion::Blocking)
      behaviour.completion = Completion::Token;
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
    known->addressOnly &= access.addressOnly;
    known->overwrites &= access.overwrites;
  }
  return behaviour;
}

} // namespace transient::checker
