//===- OrderedOpInterface.td - How an op is ordered --------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op says about the start and the end of its work. What it does to
// memory it says through MLIR's memory effects.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_ORDEREDOPINTERFACE_TD
#define TRANSIENT_IR_ORDEREDOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Transient_OrderedOpInterface : OpInterface<"OrderedOpInterface"> {
  let cppNamespace = "::transient";
  let description = [{
    Completion evidence of one op. The analyses order events by what this
    interface says, and by nothing else: an op without it, and without other
    proof that it does no work, ends nobody knows when, and buffers that it
    touches are not planned.

    A compiler with ops of its own implements it on them, or attaches an
    external model. `registerOrderedOpModels` does so for the dialects of MLIR.
  }];
  let methods = [
    InterfaceMethod<[{
        When the op's own work has ended, seen from the host. To block the host
        for its own work does not mean to wait for any other (C11).
      }],
      "::transient::OpCompletion", "getOpCompletion">,
    InterfaceMethod<[{
        Results that are ready when the op's work has ended. Only an op whose
        completion is `Token` has any that prove something.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getCompletionTokens", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        Operands such that the op's work starts only when what they stand for
        has ended.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getDependencies", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        The op's regions run on the host thread that executes the op, before it
        returns. If not, what is inside is part of the op's work.
      }],
      "bool", "enclosesRegions", (ins), [{}], [{ return false; }]>
  ];
}

#endif // TRANSIENT_IR_ORDEREDOPINTERFACE_TD
