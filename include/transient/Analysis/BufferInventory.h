//===- BufferInventory.h - Every buffer of a function --------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record for each allocation, argument and global that a function touches:
// what it is, how large, who uses it, who frees it, and the facts that keep it
// from being planned. What is unknown is such a fact, never a default.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_BUFFERINVENTORY_H
#define TRANSIENT_ANALYSIS_BUFFERINVENTORY_H

#include "transient/Analysis/BufferUses.h"
#include "transient/Analysis/ExecutionOrder.h"
#include "transient/Analysis/SizeBounds.h"
#include "transient/IR/BufferSize.h"
#include "transient/IR/Transient.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace transient {

/// Kinds of facts that block planning (N1), and what a planner needs to know.
enum class FactKind {
  /// A consumer that cannot be followed: the buffer escapes.
  Consumer,
  /// No size, or one that is not a number.
  SizeBound,
  /// No proof of when an access is complete.
  CompletionEdge,
  /// No proof that one place serves every execution of the allocation.
  Placement
};
llvm::StringRef stringify(FactKind kind);

/// Why a buffer is not planned.
struct BlockedFact {
  FactKind kind = FactKind::Consumer;
  /// What is unknown, as the end of a sentence about the buffer.
  std::string reason;
  /// What would make it known.
  std::string resolve;
  /// The op that the fact is about; the allocation itself at worst.
  mlir::Operation *op = nullptr;
};

/// One material resource (A1, A2).
struct BufferRecord {
  enum Kind { Allocation, Argument, Global };

  /// Index among the function's records: allocations in program order, then
  /// arguments, then globals.
  unsigned id = 0;
  Kind kind = Allocation;
  mlir::Value value;
  /// The allocating op; null for an argument.
  mlir::Operation *op = nullptr;
  AllocKind allocKind = AllocKind::MemRef;
  mlir::MemRefType type;
  BufferSize size;
  /// `size` is more than the shape has: the most that a dynamic one can have, or
  /// what the program says it requires. The request is for bytes, of which the
  /// program uses a part.
  bool hasSpareBytes = false;
  /// Required alignment in bytes, and the contract that imposes it (F2): "op"
  /// for the allocation, "use" for an op that states it, or "abi".
  uint64_t alignment = 1;
  std::string alignmentSource;
  ResourceClass resourceClass = ResourceClass::Transient;
  /// Inferred from the uses, or declared on the op.
  Usage usage = Usage::None;
  bool usageDeclared = false;
  BufferUses uses;
  /// Nodes that access the buffer, sorted; empty when it is never accessed.
  std::vector<planner::NodeId> users;
  /// Those of `users` that may write it.
  std::vector<planner::NodeId> writers;
  /// Loops (indices of `ExecutionOrder::getLoops`) that the buffer is live
  /// throughout, innermost first: its content, or work on it, is carried from
  /// one iteration to the next.
  std::vector<unsigned> spannedLoops;
  /// Only device work touches the buffer: launches, gpu copies and fills.
  bool deviceOnly = true;
  std::vector<BlockedFact> blocked;

  bool isUnused() const { return users.empty(); }
  bool isPlannable() const { return blocked.empty() && !isUnused(); }
  /// A short name for messages and reports: the type and the id.
  std::string getName() const;
};

/// The records of one function.
class BufferInventory {
public:
  /// Arguments and globals never decide what is known of an allocation; whoever
  /// does not report them does without (`allocationsOnly`).
  BufferInventory(mlir::FunctionOpInterface function,
                  const ExecutionOrder &order, KernelAccessCache &kernels,
                  bool allocationsOnly = false);

  const std::vector<BufferRecord> &getRecords() const { return records; }

  /// Views of a record's buffer that are results of view-like ops, for reports.
  const BufferUseAnalysis &getUses() const { return uses; }

private:
  void addAllocation(mlir::Operation *op);
  void addOther(BufferRecord::Kind kind, mlir::Value value,
                mlir::Operation *op);
  void analyseUses(BufferRecord &record);
  void analyseWorkspace(BufferRecord &record, mlir::func::CallOp call);
  void analysePlacement(BufferRecord &record);
  void analyseFrees(BufferRecord &record);
  void analyseSharedFrees();

  mlir::FunctionOpInterface function;
  const ExecutionOrder &order;
  BufferUseAnalysis uses;
  SizeBounds bounds;
  mlir::DataLayout layout;
  std::vector<BufferRecord> records;
};

/// A free of `record`'s storage and an access that it is not ordered after.
struct UnorderedFree {
  mlir::Operation *free = nullptr;
  /// Every last access that is not proved to end before the free starts.
  std::vector<mlir::Operation *> accesses;
  /// Each of them may run without the free, and the free without it: if their
  /// conditions exclude each other, nothing is wrong.
  bool mayBeExclusive = true;
};

/// Checks that each free of `record` starts after every access has ended (C6),
/// apart from accesses that never run when the free does. Within one node, whose
/// nested ops all run on the host thread, host order decides.
std::vector<UnorderedFree> findUnorderedFrees(const BufferRecord &record,
                                              const ExecutionOrder &order);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_BUFFERINVENTORY_H
