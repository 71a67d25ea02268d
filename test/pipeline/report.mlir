// The report: schema, numbers, what is blocked and why.
// RUN: transient-opt %s --transient-pipeline="report=%t.json memory-map=%t.svg" -o /dev/null 2>/dev/null
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: %python -m json.tool %t.json > /dev/null
// The report of a function alone, and of an edited plan.
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan --transient-report -o /dev/null 2>/dev/null | FileCheck %s
// RUN: not transient-opt %s --transient-pipeline="report=/no/such/dir/r.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: transient-report: cannot open output file '/no/such/dir/r.json'

// SVG: <svg
// SVG: Memory map of @f
// SVG: saved 256 B
// SVG: </svg>

// CHECK: "schema": "transient.report.v1"
// CHECK: "module": "m"
// CHECK: "name": "f"
// CHECK: "nodes": 6
// CHECK: "width": 1
// CHECK: "logical": 1056
// CHECK: "physical": 512
// CHECK: "saved": 256
// CHECK: "padding": 0
// CHECK: "fragmentation": 0
// CHECK: "lower_bound": {
// CHECK-NEXT: "value": 512
// CHECK-NEXT: "exact": true
// CHECK: "peak_upper": {
// CHECK-NEXT: "value": 512
// CHECK-NEXT: "exact": true
// CHECK: "unplanned": 288
// CHECK: "unknown_count": 1
// CHECK: "resources": [
// CHECK: "id": "b0"
// CHECK: "class": "transient"
// CHECK: "bytes": 256
// CHECK: "align": 64
// CHECK: "align_source": "op"
// CHECK: "first": [
// CHECK-NEXT: 0
// CHECK: "last": [
// CHECK-NEXT: 1
// CHECK: "lifetime_source": "derived"
// CHECK: "loc": "{{.*}}report.mlir:[[#]]:[[#]]"
// CHECK: "id": "b3"
// CHECK: "bytes": "unknown"
// CHECK: "first": "unknown"
// CHECK: "planned": false
// The output lives on after the function (B2).
// CHECK: "class": "required_output"
// CHECK: "inventory": [
// CHECK: "kind": "allocation"
// CHECK: "kind": "view"
// CHECK-NEXT: "view_of": "b2"
// CHECK: "kind": "argument"
// CHECK: "kind": "global"
// CHECK: "physical": [
// CHECK: "bytes": 512
// CHECK: "assignments": [
// CHECK: "resource": "b0"
// CHECK-NEXT: "physical": 0
// CHECK-NEXT: "offset": [[#]]
// CHECK-NEXT: "bytes": 256
// CHECK: "sharing": [
// CHECK: "kind": "unconditional"
// CHECK: "end_of": [
// CHECK: "before_start_of": [
// CHECK: "blocked": [
// CHECK: "resource": "b3"
// CHECK-NEXT: "fact": "size_bound"
// CHECK-NEXT: "reason": "the buffer has a dynamic size without a bound"
// CHECK-NEXT: "loc":
// CHECK-NEXT: "resolve": "give every dimension a static size or a 'transient.bound'"
// CHECK: "resource": "b4"
// CHECK-NEXT: "fact": "consumer"
// CHECK: "unused": [
// CHECK-NEXT: "b1"
// CHECK-NEXT: "b5"
// CHECK: "peak_residents": [
// CHECK: "resource": "b2"
// CHECK-NEXT: "bytes": 512
module @m {
  memref.global "private" @g : memref<8xf32> = dense<1.0>
  func.func @f(%x: memref<64xf32>, %n: index, %f: f32) -> memref<64xf32> {
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    %b = memref.alloc() {alignment = 64 : i64} : memref<0xf32>
    %c = memref.alloc() : memref<2x64xf32>
    %d = memref.alloc(%n) : memref<?xf32>
    %out = memref.alloc() : memref<64xf32>
    %unused = memref.alloc() : memref<8xf32>
    %g = memref.get_global @g : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    %v = memref.subview %c[1, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1], offset: 64>>
    memref.copy %x, %v : memref<64xf32> to memref<64xf32, strided<[1], offset: 64>>
    linalg.fill ins(%f : f32) outs(%d : memref<?xf32>)
    memref.copy %v, %out : memref<64xf32, strided<[1], offset: 64>> to memref<64xf32>
    return %out : memref<64xf32>
  }
}
