// Programs that were planned before, by this or by another tool: arenas are buffers
// like others, and the numbers of their tenants mean nothing to the next plan.
// RUN: transient-opt %s -split-input-file --transient-pipeline="verify=false" | transient-opt -split-input-file --transient-verify="strict=true" | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline="strategy=slots" --inline --transient-pipeline | transient-opt -split-input-file --transient-verify | FileCheck %s --check-prefix=TWICE

// What is looked at as something larger than bytes is aligned for that.
// CHECK-LABEL: func.func @bytes
// CHECK: memref.alloc() {alignment = 4 : i64
// TWICE-LABEL: func.func @bytes
func.func @bytes(%x: memref<256xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %workspace = memref.alloc() : memref<1024xi8>
  %v = memref.view %workspace[%c0][] : memref<1024xi8> to memref<256xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<256xf32>)
  memref.copy %v, %x : memref<256xf32> to memref<256xf32>
  return
}

// -----

// Tenant 1 of what was inlined is not tenant 1 of what is planned now.
// CHECK-LABEL: func.func @inlined
// TWICE-LABEL: func.func @inlined
// TWICE-COUNT-1: memref.alloc()
// TWICE-NOT: memref.alloc()
// TWICE: return
func.func @callee(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func @inlined(%x: memref<64xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %b : memref<256xf32> to memref<256xf32>
  func.call @callee(%x, %f) : (memref<64xf32>, f32) -> ()
  memref.copy %b, %y : memref<256xf32> to memref<256xf32>
  return
}

// -----

// A loop with constant bounds runs: to the planner and to the checker.
// CHECK-LABEL: func.func @waits_in_a_loop
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// TWICE-LABEL: func.func @waits_in_a_loop
func.func @waits_in_a_loop(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<64xf32>, memref<64xf32>
  %t2 = gpu.memcpy async [%t1] %y, %a : memref<64xf32>, memref<64xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    gpu.wait [%t2]
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %z : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A token that an affine loop carries.
// CHECK-LABEL: func.func @token_in_affine_loop
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// TWICE-LABEL: func.func @token_in_affine_loop
func.func @token_in_affine_loop(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %t0 = gpu.wait async
  %r = affine.for %i = 0 to 5 iter_args(%t = %t0) -> !gpu.async.token {
    %w = gpu.memcpy async [%t] %y, %a : memref<64xf32>, memref<64xf32>
    affine.yield %w : !gpu.async.token
  }
  gpu.wait [%r]
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
