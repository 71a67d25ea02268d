// A private callee's storage is counted once, at the caller (B4, D1).
// RUN: transient-opt %s --transient-pipeline="report=%t.json" -o /dev/null
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json
// RUN: FileCheck %s < %t.json

// CHECK-LABEL: "name": "leaf"
// CHECK: "logical": 512
// CHECK-NEXT: "physical": 0
// CHECK-NEXT: "saved": 0
// CHECK: "lower_bound": {
// CHECK-NEXT: "value": 0
// CHECK: "peak_upper": {
// CHECK-NEXT: "value": 0
// CHECK: "workspace": {
// CHECK-NEXT: "physical": 512
// CHECK-NEXT: "lower_bound": {
// CHECK-NEXT: "value": 512
// CHECK: "calls": [
// CHECK-NEXT: "{{.*}}report-calls.mlir:[[@LINE+44]]:5"
// CHECK-NEXT: "{{.*}}report-calls.mlir:[[@LINE+44]]:5"
// CHECK-NEXT: ]

// CHECK-LABEL: "name": "caller"
// CHECK: "logical": 1280
// CHECK-NEXT: "physical": 512
// CHECK: "lower_bound": {
// CHECK-NEXT: "value": 512
// CHECK-NOT: "workspace": {
// CHECK: "workspaces": {
// CHECK-NEXT: "lower": 512
// CHECK-NEXT: "upper": 512
// CHECK-NEXT: "proof": "order"
// CHECK: "id": "b1"
// CHECK-NEXT: "class": "workspace"
// CHECK-NEXT: "bytes": 512
// CHECK: "workspace": {
// CHECK-NEXT: "owner": "{{.*}}report-calls.mlir:[[#]]:5"
// CHECK-NEXT: "callee": "leaf"
// CHECK-NEXT: "physical": 0
// CHECK: "inventory": [
// CHECK: "id": "b1"
// CHECK-NEXT: "kind": "workspace"

// A public function has its own, whoever calls it.
// CHECK-LABEL: "name": "public"
// CHECK: "physical": 256
// CHECK-NOT: "calls": [
// CHECK-LABEL: "name": "calls_public"
// CHECK: "physical": 0
module {
  func.func private @leaf(%o: memref<64xf32>, %f: f32) {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %o : memref<64xf32> to memref<64xf32>
    return
  }
  func.func @caller(%o: memref<64xf32>, %f: f32) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %o : memref<64xf32> to memref<64xf32>
    call @leaf(%o, %f) : (memref<64xf32>, f32) -> ()
    call @leaf(%o, %f) : (memref<64xf32>, f32) -> ()
    return
  }
  func.func @public(%o: memref<64xf32>, %f: f32) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %o : memref<64xf32> to memref<64xf32>
    return
  }
  func.func @calls_public(%o: memref<64xf32>, %f: f32) {
    call @public(%o, %f) : (memref<64xf32>, f32) -> ()
    return
  }
}
