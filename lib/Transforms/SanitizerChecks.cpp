//===- SanitizerChecks.cpp - Code that fills and looks at bytes -----------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "SanitizerChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace transient {

static MemRefType getBytesType(OpBuilder &builder) {
  return MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
}

/// Whether the byte at `index` differs from `canary`.
static Value isBroken(OpBuilder &builder, Location location, Value bytes,
                      Value index, uint8_t canary) {
  Value byte = memref::LoadOp::create(builder, location, bytes, index);
  Value expected = arith::ConstantIntOp::create(
      builder, location, builder.getI8Type(), static_cast<int8_t>(canary));
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                               byte, expected);
}

gpu::GPUFuncOp SanitizerChecks::makeKernel(
    StringRef name, Type second,
    function_ref<void(OpBuilder &, gpu::GPUFuncOp, Value)> body) {
  MLIRContext *context = module.getContext();
  Location location = module.getLoc();
  OpBuilder builder(context);
  if (!kernels) {
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(context));
    kernels =
        gpu::GPUModuleOp::create(builder, location, "transient_sanitizer");
    SymbolTable(module).insert(kernels, module.getBody()->begin());
  }
  builder.setInsertionPointToEnd(kernels.getBody());
  auto kernel = gpu::GPUFuncOp::create(
      builder, location, name,
      builder.getFunctionType({getBytesType(builder), second}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  UnitAttr::get(context));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto x = gpu::Dimension::x;
  Value block = gpu::BlockIdOp::create(builder, location, x);
  Value threads = gpu::BlockDimOp::create(builder, location, x);
  Value thread = gpu::ThreadIdOp::create(builder, location, x);
  Value blocks = gpu::GridDimOp::create(builder, location, x);
  Value first = arith::AddIOp::create(
      builder, location,
      arith::MulIOp::create(builder, location, block, threads), thread);
  Value step = arith::MulIOp::create(builder, location, blocks, threads);
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  Value end =
      memref::DimOp::create(builder, location, kernel.getArgument(0), zero);
  scf::ForOp::create(
      builder, location, first, end, step, ValueRange(),
      [&](OpBuilder &builder, Location location, Value index, ValueRange) {
        body(builder, kernel, index);
        scf::YieldOp::create(builder, location);
      });
  gpu::ReturnOp::create(builder, location);
  return kernel;
}

gpu::GPUFuncOp SanitizerChecks::getFill() {
  if (!fill)
    fill = makeKernel(
        "fill", IntegerType::get(module.getContext(), 8),
        [](OpBuilder &builder, gpu::GPUFuncOp kernel, Value index) {
          memref::StoreOp::create(builder, kernel.getLoc(),
                                  kernel.getArgument(1), kernel.getArgument(0),
                                  index);
        });
  return fill;
}

gpu::GPUFuncOp SanitizerChecks::getCheck() {
  if (check)
    return check;
  OpBuilder builder(module.getContext());
  check = makeKernel(
      "check", getBytesType(builder),
      [&](OpBuilder &builder, gpu::GPUFuncOp kernel, Value index) {
        Location location = kernel.getLoc();
        Value broken = isBroken(builder, location, kernel.getArgument(0), index,
                                canary);
        scf::IfOp::create(
            builder, location, broken,
            [&](OpBuilder &builder, Location location) {
              Value one = arith::ConstantIntOp::create(builder, location,
                                                       builder.getI8Type(), 1);
              Value zero = arith::ConstantIndexOp::create(builder, location, 0);
              memref::StoreOp::create(builder, location, one,
                                      kernel.getArgument(1), zero);
              scf::YieldOp::create(builder, location);
            });
      });
  return check;
}

func::FuncOp SanitizerChecks::getHostCheck() {
  if (hostCheck)
    return hostCheck;
  Location location = module.getLoc();
  OpBuilder builder(module.getContext());
  hostCheck = func::FuncOp::create(
      builder, location, "transient_sanitizer_check",
      builder.getFunctionType(getBytesType(builder), builder.getI1Type()));
  hostCheck.setPrivate();
  SymbolTable(module).insert(hostCheck);
  builder.setInsertionPointToStart(hostCheck.addEntryBlock());
  Value bytes = hostCheck.getArgument(0);
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  Value one = arith::ConstantIndexOp::create(builder, location, 1);
  Value end = memref::DimOp::create(builder, location, bytes, zero);
  Value no = arith::ConstantIntOp::create(builder, location, 0, 1);
  Value yes = arith::ConstantIntOp::create(builder, location, 1, 1);
  auto loop = scf::ForOp::create(
      builder, location, zero, end, one, no,
      [&](OpBuilder &builder, Location location, Value index,
          ValueRange broken) {
        Value here = isBroken(builder, location, bytes, index, canary);
        Value any =
            arith::OrIOp::create(builder, location, broken.front(), here);
        scf::YieldOp::create(builder, location, any);
      });
  Value intact =
      arith::XOrIOp::create(builder, location, loop.getResult(0), yes);
  func::ReturnOp::create(builder, location, intact);
  return hostCheck;
}

} // namespace transient
