//===- Instrument.cpp - Turns a device module into host code --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. The address that the access hook returns replaces the
// pointer, so that a wrong access reaches scratch memory instead of crashing,
// and device memory can live where host code cannot touch it.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "LoopChecks.h"
#include "WorkItem.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <dlfcn.h>

using namespace llvm;

namespace transient::sim {

namespace {

/// Fields of WorkItem, counted in 8-byte words.
enum Field : unsigned {
  Group = 0,
  Local = 3,
  Groups = 6,
  Size = 9,
  LocalMemory = 12,
  StepLimit = 15,
  Slots = 17
};
static_assert(offsetof(WorkItem, local) == Local * 8);
static_assert(offsetof(WorkItem, groups) == Groups * 8);
static_assert(offsetof(WorkItem, size) == Size * 8);
static_assert(offsetof(WorkItem, localMemory) == LocalMemory * 8);
static_assert(offsetof(WorkItem, stepLimit) == StepLimit * 8);
static_assert(offsetof(WorkItem, slots) == Slots * 8);
static_assert(sizeof(AccessSlot) == 64);

constexpr unsigned workgroupSpace = 3;
constexpr char barrierName[] = "_Z7barrierj";

bool isWorkgroupPointer(const Type *type) {
  return type->isPointerTy() &&
         type->getPointerAddressSpace() == workgroupSpace;
}

bool isBuiltin(StringRef name) {
  return name == "_Z12get_group_idj" || name == "_Z12get_local_idj" ||
         name == "_Z14get_local_sizej" || name == "_Z14get_num_groupsj" ||
         name == "_Z13get_global_idj" || name == "_Z15get_global_sizej" ||
         name == "_Z17get_global_offsetj" || name == barrierName;
}

/// The libm function behind an OpenCL math built-in such as _Z3expf or
/// _Z10native_expf; empty for anything else.
std::string libmName(StringRef name) {
  if (!name.consume_front("_Z"))
    return "";
  unsigned length = 0;
  if (name.consumeInteger(10, length) || length >= name.size())
    return "";
  StringRef base = name.take_front(length);
  StringRef types = name.drop_front(length);
  base.consume_front("native_");
  bool isFloat = types.find_first_not_of('f') == StringRef::npos;
  bool isDouble = types.find_first_not_of('d') == StringRef::npos;
  if (!isFloat && !isDouble)
    return "";
  return (base + (isFloat ? "f" : "")).str();
}

/// Rewrites one device module.
class Preparer {
public:
  Preparer(Module &module, bool check, std::vector<KernelInfo> &kernels)
      : module(module), context(module.getContext()), check(check),
        kernels(kernels), pointer(PointerType::get(context, 0)),
        int64(Type::getInt64Ty(context)), int32(Type::getInt32Ty(context)) {}

  std::string run(const Triple &triple, const DataLayout &layout) {
    module.setTargetTriple(triple);
    module.setDataLayout(layout);
    StripDebugInfo(module);
    dropConventions();
    if (std::string error = resolveExternals(); !error.empty())
      return error;
    runModulePasses();
    for (Function &function : module)
      if (!function.isDeclaration() && !isKernel(function.getName()) &&
          !function.use_empty())
        return "recursive device function '" + function.getName().str() + "'";
    if (check)
      access = module.getOrInsertFunction(
          "transientSimAccess",
          FunctionType::get(pointer, {pointer, pointer, int64, int32, int32},
                            false));
    for (KernelInfo &kernel : kernels)
      if (std::string error = rewriteKernel(kernel); !error.empty())
        return "kernel '" + kernel.name + "': " + error;
    std::string message;
    raw_string_ostream stream(message);
    if (verifyModule(module, &stream))
      return "not valid after instrumentation: " + message;
    return "";
  }

private:
  bool isKernel(StringRef name) const {
    return any_of(kernels,
                  [&](const KernelInfo &info) { return info.name == name; });
  }

  /// Device calling conventions mean nothing here, and the attributes stop
  /// being true once accesses call the checker.
  void dropConventions() {
    for (Function &function : module) {
      function.setCallingConv(CallingConv::C);
      if (!function.isIntrinsic())
        function.setAttributes(AttributeList());
      function.setMetadata("intel_reqd_sub_group_size", nullptr);
      for (Instruction &inst : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&inst);
        if (!call || isa<IntrinsicInst>(call))
          continue;
        call->setCallingConv(CallingConv::C);
        call->setAttributes(AttributeList());
      }
      if (function.isDeclaration())
        continue;
      function.removeFnAttr(Attribute::OptimizeNone);
      if (!isKernel(function.getName()))
        function.addFnAttr(Attribute::AlwaysInline);
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  }

  std::string resolveExternals() {
    std::string missing;
    for (Function &function : make_early_inc_range(module)) {
      if (!function.isDeclaration() || function.use_empty() ||
          isBuiltin(function.getName()))
        continue;
      StringRef name = function.getName();
      if (function.isIntrinsic()) {
        if (!Intrinsic::isTargetIntrinsic(function.getIntrinsicID()))
          continue;
      } else {
        std::string host = libmName(name);
        if (host.empty())
          host = name.str();
        if (dlsym(RTLD_DEFAULT, host.c_str())) {
          function.setName(host);
          continue;
        }
      }
      missing += (missing.empty() ? "" : ", ") + name.str();
    }
    return missing.empty() ? ""
                           : "unsupported built-in or intrinsic: " + missing;
  }

  void runModulePasses() {
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager sccs;
    ModuleAnalysisManager modules;
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
    ModulePassManager manager;
    manager.addPass(AlwaysInlinerPass());
    manager.addPass(
        createModuleToFunctionPassAdaptor(ScalarizeMaskedMemIntrinPass()));
    if (check) // The form that hoistLoopChecks needs.
      manager.addPass(createModuleToFunctionPassAdaptor(
          createFunctionToLoopPassAdaptor(LoopRotatePass())));
    manager.run(module, modules);
  }

  /// `item`'s word `field + dimension`; `outside` where the dimension is not
  /// one of the three.
  Value *loadField(IRBuilder<> &b, Value *item, Field field, Value *dimension,
                   uint64_t outside) {
    Value *inside = b.CreateICmpULT(dimension, b.getInt32(3));
    Value *index = b.CreateSelect(inside, dimension, b.getInt32(0));
    index = b.CreateAdd(b.CreateZExt(index, int64), b.getInt64(field));
    Value *word =
        b.CreateLoad(int64, b.CreateInBoundsGEP(int64, item, {index}));
    return b.CreateSelect(inside, word, b.getInt64(outside));
  }

  Value *builtin(IRBuilder<> &b, Value *item, StringRef name, Value *dim) {
    if (name == "_Z12get_group_idj")
      return loadField(b, item, Group, dim, 0);
    if (name == "_Z12get_local_idj")
      return loadField(b, item, Local, dim, 0);
    if (name == "_Z14get_local_sizej")
      return loadField(b, item, Size, dim, 1);
    if (name == "_Z14get_num_groupsj")
      return loadField(b, item, Groups, dim, 1);
    if (name == "_Z17get_global_offsetj")
      return b.getInt64(0);
    Value *size = loadField(b, item, Size, dim, 1);
    if (name == "_Z15get_global_sizej")
      return b.CreateMul(loadField(b, item, Groups, dim, 1), size);
    return b.CreateAdd(b.CreateMul(loadField(b, item, Group, dim, 0), size),
                       loadField(b, item, Local, dim, 0));
  }

  std::string rewriteKernel(KernelInfo &info) {
    Function *kernel = module.getFunction(info.name);
    // The body moves to a function that also takes the work item.
    SmallVector<Type *> types{pointer};
    append_range(types, kernel->getFunctionType()->params());
    auto *body = Function::Create(
        FunctionType::get(Type::getVoidTy(context), types, false),
        GlobalValue::InternalLinkage, info.name + ".item", module);
    body->splice(body->end(), kernel);
    for (auto [from, to] : zip(kernel->args(), drop_begin(body->args())))
      from.replaceAllUsesWith(&to);
    Argument *item = body->getArg(0);
    kernel->eraseFromParent();

    if (std::string error = placeWorkgroupGlobals(*body, item, info);
        !error.empty())
      return error;
    for (Instruction &inst : make_early_inc_range(instructions(*body))) {
      auto *call = dyn_cast<CallInst>(&inst);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (call && !callee && !call->isInlineAsm())
        return "calls through a pointer are not supported";
      if (callee && isBuiltin(callee->getName()))
        replaceBuiltin(*call, callee->getName(), item, info);
    }
    info.sites = 0;
    SmallVector<unsigned> steps;
    Function *unit = check ? specialiseUnitSteps(*body, steps) : nullptr;
    for (Function *form : {body, unit})
      if (form)
        instrumentBody(*form, info);
    writeEntry(info, unit ? *chooseForm(*body, *unit, steps) : *body);
    return "";
  }

  void replaceBuiltin(CallInst &call, StringRef name, Value *item,
                      KernelInfo &info) {
    IRBuilder<> b(&call);
    if (name == barrierName) {
      info.hasBarrier = true;
      b.CreateCall(module.getOrInsertFunction(
                       "transientSimBarrier",
                       FunctionType::get(b.getVoidTy(), {pointer}, false)),
                   {item});
    } else {
      Value *value = builtin(b, item, name, call.getArgOperand(0));
      call.replaceAllUsesWith(b.CreateIntCast(value, call.getType(), false));
    }
    call.eraseFromParent();
  }

  /// Limits the loops of `body` and checks its accesses, as sites that follow
  /// those that the kernel has already.
  void instrumentBody(Function &body, KernelInfo &info) {
    Argument *item = body.getArg(0);
    SmallVector<CheckedAccess> accesses;
    if (check) {
      for (Instruction &inst : make_early_inc_range(instructions(body)))
        findAccesses(inst, accesses, info.sites);
      hoistLoopChecks(body, item, accesses);
    }
    limitSteps(body, item);
    for (const CheckedAccess &access : accesses)
      instrument(access, item);
  }

  /// A function that runs `unit` where all of the arguments `steps` are 1, and
  /// `body` otherwise.
  Function *chooseForm(Function &body, Function &unit,
                       ArrayRef<unsigned> steps) {
    auto *chooser =
        Function::Create(body.getFunctionType(), GlobalValue::InternalLinkage,
                         body.getName() + ".form", module);
    SmallVector<Value *> args;
    for (Argument &arg : chooser->args())
      args.push_back(&arg);
    auto block = [&](const char *name) {
      return BasicBlock::Create(context, name, chooser);
    };
    BasicBlock *start = block("start"), *one = block("unit"),
               *any = block("any");
    IRBuilder<> b(start);
    Value *isUnit = b.getTrue();
    for (unsigned step : steps)
      isUnit = b.CreateAnd(
          isUnit, b.CreateICmpEQ(args[step],
                                 ConstantInt::get(args[step]->getType(), 1)));
    b.CreateCondBr(isUnit, one, any);
    for (auto [where, form] : {std::pair(one, &unit), std::pair(any, &body)}) {
      form->addFnAttr(Attribute::AlwaysInline);
      b.SetInsertPoint(where);
      b.CreateCall(form, args);
      b.CreateRetVoid();
    }
    return chooser;
  }

  /// Globals in workgroup memory become offsets into the group's own block.
  std::string placeWorkgroupGlobals(Function &body, Value *item,
                                    KernelInfo &info) {
    for (GlobalVariable &global : module.globals()) {
      if (global.getAddressSpace() != workgroupSpace)
        continue;
      convertUsersOfConstantsToInstructions({&global}, &body);
      SmallVector<Instruction *> users;
      for (User *user : global.users())
        if (auto *inst = dyn_cast<Instruction>(user);
            inst && inst->getFunction() == &body)
          users.push_back(inst);
      if (users.empty())
        continue;
      if (module.getDataLayout().getTypeAllocSize(global.getValueType()) >
          localBytesPerArgument)
        return "more than 64 KiB of workgroup memory in one global";
      IRBuilder<> b(&*body.getEntryBlock().getFirstInsertionPt());
      Value *place = localBlock(b, item, info.localArguments++);
      for (Instruction *user : users)
        user->replaceUsesOfWith(&global, place);
    }
    return "";
  }

  Value *localBlock(IRBuilder<> &b, Value *item, unsigned index) {
    Value *slot = b.CreateInBoundsGEP(int64, item, {b.getInt64(LocalMemory)});
    Value *block = b.CreateInBoundsGEP(
        b.getInt8Ty(), b.CreateLoad(pointer, slot),
        {b.getInt64(uint64_t(index) * localBytesPerArgument)});
    return b.CreateAddrSpaceCast(block,
                                 PointerType::get(context, workgroupSpace));
  }

  // -- Loops that may never end ----------------------------------------------

  /// Counts the rounds of loops whose number of rounds is not settled when they
  /// start, such as those that wait for memory to change. Others end by
  /// themselves and stay as fast as they are.
  void limitSteps(Function &body, Value *item) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
    FindFunctionBackedges(body, backEdges);
    if (backEdges.empty())
      return;
    TargetLibraryInfoImpl libraryImpl(module.getTargetTriple());
    TargetLibraryInfo library(libraryImpl);
    AssumptionCache assumptions(body);
    DominatorTree dominators(body);
    LoopInfo loops(dominators);
    ScalarEvolution evolution(body, library, assumptions, dominators, loops);
    SmallVector<BasicBlock *> sources;
    for (auto [from, to] : backEdges) {
      Loop *loop = loops.getLoopFor(to);
      bool ends = loop && loop->getHeader() == to &&
                  evolution.hasLoopInvariantBackedgeTakenCount(loop);
      auto *source = const_cast<BasicBlock *>(from);
      if (!ends && !is_contained(sources, source))
        sources.push_back(source);
    }
    if (sources.empty())
      return;
    IRBuilder<> b(&*body.getEntryBlock().getFirstInsertionPt());
    Value *left = b.CreateAlloca(int64);
    b.CreateStore(b.CreateLoad(int64, b.CreateInBoundsGEP(
                                          int64, item, {b.getInt64(StepLimit)})),
                  left);
    FunctionCallee stuck = module.getOrInsertFunction(
        "transientSimStuck",
        FunctionType::get(Type::getVoidTy(context), {pointer}, false));
    for (BasicBlock *source : sources) {
      b.SetInsertPoint(source->getTerminator());
      Value *next = b.CreateSub(b.CreateLoad(int64, left), b.getInt64(1));
      b.CreateStore(next, left);
      Value *used = b.CreateICmpEQ(next, b.getInt64(0));
      Instruction *then = SplitBlockAndInsertIfThen(
          used, source->getTerminator()->getIterator(), false,
          MDBuilder(context).createUnlikelyBranchWeights());
      IRBuilder<>(then).CreateCall(stuck, {item});
    }
  }

  // -- Accesses --------------------------------------------------------------

  /// Private and workgroup memory, and constants of the module, cannot be
  /// shared with another operation.
  bool isLocal(Value *address) {
    if (isWorkgroupPointer(address->getType()))
      return true;
    const Value *object = getUnderlyingObject(address, 0);
    return isa<AllocaInst, GlobalVariable>(object) ||
           isWorkgroupPointer(object->getType());
  }

  void instrument(const CheckedAccess &access, Value *item) {
    Instruction &inst = *access.inst;
    Value *address = inst.getOperand(access.operand);
    IRBuilder<> b(&inst);
    Value *plain = b.CreateAddrSpaceCast(address, pointer);
    auto *size = dyn_cast<ConstantInt>(access.bytes);
    Value *used = size && size->getValue().isPowerOf2() &&
                          size->getZExtValue() <= 64
                      ? askOnce(access, plain, item, *size)
                      : ask(b, access, plain, item);
    b.SetInsertPoint(&inst);
    inst.setOperand(access.operand,
                    b.CreateAddrSpaceCast(used, address->getType()));
  }

  Value *ask(IRBuilder<> &b, const CheckedAccess &what, Value *address,
             Value *item) {
    return b.CreateCall(access, {item, address, what.bytes,
                                 b.getInt32(static_cast<uint32_t>(what.mode)),
                                 b.getInt32(what.site)});
  }

  /// Asks the checker only about what the AccessSlot of this site does not know.
  Value *askOnce(const CheckedAccess &what, Value *address, Value *item,
                 ConstantInt &bytes) {
    BasicBlock *start = what.inst->getParent();
    Function *function = start->getParent();
    BasicBlock *done = SplitBlock(start, what.inst);
    auto block = [&](const char *name) {
      return BasicBlock::Create(context, name, function, done);
    };
    BasicBlock *lookUp = block("access.look"), *change = block("access.change"),
               *store = block("access.store"), *slow = block("access.ask");
    MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
    start->getTerminator()->eraseFromParent();
    IRBuilder<> b(start);
    auto word = [&](Value *base, uint64_t offset, Type *type) {
      return b.CreateLoad(type, b.CreateInBoundsGEP(b.getInt8Ty(), base,
                                                    {b.getInt64(offset)}));
    };
    Value *slot = b.CreateInBoundsGEP(
        b.getInt8Ty(), word(item, Slots * 8, pointer),
        {b.getInt64(uint64_t(what.site) * sizeof(AccessSlot))});
    Value *at = b.CreateSub(b.CreatePtrToInt(address, int64),
                            word(slot, offsetof(AccessSlot, base), int64));
    Value *known = b.CreateICmpULT(
        at, word(slot, offsetof(AccessSlot, size), int64));
    if (!bytes.isOne())
      known = b.CreateAnd(
          known,
          b.CreateICmpEQ(b.CreateAnd(at, bytes.getZExtValue() - 1),
                         b.getInt64(0)));
    b.CreateCondBr(known, lookUp, slow, likely);

    b.SetInsertPoint(lookUp);
    Value *place = b.CreateInBoundsGEP(
        int32, word(slot, offsetof(AccessSlot, cells), pointer),
        {b.CreateLShr(at, word(slot, offsetof(AccessSlot, grain), int64))});
    // Other threads may change the state meanwhile, never the granule.
    LoadInst *state = b.CreateAlignedLoad(int32, place, Align(4));
    state->setAtomic(AtomicOrdering::Monotonic);
    Value *storage = b.CreateInBoundsGEP(
        b.getInt8Ty(), address,
        {word(slot, offsetof(AccessSlot, delta), int64)});
    b.CreateCondBr(
        b.CreateICmpEQ(state, word(slot, offsetof(AccessSlot, stable), int32)),
        done, change, likely);

    b.SetInsertPoint(change);
    b.CreateCondBr(
        b.CreateICmpEQ(state, word(slot, offsetof(AccessSlot, from), int32)),
        store, slow, likely);
    b.SetInsertPoint(store);
    b.CreateStore(word(slot, offsetof(AccessSlot, to), int32), place);
    b.CreateBr(done);

    b.SetInsertPoint(slow);
    Value *answer = ask(b, what, address, item);
    b.CreateBr(done);

    b.SetInsertPoint(done, done->begin());
    PHINode *used = b.CreatePHI(pointer, 3);
    used->addIncoming(storage, lookUp);
    used->addIncoming(storage, store);
    used->addIncoming(answer, slow);
    return used;
  }

  /// Appends what `inst` does to memory that may be shared.
  void findAccesses(Instruction &inst, SmallVectorImpl<CheckedAccess> &accesses,
                    unsigned &sites) {
    auto add = [&](unsigned operand, Value *bytes, AccessMode mode) {
      if (!isLocal(inst.getOperand(operand)))
        accesses.push_back({&inst, operand, bytes, mode, sites++});
    };
    auto typed = [&](unsigned operand, Type *type, AccessMode mode) {
      uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
      add(operand, ConstantInt::get(int64, bytes), mode);
    };
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      typed(load->getPointerOperandIndex(), load->getType(),
            load->isAtomic() ? AccessMode::Atomic : AccessMode::Read);
    } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
      typed(store->getPointerOperandIndex(),
            store->getValueOperand()->getType(),
            store->isAtomic() ? AccessMode::Atomic : AccessMode::Write);
    } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst)) {
      typed(rmw->getPointerOperandIndex(), rmw->getType(), AccessMode::Atomic);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst)) {
      typed(exchange->getPointerOperandIndex(),
            exchange->getNewValOperand()->getType(), AccessMode::Atomic);
    } else if (auto *memory = dyn_cast<AnyMemIntrinsic>(&inst)) {
      IRBuilder<> b(&inst);
      Value *bytes = b.CreateIntCast(memory->getLength(), int64, false);
      add(0, bytes, AccessMode::Write);
      if (isa<AnyMemTransferInst>(&inst))
        add(1, bytes, AccessMode::Read);
    }
  }

  // -- The entry -------------------------------------------------------------

  /// `void entry(item, params)`: loads the arguments and runs the body, for all
  /// items of the group unless they have to run side by side.
  void writeEntry(const KernelInfo &info, Function &body) {
    auto *entry = Function::Create(
        FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false),
        GlobalValue::ExternalLinkage, entryName(info.name), module);
    Argument *item = entry->getArg(0);
    IRBuilder<> b(BasicBlock::Create(context, "entry", entry));
    SmallVector<Value *> args{item};
    unsigned passed = 0, local = 0;
    for (Argument &arg : drop_begin(body.args())) {
      if (isWorkgroupPointer(arg.getType())) {
        args.push_back(localBlock(b, item, local++));
        continue;
      }
      Value *slot =
          b.CreateLoad(pointer, b.CreateInBoundsGEP(pointer, entry->getArg(1),
                                                    {b.getInt64(passed++)}));
      args.push_back(b.CreateLoad(arg.getType(), slot));
    }
    body.addFnAttr(Attribute::AlwaysInline);
    if (info.hasBarrier) {
      b.CreateCall(&body, args);
      b.CreateRetVoid();
      return;
    }
    Value *sizes[3], *counters[3];
    BasicBlock *headers[3], *exits[3];
    for (unsigned d = 0; d < 3; ++d) {
      sizes[d] = b.CreateLoad(
          int64, b.CreateInBoundsGEP(int64, item, {b.getInt64(Size + d)}));
      counters[d] = b.CreateInBoundsGEP(int64, item, {b.getInt64(Local + d)});
    }
    for (int d = 2; d >= 0; --d) {
      headers[d] = BasicBlock::Create(context, "item", entry);
      exits[d] = BasicBlock::Create(context, "next", entry);
      b.CreateStore(b.getInt64(0), counters[d]);
      b.CreateBr(headers[d]);
      b.SetInsertPoint(headers[d]);
    }
    b.CreateCall(&body, args);
    for (unsigned d = 0; d < 3; ++d) {
      Value *next =
          b.CreateAdd(b.CreateLoad(int64, counters[d]), b.getInt64(1));
      b.CreateStore(next, counters[d]);
      b.CreateCondBr(b.CreateICmpULT(next, sizes[d]), headers[d], exits[d]);
      b.SetInsertPoint(exits[d]);
    }
    b.CreateRetVoid();
  }

  Module &module;
  LLVMContext &context;
  bool check;
  std::vector<KernelInfo> &kernels;
  PointerType *pointer;
  Type *int64, *int32;
  FunctionCallee access;
};

} // namespace

std::vector<KernelInfo> findKernels(const Module &module) {
  std::vector<KernelInfo> kernels;
  for (const Function &function : module) {
    if (function.isDeclaration() ||
        function.getCallingConv() != CallingConv::SPIR_KERNEL)
      continue;
    KernelInfo info;
    info.name = function.getName().str();
    for (const Argument &arg : function.args()) {
      if (isWorkgroupPointer(arg.getType()))
        ++info.localArguments;
      else
        info.argumentBytes.push_back(static_cast<uint32_t>(
            module.getDataLayout().getTypeStoreSize(arg.getType())));
    }
    kernels.push_back(std::move(info));
  }
  return kernels;
}

std::string entryName(const std::string &name) { return name + ".entry"; }

std::string prepareForHost(Module &module, const Triple &triple,
                           const DataLayout &layout, bool check,
                           std::vector<KernelInfo> &kernels) {
  return Preparer(module, check, kernels).run(triple, layout);
}

} // namespace transient::sim
