// Storage that callers pass in: as further arguments, with a function that says
// what they must have.
// RUN: transient-opt %s -split-input-file --transient-pipeline="arena=argument" -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>, %{{.*}}: f32, %[[STORAGE:.*]]: memref<512xi8>)
// CHECK-NOT: alloc
// CHECK: memref.view %[[STORAGE]][%{{.*}}][] {tenant = 0 : i64}
// CHECK: memref.view %[[STORAGE]][%{{.*}}][] {tenant = 1 : i64}
// CHECK-NOT: dealloc
// CHECK: return
// CHECK: func.func @host_storage() -> (index, index) {
// CHECK: %[[BYTES:.*]] = arith.constant 512 : index
// CHECK: %[[ALIGNMENT:.*]] = arith.constant 64 : index
// CHECK: return %[[BYTES]], %[[ALIGNMENT]] : index, index
func.func @host(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// One argument for each physical buffer. The storage of a private callee is part of
// it. A name that is taken is not taken twice.
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: memref<256xi8>)
// CHECK-LABEL: func.func @two_kinds(
// CHECK-SAME: memref<256xi8>, %{{.*}}: memref<256xi8>)
// CHECK: call @inner
// CHECK: func.func @two_kinds_storage_0() -> (index, index, index, index)
// CHECK: func.func private @two_kinds_storage
func.func private @inner(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func @two_kinds(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  func.call @inner(%x, %f) : (memref<64xf32>, f32) -> ()
  %a = gpu.alloc () : memref<64xf32>
  gpu.memset %a, %f : memref<64xf32>, f32
  gpu.memcpy %y, %a : memref<64xf32>, memref<64xf32>
  return
}
func.func private @two_kinds_storage()

// -----

// CHECK-LABEL: func.func @called(
// CHECK: memref.alloc
// CHECK-LABEL: func.func @calls(
// expected-remark @below {{transient-materialize: allocates its storage itself: the module refers to it}}
func.func @called(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func @calls(%x: memref<64xf32>, %f: f32) {
  func.call @called(%x, %f) : (memref<64xf32>, f32) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @goes_on(
// CHECK: gpu.alloc
// expected-remark @below {{transient-materialize: allocates its storage itself: its work may go on when it returns}}
func.func @goes_on(%x: memref<64xf32>, %f: f32) -> !gpu.async.token {
  %a = gpu.alloc () : memref<64xf32>
  %s = gpu.wait async
  %0 = gpu.memset async [%s] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  return %1 : !gpu.async.token
}

// -----

module @outer {
  module @nested {
    // expected-remark @below {{transient-materialize: allocates its storage itself: it is no public function of the module}}
    func.func @in_nested_module(%x: memref<64xf32>, %f: f32) {
      %a = memref.alloc() : memref<64xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      return
    }
  }
}
