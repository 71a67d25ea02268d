// Lifetimes are frontiers: sets of nodes (C3-C5).
// RUN: transient-opt %s -split-input-file --transient-liveness | FileCheck %s

// A chain has one first and one last user.
// CHECK-LABEL: func.func @chain
func.func @chain(%x: memref<64xf32>, %f: f32) {
  // CHECK: transient.alloc lifetime <derived, creation = [0], first = [0], last = [1]>
  %a = transient.alloc : memref<64xf32>
  // CHECK: linalg.fill {transient.node = 0 : i64}
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK: memref.copy {{.*}} {transient.node = 1 : i64}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A diamond: one producer, two unordered readers, both last. The join is not a
// user.
// CHECK-LABEL: func.func @diamond
func.func @diamond(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  // CHECK: transient.alloc kind gpu lifetime <derived, creation = [1], first = [1], last = [3, 5]>
  %a = transient.alloc kind gpu : memref<64xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<64xf32>, memref<64xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<64xf32>, memref<64xf32>
  %j = gpu.wait async [%c1, %c2]
  gpu.wait [%j]
  return
}

// -----

// Two unordered writers are both first.
// CHECK-LABEL: func.func @two_first
func.func @two_first(%x: memref<64xf32>, %f: f32) {
  // CHECK: first = [1, 3], last = [1, 3]>
  %a = transient.alloc kind gpu : memref<64xf32>
  %lo = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %hi = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %lo, %f : memref<32xf32, strided<[1]>>, f32
  %1 = gpu.wait async
  %q = gpu.memset async [%1] %hi, %f : memref<32xf32, strided<[1], offset: 32>>, f32
  %j = gpu.wait async [%p, %q]
  gpu.wait [%j]
  return
}

// -----

// Users of views, casts, selects and region results are users of the base.
// CHECK-LABEL: func.func @aliases
func.func @aliases(%c: i1, %x: memref<8x8xf32>, %f: f32) {
  // CHECK: transient.alloc lifetime <derived, creation = [0], first = [0], last = [2]>
  %a = transient.alloc : memref<64xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %s = arith.select %c, %v, %x : memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<8x8xf32>)
  memref.copy %s, %x : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Control enters and leaves a region op at nodes of its own; the number on the op
// is where it enters.
// CHECK-LABEL: func.func @region
func.func @region(%c: i1, %f: f32) {
  // CHECK: transient.alloc lifetime <derived, creation = [0], first = [0], last = [2]>
  %a = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK: scf.if
  scf.if %c {
    // CHECK: transient.alloc lifetime <derived, creation = [2], first = [2], last = [2]>
    %b = transient.alloc : memref<64xf32>
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  } {transient.node = 7 : i64}
  // CHECK: transient.node = 1 : i64
  return
}

// -----

// Kernel bodies say what a launch does to its arguments (A7).
// CHECK-LABEL: func.func @kernels
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @copy(%in: memref<64xf32>, %out: memref<64xf32>, %unused: memref<64xf32>) kernel {
      %i = gpu.block_id x
      %view = memref.cast %in : memref<64xf32> to memref<?xf32>
      %v = memref.load %view[%i] : memref<?xf32>
      memref.store %v, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @kernels(%x: memref<64xf32>, %f: f32) {
    // CHECK: creation = [0], first = [0], last = [1]>
    %a = transient.alloc : memref<64xf32>
    // CHECK: creation = [1], first = [1], last = [1]>
    %b = transient.alloc : memref<64xf32>
    // An argument that the kernel does not touch is no access.
    // CHECK: creation = [2], first = [2], last = [2]>
    %c = transient.alloc : memref<64xf32>
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    gpu.launch_func @m::@copy blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>, %c : memref<64xf32>)
    linalg.fill ins(%f : f32) outs(%c : memref<64xf32>)
    return
  }
}

// -----

// A declared lifetime is kept where it covers the users.
// CHECK-LABEL: func.func @declared
func.func @declared(%f: f32) {
  // CHECK: lifetime <declared, first = [0], last = [2]>
  %a = transient.alloc lifetime <declared, first = [0], last = [2]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}

// -----

// A buffer is live from its first use, wherever it is allocated (C13).
// CHECK-LABEL: func.func @created_when_used
func.func @created_when_used(%x: memref<64xf32>) {
  // CHECK: transient.alloc lifetime <derived, creation = [2], first = [2], last = [3]>
  %late = transient.alloc : memref<64xf32>
  // CHECK: transient.alloc lifetime <derived, creation = [0], first = [0], last = [1]>
  %early = transient.alloc : memref<64xf32>
  memref.copy %x, %early : memref<64xf32> to memref<64xf32>
  memref.copy %early, %x : memref<64xf32> to memref<64xf32>
  memref.copy %x, %late : memref<64xf32> to memref<64xf32>
  memref.copy %late, %x : memref<64xf32> to memref<64xf32>
  return
}
