//===- TransientAttributes.td - Attributes and enums -------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a buffer is (class), what its storage must offer (usage), when it is in
// use (lifetime) and where it was put (placement).
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_IR_TRANSIENTATTRIBUTES_TD
#define TRANSIENT_IR_TRANSIENTATTRIBUTES_TD

include "transient/IR/TransientBase.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Transient_ClassRequiredOutput
    : I32EnumAttrCase<"RequiredOutput", 0, "required_output">;
def Transient_ClassTransient : I32EnumAttrCase<"Transient", 1, "transient">;
def Transient_ClassWorkspace : I32EnumAttrCase<"Workspace", 2, "workspace">;
def Transient_ClassStaging : I32EnumAttrCase<"Staging", 3, "staging">;
def Transient_ClassReconstructable
    : I32EnumAttrCase<"Reconstructable", 4, "reconstructable">;
def Transient_ClassEscaped : I32EnumAttrCase<"Escaped", 5, "escaped">;

def Transient_ResourceClass : I32EnumAttr<"ResourceClass",
    "what a buffer is, never where it lives", [
      Transient_ClassRequiredOutput, Transient_ClassTransient,
      Transient_ClassWorkspace, Transient_ClassStaging,
      Transient_ClassReconstructable, Transient_ClassEscaped]> {
  let cppNamespace = "::transient";
  let genSpecializedAttr = 0;
}

def Transient_ResourceClassAttr
    : EnumAttr<Transient_Dialect, Transient_ResourceClass, "class"> {
  let description = [{
    The logical class of a buffer (B1).

    | class | meaning |
    |---|---|
    | `required_output` | must survive until an external consumer has it |
    | `transient` | exists only between operations of this function |
    | `workspace` | content has no meaning once the owning op has completed |
    | `staging` | exists to move or transform data |
    | `reconstructable` | may be dropped while an equivalent rebuild is possible |
    | `escaped` | has an unknown or external consumer |

    A class is not an allocation policy: memory space, alignment and placement
    never follow from it. An inferred class is as strict as a declared one, or
    stricter.
  }];
  let assemblyFormat = "$value";
}

def Transient_Usage : I32BitEnumAttr<"Usage",
    "what a buffer's storage is used for; WebGPU's names and values", [
      I32BitEnumAttrCaseNone<"None", "none">,
      I32BitEnumAttrCaseBit<"MapRead", 0, "map_read">,
      I32BitEnumAttrCaseBit<"MapWrite", 1, "map_write">,
      I32BitEnumAttrCaseBit<"CopySrc", 2, "copy_src">,
      I32BitEnumAttrCaseBit<"CopyDst", 3, "copy_dst">,
      I32BitEnumAttrCaseBit<"Index", 4, "index">,
      I32BitEnumAttrCaseBit<"Vertex", 5, "vertex">,
      I32BitEnumAttrCaseBit<"Uniform", 6, "uniform">,
      I32BitEnumAttrCaseBit<"Storage", 7, "storage">,
      I32BitEnumAttrCaseBit<"Indirect", 8, "indirect">,
      I32BitEnumAttrCaseBit<"QueryResolve", 9, "query_resolve">]> {
  let cppNamespace = "::transient";
  let separator = "|";
  let genSpecializedAttr = 0;
  let printBitEnumPrimaryGroups = 1;
}

def Transient_UsageAttr
    : EnumAttr<Transient_Dialect, Transient_Usage, "usage"> {
  let description = [{
    A set of usages, such as `<storage|copy_dst>`. A placement must offer all
    that its tenants need: `(physical & required) == required` (Q12).
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Transient_AllocKind : I32EnumAttr<"AllocKind",
    "which op allocates the storage", [
      I32EnumAttrCase<"MemRef", 0, "memref">,
      I32EnumAttrCase<"Gpu", 1, "gpu">,
      I32EnumAttrCase<"GpuHostShared", 2, "gpu_host_shared">]> {
  let cppNamespace = "::transient";
  let genSpecializedAttr = 0;
}

def Transient_AllocKindAttr
    : EnumAttr<Transient_Dialect, Transient_AllocKind, "kind"> {
  let description = [{
    The kind of allocation: `memref` (`memref.alloc`), `gpu` (`gpu.alloc`) or
    `gpu_host_shared` (`gpu.alloc host_shared`). Buffers of different kinds
    never share storage.
  }];
  let assemblyFormat = "$value";
}

def Transient_LifetimeOrigin : I32EnumAttr<"LifetimeOrigin",
    "who says so", [
      I32EnumAttrCase<"Declared", 0, "declared">,
      I32EnumAttrCase<"Derived", 1, "derived">]> {
  let cppNamespace = "::transient";
  let genSpecializedAttr = 0;
}

def Transient_LifetimeOriginAttr
    : EnumAttr<Transient_Dialect, Transient_LifetimeOrigin, "origin"> {
  let assemblyFormat = "$value";
}

//===----------------------------------------------------------------------===//
// Lifetime and placement
//===----------------------------------------------------------------------===//

def Transient_LifetimeAttr
    : AttrDef<Transient_Dialect, "Lifetime", [], "::mlir::Attribute"> {
  let mnemonic = "lifetime";
  let summary = "when a buffer is in use, as frontiers of nodes";
  let description = [{
    The first and last users of a buffer as sets of node ids (see
    `transient.node`), and the nodes that first write it (`creation`). A set has
    more than one element when users are unordered: there is no single last user
    then, and storage is free only when all of them have ended (C3-C5).

    `declared` lifetimes are written by hand: an inclusive interval, one node in
    `first` and one in `last`. They are legal only where execution is proved to
    follow the order of the node ids, and where they are not narrower than the
    derived lifetime.

    Rules (checked when the attribute is built):
    - `lifetime-R1`: `first` and `last` are not empty.
    - `lifetime-R2`: ids are not negative, strictly increasing in each set.
    - `lifetime-R3`: a declared lifetime has one node in `first` and one in
      `last`, and `first <= last`.

    ```mlir
    #transient.lifetime<derived, creation = [0], first = [0], last = [2, 3]>
    #transient.lifetime<declared, first = [0], last = [3]>
    ```
  }];
  let parameters = (ins
    EnumParameter<Transient_LifetimeOrigin>:$origin,
    OptionalArrayRefParameter<"int64_t">:$creation,
    ArrayRefParameter<"int64_t">:$first,
    ArrayRefParameter<"int64_t">:$last);
  let assemblyFormat = [{
    `<` $origin `,` (`creation` `=` `[` $creation^ `]` `,`)?
        `first` `=` `[` $first `]` `,` `last` `=` `[` $last `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Transient_PlacementAttr
    : AttrDef<Transient_Dialect, "Placement", [], "::mlir::Attribute"> {
  let mnemonic = "placement";
  let summary = "where a buffer was put";
  let description = [{
    The physical buffer, by index, and the bytes `[offset, offset + bytes)` that
    the buffer occupies in it. `bytes` is the capacity rounded up to the
    alignment (F1).

    Rules:
    - `placement-R1`: all three are not negative.
    - `placement-R2`: `offset + bytes` fits 64 bits.

    ```mlir
    #transient.placement<physical = 0, offset = 256, bytes = 1024>
    ```
  }];
  let parameters = (ins "int64_t":$physical, "int64_t":$offset,
                        "int64_t":$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Transient_PreconditionAttr
    : AttrDef<Transient_Dialect, "Precondition", [], "::mlir::Attribute"> {
  let mnemonic = "precondition";
  let summary = "order that a plan relies on and the program does not have";
  let description = [{
    The work of node `end` is to end before that of node `start` starts, which
    nothing in the program says so far (G2b). A plan that relies on it is a
    hypothesis until `transient-apply-ordering` has made it so.

    Rules:
    - `precondition-R1`: both are not negative, and `end` comes before `start`
      in host order: other order would be a cycle, or a wait for work that has
      not been issued.

    ```mlir
    #transient.precondition<end = 3, start = 7>
    ```
  }];
  let parameters = (ins "int64_t":$end, "int64_t":$start);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Transient_WorkspaceAttr
    : AttrDef<Transient_Dialect, "Workspace", [], "::mlir::Attribute"> {
  let mnemonic = "workspace";
  let summary = "what a call needs while it runs";
  let description = [{
    The function whose planned storage a request stands for, and which of its
    physical buffers.

    Rules:
    - `workspace-R1`: `physical` is not negative.

    ```mlir
    #transient.workspace<@f, physical = 0>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$callee,
                        "int64_t":$physical);
  let assemblyFormat = "`<` $callee `,` `physical` `=` $physical `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

def Transient_SizeCaseAttr
    : AttrDef<Transient_Dialect, "SizeCase", [], "::mlir::Attribute"> {
  let mnemonic = "size_case";
  let summary = "what one algorithm needs, in one mode";
  let description = [{
    One case of a `transient.size_function`: the bytes that the algorithm needs
    in the mode, as a map whose symbols are the function's dimensions and, last,
    the number of instances that run at once (D2).

    ```mlir
    #transient.size_case<algorithm = "split_k", mode = "f32",
                         bytes = affine_map<()[m, n, at_once] -> (m * n * 4 * at_once)>>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$algorithm,
                        StringRefParameter<>:$mode,
                        "::mlir::AffineMapAttr":$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TRANSIENT_IR_TRANSIENTATTRIBUTES_TD
