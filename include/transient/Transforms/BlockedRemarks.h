//===- BlockedRemarks.h - Say why a buffer is not planned ----- -*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One remark a buffer, with a note for each fact that blocks it and for what
// would resolve it (N1).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TRANSFORMS_BLOCKEDREMARKS_H
#define TRANSIENT_TRANSFORMS_BLOCKEDREMARKS_H

#include "transient/Analysis/BufferInventory.h"

namespace transient {

/// Emits a remark at the allocation of `record`, which is not plannable.
void remarkNotPlanned(const BufferRecord &record);

} // namespace transient

#endif // TRANSIENT_TRANSFORMS_BLOCKEDREMARKS_H
