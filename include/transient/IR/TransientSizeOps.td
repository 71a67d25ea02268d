//===- TransientSizeOps.td - Sizes of workspaces -----------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes a workspace needs is a function of the shape, the algorithm, its
// mode and how many of its kind run at once (D2).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_TRANSIENTSIZEOPS_TD
#define TRANSIENT_IR_TRANSIENTSIZEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "transient/IR/TransientAttributes.td"

def Transient_SizeFunctionOp : Op<Transient_Dialect, "size_function",
    [Symbol]> {
  let summary = "the bytes that an operation's workspace needs";
  let description = [{
    Says what the algorithms of one operation need, as functions of its
    dimensions. There is no default: a combination of algorithm and mode that is
    not listed has no size.

    *Semantics.* A declaration; it does nothing by itself.

    *Lifecycle.* Written by whoever knows the operation.
    `transient-resolve-sizes` erases it once nothing asks any more.

    Rules:
    - `size_function-R1`: the map of each case has a symbol for each dimension of
      the function and one for `at_once`, no dimension, and one result.
    - `size_function-R2`: no two cases have the same algorithm and mode.

    ```mlir
    transient.size_function @gemm dims ["m", "n"] cases [
      #transient.size_case<algorithm = "direct", mode = "f32",
                           bytes = affine_map<()[m, n, at_once] -> (0)>>,
      #transient.size_case<algorithm = "split_k", mode = "f32",
                           bytes = affine_map<()[m, n, at_once] -> (m * n * 4 * at_once)>>]
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$dims,
    TypedArrayAttrBase<Transient_SizeCaseAttr, "cases of a size">:$cases);
  let assemblyFormat = [{
    $sym_name `dims` $dims `cases` $cases attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The case of `algorithm` in `mode`; null if there is none.
    ::transient::SizeCaseAttr getCase(::llvm::StringRef algorithm,
                                      ::llvm::StringRef mode);
  }];
}

def Transient_SizeOp : Op<Transient_Dialect, "size",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "bytes of a workspace, for given dimensions";
  let description = [{
    *Semantics.* The value of a case of a size function, in bytes.

    *Lifecycle.* Written by whoever creates the request; replaced by a constant,
    or by the arithmetic, in `transient-resolve-sizes`.

    *Undefined behaviour.* A negative value, or one beyond 64 bits, that is not
    known when it is resolved; a known one is an error.

    Rules:
    - `size-R1`: the symbol is a `transient.size_function` with as many
      dimensions as there are operands.
    - `size-R2`: the function has a case for the algorithm and the mode.

    ```mlir
    %bytes = transient.size @gemm(%m, %n) algorithm "split_k" mode "f32" at_once 2
    %w = transient.alloc(%bytes) kind gpu class workspace : memref<?xi8>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$function,
    Variadic<Index>:$dims,
    StrAttr:$algorithm,
    StrAttr:$mode,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$at_once);
  let results = (outs Index:$bytes);
  let assemblyFormat = [{
    $function `(` $dims `)` `algorithm` $algorithm `mode` $mode
    (`at_once` $at_once^)? attr-dict
  }];
}

#endif // TRANSIENT_IR_TRANSIENTSIZEOPS_TD
