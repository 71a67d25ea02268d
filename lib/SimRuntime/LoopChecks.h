//===- LoopChecks.h - Checks the accesses of a loop at once -----*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives loops of a kernel a second form without checks, taken where the checker
// says at the start that it has nothing to say about any of their accesses.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_LIB_SIMRUNTIME_LOOPCHECKS_H
#define TRANSIENT_LIB_SIMRUNTIME_LOOPCHECKS_H

#include "WorkItem.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace transient::sim {

/// An access of a kernel that is checked, as site number `site`.
struct CheckedAccess {
  llvm::Instruction *inst;
  unsigned operand; ///< of `inst`: the address
  llvm::Value *bytes;
  AccessMode mode;
  uint32_t site;
};

/// A copy of `body` for the case that the arguments from which its loops take
/// their steps are all 1, so that trip counts are known when loops start; null
/// where no loop does. `steps` receives the numbers of these arguments.
llvm::Function *specialiseUnitSteps(llvm::Function &body,
                                    llvm::SmallVectorImpl<unsigned> &steps);

/// Adds the second form to the loops of `body` whose trip counts and addresses
/// are known when they start, outermost loops first. `accesses` are all that
/// will be checked; their copies in the second form are not to be. Loops have to
/// be rotated, simplified, and in LCSSA form.
void hoistLoopChecks(llvm::Function &body, llvm::Value *item,
                     llvm::ArrayRef<CheckedAccess> accesses);

} // namespace transient::sim

#endif // TRANSIENT_LIB_SIMRUNTIME_LOOPCHECKS_H
