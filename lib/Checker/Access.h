//===- Access.h - What an op does with memory ----------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says for each op which bytes it reads, writes, allocates or frees, and what
// proves that it has completed. Anything that an op does not say about itself
// is read-write, of unknown completion.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_ACCESS_H
#define TRANSIENT_LIB_CHECKER_ACCESS_H

#include "Storage.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace transient::checker {

/// What is done to a range of bytes; a bit set.
enum Effect : unsigned {
  NoEffect = 0,
  Read = 1,
  Write = 2,
  ReadWrite = Read | Write,
  /// Frees the root that the value names.
  Free = 4,
  /// Frees it or not; some condition decides.
  MaybeFree = 8,
  /// Makes it, asynchronously.
  Allocate = 16,
};

struct Access {
  ByteRange range;
  unsigned effects;
  /// Writes every byte of the range before it reads any of them.
  bool overwrites = false;
  /// The effects are what the op does, not an assumption about it.
  bool certain = true;
  /// The op does nothing to the bytes; from here on, somebody may.
  bool addressOnly = false;

  bool isUse() const { return effects & ReadWrite; }
  bool writes() const { return effects & Write; }
};

/// What proves that an op has completed.
enum class Completion {
  /// It blocks the host until then.
  Blocking,
  /// Its token.
  Token,
  /// Nothing that we can see.
  Unknown
};

struct Behaviour {
  Completion completion = Completion::Blocking;
  /// Why completion is unknown, as the end of a sentence.
  llvm::StringRef reason;
  /// Somebody keeps an address that the op was given. Completion is unknown.
  bool escapes = false;
  llvm::SmallVector<Access, 2> accesses;
};

/// How control passes through an op.
enum class OpShape {
  /// One step of its host path.
  Leaf,
  /// Its regions are parts of the host path.
  Structured,
  /// Its regions are looked at as one step.
  Atomic,
  /// Of no interest: another function or a symbol.
  Skipped
};

OpShape getShape(mlir::Operation *op);

/// True for region ops whose iterations or body run at the same time as other
/// iterations or the code that follows.
bool runsConcurrently(mlir::Operation *op);

/// Computes behaviours. Summaries of kernels and callees are cached, so one
/// object serves a whole module.
class AccessAnalysis {
public:
  explicit AccessAnalysis(mlir::SymbolTableCollection &symbols)
      : symbols(symbols) {}

  /// The behaviour of `op`, which is a leaf or atomic. For an atomic op the
  /// accesses are those inside, to storage that is not allocated inside.
  Behaviour getBehaviour(mlir::Operation *op, const StorageMap &storage);

private:
  struct ArgumentUse {
    unsigned effects = NoEffect;
    bool certain = true;
    bool escapes = false;
  };
  struct Summary {
    llvm::SmallVector<ArgumentUse> arguments;
    bool synchronous = true;
    bool known = false;
  };

  void addLeaf(mlir::Operation *op, const StorageMap &storage,
               Behaviour &behaviour);
  void addAccess(mlir::Value value, unsigned effects, bool overwrites,
                 bool certain, const StorageMap &storage, Behaviour &behaviour,
                 bool addressOnly = false);
  void addCall(mlir::Operation *op, const StorageMap &storage,
               Behaviour &behaviour);
  void addLaunch(mlir::Operation *op, const StorageMap &storage,
                 Behaviour &behaviour);
  const Summary &summarize(mlir::FunctionOpInterface function);
  bool endsBeforeReturn(mlir::Operation *op);
  ArgumentUse summarizeArgument(mlir::gpu::LaunchFuncOp launch, unsigned index);
  ArgumentUse summarizeLaunch(mlir::gpu::LaunchFuncOp launch,
                              mlir::Value value);
  ArgumentUse summarizeValue(mlir::Value value);

  mlir::SymbolTableCollection &symbols;
  llvm::DenseMap<mlir::Operation *, Summary> summaries;
};

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_ACCESS_H
