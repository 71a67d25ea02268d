//===- Storage.h - Which bytes a value may name --------------- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows memrefs from allocations through views, selects, block arguments and
// region results, and says for each value which bytes of which root it may
// name, and as which tenant. Over-approximates: a value has every location it
// could have. Knows nothing of order.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_CHECKER_STORAGE_H
#define TRANSIENT_LIB_CHECKER_STORAGE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace transient::checker {

/// Storage that overlaps no other root: an allocation, a function argument, a
/// global, or a planned physical buffer that no op allocates yet.
struct Root {
  enum Kind { Allocation, Argument, Global, Physical, Unknown };
  Kind kind;
  /// The op that makes it, null for arguments and physical buffers.
  mlir::Operation *op = nullptr;
  mlir::Location loc;
  /// Bytes, or -1 if not known.
  int64_t size = -1;
  /// Proven alignment of the base, or 0 if the op does not say.
  int64_t alignment = 0;
  /// The position of an argument.
  unsigned argument = 0;
  /// Views carve it up.
  bool isShared = false;
  /// A location of a former loop iteration's instance is in use.
  mlir::Operation *carriedAt = nullptr;
};

/// A buffer that lives in a root. Every root has one tenant of kind `Whole` for
/// accesses that go through no view of planned storage.
struct Tenant {
  enum Kind {
    /// The root itself.
    Whole,
    /// A `memref.view` without a number: soft, see `--views-are-tenants`.
    Anonymous,
    /// A view with a number, or a `transient.alloc` with a placement.
    Named
  };
  Kind kind;
  unsigned root;
  /// The tenant's number; for anonymous views their position in the function.
  int64_t number = -1;
  /// The first op that makes it.
  mlir::Operation *op = nullptr;
};

/// Bytes `[lo, hi)` of a root that a value may name.
struct ByteRange {
  static constexpr int64_t unknown = INT64_MIN;
  unsigned root;
  unsigned tenant;
  /// Where the aligned pointer of the memref points, or `unknown`.
  int64_t base;
  int64_t lo;
  int64_t hi;
  /// The range is exactly what the value names, not a superset.
  bool exact = true;
  /// A view's offset is not known: even the tenant's place is a guess.
  bool lost = false;
  /// The storage is one that an earlier loop iteration allocated.
  bool carried = false;
  /// The content is one that an earlier iteration's instance of the tenant had:
  /// 1 for the iteration before, 2 for that or any earlier one.
  uint8_t age = 0;
  /// For age 1, where each iteration begins.
  mlir::Block *header = nullptr;
  /// It may name something else, as control flow decides.
  bool merged = false;
  /// It may name something else altogether: an op that we do not know made it.
  bool guessed = false;
  /// It names these bytes or a copy of them (`bufferization.clone`).
  bool copied = false;

  bool overlaps(const ByteRange &other) const {
    return root == other.root && lo < other.hi && other.lo < hi;
  }
  bool operator==(const ByteRange &o) const {
    return root == o.root && tenant == o.tenant && base == o.base &&
           lo == o.lo && hi == o.hi && exact == o.exact && lost == o.lost &&
           carried == o.carried && age == o.age && header == o.header &&
           merged == o.merged && guessed == o.guessed && copied == o.copied;
  }
  /// The same bytes of the same tenant, however they were come by.
  bool isSamePlace(const ByteRange &o) const {
    return root == o.root && tenant == o.tenant && base == o.base &&
           lo == o.lo && hi == o.hi;
  }
};

using Ranges = llvm::SmallVector<ByteRange, 1>;

/// Something wrong or undecidable about a view by itself (V5-V7).
struct ViewFinding {
  bool undecided;
  mlir::Operation *op;
  std::string message;
  /// Another op to look at, if any, and why.
  mlir::Operation *other;
  llvm::StringRef note;
};

/// The locations of every memref in one function. Built once, near-linear in
/// the number of ops; loops add passes, with widening.
class StorageMap {
public:
  StorageMap(mlir::Operation *function, bool viewsAreTenants);

  /// The locations that `value` may name; empty if it is not a memref.
  llvm::ArrayRef<ByteRange> lookup(mlir::Value value) const;

  llvm::ArrayRef<Root> getRoots() const { return roots; }
  llvm::ArrayRef<Tenant> getTenants() const { return tenants; }
  llvm::ArrayRef<ViewFinding> getFindings() const { return findings; }

  /// Names a tenant in messages.
  std::string describe(unsigned tenant) const;
  /// Two tenants that must take turns (V2), not only be ordered (V1).
  bool isHard(unsigned tenant) const {
    return tenants[tenant].kind == Tenant::Named ||
           (viewsAreTenants && tenants[tenant].kind == Tenant::Anonymous);
  }

private:
  friend class StorageBuilder;
  bool viewsAreTenants;
  llvm::SmallVector<Root> roots;
  llvm::SmallVector<Tenant> tenants;
  llvm::DenseMap<mlir::Value, Ranges> ranges;
  llvm::SmallVector<ViewFinding> findings;
};

/// Returns true for region ops whose body runs on the calling host thread, in
/// order, as `RegionBranchOpInterface` describes it (design: regions).
bool isStructured(mlir::Operation *op);

/// The edges of a region's control flow graph that lead back to an earlier
/// block in reverse post order, and the blocks of the loops that they close.
class BlockLoops {
public:
  struct Loop {
    llvm::SmallPtrSet<mlir::Block *, 8> blocks;
    /// It has one entry, the edge's target.
    bool isNatural;
  };
  /// The loop that the edge closes, or null.
  const Loop *getLoop(mlir::Block *from, mlir::Block *to);

private:
  llvm::DenseMap<mlir::Region *, llvm::DenseMap<mlir::Block *, unsigned>>
      positions;
  std::map<std::pair<mlir::Block *, mlir::Block *>, Loop> loops;
};

/// Evaluates integer arithmetic on constants.
std::optional<int64_t> evaluateConstant(mlir::Value value, unsigned depth = 8);

/// Calls `visit(source values, target values, from a terminator, to a region)`
/// for each way in which control enters, moves between, or leaves the regions
/// of `op`. `terminator` is null on entry and `region` is null on exit.
void forEachRegionEdge(
    mlir::Operation *op,
    llvm::function_ref<void(mlir::Operation *terminator, mlir::Region *region,
                            mlir::ValueRange sources, mlir::ValueRange targets)>
        visit);

} // namespace transient::checker

#endif // TRANSIENT_LIB_CHECKER_STORAGE_H
