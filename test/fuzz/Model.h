//===- Model.h - Damaged plans of a given program -------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that the interpreter does not know: the checker alone judges their
// plans, whole and damaged.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_MODEL_H
#define TRANSIENT_TEST_FUZZ_MODEL_H

#include "Trial.h"

namespace transient::fuzz {

/// Plans the program in `text`, which the checker must accept, and damages the
/// plan `count` times by each kind of fault. Counts in `tally` what was made,
/// rejected and undecided.
std::vector<Failure> judgeModel(Subject &subject, const std::string &text,
                                unsigned count, Tally &tally);

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_MODEL_H
