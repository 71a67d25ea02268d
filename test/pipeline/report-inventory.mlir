// The inventory of a report: every kind of object, the ten audit fields of each,
// every use, and what is no resource (A1-A4, A7, A9, A10).
// RUN: transient-opt %s --transient-pipeline="report=%t.json" -o /dev/null 2>/dev/null
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json
// RUN: FileCheck %s < %t.json

// CHECK-LABEL: "name": "kinds"
// Direct edges between nodes, by node.
// CHECK: "after": {{\[}}[
// CHECK: "inventory": [

// An allocation: ids and fields in one order.
// CHECK: "id": "b0"
// CHECK-NEXT: "kind": "allocation"
// CHECK-NEXT: "class": "transient"
// CHECK-NEXT: "bytes": 256
// CHECK-NEXT: "accesses": 2
// CHECK-NEXT: "identity": {"value":{"value":"b0","source":"inferred"},"version":{"value":1,"source":"inferred"},"producer":{"value":"{{.*}}.mlir:[[#]]:[[#]]","source":"inferred"},"owner":"unknown","domain":"unknown","mutability":{"value":"mutable","source":"inferred"},"observable":{"value":false,"source":"inferred"},"escape":{"value":"none","source":"inferred"}}
// CHECK-NEXT: "size": {"required":{"value":256,"source":"inferred"},"representative":{"value":256,"source":"inferred"},"maximum":{"value":256,"source":"inferred"},"capacity":{"value":256,"source":"inferred"},"units":{"value":"bytes","source":"inferred"}}
// CHECK-NEXT: "growth": {"events":{"value":"none","source":"inferred"},"bound":{"value":256,"source":"inferred"},"shrink":{"value":"never","source":"inferred"},"slack":{"value":0,"source":"inferred"}}
// CHECK-NEXT: "alignment": {"bytes":{"value":64,"source":"declared"},"contract":{"value":"op","source":"inferred"}}
// CHECK-NEXT: "uses": {"complete":{"value":true,"source":"inferred"},"retained":{"value":"none","source":"inferred"},"readers":{"value":1,"source":"inferred"},"writers":{"value":1,"source":"inferred"},"all":[
// CHECK-SAME: {"op":"linalg.fill","loc":"{{[^"]*}}","kind":"access","access":{"value":"write","source":"inferred"},"proved":true,"node":[[#]],"completion":{"value":"blocking op","source":"inferred"}}
// CHECK-SAME: "op":"memref.copy","loc":"{{[^"]*}}","kind":"access","access":{"value":"read","source":"inferred"}
// CHECK-NEXT: "lifetime": {"creation":{"value":[0],"source":"inferred"},"first":{"value":[0],"source":"inferred"},"last":{"value":[1],"source":"inferred"},"release":{"value":"when all last nodes have ended","source":"inferred"}}
// CHECK-NEXT: "asynchrony": {"domain":{"value":"host thread","source":"inferred"},"completion":{"value":"blocking ops","source":"inferred"},"descendants":{"value":"none","source":"inferred"}}
// CHECK-NEXT: "reconstruction": {"inputs":"unknown","equivalence":"unknown","cost":"unknown","synchronization":"unknown","workspace":"unknown","variance":"unknown"}
// CHECK-NEXT: "reuse": {"compatibility":{"value":"memref","source":"inferred"},
// CHECK-NEXT: "evidence": {"scope":

// A dynamic size is unknown in each field, never 0.
// CHECK: "id": "b1"
// CHECK: "bytes": "unknown"
// CHECK: "size": {"required":"unknown","representative":"unknown","maximum":"unknown","capacity":"unknown",
// CHECK-NEXT: "growth": {"events":"unknown","bound":"unknown","shrink":"unknown","slack":"unknown"}
// CHECK: "lifetime": {"creation":"unknown","first":"unknown","last":"unknown","release":"unknown"}

// A host-shared buffer that only copies touch, by tokens.
// CHECK: "id": "b2"
// CHECK-NEXT: "kind": "allocation"
// CHECK-NEXT: "class": "staging"
// CHECK: "uses": {{.*}}"op":"gpu.memcpy",{{.*}}"completion":{"value":"token of {{[^"]*}}","source":"inferred"}
// CHECK: "asynchrony": {"domain":"unknown","completion":{"value":"tokens","source":"inferred"},"descendants":{"value":"see order.after","source":"inferred"}}
// CHECK: "reuse": {"compatibility":{"value":"gpu_host_shared","source":"inferred"}

// A kernel without a body reads and writes, for all we know.
// CHECK: "id": "b3"
// CHECK: "class": "transient"
// CHECK: "uses": {{.*}}"op":"gpu.launch_func",{{.*}}"access":{"value":"read-write","source":"inferred"},"proved":false

// An escape: nobody knows all consumers, nor when they are done.
// CHECK: "id": "b4"
// CHECK-NEXT: "kind": "allocation"
// CHECK-NEXT: "class": "escaped"
// CHECK: "identity": {{.*}}"observable":{"value":true,"source":"inferred"},"escape":{"value":"is passed to
// CHECK: "uses": {"complete":{"value":false,"source":"inferred"},"retained":"unknown",{{.*}}"op":"func.call",{{.*}}"kind":"escape","access":"unknown"
// CHECK-SAME: "completion":"unknown"

// CHECK: "id": "arg0"
// CHECK-NEXT: "kind": "argument"
// CHECK: "producer":{"value":"caller","source":"inferred"}
// CHECK: "kind": "view"
// CHECK-NEXT: "view_of": "arg0"
// CHECK: "id": "global1"
// CHECK-NEXT: "kind": "global"

// CHECK: "excluded": [
// CHECK: "kind": "zero_bytes"
// CHECK-NEXT: "bytes": 0
// CHECK: "kind": "constant"
// CHECK-NEXT: "bytes": 32
// CHECK-NEXT: "reason": "constant data of the module: never written, always there"
// CHECK: "kind": "stack"
// CHECK-NEXT: "bytes": 16
// CHECK: "kind": "workgroup"
// CHECK-NEXT: "bytes": 128
// CHECK: "kind": "private"
// CHECK-NEXT: "bytes": "unknown"
// CHECK: "physical": [

// A contract is what somebody declared (B7).
// CHECK-LABEL: "name": "contract"
// CHECK: "op":"func.call",{{.*}}"access":{"value":"read","source":"declared"},"proved":true
// CHECK: "excluded": [],

module attributes {gpu.container_module} {
  memref.global "private" constant @constant : memref<8xf32> = dense<1.0>
  memref.global "private" @variable : memref<8xf32> = dense<1.0>
  func.func private @opaque(memref<64xf32>)
  func.func private @reader(memref<64xf32> {transient.contract = "read"})
  gpu.module @kernels {
    gpu.func @scratch()
        workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
        private(%p: memref<?xf32, #gpu.address_space<private>>) kernel {
      gpu.return
    }
  }
  gpu.binary @binary [#gpu.object<#nvvm.target, "">]
  func.func @kinds(%x: memref<64xf32>, %n: index, %f: f32) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    %dynamic = memref.alloc(%n) : memref<?xf32>
    %staging = gpu.alloc host_shared () : memref<64xf32>
    %device = gpu.alloc () : memref<64xf32>
    %escaped = memref.alloc() : memref<64xf32>
    %empty = memref.alloc() : memref<0xf32>
    %constant = memref.get_global @constant : memref<8xf32>
    %variable = memref.get_global @variable : memref<8xf32>
    %stack = memref.alloca() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    %v = memref.cast %x : memref<64xf32> to memref<?xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%dynamic : memref<?xf32>)
    linalg.fill ins(%f : f32) outs(%stack : memref<4xf32>)
    %t0 = gpu.wait async
    %t1 = gpu.memcpy async [%t0] %staging, %x : memref<64xf32>, memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %device, %staging : memref<64xf32>, memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @binary::@unknown blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%device : memref<64xf32>)
    %t4 = gpu.launch_func async [%t3] @kernels::@scratch blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.wait [%t4]
    linalg.fill ins(%f : f32) outs(%variable : memref<8xf32>)
    func.call @opaque(%escaped) : (memref<64xf32>) -> ()
    return
  }
  func.func @contract(%f: f32) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    call @reader(%a) : (memref<64xf32>) -> ()
    return
  }
}
