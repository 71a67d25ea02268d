// Buffers in loops: within an iteration, or throughout (C12, design: loops).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s

// Each iteration overwrites both before it reads them: they take turns.
// CHECK-LABEL: func.func @local
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @local(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%f : f32) outs(%a : memref<128xf32>)
    memref.copy %a, %x : memref<128xf32> to memref<128xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
    memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  }
  return
}

// -----

// A part is not all: the rest is what the iteration before left.
// CHECK-LABEL: func.func @partial
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @partial(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%c0] : memref<128xf32>
    memref.copy %a, %x : memref<128xf32> to memref<128xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
    memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  }
  return
}

// -----

// A loop nest that stores every element is a whole overwrite.
// CHECK-LABEL: func.func @nest
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @nest(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      memref.store %f, %a[%j] : memref<128xf32>
    }
    memref.copy %a, %x : memref<128xf32> to memref<128xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
    memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  }
  return
}

// -----

// An overwrite in a branch does not stand for the iterations without it, as
// what follows the loop sees.
// CHECK-LABEL: func.func @conditional_overwrite
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @conditional_overwrite(%x: memref<128xf32>, %n: index, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
      memref.copy %b, %x : memref<128xf32> to memref<128xf32>
    } else {
      linalg.fill ins(%f : f32) outs(%a : memref<128xf32>)
    }
  }
  memref.copy %a, %x : memref<128xf32> to memref<128xf32>
  return
}

// -----

// The last time through, only the first region of a while runs: what the second
// one left is still there after it.
// CHECK-LABEL: func.func @while_ends_early
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @while_ends_early(%x: memref<128xf32>, %f: f32, %c: i1) {
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  scf.while : () -> () {
    linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
    memref.copy %b, %x : memref<128xf32> to memref<128xf32>
    scf.condition(%c)
  } do {
    linalg.fill ins(%f : f32) outs(%a : memref<128xf32>)
    scf.yield
  }
  memref.copy %a, %x : memref<128xf32> to memref<128xf32>
  return
}

// -----

// One place for all iterations of an allocation, and for both.
// CHECK-LABEL: func.func @allocated_inside
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @allocated_inside(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<128xf32>
    memref.copy %x, %a : memref<128xf32> to memref<128xf32>
    memref.copy %a, %x : memref<128xf32> to memref<128xf32>
    memref.dealloc %a : memref<128xf32>
    %b = memref.alloc() : memref<128xf32>
    memref.copy %x, %b : memref<128xf32> to memref<128xf32>
    memref.copy %b, %x : memref<128xf32> to memref<128xf32>
    memref.dealloc %b : memref<128xf32>
  }
  return
}

// -----

// A chained token orders the iterations of what follows it.
// CHECK-LABEL: func.func @chained_token
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @chained_token(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> !gpu.async.token {
    %a = gpu.alloc () : memref<128xf32>
    %b = gpu.alloc () : memref<128xf32>
    %1 = gpu.memset async [%t] %a, %f : memref<128xf32>, f32
    %2 = gpu.memcpy async [%1] %x, %a : memref<128xf32>, memref<128xf32>
    %3 = gpu.memset async [%2] %b, %f : memref<128xf32>, f32
    %4 = gpu.memcpy async [%3] %x, %b : memref<128xf32>, memref<128xf32>
    scf.yield %4 : !gpu.async.token
  }
  gpu.wait [%r]
  return
}

// -----

// Two buffers that follow different chains are not ordered with each other.
// CHECK-LABEL: func.func @two_chains
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @two_chains(%x: memref<128xf32>, %y: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0, %u = %0)
      -> (!gpu.async.token, !gpu.async.token) {
    %a = gpu.alloc () : memref<128xf32>
    %b = gpu.alloc () : memref<128xf32>
    %1 = gpu.memset async [%t] %a, %f : memref<128xf32>, f32
    %2 = gpu.memcpy async [%1] %x, %a : memref<128xf32>, memref<128xf32>
    %3 = gpu.memset async [%2, %u] %b, %f : memref<128xf32>, f32
    %4 = gpu.memcpy async [%3] %y, %b : memref<128xf32>, memref<128xf32>
    scf.yield %2, %4 : !gpu.async.token, !gpu.async.token
  }
  gpu.wait [%r#0, %r#1]
  return
}

// -----

// In a cycle of blocks, too.
// CHECK-LABEL: func.func @blocks
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @blocks(%x: memref<128xf32>, %f: f32, %c: i1) {
  cf.br ^loop
^loop:
  %a = memref.alloc() : memref<128xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<128xf32>)
  memref.copy %a, %x : memref<128xf32> to memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<128xf32>)
  memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  cf.cond_br %c, ^loop, ^exit
^exit:
  return
}
