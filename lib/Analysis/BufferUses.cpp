//===- BufferUses.cpp - Every use of a buffer -----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Aliases come from MLIR's buffer view flow analysis, accesses from memory
// effects, kernel bodies and declarations. The order of tests matters: an op is
// taken at its word only where its interface speaks about the operand at hand.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/BufferUses.h"

#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace transient {

StringRef stringify(AccessMode mode) {
  switch (mode) {
  case AccessMode::None:
    return "none";
  case AccessMode::Read:
    return "read";
  case AccessMode::Write:
    return "write";
  case AccessMode::ReadWrite:
    return "read-write";
  }
  return "none";
}

/// Whether a value of this type can neither be a buffer nor hold its address.
static bool carriesNoAddress(Type type) {
  return type.isIntOrIndexOrFloat() ||
         isa<gpu::AsyncTokenType, ComplexType, VectorType>(type);
}

/// Whether `result` only says that work has ended.
static bool isCompletionToken(Value result) {
  auto ordered = result.getDefiningOp<OrderedOpInterface>();
  return ordered && ordered.getOpCompletion() == OpCompletion::Token &&
         llvm::is_contained(ordered.getCompletionTokens(), result);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

std::optional<AccessMode> getDeclaredAccess(Operation *op, unsigned index,
                                            SymbolTableCollection &symbols) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return std::nullopt;
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return std::nullopt;
  auto callee =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, symbol);
  if (!callee)
    return std::nullopt;
  // Another kind of result may be, or hold, the argument's address.
  if (!llvm::all_of(op->getResultTypes(), carriesNoAddress))
    return std::nullopt;
  OperandRange arguments = call.getArgOperands();
  unsigned begin = arguments.empty() ? 0 : arguments.getBeginOperandIndex();
  if (index < begin || index - begin >= callee.getNumArguments())
    return std::nullopt;
  auto access = callee.getArgAttrOfType<StringAttr>(
      index - begin, TransientDialect::getContractAttrName());
  if (!access && callee.isExternal())
    access = callee.getArgAttrOfType<StringAttr>(
        index - begin,
        bufferization::BufferizationDialect::kBufferAccessAttrName);
  if (!access)
    return std::nullopt;
  return llvm::StringSwitch<std::optional<AccessMode>>(access.getValue())
      .Case("none", AccessMode::None)
      .Case("read", AccessMode::Read)
      .Case("write", AccessMode::Write)
      .Case("read-write", AccessMode::ReadWrite)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

KernelAccessCache::Argument KernelAccessCache::get(Operation *op,
                                                   unsigned index) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      op, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return {};
  auto [it, inserted] = kernels.try_emplace(kernel);
  std::vector<Argument> &arguments = it->second;
  if (inserted) {
    // Sized before the bodies are looked at: a kernel that reaches itself finds
    // the conservative answer.
    arguments.resize(kernel.getNumArguments());
    BufferUseAnalysis uses(kernel, *this);
    // Attributions are arguments of the body, too.
    for (BlockArgument argument :
         kernel.getArguments().take_front(kernel.getNumArguments())) {
      if (!isa<BaseMemRefType>(argument.getType()))
        continue;
      Argument result{AccessMode::None, true, ""};
      for (const BufferUse &use : uses.collect(argument).uses) {
        if (use.kind == BufferUse::Access) {
          result.mode |= use.mode;
          result.proved &= use.modeProved;
          continue;
        }
        result.mode = AccessMode::ReadWrite;
        result.proved = false;
        // A device function that we cannot see is trusted as a kernel that we
        // cannot see is: it reads and writes, and is done with the launch.
        if (!isa<CallOpInterface>(use.getOp()) && result.escape.empty())
          result.escape = use.kind == BufferUse::Free
                              ? "is freed by the kernel it is passed to"
                              : use.route + ", in the kernel it is passed to";
      }
      arguments[argument.getArgNumber()] = result;
    }
  }
  return index < arguments.size() ? arguments[index] : Argument();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// The descriptor that `op` makes of the buffers that it is given, if it does.
static Value getDescriptor(Operation *op) {
  if (isa<gpu::CreateDnTensorOp, gpu::CreateCooOp, gpu::CreateCooAoSOp,
          gpu::CreateCsrOp, gpu::CreateCscOp, gpu::CreateBsrOp,
          gpu::Create2To4SpMatOp>(op))
    return op->getResult(0);
  return Value();
}

static bool isDescriptor(Type type) {
  return isa<gpu::SparseDnTensorHandleType, gpu::SparseSpMatHandleType>(type);
}

/// Whether the buffers that `descriptor` retains are accessed by its users
/// only, and not after it is destroyed (A8): the destruction runs whenever the
/// descriptor is made, and no user hands it on.
static bool isDestroyed(Value descriptor) {
  unsigned destroys = 0;
  for (Operation *user : descriptor.getUsers()) {
    if (isa<gpu::DestroyDnTensorOp, gpu::DestroySpMatOp>(user)) {
      if (user->getBlock() != descriptor.getParentBlock())
        return false;
      ++destroys;
    } else if (!isa<gpu::SpMVBufferSizeOp, gpu::SpMVOp, gpu::SpMMBufferSizeOp,
                    gpu::SpMMOp, gpu::SDDMMBufferSizeOp, gpu::SDDMMOp,
                    gpu::SpMatGetSizeOp>(user)) {
      return false;
    }
  }
  return destroys == 1;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

BufferUseAnalysis::BufferUseAnalysis(Operation *function,
                                     KernelAccessCache &kernels)
    : viewFlow(function), kernels(kernels) {
  unsigned position = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = position++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blockPositions[&block] = position++;
  });
}

/// Whether control flow of `op` carries buffers only along the edges that its
/// interface names, which the view flow analysis follows.
static bool isFollowedControlFlow(Operation *op) {
  if (isa<BranchOpInterface>(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "scf" && dialect != "affine" && dialect != "memref")
    return false;
  return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op);
}

/// Whether `op`, which has no memory effects, yields nothing that lets another
/// op reach the buffer behind our back.
static bool
yieldsOnlyAliases(Operation *op,
                  const BufferViewFlowAnalysis::ValueSetT &aliases) {
  if (isa<memref::DimOp, memref::RankOp>(op))
    return true;
  bool metadata = isa<memref::ExtractStridedMetadataOp>(op);
  return llvm::all_of(op->getResults(), [&](Value result) {
    if (isa<BaseMemRefType>(result.getType()))
      return aliases.contains(result);
    return metadata;
  });
}

/// Whether `value` carries a buffer from one asynchronous body to others, or to
/// who awaits it, and to nobody else.
static bool isFollowedCarrier(Value value) {
  return isa<async::ValueType>(value.getType()) &&
         isa_and_nonnull<async::ExecuteOp>(value.getDefiningOp()) &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           return isa<async::ExecuteOp, async::AwaitOp>(user);
         });
}

/// The value that stands for the operand's buffer on the other side of an
/// `async.execute` or `async.await`; null for any other use.
static Value getHandedOver(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<async::YieldOp>(op))
    if (auto execute = dyn_cast<async::ExecuteOp>(op->getParentOp()))
      return execute.getBodyResults()[use.getOperandNumber()];
  if (!isa<async::ValueType>(use.get().getType()))
    return Value();
  if (auto await = dyn_cast<async::AwaitOp>(op))
    return await.getResult();
  if (auto execute = dyn_cast<async::ExecuteOp>(op)) {
    unsigned begin = execute.getDependencies().size();
    return execute.getBodyRegion().getArgument(use.getOperandNumber() - begin);
  }
  return Value();
}

/// The operand for which `value` is `getHandedOver`, or null.
static Value getHandOverSource(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto execute =
        dyn_cast_or_null<async::ExecuteOp>(argument.getOwner()->getParentOp());
    return execute && argument.getOwner()->isEntryBlock()
               ? execute.getBodyOperands()[argument.getArgNumber()]
               : Value();
  }
  if (auto await = dyn_cast<async::AwaitOp>(value.getDefiningOp()))
    return isa<async::ValueType>(await.getOperand().getType())
               ? await.getOperand()
               : Value();
  auto execute = dyn_cast<async::ExecuteOp>(value.getDefiningOp());
  if (!execute || !isa<async::ValueType>(value.getType()) ||
      !execute.getBodyRegion().hasOneBlock())
    return Value();
  unsigned index = cast<OpResult>(value).getResultNumber() -
                   (execute->getNumResults() - execute.getBodyResults().size());
  return execute.getBody()->getTerminator()->getOperand(index);
}

/// Whether all that `use` does is to hand the buffer over to where it is
/// followed.
static bool isFollowedHandOver(OpOperand &use) {
  Value target = getHandedOver(use);
  if (!target)
    return false;
  return isa<async::ValueType>(use.get().getType())
             ? isFollowedCarrier(use.get())
             : isFollowedCarrier(target);
}

BufferUse BufferUseAnalysis::classify(
    OpOperand &use, const BufferViewFlowAnalysis::ValueSetT &aliases) const {
  Operation *op = use.getOwner();
  BufferUse result;
  result.operand = &use;
  auto escape = [&](const Twine &route) {
    result.kind = BufferUse::Escape;
    result.route = route.str();
    return result;
  };
  auto access = [&](AccessMode mode, bool proved) {
    result.kind = BufferUse::Access;
    result.mode = mode;
    result.modeProved = proved;
    return result;
  };

  // A use of a descriptor that holds the buffer: what it does is not said.
  if (isDescriptor(use.get().getType())) {
    result.retained = true;
    return access(AccessMode::ReadWrite, false);
  }
  if (Value descriptor = getDescriptor(op)) {
    if (!isDestroyed(descriptor))
      return escape("is held by the descriptor of '" +
                    op->getName().getStringRef() +
                    "', whose end is not known");
    result.retained = true;
    return access(AccessMode::ReadWrite, false);
  }
  // The workspace of a sparse product, which nobody else knows of.
  if (isa<gpu::SpMVOp, gpu::SpMMOp, gpu::SDDMMOp>(op))
    return access(AccessMode::ReadWrite, false);
  if (op->hasTrait<OpTrait::ReturnLike>() &&
      isa<FunctionOpInterface>(op->getParentOp())) {
    result.returned = true;
    return escape("is returned");
  }
  if (isFollowedHandOver(use))
    return access(AccessMode::None, true);
  if (op->getName().getDialectNamespace() == "async")
    return escape("is captured by '" + op->getName().getStringRef() + "'");
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    OperandRange operands = launch.getKernelOperands();
    unsigned begin = operands.empty() ? 0 : operands.getBeginOperandIndex();
    if (operands.empty() || use.getOperandNumber() < begin ||
        use.getOperandNumber() - begin >= operands.size())
      return escape("is an operand of the launch that is no kernel argument");
    KernelAccessCache::Argument argument =
        kernels.get(launch, use.getOperandNumber() - begin);
    if (!argument.escape.empty())
      return escape(argument.escape);
    return access(argument.mode, argument.proved);
  }
  if (isa<CallOpInterface>(op)) {
    if (std::optional<AccessMode> mode =
            getDeclaredAccess(op, use.getOperandNumber(), kernels.getSymbols()))
      return access(*mode, true);
    if (const std::vector<KernelAccessCache::Argument> *arguments =
            kernels.getCallee(op)) {
      OperandRange operands = cast<CallOpInterface>(op).getArgOperands();
      unsigned begin = operands.empty() ? 0 : operands.getBeginOperandIndex();
      unsigned index = use.getOperandNumber() - begin;
      if (use.getOperandNumber() >= begin && index < arguments->size()) {
        const KernelAccessCache::Argument &argument = (*arguments)[index];
        if (!argument.escape.empty())
          return escape(argument.escape);
        return access(argument.mode, argument.proved);
      }
    }
    return escape("is passed to a call whose effects are not known");
  }
  if (auto effectsOp = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    effectsOp.getEffects(effects);
    AccessMode mode = AccessMode::None;
    bool frees = false, named = false;
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (effect.getValue() != use.get())
        continue;
      named = true;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        mode |= AccessMode::Read;
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        mode |= AccessMode::Write;
      else if (isa<MemoryEffects::Free>(effect.getEffect()))
        frees = true;
    }
    if (frees) {
      // `memref.realloc` frees and hands out the content in one op.
      if (mode != AccessMode::None || op->getNumResults() > 1 ||
          (op->getNumResults() == 1 &&
           !isa<gpu::AsyncTokenType>(op->getResult(0).getType())))
        return escape("is freed and reused by '" +
                      op->getName().getStringRef() + "'");
      result.kind = BufferUse::Free;
      return result;
    }
    if (mode != AccessMode::None) {
      // A tensor is its buffer until it is bufferized; a clone may be its
      // source. A load from a buffer of buffers yields an element, not itself;
      // a view of something else, with this as its shape, neither.
      auto view = dyn_cast<ViewLikeOpInterface>(op);
      bool yieldsElement = isa<memref::LoadOp, affine::AffineLoadOp>(op) ||
                           (view && view.getViewSource() != use.get());
      for (Value result : op->getResults()) {
        bool followed =
            isa<BaseMemRefType>(result.getType()) && aliases.contains(result);
        if (!yieldsElement && !followed && !carriesNoAddress(result.getType()) &&
            !isCompletionToken(result))
          return escape("lives on in the result of '" +
                        op->getName().getStringRef() + "'");
      }
      return access(mode, true);
    }
    if (effects.empty() && yieldsOnlyAliases(op, aliases))
      return access(AccessMode::None, true);
    // A view that reads something else, such as its shape.
    if (auto view = dyn_cast<ViewLikeOpInterface>(op);
        view && !named && view.getViewSource() == use.get() &&
        yieldsOnlyAliases(op, aliases))
      return access(AccessMode::None, true);
    if (isFollowedControlFlow(op))
      return access(AccessMode::None, true);
    if (effects.empty())
      return escape("has its address taken by '" +
                    op->getName().getStringRef() + "'");
    if (named)
      return escape("is used in an unknown way by '" +
                    op->getName().getStringRef() + "'");
    return escape("is handed to '" + op->getName().getStringRef() +
                  "', which does not say what it does with it");
  }
  if (isFollowedControlFlow(op))
    return access(AccessMode::None, true);
  if (isa<memref::DimOp, memref::RankOp>(op))
    return access(AccessMode::None, true);
  return escape("is handed to '" + op->getName().getStringRef() +
                "', whose effects are not known");
}

/// A total key of a value's definition.
std::pair<unsigned, unsigned>
BufferUseAnalysis::getDefinition(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {blockPositions.lookup(argument.getOwner()),
            argument.getArgNumber()};
  auto result = cast<OpResult>(value);
  return {positions.lookup(result.getOwner()), result.getResultNumber()};
}

/// A view that the view flow analysis does not know as one.
static bool isOtherView(Operation *op) {
  return isa_and_nonnull<memref::TransposeOp>(op);
}

BufferViewFlowAnalysis::ValueSetT
BufferUseAnalysis::resolve(Value buffer) const {
  BufferViewFlowAnalysis::ValueSetT result = viewFlow.resolve(buffer);
  SmallVector<Value> worklist(result.begin(), result.end());
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Value next = isOtherView(use.getOwner()) ? use.getOwner()->getResult(0)
                                               : getHandedOver(use);
      if (next && !result.contains(next))
        for (Value alias : viewFlow.resolve(next))
          if (result.insert(alias).second)
            worklist.push_back(alias);
    }
  return result;
}

std::vector<Value> BufferUseAnalysis::getSources(Value alias) const {
  BufferViewFlowAnalysis::ValueSetT reached = viewFlow.resolveReverse(alias);
  SmallVector<Value> worklist(reached.begin(), reached.end());
  std::vector<Value> sources;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (Operation *view = value.getDefiningOp(); isOtherView(view)) {
      for (Value source : viewFlow.resolveReverse(view->getOperand(0)))
        if (reached.insert(source).second)
          worklist.push_back(source);
    } else if (Value handed = getHandOverSource(value)) {
      for (Value source : viewFlow.resolveReverse(handed))
        if (reached.insert(source).second)
          worklist.push_back(source);
    } else if (viewFlow.mayBeTerminalBuffer(value)) {
      sources.push_back(value);
    }
  }
  llvm::sort(sources, [&](Value a, Value b) {
    return getDefinition(a) < getDefinition(b);
  });
  return sources;
}

BufferUses BufferUseAnalysis::collect(Value buffer) const {
  BufferViewFlowAnalysis::ValueSetT aliases = resolve(buffer);
  BufferUses result;
  // The analysis follows every result of an op that it does not know. A token
  // or a number is no buffer.
  for (Value alias : aliases)
    if (!carriesNoAddress(alias.getType()))
      result.aliases.push_back(alias);
  // The set is unordered: sort by definition before anything is derived.
  auto key = [&](Value value) {
    return std::make_pair(value != buffer, getDefinition(value));
  };
  llvm::sort(result.aliases, [&](Value a, Value b) { return key(a) < key(b); });

  std::vector<OpOperand *> operands;
  for (Value alias : result.aliases)
    for (OpOperand &use : alias.getUses()) {
      operands.push_back(&use);
      if (Value descriptor = getDescriptor(use.getOwner()))
        for (OpOperand &held : descriptor.getUses())
          operands.push_back(&held);
    }
  llvm::sort(operands, [&](OpOperand *a, OpOperand *b) {
    return std::make_pair(positions.lookup(a->getOwner()),
                          a->getOperandNumber()) <
           std::make_pair(positions.lookup(b->getOwner()),
                          b->getOperandNumber());
  });
  // A descriptor may hold the buffer twice.
  operands.erase(llvm::unique(operands), operands.end());
  for (OpOperand *operand : operands) {
    BufferUse use = classify(*operand, aliases);
    if (use.kind != BufferUse::Access || use.mode != AccessMode::None)
      result.uses.push_back(std::move(use));
  }
  return result;
}

} // namespace transient
