//===- LoopChecks.cpp - Checks the accesses of a loop at once -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header, and transientSimLoop in WorkItem.h for the question that is
// asked. The second form also knows that its accesses do not alias where the
// checker saw that they do not.
//
//===----------------------------------------------------------------------===//

#include "LoopChecks.h"
#include "WorkItem.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace transient::sim {

namespace {

constexpr unsigned maxDims = 4;

/// An access of a loop and how its address moves.
struct Access {
  Instruction *inst;
  unsigned operand;
  LoopSite info;
  const SCEV *address;              ///< in the first round of all loops
  SmallVector<const SCEV *> steps;  ///< innermost loop first
  SmallVector<const Loop *> movers; ///< the loop of each step
};

/// A loop that gets a second form, and the values that the question needs.
struct Candidate {
  BasicBlock *preheader = nullptr, *header = nullptr, *exit = nullptr;
  SmallVector<BasicBlock *> blocks;
  std::vector<Access> accesses;
  SmallVector<Value *> numbers; ///< in the order of transientSimLoop
  Value *rounds = nullptr;
  bool outermost = false;
};

class LoopHoister {
public:
  LoopHoister(Function &body, Value *item, ArrayRef<CheckedAccess> accesses)
      : body(body), item(item),
        libraryImpl(body.getParent()->getTargetTriple()), library(libraryImpl),
        assumptions(body), dominators(body), loops(dominators),
        evolution(body, library, assumptions, dominators, loops),
        int64(Type::getInt64Ty(body.getContext())),
        int32(Type::getInt32Ty(body.getContext())),
        pointer(PointerType::get(body.getContext(), 0)) {
    for (const CheckedAccess &access : accesses)
      checked[access.inst].push_back(&access);
  }

  void run() {
    for (Loop *loop : loops)
      visit(*loop);
    for (Candidate &candidate : candidates)
      addSecondForm(candidate);
  }

private:
  // -- Finding candidates ----------------------------------------------------

  void visit(Loop &loop) {
    if (std::optional<Candidate> candidate = examine(loop)) {
      candidates.push_back(std::move(*candidate));
      return;
    }
    for (Loop *inner : loop)
      visit(*inner);
  }

  std::optional<Candidate> examine(Loop &loop) {
    if (!loop.isRecursivelyLCSSAForm(dominators, loops))
      return std::nullopt;
    for (Loop *inner : loop.getLoopsInPreorder())
      if (!inner->isLoopSimplifyForm() ||
          inner->getExitingBlock() != inner->getLoopLatch() ||
          !isKnownAtStart(evolution.getBackedgeTakenCount(inner), loop))
        return std::nullopt;
    Candidate result;
    result.preheader = loop.getLoopPreheader();
    result.header = loop.getHeader();
    result.exit = loop.getExitBlock();
    result.outermost = loop.isOutermost();
    if (!result.exit || !collectAccesses(loop, result))
      return std::nullopt;
    group(result.accesses);
    expandNumbers(loop, result);
    auto *known = dyn_cast<ConstantInt>(result.rounds);
    if (known && known->getZExtValue() < minLoopRounds)
      return std::nullopt;
    return result;
  }

  bool isKnownAtStart(const SCEV *value, Loop &loop) {
    return !isa<SCEVCouldNotCompute>(value) &&
           evolution.isLoopInvariant(value, &loop) &&
           evolution.getTypeSizeInBits(value->getType()) <= 64 &&
           SCEVExpander(evolution, "loop")
               .isSafeToExpandAt(value,
                                 loop.getLoopPreheader()->getTerminator());
  }

  /// Calls of the host's mathematics touch no memory of the device.
  static bool isHarmless(const Instruction &inst) {
    if (!inst.mayReadOrWriteMemory())
      return true;
    if (isa<AssumeInst, LifetimeIntrinsic>(inst))
      return true;
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
           !callee->getName().starts_with("transientSim") &&
           none_of(call->args(), [](const Use &arg) {
             return arg->getType()->isPointerTy();
           });
  }

  bool collectAccesses(Loop &loop, Candidate &result) {
    LoopBlocksRPO order(&loop);
    order.perform(&loops);
    for (BasicBlock *block : order) {
      result.blocks.push_back(block);
      for (Instruction &inst : *block) {
        bool simple = false;
        if (auto *load = dyn_cast<LoadInst>(&inst))
          simple = load->isSimple();
        else if (auto *store = dyn_cast<StoreInst>(&inst))
          simple = store->isSimple();
        auto found = checked.find(&inst);
        if (found == checked.end()) {
          if (!simple && !isHarmless(inst))
            return false;
        } else if (!simple || result.accesses.size() == maxLoopSites ||
                   !describe(*found->second.front(), loop, result.accesses)) {
          return false;
        }
      }
    }
    return !result.accesses.empty();
  }

  bool describe(const CheckedAccess &what, Loop &loop,
                std::vector<Access> &accesses) {
    Instruction &inst = *what.inst;
    auto *bytes = dyn_cast<ConstantInt>(what.bytes);
    if (!bytes || !bytes->getValue().isPowerOf2())
      return false;
    Access access = {};
    access.inst = &inst;
    access.operand = what.operand;
    access.info.bytes = bytes->getZExtValue();
    access.info.mode = what.mode;
    access.info.site = what.site;
    access.info.always = 1;
    for (Loop *inner = loops.getLoopFor(inst.getParent());; // up to `loop`
         inner = inner->getParentLoop()) {
      if (!dominators.dominates(inst.getParent(), inner->getLoopLatch()))
        access.info.always = 0;
      if (inner == &loop)
        break;
    }
    const SCEV *address = evolution.getSCEV(inst.getOperand(what.operand));
    while (auto *recurrence = dyn_cast<SCEVAddRecExpr>(address)) {
      if (!loop.contains(recurrence->getLoop()))
        break;
      const SCEV *step = recurrence->getStepRecurrence(evolution);
      // After an inner loop an address may be what the last round left, while
      // the recurrence stands for all rounds.
      if (!recurrence->getLoop()->contains(&inst) || !recurrence->isAffine() || access.steps.size() == maxDims ||
          !isKnownAtStart(step, loop))
        return false;
      access.steps.push_back(step);
      access.movers.push_back(recurrence->getLoop());
      address = recurrence->getStart();
    }
    if (!isKnownAtStart(address, loop))
      return false;
    access.address = address;
    access.info.dims = access.steps.size();
    accesses.push_back(std::move(access));
    return true;
  }

  void group(std::vector<Access> &accesses) {
    SmallVector<std::pair<const SCEV *, uint64_t>> known;
    for (Access &access : accesses) {
      std::pair key(
          evolution.getSCEV(access.inst->getOperand(access.operand)),
          access.info.bytes);
      auto *place = find(known, key);
      access.info.group = place - known.begin();
      if (place == known.end())
        known.push_back(key);
    }
  }

  /// Computes at the end of the preheader what transientSimLoop wants to know.
  void expandNumbers(Loop &loop, Candidate &result) {
    Instruction *at = result.preheader->getTerminator();
    SCEVExpander expander(evolution, "loop");
    IRBuilder<> b(at);
    DenseMap<const Loop *, Value *> rounds;
    result.rounds = b.getInt64(1);
    for (Loop *inner : loop.getLoopsInPreorder()) {
      const SCEV *count = evolution.getAddExpr(
          evolution.getTruncateOrZeroExtend(
              evolution.getBackedgeTakenCount(inner), int64),
          evolution.getOne(int64));
      rounds[inner] = expander.expandCodeFor(count, int64, at);
      b.SetInsertPoint(at);
      result.rounds = b.CreateMul(result.rounds, rounds[inner]);
    }
    for (Access &access : result.accesses) {
      Value *address = expander.expandCodeFor(
          access.address,
          access.inst->getOperand(access.operand)->getType(), at);
      b.SetInsertPoint(at);
      result.numbers.push_back(b.CreatePtrToInt(
          b.CreateAddrSpaceCast(address, pointer), int64));
      for (auto [step, mover] : zip(access.steps, access.movers)) {
        const SCEV *wide = evolution.getTruncateOrSignExtend(step, int64);
        result.numbers.push_back(expander.expandCodeFor(wide, int64, at));
        result.numbers.push_back(rounds[mover]);
      }
      b.SetInsertPoint(at);
    }
  }

  // -- The second form -------------------------------------------------------

  Value *word(IRBuilder<> &b, Value *base, uint64_t index) {
    return b.CreateInBoundsGEP(int64, base, {b.getInt64(index)});
  }

  GlobalVariable *makeTable(ArrayRef<Access> accesses) {
    auto *type = StructType::get(int64, int32, int32, int32, int32, int32,
                                 int32);
    SmallVector<Constant *> rows;
    for (const Access &access : accesses) {
      const LoopSite &info = access.info;
      auto number = [&](uint32_t value) {
        return ConstantInt::get(int32, value);
      };
      rows.push_back(ConstantStruct::get(
          type, {ConstantInt::get(int64, info.bytes),
                 number(static_cast<uint32_t>(info.mode)), number(info.site),
                 number(info.group), number(info.always), number(info.dims),
                 number(0)}));
    }
    auto *array = ArrayType::get(type, rows.size());
    return new GlobalVariable(*body.getParent(), array, true,
                              GlobalValue::InternalLinkage,
                              ConstantArray::get(array, rows), "loop.sites");
  }

  /// preheader -> ask -> second | first, and both forms -> exit.
  void addSecondForm(Candidate &candidate) {
    LLVMContext &context = body.getContext();
    auto block = [&](const char *name) {
      return BasicBlock::Create(context, name, &body, candidate.header);
    };
    BasicBlock *ask = block("loop.ask"), *first = block("loop.first"),
               *second = block("loop.second");
    IRBuilder<> b(&*body.getEntryBlock().getFirstInsertionPt());
    Value *numbers =
        b.CreateAlloca(ArrayType::get(int64, candidate.numbers.size()));

    candidate.preheader->getTerminator()->eraseFromParent();
    b.SetInsertPoint(candidate.preheader);
    b.CreateCondBr(
        b.CreateICmpUGE(candidate.rounds, b.getInt64(minLoopRounds)), ask,
        first);

    b.SetInsertPoint(ask);
    for (auto [index, value] : enumerate(candidate.numbers))
      b.CreateStore(value, word(b, numbers, index));
    FunctionCallee hook = body.getParent()->getOrInsertFunction(
        "transientSimLoop",
        FunctionType::get(int32, {pointer, pointer, int32, pointer}, false));
    Value *answer =
        b.CreateCall(hook, {item, makeTable(candidate.accesses),
                            b.getInt32(candidate.accesses.size()), numbers});
    b.CreateCondBr(b.CreateICmpNE(answer, b.getInt32(0)), second, first,
                   MDBuilder(context).createLikelyBranchWeights());

    ValueToValueMapTy map;
    map[candidate.preheader] = second;
    SmallVector<BasicBlock *> copies;
    for (BasicBlock *original : candidate.blocks) {
      BasicBlock *copy = CloneBasicBlock(original, map, ".second", &body);
      map[original] = copy;
      copies.push_back(copy);
    }
    for (BasicBlock *copy : copies)
      for (Instruction &inst : *copy)
        RemapInstruction(&inst, map,
                         RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    for (PHINode &phi : candidate.exit->phis()) {
      for (unsigned i = 0, end = phi.getNumIncomingValues(); i < end; ++i) {
        auto copy = map.find(phi.getIncomingBlock(i));
        if (copy == map.end())
          continue;
        Value *value = phi.getIncomingValue(i);
        auto mapped = map.find(value);
        phi.addIncoming(mapped == map.end() ? value
                                            : static_cast<Value *>(
                                                  mapped->second),
                        cast<BasicBlock>(copy->second));
      }
    }
    for (PHINode &phi : candidate.header->phis())
      phi.replaceIncomingBlockWith(candidate.preheader, first);
    b.SetInsertPoint(first);
    b.CreateBr(candidate.header);

    b.SetInsertPoint(second);
    uint64_t index = 0;
    for (Access &access : candidate.accesses) {
      Value *delta = b.CreateLoad(int64, word(b, numbers, index));
      index += 1 + 2 * access.info.dims;
      auto *copy = cast<Instruction>(map[access.inst]);
      Value *address = copy->getOperand(access.operand);
      IRBuilder<> inside(copy);
      copy->setOperand(
          access.operand,
          inside.CreateAddrSpaceCast(
              inside.CreateGEP(inside.getInt8Ty(),
                               inside.CreateAddrSpaceCast(address, pointer),
                               {delta}),
              address->getType()));
    }
    b.CreateBr(cast<BasicBlock>(map[candidate.header]));
    // What is disjoint in one round of a loop around may not be in the next.
    if (candidate.outermost)
      markDisjoint(candidate.accesses, map);
  }

  /// Groups touch no common byte where one of two writes.
  void markDisjoint(ArrayRef<Access> accesses, ValueToValueMapTy &map) {
    LLVMContext &context = body.getContext();
    unsigned groups = 0;
    for (const Access &access : accesses)
      groups = std::max(groups, access.info.group + 1);
    SmallVector<bool> writes(groups, false);
    for (const Access &access : accesses)
      if (access.info.mode == AccessMode::Write)
        writes[access.info.group] = true;
    MDBuilder metadata(context);
    MDNode *domain = metadata.createAnonymousAliasScopeDomain();
    SmallVector<Metadata *> scopes;
    for (unsigned i = 0; i < groups; ++i)
      scopes.push_back(metadata.createAnonymousAliasScope(domain));
    for (const Access &access : accesses) {
      SmallVector<Metadata *> others;
      for (unsigned other = 0; other < groups; ++other)
        if (other != access.info.group &&
            (writes[other] || writes[access.info.group]))
          others.push_back(scopes[other]);
      auto *copy = cast<Instruction>(map[access.inst]);
      copy->setMetadata(LLVMContext::MD_alias_scope,
                        MDNode::get(context, scopes[access.info.group]));
      if (!others.empty())
        copy->setMetadata(LLVMContext::MD_noalias,
                          MDNode::get(context, others));
    }
  }

  Function &body;
  Value *item;
  DenseMap<Instruction *, SmallVector<const CheckedAccess *, 1>> checked;
  TargetLibraryInfoImpl libraryImpl;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  Type *int64, *int32;
  PointerType *pointer;
  std::vector<Candidate> candidates;
};

static_assert(sizeof(LoopSite) == 32);

} // namespace

Function *specialiseUnitSteps(Function &body,
                              SmallVectorImpl<unsigned> &steps) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  SmallSetVector<unsigned, 4> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    for (PHINode &phi : loop->getHeader()->phis())
      for (Value *value : phi.incoming_values()) {
        auto *add = dyn_cast<BinaryOperator>(value);
        if (!add || add->getOpcode() != Instruction::Add ||
            !is_contained(add->operands(), &phi))
          continue;
        for (Value *operand : add->operands())
          if (auto *step = dyn_cast<Argument>(operand))
            found.insert(step->getArgNo());
      }
  if (found.empty())
    return nullptr;
  steps.assign(found.begin(), found.end());
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&body, map);
  copy->setName(body.getName() + ".unit");
  for (unsigned step : steps) {
    Argument *arg = copy->getArg(step);
    arg->replaceAllUsesWith(ConstantInt::get(arg->getType(), 1));
  }
  return copy;
}

void hoistLoopChecks(Function &body, Value *item,
                     ArrayRef<CheckedAccess> accesses) {
  LoopHoister(body, item, accesses).run();
}

} // namespace transient::sim
