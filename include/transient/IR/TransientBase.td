//===- TransientBase.td - The transient dialect ------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect itself. Include order of the dialect's files:
//
//   TransientBase.td <- TransientAttributes.td <- TransientOps.td
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_TRANSIENTBASE_TD
#define TRANSIENT_IR_TRANSIENTBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Transient_Dialect : Dialect {
  let name = "transient";
  let cppNamespace = "::transient";
  let summary = "Short-lived buffers, the storage they share, and why they may";
  let description = [{
    A GPU program allocates large scratch buffers: partial sums, sort and FFT
    workspaces, activations. Few of them are live together, yet allocated apart
    their sizes add up. The `transient` dialect carries what is needed to let
    them share storage: what each buffer is and needs (`transient.alloc`), when
    it is in use (a *lifetime*), where it was placed (a *placement*), and the
    planned storage itself (`transient.arena`, `transient.view`).

    **Where it stands.** After bufferization, before stock deallocation passes
    and before `gpu-async-region`. The stages, each visible in the IR:

    ```
    memref.alloc, gpu.alloc
      | transient-import        becomes transient.alloc
      | transient-liveness      adds node ids and lifetime<...>
      | transient-plan          adds placement<...>
      | transient-materialize   becomes transient.arena + transient.view
      | convert-transient-to-gpu, convert-transient-to-memref
    gpu.alloc or memref.alloc, and memref.view
    ```

    **Execution model.** An op that touches a buffer or orders work is a *node*
    with two events: its `start` and its `end`. Events are partially ordered by
    completion evidence only: async tokens, and ops that block the host until
    their own work is complete. The position of an op in its block is not
    evidence. A buffer is *live* from the start of any of its first users to the
    end of the last of its last users, whichever that turns out to be in one
    execution; both ends are sets of nodes, called *frontiers*. Two buffers may
    share storage only if every last user of the one ends before any first user
    of the other starts, in every execution.

    **Content.** The content of a buffer is undefined when it is created and
    after its last use. Reading it there is undefined behaviour, as for
    `memref.alloc`; with shared storage such a read observes another buffer's
    bytes.

    ```mlir
    // A buffer as a request, with its lifetime and the place it was given.
    %a = transient.alloc align 64
           lifetime <derived, creation = [0], first = [0], last = [2]>
           placement <physical = 0, offset = 0, bytes = 4096>
           : memref<1024xf32>
    ```
    becomes
    ```mlir
    %arena = transient.arena physical 0 align 64 : memref<4096xi8>
    %a = transient.view %arena[0] tenant 0
           : memref<4096xi8> to memref<1024xf32>
    ```

    **Discardable attributes.** `transient.node = N : i64` numbers the nodes of
    a function in host order; lifetimes refer to it. `transient.keep_apart` on an
    allocation leaves it as it is, whatever could be proved: it switches one buffer
    out. `transient.required_bytes = N : i64` on an allocation says that whoever
    uses the buffer needs more bytes than its shape has, as a device may of an
    image. On a function's memref
    argument, `transient.contract = "none" | "read" | "write" | "read-write"`
    promises what the function does with it: no more than that, it is done when
    the call returns, and it keeps no address. Such a promise goes before what
    the body shows; it is for functions that cannot be followed. On an `index`
    argument or the dimensions of a memref argument,
    `transient.bound = array<i64: 1024, -1>` says how large callers make it at
    most (-1: anything); buffers that depend on it are planned at the bound, and
    `transient-guard-bounds` sends calls that exceed it another way.
    `transient.preconditions` on a function is an array of
    `#transient.precondition`: order that the program does not have, and that
    its plan relies on; `transient-apply-ordering` makes it so. Any other
    attribute that starts with `transient.` is an error.
  }];

  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the discardable attribute that numbers a function's nodes.
    static constexpr ::llvm::StringLiteral getNodeAttrName() {
      return "transient.node";
    }
    /// Name of the discardable attribute that keeps an allocation out of plans.
    static constexpr ::llvm::StringLiteral getKeepApartAttrName() {
      return "transient.keep_apart";
    }
    /// Name of the discardable attribute that says how many bytes an allocation
    /// must have, whatever its shape.
    static constexpr ::llvm::StringLiteral getRequiredBytesAttrName() {
      return "transient.required_bytes";
    }
    /// Name of the discardable attribute of a function that lists the order
    /// that its plan relies on and that it does not have yet.
    static constexpr ::llvm::StringLiteral getPreconditionsAttrName() {
      return "transient.preconditions";
    }
    /// Name of the argument attribute by which a function promises what it does
    /// with a buffer.
    static constexpr ::llvm::StringLiteral getContractAttrName() {
      return "transient.contract";
    }
    /// Name of the argument attribute that bounds an index, or the dimensions of
    /// a memref.
    static constexpr ::llvm::StringLiteral getBoundAttrName() {
      return "transient.bound";
    }
    /// Name of the discardable attribute that names the tenant of a
    /// `memref.view` into planned storage. It has no dialect prefix, so that a
    /// tool that does not know this dialect can read the lowered IR.
    static constexpr ::llvm::StringLiteral getTenantAttrName() {
      return "tenant";
    }
  private:
    void registerAttributes();
    void registerOps();
  public:
  }];
}

#endif // TRANSIENT_IR_TRANSIENTBASE_TD
