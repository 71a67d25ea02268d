//===- Subject.cpp - The project under test, in this process --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Subject.h"

#include "transient/InitAll.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace transient::fuzz {

PlanOptions PlanOptions::any(Random &random) {
  PlanOptions options;
  static constexpr Before befores[] = {
      Before::Nothing, Before::Nothing,      Before::Nothing, Before::Cse,
      Before::Hoist,   Before::Canonicalize, Before::Blocks};
  static constexpr Lower lowers[] = {Lower::Auto, Lower::Auto, Lower::Auto,
                                     Lower::MemRef, Lower::Gpu};
  static constexpr unsigned alignments[] = {1, 1, 1, 16, 256};
  options.before = random.pick(befores);
  options.lower = random.pick(lowers);
  options.slots = random.chance(20);
  options.splitWebs = random.chance(70);
  options.inPlace = random.chance(40);
  options.tidy = random.chance(25);
  options.alignment = random.pick(alignments);
  return options;
}

std::string PlanOptions::text() const {
  static constexpr const char *befores[] = {"", "--cse ", "--canonicalize ",
                                            "--loop-invariant-code-motion ",
                                            "--convert-scf-to-cf "};
  static constexpr const char *lowers[] = {"auto", "memref", "gpu"};
  return std::string(befores[static_cast<unsigned>(before)]) +
         "--transient-pipeline=\"strategy=" + (slots ? "slots" : "arena") +
         " lower=" + lowers[static_cast<unsigned>(lower)] +
         " split-webs=" + (splitWebs ? "true" : "false") +
         " in-place=" + (inPlace ? "true" : "false") +
         " alignment=" + std::to_string(alignment) + "\"" +
         (tidy ? " --cse --canonicalize" : "");
}

const char *toString(Verdict verdict) {
  static constexpr const char *names[] = {"accepted", "undecided", "rejected"};
  return names[static_cast<unsigned>(verdict)];
}

struct Subject::Implementation {
  Implementation() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    transient::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    llvm::SmallString<64> path;
    int descriptor;
    if (!llvm::sys::fs::createTemporaryFile("transient-fuzz", "json",
                                            descriptor, path)) {
      reportFile = path.str().str();
      llvm::raw_fd_ostream close(descriptor, /*shouldClose=*/true);
    }
  }
  ~Implementation() { llvm::sys::fs::remove(reportFile); }

  MLIRContext context;
  std::string reportFile;
};

Subject::Subject() : implementation(std::make_unique<Implementation>()) {}
Subject::~Subject() = default;

/// Keeps errors and warnings; remarks and notes are none of this tool's
/// business.
template <typename Function>
static auto listen(MLIRContext *context, std::vector<std::string> &messages,
                   Function function) {
  messages.clear();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      messages.push_back("error: " + diagnostic.str());
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      messages.push_back("warning: " + diagnostic.str());
    return success();
  });
  return function();
}

OwningOpRef<ModuleOp> Subject::parse(const std::string &text) {
  return listen(&implementation->context, messages, [&] {
    return parseSourceString<ModuleOp>(text, &implementation->context);
  });
}

bool Subject::runPasses(ModuleOp module,
                        llvm::function_ref<void(OpPassManager &)> build) {
  return listen(&implementation->context, messages, [&] {
    PassManager manager(&implementation->context);
    build(manager);
    return succeeded(manager.run(module));
  });
}

bool Subject::prepare(ModuleOp module, const PlanOptions &options) {
  return runPasses(module, [&](OpPassManager &manager) {
    switch (options.before) {
    case PlanOptions::Before::Nothing:
      break;
    case PlanOptions::Before::Cse:
      manager.addPass(createCSEPass());
      break;
    case PlanOptions::Before::Canonicalize:
      manager.addPass(createCanonicalizerPass());
      break;
    case PlanOptions::Before::Hoist:
      manager.addPass(createLoopInvariantCodeMotionPass());
      break;
    case PlanOptions::Before::Blocks:
      manager.addPass(createSCFToControlFlowPass());
      break;
    }
  });
}

/// Reads the numbers of `@main`.
static bool readFigures(const std::string &file, Figures &figures) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return false;
  }
  llvm::json::Object *report = json->getAsObject();
  llvm::json::Array *functions =
      report ? report->getArray("functions") : nullptr;
  if (!functions)
    return false;
  for (llvm::json::Value &value : *functions) {
    llvm::json::Object *function = value.getAsObject();
    if (function->getString("name") != "main")
      continue;
    llvm::json::Object *bytes = function->getObject("bytes");
    auto number = [](std::optional<int64_t> value) {
      return value.value_or(-1);
    };
    figures.physical = number(bytes->getInteger("physical"));
    figures.lowerBound =
        number(bytes->getObject("lower_bound")->getInteger("value"));
    figures.peakUpper =
        number(bytes->getObject("peak_upper")->getInteger("value"));
    return true;
  }
  return false;
}

bool Subject::plan(ModuleOp module, const PlanOptions &options,
                   Figures *figures) {
  bool done = runPasses(module, [&](OpPassManager &manager) {
    TransientPipelineOptions pipeline;
    pipeline.strategy =
        options.slots ? PlacementStrategy::Slots : PlacementStrategy::Arena;
    pipeline.splitWebs = options.splitWebs;
    pipeline.inPlace = options.inPlace;
    pipeline.alignment = options.alignment;
    pipeline.lower = options.lower == PlanOptions::Lower::Auto ? Lowering::None
                     : options.lower == PlanOptions::Lower::MemRef
                         ? Lowering::MemRef
                         : Lowering::Gpu;
    pipeline.verify = false;
    if (figures)
      pipeline.report = implementation->reportFile;
    buildTransientPipeline(manager, pipeline);
  });
  return done &&
         (!figures || readFigures(implementation->reportFile, *figures));
}

bool Subject::place(ModuleOp module, const PlanOptions &options) {
  return runPasses(module, [&](OpPassManager &manager) {
    manager.addPass(createTransientResolveSizesPass());
    manager.addPass(createTransientGuardBoundsPass());
    TransientImportPassOptions import;
    import.allocations = AllocationPolicy::Keep;
    import.splitWebs = options.splitWebs;
    manager.addPass(createTransientImportPass(import));
    if (options.inPlace)
      manager.addPass(createTransientInPlacePass());
    manager.addPass(createTransientLivenessPass());
    TransientPlanPassOptions plan;
    plan.strategy =
        options.slots ? PlacementStrategy::Slots : PlacementStrategy::Arena;
    plan.alignment = options.alignment;
    manager.addPass(createTransientPlanPass(plan));
  });
}

bool Subject::lower(ModuleOp module, const PlanOptions &options) {
  return runPasses(module, [&](OpPassManager &manager) {
    if (options.lower == PlanOptions::Lower::Auto) {
      manager.addPass(createConvertTransientToGpuPass());
      manager.addPass(createConvertTransientToMemRefPass());
    }
    if (options.tidy) {
      manager.addPass(createCSEPass());
      manager.addPass(createCanonicalizerPass());
    }
  });
}

bool Subject::mark(ModuleOp module) {
  return runPasses(module, [](OpPassManager &manager) {
    manager.addPass(createTransientMarkTenantsPass());
  });
}

Verdict Subject::verify(ModuleOp module) {
  bool done = runPasses(module, [&](OpPassManager &manager) {
    manager.addPass(createTransientVerifyPass());
  });
  if (!done)
    return Verdict::Rejected;
  for (const std::string &message : messages)
    if (message.find("cannot decide") != std::string::npos)
      return Verdict::Undecided;
  return Verdict::Accepted;
}

} // namespace transient::fuzz
