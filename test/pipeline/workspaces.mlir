// Workspaces: those of owners that may run together add up, those of ordered
// owners take turns; where nobody can tell, the report says from what to what
// (B4, D1, D3, D4).
// RUN: transient-opt %s --transient-pipeline="report=%t.json" -o /dev/null 2>/dev/null
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json
// RUN: FileCheck %s < %t.json

// 4 MiB and 6 MiB at the same time are 10 MiB.
// CHECK-LABEL: "name": "unordered"
// CHECK: "physical": 10485760
// CHECK: "workspaces": {
// CHECK-NEXT: "lower": 10485760
// CHECK-NEXT: "upper": 10485760
// CHECK-NEXT: "proof": "order"
// CHECK: "class": "workspace"

// One after the other they are 6 MiB, and the proof is in the report.
// CHECK-LABEL: "name": "ordered"
// CHECK: "physical": 6291456
// CHECK: "workspaces": {
// CHECK-NEXT: "lower": 6291456
// CHECK-NEXT: "upper": 6291456
// CHECK-NEXT: "proof": "order"
// CHECK: "sharing": [
// CHECK: "conditions": {"storage":

// A launch on a stream of the host: nothing says when it is done.
// CHECK-LABEL: "name": "unknown_order"
// CHECK: "physical": 0
// CHECK: "workspaces": {
// CHECK-NEXT: "lower": 6291456
// CHECK-NEXT: "upper": 10485760
// CHECK-NEXT: "proof": "none"
// CHECK: "blocked": [
// CHECK: "fact": "completion_edge"

// Two algorithms of one operation, in turn: the arena has the larger size (D2).
// CHECK-LABEL: "name": "by_algorithm"
// CHECK: "physical": 8192
// CHECK: "workspaces": {
// CHECK-NEXT: "lower": 8192
module attributes {gpu.container_module} {
  transient.size_function @gemm dims ["m", "n"] cases [
    #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (m * 16)>>,
    #transient.size_case<algorithm = "split_k", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (m * n * at_once)>>]
  gpu.module @kernels {
    gpu.func @k(%x: memref<1048576xf32>, %w: memref<?xi8>) kernel {
      %c0 = arith.constant 0 : index
      %b = arith.constant 1 : i8
      memref.store %b, %w[%c0] : memref<?xi8>
      %r = memref.load %w[%c0] : memref<?xi8>
      gpu.return
    }
  }
  func.func @unordered(%x: memref<1048576xf32>) {
    %c1 = arith.constant 1 : index
    %w0 = transient.alloc kind gpu class workspace : memref<4194304xi8>
    %w1 = transient.alloc kind gpu class workspace : memref<6291456xi8>
    %v0 = memref.cast %w0 : memref<4194304xi8> to memref<?xi8>
    %v1 = memref.cast %w1 : memref<6291456xi8> to memref<?xi8>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v0 : memref<?xi8>)
    %t2 = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v1 : memref<?xi8>)
    gpu.wait [%t1, %t2]
    return
  }
  func.func @ordered(%x: memref<1048576xf32>) {
    %c1 = arith.constant 1 : index
    %w0 = transient.alloc kind gpu class workspace : memref<4194304xi8>
    %w1 = transient.alloc kind gpu class workspace : memref<6291456xi8>
    %v0 = memref.cast %w0 : memref<4194304xi8> to memref<?xi8>
    %v1 = memref.cast %w1 : memref<6291456xi8> to memref<?xi8>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v0 : memref<?xi8>)
    %t2 = gpu.launch_func async [%t1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v1 : memref<?xi8>)
    gpu.wait [%t2]
    return
  }
  func.func @unknown_order(%x: memref<1048576xf32>, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %w0 = transient.alloc kind gpu class workspace : memref<4194304xi8>
    %w1 = transient.alloc kind gpu class workspace : memref<6291456xi8>
    %v0 = memref.cast %w0 : memref<4194304xi8> to memref<?xi8>
    %v1 = memref.cast %w1 : memref<6291456xi8> to memref<?xi8>
    gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v0 : memref<?xi8>)
    gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %v1 : memref<?xi8>)
    return
  }
  func.func @by_algorithm(%x: memref<1048576xf32>) {
    %c1 = arith.constant 1 : index
    %m = arith.constant 64 : index
    %s0 = transient.size @gemm(%m, %m) algorithm "direct" mode "f32"
    %s1 = transient.size @gemm(%m, %m) algorithm "split_k" mode "f32" at_once 2
    %w0 = transient.alloc(%s0) kind gpu class workspace : memref<?xi8>
    %w1 = transient.alloc(%s1) kind gpu class workspace : memref<?xi8>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %w0 : memref<?xi8>)
    %t2 = gpu.launch_func async [%t1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1048576xf32>, %w1 : memref<?xi8>)
    gpu.wait [%t2]
    return
  }
}
