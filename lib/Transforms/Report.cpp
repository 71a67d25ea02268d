//===- Report.cpp - What was planned, what was not, and why ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-report. Everything is computed again from the IR at hand, so a
// report about an edited plan is about the edited plan. A value that is not
// known is the string "unknown", never 0.
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

#include "transient/Analysis/PlannedFunctions.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/ValueBoundsModels.h"
#include "transient/Planner/Render.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

namespace transient {
#define GEN_PASS_DEF_TRANSIENTREPORTPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

struct ReportPass
    : public transient::impl::TransientReportPassBase<ReportPass> {
  using TransientReportPassBase::TransientReportPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientReportPassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
    registerValueBoundsModels(registry);
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    ServedFunctions served(getOperation(), kernels);
    std::vector<FunctionReport> reports;
    for (FunctionOpInterface function : getPlannedFunctions(getOperation())) {
      FunctionReport report;
      report.function = function;
      report.kernels = &kernels;
      if (failed(gatherReport(report, served)))
        return signalPassFailure();
      reports.push_back(std::move(report));
    }
    if (!file.empty() &&
        failed(writeFile(file, [&](raw_ostream &os) { write(os, reports); })))
      return signalPassFailure();
    if (!memoryMap.empty() && failed(writeFile(memoryMap, [&](raw_ostream &os) {
          render(os, reports);
        })))
      return signalPassFailure();
  }

  void write(raw_ostream &os, const std::vector<FunctionReport> &reports) {
    llvm::json::OStream json(os, 2);
    json.object([&] {
      json.attribute("schema", "transient.report.v1");
      if (std::optional<StringRef> name = getOperation().getName())
        json.attribute("module", *name);
      else
        json.attribute("module", nullptr);
      json.attributeArray("functions", [&] {
        for (const FunctionReport &report : reports)
          writeFunctionReport(json, report);
      });
    });
    os << "\n";
  }

  /// The map of the function with the most planned bytes.
  static void render(raw_ostream &os,
                     const std::vector<FunctionReport> &reports) {
    const FunctionReport *largest = nullptr;
    for (const FunctionReport &report : reports)
      if (!largest || report.plan.physicalBytes > largest->plan.physicalBytes)
        largest = &report;
    planner::RenderOptions options;
    if (!largest) {
      os << planner::renderMemoryMap({}, {}, options);
      return;
    }
    FunctionOpInterface function = largest->function;
    options.title = "Memory map of @" + function.getName().str();
    os << planner::renderMemoryMap(largest->built.problem, largest->plan,
                                   options);
  }

  LogicalResult writeFile(StringRef path,
                          function_ref<void(raw_ostream &)> writer) {
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> output =
        openOutputFile(path, &message);
    if (!output)
      return emitError(getOperation().getLoc())
             << "transient-report: " << message;
    writer(output->os());
    output->keep();
    return success();
  }
};

} // namespace
