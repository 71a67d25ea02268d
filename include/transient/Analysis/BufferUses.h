//===- BufferUses.h - Every use of a buffer ------------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All uses of a buffer through its views and aliases, each with the access it
// makes or the route by which the buffer escapes. Says nothing about order.
// What is not understood is an escape, never an omission.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_BUFFERUSES_H
#define TRANSIENT_ANALYSIS_BUFFERUSES_H

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include <map>
#include <string>
#include <vector>

namespace transient {

/// How an op touches a buffer. A bit set: `ReadWrite` is both.
enum class AccessMode : unsigned {
  None = 0,
  Read = 1,
  Write = 2,
  ReadWrite = 3
};

inline AccessMode operator|(AccessMode a, AccessMode b) {
  return static_cast<AccessMode>(static_cast<unsigned>(a) |
                                 static_cast<unsigned>(b));
}
inline AccessMode &operator|=(AccessMode &a, AccessMode b) { return a = a | b; }
inline bool reads(AccessMode mode) {
  return static_cast<unsigned>(mode) & static_cast<unsigned>(AccessMode::Read);
}
inline bool writes(AccessMode mode) {
  return static_cast<unsigned>(mode) & static_cast<unsigned>(AccessMode::Write);
}
/// "none", "read", "write" or "read-write".
llvm::StringRef stringify(AccessMode mode);

/// One use of a buffer through one of its aliases.
struct BufferUse {
  enum Kind {
    /// Reads or writes the content (A7).
    Access,
    /// Frees the storage.
    Free,
    /// The address leaves what can be followed (A6); `route` says how.
    Escape
  };
  Kind kind = Escape;
  mlir::OpOperand *operand = nullptr;
  AccessMode mode = AccessMode::None;
  /// The mode follows from an interface, a kernel body or a declaration; false
  /// when it was assumed to be read and write for want of one.
  bool modeProved = false;
  /// For `Access`: by way of a descriptor that holds the buffer's address; the
  /// operand is the descriptor, or the buffer where that is made (A8).
  bool retained = false;
  /// For `Escape`: what happens to the address, for messages.
  std::string route;
  /// For `Escape`: the buffer is returned to the caller.
  bool returned = false;

  mlir::Operation *getOp() const { return operand->getOwner(); }
};

/// A buffer's uses in program order, and every value that may name it.
struct BufferUses {
  std::vector<BufferUse> uses;
  /// The buffer itself and all views, casts, selects, block arguments and
  /// region results that may be it; in program order, the buffer first.
  std::vector<mlir::Value> aliases;
};

/// What kernels and functions do with their arguments, from their bodies. Shared
/// by all functions of a module; not thread-safe.
class KernelAccessCache {
public:
  explicit KernelAccessCache(mlir::SymbolTableCollection &symbols)
      : symbols(symbols) {}

  struct Argument {
    AccessMode mode = AccessMode::ReadWrite;
    bool proved = false;
    /// How the address leaves the kernel, for messages; empty if it does not.
    std::string escape;
  };

  /// Access to argument `index` of the kernel that `launch` (a
  /// `gpu.launch_func`) names. Read and write, unproved, when the kernel has no
  /// body here or its body lets the address escape.
  Argument get(mlir::Operation *launch, unsigned index);

  /// What the function that `call` names does with each of its arguments, from
  /// its body; null when it has none here, or cannot be named. An argument
  /// whose accesses may not all have ended at every return escapes, as do all
  /// of a function that reaches itself. A call that is given or yields a token
  /// may order work, and is not summarised.
  const std::vector<Argument> *getCallee(mlir::Operation *call);

  mlir::SymbolTableCollection &getSymbols() { return symbols; }

private:
  mlir::SymbolTableCollection &symbols;
  std::map<mlir::Operation *, std::vector<Argument>> kernels;
  std::map<mlir::Operation *, std::vector<Argument>> callees;
};

/// Finds the uses of buffers in one function. Building is linear in the
/// function; a query is O(a log a) in the number of aliases and their uses.
class BufferUseAnalysis {
public:
  BufferUseAnalysis(mlir::Operation *function, KernelAccessCache &kernels);

  /// Returns all uses of `buffer`, which must be the result of an allocation,
  /// an argument or another value that is not itself a view.
  BufferUses collect(mlir::Value buffer) const;

  /// Returns the values that `alias` may be in the end: allocations, arguments,
  /// results of ops that are not followed. In program order.
  std::vector<mlir::Value> getSources(mlir::Value alias) const;

  /// Position of `op` in a pre-order walk of the function: a total key for
  /// deterministic output, never evidence of order.
  unsigned getPosition(mlir::Operation *op) const {
    return positions.lookup(op);
  }

private:
  mlir::BufferViewFlowAnalysis::ValueSetT resolve(mlir::Value buffer) const;
  BufferUse
  classify(mlir::OpOperand &use,
           const mlir::BufferViewFlowAnalysis::ValueSetT &aliases) const;
  std::pair<unsigned, unsigned> getDefinition(mlir::Value value) const;

  mlir::BufferViewFlowAnalysis viewFlow;
  KernelAccessCache &kernels;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseMap<mlir::Block *, unsigned> blockPositions;
};

/// Access that `call` makes to operand `index`, when the callee says so: a
/// declaration with `bufferization.access`, or any function with
/// `transient.contract` (B7). Complete when the call returns, and not retained.
/// Nothing otherwise.
std::optional<AccessMode> getDeclaredAccess(mlir::Operation *call,
                                            unsigned index,
                                            mlir::SymbolTableCollection &);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_BUFFERUSES_H
