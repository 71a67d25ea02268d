//===- Passes.td - The checker's passes --------------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transient-verify`, the pass that trusts nobody. It changes nothing and
// reads no attribute in which another pass recorded a conclusion.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_CHECKER_PASSES_TD
#define TRANSIENT_CHECKER_PASSES_TD

include "mlir/Pass/PassBase.td"

def TransientVerifyPass : Pass<"transient-verify", "::mlir::ModuleOp"> {
  let summary = "Prove that buffers which share storage may do so";
  let description = [{
    Checks any IR: with placements on `transient.alloc`, with
    `transient.arena` and `transient.view`, or lowered to `memref` and `gpu`.
    It recomputes the order of events from tokens, host order and regions, and
    the bytes of every access from views with constant offsets. Lifetimes, node
    numbers and reports of other passes are not evidence.

    Errors, each with the two ops, their bytes and tenants, and the missing
    edge in words:

    | rule | reports |
    |---|---|
    | V1 | unordered conflicting accesses of different tenants to shared bytes |
    | V2 | a tenant overwritten while its value is still needed |
    | V3 | an access that is not ordered before the free of its storage |
    | V4 | a free that is not ordered after every user |
    | V5 | an access or a view beyond the allocation |
    | V6 | a view that is not aligned for its elements |
    | V7 | a placement that lacks what its tenant requires |
    | V8 | a second free of the same storage |
    | V9 | an access before an asynchronous allocation has completed |
    | V10 | a workspace whose size was asked for with other arguments |

    A *tenant* is a view with a `tenant` number, or a `transient.alloc` with a
    placement. Of views without a number only unordered conflicting accesses are
    errors, unless `views-are-tenants`. Unordered conflicting accesses within
    one tenant are a race of the program: a warning.

    What cannot be decided is said, with the op and the reason, as a warning
    that starts with `transient-verify cannot decide`; `strict` makes it an
    error. It is said only where shared storage or a free depends on it.

    Cost: with n accesses to storage that is shared, freed or used
    asynchronously, O(n^2 / 64) words of bit sets, and one comparison for each
    pair of tenants that overlap in bytes.

    ```mlir
    %arena = memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
    %a = memref.view %arena[%c0][] {tenant = 0 : i64}
           : memref<4096xi8> to memref<1024xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64}
           : memref<4096xi8> to memref<1024xf32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %zero : memref<1024xf32>, f32
    %t2 = gpu.memset async [%t0] %b, %one : memref<1024xf32>, f32  // V1
    ```
  }];
  let options = [
    Option<"viewsAreTenants", "views-are-tenants", "bool", /*default=*/"false",
           "Treat each view without a 'tenant' attribute as a tenant">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Make what cannot be decided an error">,
    Option<"maxErrors", "max-errors", "unsigned", /*default=*/"20",
           "How many errors to print for one function; the rest are counted">
  ];
}

#endif // TRANSIENT_CHECKER_PASSES_TD
