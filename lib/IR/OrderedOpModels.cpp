//===- OrderedOpModels.cpp - How the ops of MLIR are ordered --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// External models of OrderedOpInterface.
//
//===----------------------------------------------------------------------===//

#include "transient/IR/OrderedOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

#include "transient/IR/OrderedOpInterface.cpp.inc"

namespace transient {

namespace {

/// Runs on the calling thread and is complete when it returns.
struct HostModel
    : public OrderedOpInterface::ExternalModel<HostModel, Operation> {
  OpCompletion getOpCompletion(Operation *) const {
    return OpCompletion::OnReturn;
  }
  bool enclosesRegions(Operation *) const { return true; }
};

/// An op of the gpu dialect: with a token it only schedules its work, without
/// one it waits for its own.
struct GpuModel
    : public OrderedOpInterface::ExternalModel<GpuModel, Operation> {
  OpCompletion getOpCompletion(Operation *op) const {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (launch && launch.getAsyncObject())
      return OpCompletion::Unknown;
    return cast<gpu::AsyncOpInterface>(op).getAsyncToken()
               ? OpCompletion::Token
               : OpCompletion::OnReturn;
  }
  SmallVector<Value> getCompletionTokens(Operation *op) const {
    if (Value token = cast<gpu::AsyncOpInterface>(op).getAsyncToken())
      return {token};
    return {};
  }
  SmallVector<Value> getDependencies(Operation *op) const {
    return SmallVector<Value>(
        cast<gpu::AsyncOpInterface>(op).getAsyncDependencies());
  }
};

/// Blocks the host until the work behind its operand has ended.
struct AwaitModel
    : public OrderedOpInterface::ExternalModel<AwaitModel, async::AwaitOp> {
  OpCompletion getOpCompletion(Operation *) const {
    return OpCompletion::OnReturn;
  }
  SmallVector<Value> getDependencies(Operation *op) const {
    return {cast<async::AwaitOp>(op).getOperand()};
  }
};

/// A body that runs on a thread of its own.
struct ExecuteModel
    : public OrderedOpInterface::ExternalModel<ExecuteModel, async::ExecuteOp> {
  OpCompletion getOpCompletion(Operation *) const {
    return OpCompletion::Token;
  }
  SmallVector<Value> getCompletionTokens(Operation *op) const {
    // To await a value is to wait for the whole body, too.
    return SmallVector<Value>(op->getResults());
  }
  SmallVector<Value> getDependencies(Operation *op) const {
    // Tokens, and values, which are there when what makes them has ended.
    return SmallVector<Value>(op->getOperands());
  }
};

/// Dialects whose ops run on the calling thread.
bool isHostDialect(StringRef name) {
  static constexpr StringLiteral names[] = {
      "affine", "arith", "bufferization", "builtin",   "cf",   "complex",
      "func",   "index", "linalg",        "llvm",      "math", "memref",
      "scf",    "shape", "tensor",        "transient", "ub",   "vector"};
  return llvm::is_contained(names, name);
}

void attachModel(RegisteredOperationName name) {
  TypeID op = name.getTypeID();
  if (op == TypeID::get<async::AwaitOp>())
    name.attachInterface<AwaitModel>();
  else if (op == TypeID::get<async::ExecuteOp>())
    name.attachInterface<ExecuteModel>();
  else if (name.getDialectNamespace() == "gpu" &&
           name.hasInterface<gpu::AsyncOpInterface>())
    name.attachInterface<GpuModel>();
  // DMA runs on its own and completes at its wait.
  else if (op == TypeID::get<memref::DmaStartOp>() ||
           op == TypeID::get<memref::DmaWaitOp>() ||
           op == TypeID::get<affine::AffineDmaStartOp>() ||
           op == TypeID::get<affine::AffineDmaWaitOp>())
    return;
  else if (isHostDialect(name.getDialectNamespace()))
    name.attachInterface<HostModel>();
}

/// Attaches the models to the ops of each dialect when it is loaded.
class Models : public DialectExtensionBase {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Models)

  Models() : DialectExtensionBase({}) {}

  void apply(MLIRContext *context,
             MutableArrayRef<Dialect *> dialects) const override {
    llvm::SmallDenseSet<StringRef, 32> loaded;
    for (Dialect *dialect : dialects)
      loaded.insert(dialect->getNamespace());
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (loaded.contains(name.getDialectNamespace()) &&
          !name.hasInterface<OrderedOpInterface>())
        attachModel(name);
  }
  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<Models>(*this);
  }
};

} // namespace

void registerOrderedOpModels(DialectRegistry &registry) {
  registry.addExtension(TypeID::get<Models>(), std::make_unique<Models>());
}

} // namespace transient
