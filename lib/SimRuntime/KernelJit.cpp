//===- KernelJit.cpp - Compiles embedded kernels, once per content --------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "KernelJit.h"
#include "Options.h"
#include "Report.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>
#include <deque>
#include <map>
#include <mutex>

using namespace llvm;

namespace transient::sim {

class DeviceModule {
public:
  std::string bitcode;
  std::deque<Kernel> kernels; ///< stable addresses: handles point here
  bool compiled = false;
};

namespace {

/// bf16 leaves a truncation in SSE code as the low half of a float register.
extern "C" float transientSimTruncBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bool isNan = (bits & 0x7fffffff) > 0x7f800000;
  uint32_t rounded =
      isNan ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  float result;
  std::memcpy(&result, &rounded, 4);
  return result;
}

extern "C" float transientSimTruncBf16FromDouble(double value) {
  return transientSimTruncBf16(static_cast<float>(value));
}

/// The JIT and everything it holds; never destroyed, since other threads may
/// still run its code when the process ends.
struct Jit {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<DeviceModule>> modules;
  std::unique_ptr<orc::LLJIT> lljit;
  std::unique_ptr<TargetMachine> machine;
};

Jit &jit() {
  static Jit &instance = *new Jit;
  return instance;
}

template <typename T>
T orFatal(Expected<T> value, const char *what) {
  if (!value)
    fatal(std::string(what) + ": " + toString(value.takeError()));
  return static_cast<T &&>(*value);
}

void orFatal(Error error, const char *what) {
  if (error)
    fatal(std::string(what) + ": " + toString(std::move(error)));
}

void createJit(Jit &state) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto builder = orFatal(orc::JITTargetMachineBuilder::detectHost(),
                         "cannot compile for this machine");
  builder.setCodeGenOptLevel(CodeGenOptLevel::Default);
  state.machine =
      orFatal(builder.createTargetMachine(), "cannot compile for this machine");
  state.lljit = orFatal(orc::LLJITBuilder()
                            .setJITTargetMachineBuilder(std::move(builder))
                            .create(),
                        "cannot start the JIT");
}

/// A library of its own for each module, so that names never clash.
orc::JITDylib &createLibrary(Jit &state) {
  static unsigned number = 0;
  orc::LLJIT &lljit = *state.lljit;
  auto &library = orFatal(
      lljit.createJITDylib("kernels" + std::to_string(number++)), "JIT");
  auto symbol = [](auto *function) {
    return orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(function),
                                  JITSymbolFlags::Exported);
  };
  auto name = [&](const char *text) { return lljit.mangleAndIntern(text); };
  orFatal(
      library.define(orc::absoluteSymbols(
          {{name("transientSimAccess"), symbol(&transientSimAccess)},
           {name("transientSimBarrier"), symbol(&transientSimBarrier)},
           {name("transientSimLoop"), symbol(&transientSimLoop)},
           {name("transientSimStuck"), symbol(&transientSimStuck)},
           {name("__truncsfbf2"), symbol(&transientSimTruncBf16)},
           {name("__truncdfbf2"), symbol(&transientSimTruncBf16FromDouble)}})),
      "JIT");
  library.addGenerator(
      orFatal(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
                  lljit.getDataLayout().getGlobalPrefix()),
              "JIT"));
  return library;
}

void optimize(Module &module, TargetMachine *machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder
      .buildPerModuleDefaultPipeline(options().check ? OptimizationLevel::O1
                                                     : OptimizationLevel::O2)
      .run(module, modules);
}

std::unique_ptr<Module> parse(const std::string &bitcode,
                              LLVMContext &context) {
  return orFatal(parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), context),
                 "cannot read an embedded gpu.module");
}

} // namespace

DeviceModule *loadModule(const void *data, size_t bytes) {
  const char *start = static_cast<const char *>(data);
  if (!data || bytes < 4 || std::memcmp(start, "BC\xC0\xDE", 4))
    fatal("an embedded gpu.module is not LLVM bitcode; attach the target with "
          "xevm-attach-target and serialise with "
          "gpu-module-to-binary{format=llvm}");
  Jit &state = jit();
  std::lock_guard<std::mutex> lock(state.mutex);
  std::string bitcode(start, bytes);
  std::unique_ptr<DeviceModule> &module = state.modules[bitcode];
  if (module)
    return module.get();
  module = std::make_unique<DeviceModule>();
  module->bitcode = std::move(bitcode);
  LLVMContext context;
  for (KernelInfo &info : findKernels(*parse(module->bitcode, context)))
    module->kernels.push_back({module.get(), std::move(info), nullptr});
  return module.get();
}

Kernel *getKernel(DeviceModule *module, const std::string &name) {
  std::string known;
  for (Kernel &kernel : module->kernels) {
    if (kernel.info.name == name)
      return &kernel;
    known += (known.empty() ? "" : ", ") + kernel.info.name;
  }
  fatal("no kernel '" + name +
        "' in its module, which has: " + (known.empty() ? "none" : known));
}

/// Compiles a module; says why where it is not supported.
static std::string compileModule(Jit &state, DeviceModule &owner) {
  if (owner.compiled)
    return "";
  if (!state.lljit)
    createJit(state);
  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = parse(owner.bitcode, *context);
  std::vector<KernelInfo> infos = findKernels(*module);
  std::string error =
      prepareForHost(*module, state.machine->getTargetTriple(),
                     state.machine->createDataLayout(), options().check, infos);
  if (!error.empty())
    return error;
  optimize(*module, state.machine.get());
  orc::JITDylib &library = createLibrary(state);
  orFatal(state.lljit->addIRModule(
              library,
              orc::ThreadSafeModule(std::move(module), std::move(context))),
          "cannot compile a kernel");
  for (size_t i = 0; i < owner.kernels.size(); ++i) {
    Kernel &compiled = owner.kernels[i];
    compiled.info = infos[i];
    compiled.entry =
        orFatal(state.lljit->lookup(library, entryName(infos[i].name)),
                "cannot compile a kernel")
            .toPtr<KernelEntry>();
  }
  owner.compiled = true;
  return "";
}

KernelEntry compile(Kernel *kernel) {
  Jit &state = jit();
  std::lock_guard<std::mutex> lock(state.mutex);
  std::string error = compileModule(state, *kernel->module);
  if (!error.empty())
    fatal("cannot run kernel '" + kernel->info.name + "': " + error);
  return kernel->entry;
}

void compileAll() {
  Jit &state = jit();
  std::lock_guard<std::mutex> lock(state.mutex);
  for (auto &entry : state.modules)
    (void)compileModule(state, *entry.second);
}

} // namespace transient::sim
