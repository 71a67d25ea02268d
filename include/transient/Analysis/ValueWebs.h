//===- ValueWebs.h - The values that a buffer holds in turn --- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One allocation often carries several unrelated values: CSE merges
// `tensor.empty`, and people reuse buffers by hand. A value web is a value with
// all that writes, updates and reads it. As in register allocation, webs are
// what is to be placed; that they share a name is an accident which makes the
// buffer look live from the first of them to the last.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_ANALYSIS_VALUEWEBS_H
#define TRANSIENT_ANALYSIS_VALUEWEBS_H

#include "transient/Analysis/BufferInventory.h"

#include <vector>

namespace transient {

/// One value of a buffer.
struct ValueWeb {
  /// The whole overwrite that begins the value; null for the first web where
  /// the buffer's first use is none.
  mlir::Operation *begin = nullptr;
  /// Indices into the accesses of `BufferRecord::uses.uses`, ascending.
  std::vector<unsigned> uses;
};

/// Cuts `record`'s buffer into its webs, in the order in which they take turns.
/// Fewer than two webs, or none, mean that it is to stay in one piece.
///
/// A cut is made before an op `w` that
///   - replaces the content of the whole buffer (`overwritesWhole`),
///   - lies directly in the block of the allocation, so that it runs in every
///     activation in which anything after it does, and
///   - is proved by `order` to start after the end of, or to end before the
///     start of, every other user of the buffer.
/// Then nothing before `w` is seen after it. What is read without having been
/// written stays in the first web, so no read of undefined content is made that
/// was not there before.
///
/// Only a plannable allocation is cut, and only if every alias of it is a
/// view-like op's result: what may be this buffer or another one (selects,
/// block arguments, region results) has no web to belong to.
///
/// O(u w) for u users of which at most w are unordered at once; past
/// `kMaxUnorderedUsers` of them no cut is proved.
std::vector<ValueWeb> findValueWebs(const BufferRecord &record,
                                    const ExecutionOrder &order,
                                    mlir::SymbolTableCollection &symbols);

/// How many users may be unordered with one another before the search for a cut
/// gives up: a limit on time, not on what is right.
constexpr unsigned kMaxUnorderedUsers = 64;

/// Gives each web a buffer of its own: accesses of `webs[i]` go to `buffers[i]`
/// instead of `record.value`, through views of their own. A view that serves
/// several webs is cloned where it stands for all but the first of them.
/// Whatever is no access, such as `memref.dim`, stays with the buffer or view
/// that it names.
///
/// There must be as many buffers as webs, all of `record`'s type, and each must
/// dominate what `record.value` dominates. Invalidates the analyses that
/// `record` came from, as far as they are about this buffer.
/// Linear in accesses times the length of their view chains.
void splitIntoWebs(const BufferRecord &record, llvm::ArrayRef<ValueWeb> webs,
                   llvm::ArrayRef<mlir::Value> buffers);

} // namespace transient

#endif // TRANSIENT_ANALYSIS_VALUEWEBS_H
