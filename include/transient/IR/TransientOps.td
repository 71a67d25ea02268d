//===- TransientOps.td - Operations ------------------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request for a buffer, planned storage, and a buffer's place in it.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_TRANSIENTOPS_TD
#define TRANSIENT_IR_TRANSIENTOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.td"
include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "transient/IR/TransientAttributes.td"

class Transient_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transient_Dialect, mnemonic, traits>;

def Transient_AlignmentAttr
    : ConfinedAttr<I64Attr, [IntPositivePowerOf2]>;

def Transient_ArenaType
    : MemRefRankOf<[I8], [1]>;

//===----------------------------------------------------------------------===//
// AllocOp
//===----------------------------------------------------------------------===//

def Transient_AllocOp : Transient_Op<"alloc",
    [AllocationOpInterface,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer as a request: what it is and needs, not where it is";
  let description = [{
    Creates a buffer whose storage is still to be planned.

    *Semantics.* The result is a buffer of the given type, not shared with any
    other value, as for `memref.alloc` or `gpu.alloc` (`kind` says which of
    them). It needs no free: storage is released by whoever owns the planned
    physical buffer. The op itself is not a use of the buffer.

    `web_of` says that this buffer holds one of several values that a single
    allocation of the program held in turn: all requests of a function with the
    same number come from the same allocation, in the order in which they stand.
    It explains, and constrains nothing.

    `in_place` counts the values of other buffers that this one holds as well,
    each written in place of the one before (see `transient-in-place`). It
    explains, too.

    `workspace` says that the request is what the next call in the block, of the
    private function that it names, needs for one of that function's physical
    buffers. `transient-plan` adds such requests; `transient-materialize` passes
    the storage to the call.

    *Lifecycle.* Introduced by `transient-import`, or written by hand.
    `transient-liveness` adds `lifetime`, `transient-plan` adds `placement`,
    `transient-materialize` replaces the op by a `transient.view` of a
    `transient.arena`. An op left without placement is lowered to an allocation
    of its own.

    *Preconditions.* A declared `lifetime` covers every access of the buffer.

    *Undefined behaviour.* Reading a byte that was not written since the op
    executed. In a loop, each execution yields a buffer of undefined content.

    Rules:
    - `alloc-R1`: there is one size operand for each dynamic dimension.
    - `alloc-R2`: `align` is a power of two.
    - `alloc-R3`: `placement.bytes` is at least the size of the buffer.
    - `alloc-R4`: `placement.offset` is a multiple of `align`.
    - `alloc-R5`: a buffer of class `required_output` or `escaped` has no
      placement.
    - `alloc-R6`: a request with `workspace` stands before a call of the
      function that it names, with nothing but such requests between them.

    ```mlir
    %0 = transient.alloc : memref<64xf32>
    %1 = transient.alloc(%n) kind gpu class workspace usage <storage|copy_dst>
           align 256 : memref<?xf32, 1>
    %2 = transient.alloc web_of 0 : memref<64xf32>
    %3 = transient.alloc align 64
           lifetime <derived, creation = [0], first = [0], last = [2, 3]>
           placement <physical = 0, offset = 256, bytes = 256>
           : memref<64xf32>
    ```
  }];

  let arguments = (ins
    Variadic<Index>:$dynamic_sizes,
    DefaultValuedAttr<Transient_AllocKindAttr,
                      "::transient::AllocKind::MemRef">:$kind,
    OptionalAttr<Transient_ResourceClassAttr>:$resource_class,
    OptionalAttr<Transient_UsageAttr>:$usage,
    OptionalAttr<Transient_AlignmentAttr>:$alignment,
    OptionalAttr<StrAttr>:$owner,
    OptionalAttr<Transient_LifetimeAttr>:$lifetime,
    OptionalAttr<Transient_PlacementAttr>:$placement,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$web_of,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$in_place,
    OptionalAttr<Transient_WorkspaceAttr>:$workspace);
  let results = (outs
    Res<AnyRankedOrUnrankedMemRef, "the buffer",
        [MemAllocAt<0, FullEffect>]>:$buffer);

  let assemblyFormat = [{
    (`(` $dynamic_sizes^ `)`)?
    (`kind` `` $kind^)?
    (`class` `` $resource_class^)?
    (`usage` $usage^)?
    (`align` $alignment^)?
    (`owner` $owner^)?
    (`lifetime` $lifetime^)?
    (`placement` $placement^)?
    (`web_of` $web_of^)?
    (`in_place` $in_place^)?
    (`workspace` $workspace^)?
    attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The buffer's type; the verifier rejects unranked results.
    ::mlir::MemRefType getMemRefType() {
      return ::mlir::cast<::mlir::MemRefType>(getBuffer().getType());
    }
  }];
}

//===----------------------------------------------------------------------===//
// ArenaOp
//===----------------------------------------------------------------------===//

def Transient_ArenaOp : Transient_Op<"arena",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "planned storage: one physical buffer";
  let description = [{
    Allocates a physical buffer that `transient.view` carves up.

    *Semantics.* The result is a fresh array of bytes, its base aligned to
    `align`; offsets of views are only as aligned as this base. It lives until
    the function returns and every last user of its tenants has ended.

    *Lifecycle.* Introduced by `transient-materialize` at the entry of a
    function, one for each physical buffer of the plan. Replaced by
    `convert-transient-to-gpu` or `convert-transient-to-memref`, which also free
    it.

    *Undefined behaviour.* None by itself; see `transient.view`.

    Rules:
    - `arena-R1`: the type is `memref<Nxi8>` with a static size and identity
      layout.
    - `arena-R2`: `align` is a power of two.

    ```mlir
    %arena = transient.arena physical 0 align 256 : memref<1048576xi8>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$physical,
    DefaultValuedAttr<Transient_AllocKindAttr,
                      "::transient::AllocKind::MemRef">:$kind,
    OptionalAttr<Transient_UsageAttr>:$usage,
    Transient_AlignmentAttr:$alignment);
  let results = (outs
    Res<Transient_ArenaType, "the storage",
        [MemAllocAt<0, FullEffect>]>:$storage);
  let assemblyFormat = [{
    `physical` $physical (`kind` `` $kind^)? (`usage` $usage^)?
    `align` $alignment attr-dict `:` type($storage)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

def Transient_ViewOp : Transient_Op<"view",
    [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
     DeclareOpInterfaceMethods<BufferViewFlowOpInterface,
                               ["populateDependencies"]>,
     DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a buffer's place in planned storage";
  let description = [{
    The bytes `[offset, offset + size)` of an arena as a buffer of the result
    type.

    *Semantics.* Computes an address; touches no memory. `tenant` names the
    buffer: views with different tenants are different buffers that take turns,
    even where they name the same bytes. Equal views of one tenant may be merged
    or hoisted.

    *Lifecycle.* Introduced by `transient-materialize`, one for each alias
    class. Lowered to a `memref.view` that keeps the tenant as a discardable
    attribute.

    *Preconditions.* Of two views with different tenants and overlapping bytes,
    every access of the one ends before any access of the other starts, in every
    execution. `transient-verify` proves it.

    *Undefined behaviour.* Reading a byte that this tenant did not write since
    it took over from the tenant before.

    Rules:
    - `view-R1`: the source is a one-dimensional `i8` memref of static size with
      identity layout.
    - `view-R2`: the result has a static shape, identity layout, the memory
      space of the source, and an element type of known size.
    - `view-R3`: `offset + size` is at most the size of the source.

    ```mlir
    %a = transient.view %arena[256] tenant 3
           : memref<4096xi8> to memref<16x4xf32>
    ```
  }];
  let arguments = (ins
    Transient_ArenaType:$source,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$tenant);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = [{
    $source `[` $offset `]` `tenant` $tenant attr-dict
    `:` type($source) `to` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The size of the viewed buffer in bytes.
    uint64_t getSizeInBytes();
  }];
}

include "transient/IR/TransientSizeOps.td"

#endif // TRANSIENT_IR_TRANSIENTOPS_TD
