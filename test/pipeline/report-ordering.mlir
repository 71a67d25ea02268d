// A plan that relies on order which the program does not have says so: which
// pairs, on which edges, what would prove it wrong (G2b, G9, N2).
// RUN: transient-opt %s --transient-pipeline="report=%t.json ordering-budget=512" -o /dev/null 2>/dev/null
// RUN: FileCheck %s < %t.json
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json

// CHECK-LABEL: "name": "three_streams"
// CHECK: "physical": 512
// CHECK: "sharing": [
// CHECK: "kind": "unconditional"
// CHECK-NEXT: "proof": {
// CHECK: "order":"in every execution"
// CHECK: "kind": "schedule_conditioned"
// CHECK-NEXT: "preconditions": [
// CHECK-NEXT: {
// CHECK-NEXT: "end": [[#END:]]
// CHECK-NEXT: "start": [[#START:]]
// CHECK-NEXT: }
// CHECK-NEXT: ]
// CHECK: "order":"if the preconditions hold"
// CHECK: "sharing_counts": {
// CHECK-NEXT: "unconditional": 1
// CHECK-NEXT: "schedule_conditioned": 1
// CHECK: "ordering": {
// CHECK-NEXT: "longest_path": 7
// CHECK-NEXT: "longest_path_without": 7
// CHECK-NEXT: "lower_bound_without": 768
// CHECK-NEXT: "preconditions": [
// CHECK-NEXT: {
// CHECK-NEXT: "end": [[#END]]
// CHECK-NEXT: "start": [[#START]]
// CHECK-NEXT: "end_loc": "{{.*}}report-ordering.mlir:
// CHECK-NEXT: "start_loc": "{{.*}}report-ordering.mlir:
// CHECK-NEXT: "falsified_by": "an execution in which node [[#START]] starts before node [[#END]] has ended"
// CHECK: "would_cut": {
// CHECK-NEXT: "lower_bound": 256
func.func @three_streams(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %a2 = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %s2 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  %2 = gpu.memset async [%1] %a2, %f : memref<64xf32>, f32
  %3 = gpu.memcpy async [%2] %x, %a2 : memref<64xf32>, memref<64xf32>
  %4 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %5 = gpu.memcpy async [%4] %y, %b : memref<64xf32>, memref<64xf32>
  %6 = gpu.memset async [%s2] %c, %f : memref<64xf32>, f32
  %7 = gpu.memcpy async [%6] %z, %c : memref<64xf32>, memref<64xf32>
  gpu.wait [%3, %5, %7]
  return
}
