//===- TransientPipeline.h - All stages in order -------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options and builder of transient-pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PIPELINES_TRANSIENTPIPELINE_H
#define TRANSIENT_PIPELINES_TRANSIENTPIPELINE_H

#include "transient/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace transient {

struct TransientPipelineOptions
    : public mlir::PassPipelineOptions<TransientPipelineOptions> {
  Option<PlacementStrategy> strategy{
      *this, "strategy", llvm::cl::desc("How requests share storage"),
      llvm::cl::init(PlacementStrategy::Arena),
      llvm::cl::values(
          clEnumValN(PlacementStrategy::Arena, "arena",
                     "byte offsets in one physical buffer a space"),
          clEnumValN(PlacementStrategy::Slots, "slots",
                     "whole physical buffers, one tenant at a time"))};
  Option<Target> target{
      *this, "target", llvm::cl::desc("Whose rules placements follow"),
      llvm::cl::init(Target::Generic),
      llvm::cl::values(
          clEnumValN(Target::Generic, "generic", "the buffers' own alignment"),
          clEnumValN(Target::Cuda, "cuda", "the buffers' own alignment"),
          clEnumValN(Target::Rocm, "rocm", "the buffers' own alignment"),
          clEnumValN(Target::Vulkan, "vulkan", "offsets of 256 bytes"),
          clEnumValN(Target::WebGpu, "webgpu",
                     "offsets of 256 bytes, strategy=slots only"))};
  Option<Lowering> lower{
      *this, "lower", llvm::cl::desc("How far planned storage is lowered"),
      llvm::cl::init(Lowering::Auto),
      llvm::cl::values(
          clEnumValN(Lowering::Auto, "auto",
                     "to the kind of op that allocated the tenants"),
          clEnumValN(Lowering::Gpu, "gpu",
                     "to gpu.alloc where only the device touches the tenants"),
          clEnumValN(Lowering::MemRef, "memref", "to memref.alloc"),
          clEnumValN(Lowering::None, "none",
                     "keep transient.arena and transient.view"))};
  Option<ArenaOwner> arena{
      *this, "arena", llvm::cl::desc("Who allocates planned storage"),
      llvm::cl::init(ArenaOwner::Entry),
      llvm::cl::values(
          clEnumValN(ArenaOwner::Entry, "entry", "the function, at its entry"),
          clEnumValN(ArenaOwner::Argument, "argument",
                     "whoever calls the function"))};
  Option<bool> splitWebs{
      *this, "split-webs",
      llvm::cl::desc(
          "Plan each value that an allocation holds in turn by itself"),
      llvm::cl::init(true)};
  Option<bool> inPlace{
      *this, "in-place",
      llvm::cl::desc("Write results in place of operands that die there"),
      llvm::cl::init(false)};
  Option<uint64_t> alignment{
      *this, "alignment",
      llvm::cl::desc("Offsets are multiples of this many bytes"),
      llvm::cl::init(1)};
  Option<int64_t> maxBufferBytes{
      *this, "max-buffer-bytes",
      llvm::cl::desc("Bytes that one physical buffer may have at most; -1: any "
                     "number"),
      llvm::cl::init(-1)};
  Option<int64_t> shareFirst{
      *this, "share-first",
      llvm::cl::desc("Let only this many buffers of a function share, in program "
                     "order; -1: all"),
      llvm::cl::init(-1)};
  Option<int64_t> orderingBudget{
      *this, "ordering-budget",
      llvm::cl::desc("Let work wait so that the storage of a function takes at "
                     "most this many bytes; -1: let nothing wait"),
      llvm::cl::init(-1)};
  Option<std::string> report{*this, "report",
                             llvm::cl::desc("Write a JSON report to this file"),
                             llvm::cl::init("")};
  Option<std::string> memoryMap{
      *this, "memory-map",
      llvm::cl::desc("Write an SVG memory map to this file"),
      llvm::cl::init("")};
  Option<int64_t> poisonByte{
      *this, "poison-byte",
      llvm::cl::desc("Fill storage with this byte at entry and at takeover"),
      llvm::cl::init(-1)};
  Option<bool> sanitize{
      *this, "sanitize",
      llvm::cl::desc("Instrument the program so that it shows wrong accesses "
                     "where it runs"),
      llvm::cl::init(false)};
  Option<bool> verify{*this, "verify",
                      llvm::cl::desc("Check the result with transient-verify"),
                      llvm::cl::init(true)};
  Option<bool> markTenants{
      *this, "mark-tenants",
      llvm::cl::desc("Last, tell the simulated device whose bytes each "
                     "operation uses"),
      llvm::cl::init(false)};
};

/// Adds import, in-place (if asked for), liveness, plan, report and ordering (if
/// asked for), materialize, sanitize (if asked for), the two lowerings, the independent check
/// and the markers (if asked for).
void buildTransientPipeline(mlir::OpPassManager &pm,
                            const TransientPipelineOptions &options);

/// Registers `transient-pipeline`.
void registerTransientPipeline();

} // namespace transient

#endif // TRANSIENT_PIPELINES_TRANSIENTPIPELINE_H
