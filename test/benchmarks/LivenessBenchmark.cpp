//===- LivenessBenchmark.cpp - How fast lifetimes are derived -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transient-liveness` on straight-line functions of 1k to 1M asynchronous ops
// on four streams, with a buffer for every five ops. Each buffer is used on all
// streams, one waiting for the other where they meet. The counter `per_op` is
// the time per op: the same for all sizes if the pass is linear.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

using namespace mlir;

namespace {

constexpr int64_t kStreams = 4, kOpsPerBuffer = 5;

/// A function of `size` fills and copies. Op `i` is on stream `i % 4` and, but
/// for the first of a buffer, waits for op `i - 1`, too.
OwningOpRef<ModuleOp> makeModule(MLIRContext &context, int64_t size) {
  OpBuilder builder(&context);
  Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  auto type = MemRefType::get({256}, builder.getF32Type());
  auto function = func::FuncOp::create(
      builder, location, "straight",
      builder.getFunctionType({type, builder.getF32Type()}, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  auto token = builder.getType<gpu::AsyncTokenType>();
  Value streams[kStreams];
  for (Value &stream : streams)
    stream = gpu::WaitOp::create(builder, location, token, ValueRange())
                 .getAsyncToken();
  Value before, buffer;
  for (int64_t op = 0; op < size; ++op) {
    Value &stream = streams[op % kStreams];
    SmallVector<Value> dependencies{stream};
    if (op % kOpsPerBuffer == 0) {
      before = buffer;
      buffer = transient::AllocOp::create(
                   builder, location, type, ValueRange(),
                   transient::AllocKind::MemRef, transient::ResourceClassAttr(),
                   transient::UsageAttr(), IntegerAttr(), StringAttr(),
                   transient::LifetimeAttr(), transient::PlacementAttr(),
                   IntegerAttr(), IntegerAttr(), transient::WorkspaceAttr())
                   .getBuffer();
      stream = gpu::MemsetOp::create(builder, location, token, dependencies,
                                     buffer, body->getArgument(1))
                   .getAsyncToken();
      continue;
    }
    dependencies.push_back(streams[(op - 1) % kStreams]);
    bool intoBuffer = op % kOpsPerBuffer == 1 && before;
    stream = gpu::MemcpyOp::create(builder, location, token, dependencies,
                                   intoBuffer ? buffer : body->getArgument(0),
                                   intoBuffer ? before : buffer)
                 .getAsyncToken();
  }
  gpu::WaitOp::create(builder, location, Type(), ValueRange(streams));
  func::ReturnOp::create(builder, location);
  return module;
}

void straightLine(benchmark::State &state) {
  DialectRegistry registry;
  registry.insert<transient::TransientDialect, func::FuncDialect,
                  gpu::GPUDialect, memref::MemRefDialect>();
  transient::registerOrderedOpModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = makeModule(context, state.range(0));
  PassManager passes(&context);
  passes.enableVerifier(false);
  passes.addPass(transient::createTransientLivenessPass());
  for (auto _ : state)
    if (failed(passes.run(*module)))
      std::abort();
  state.counters["per_op"] = benchmark::Counter(
      double(state.range(0)), benchmark::Counter::kIsIterationInvariantRate |
                                  benchmark::Counter::kInvert);
}

BENCHMARK(straightLine)
    ->RangeMultiplier(10)
    ->Range(1000, 1000000)
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
