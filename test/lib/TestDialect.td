//===- TestDialect.td - A dialect of one's own -------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiler outside of MLIR would have: an executor with events of its
// own. Shows how its ops tell Transient when their work starts and ends.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_DIALECT
#define TEST_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "transient/IR/OrderedOpInterface.td"

def Exec_Dialect : Dialect {
  let name = "test_exec";
  let cppNamespace = "::transient::test";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = "void registerTypes();";
}

def Exec_Event : TypeDef<Exec_Dialect, "Event"> {
  let mnemonic = "event";
}

class Exec_Op<string mnemonic, list<Trait> traits = []>
    : Op<Exec_Dialect, mnemonic, traits>;

/// Starts work when the events have happened; `done` happens when it has ended.
def Exec_StartOp : Exec_Op<"start",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<Transient_OrderedOpInterface,
                               ["getCompletionTokens", "getDependencies"]>]> {
  let arguments = (ins
    Arg<Variadic<AnyMemRef>, "inputs", [MemRead]>:$inputs,
    Arg<Variadic<AnyMemRef>, "outputs", [MemWrite]>:$outputs,
    Variadic<Exec_Event>:$after);
  let results = (outs Exec_Event:$done);
  let assemblyFormat = [{
    `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` ($outputs^ `:` type($outputs))? `)`
    (`after` $after^)? attr-dict
  }];
}

/// Blocks the host until the events have happened.
def Exec_SyncOp : Exec_Op<"sync",
    [DeclareOpInterfaceMethods<Transient_OrderedOpInterface,
                               ["getDependencies"]>]> {
  let arguments = (ins Variadic<Exec_Event>:$after);
  let assemblyFormat = "$after attr-dict";
}

/// Runs at once, on the calling thread. Its interface comes from an external
/// model, as for a dialect that one cannot change.
def Exec_RunOp : Exec_Op<"run", [AttrSizedOperandSegments]> {
  let arguments = (ins
    Arg<Variadic<AnyMemRef>, "inputs", [MemRead]>:$inputs,
    Arg<Variadic<AnyMemRef>, "outputs", [MemWrite]>:$outputs);
  let assemblyFormat = [{
    `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` ($outputs^ `:` type($outputs))? `)` attr-dict
  }];
}

/// Says nothing about when it ends.
def Exec_PostOp : Exec_Op<"post"> {
  let arguments = (ins Arg<AnyMemRef, "input", [MemRead]>:$input);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif // TEST_DIALECT
