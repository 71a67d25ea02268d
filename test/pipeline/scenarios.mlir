// What has gone wrong in systems that do this job, as bytes that the arena must
// have at least. Each function is named after what it protects.
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s

// B waits for one of two unordered readers of A.
// CHECK-LABEL: func.func @diamond
// CHECK: transient.arena {{.*}} : memref<2048xi8>
func.func @diamond(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<256xf32>, memref<256xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<256xf32>, memref<256xf32>
  %w = gpu.memset async [%c1] %b, %f : memref<256xf32>, f32
  %j = gpu.wait async [%c2, %w]
  gpu.wait [%j]
  return
}

// -----

// The root's lifetime includes the reader of a view on another stream.
// CHECK-LABEL: func.func @alias_chain_over_streams
// CHECK: transient.arena {{.*}} : memref<8192xi8>
func.func @alias_chain_over_streams(%x: memref<1024xf32>, %f: f32) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %0 = gpu.wait async
  %v = memref.cast %a : memref<1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
  %s0 = gpu.memset async [%0] %a, %f : memref<1024xf32>, f32
  %f1 = gpu.wait async [%s0]
  %y = gpu.memset async [%f1] %v, %f : memref<1024xf32, strided<[1], offset: ?>>, f32
  %f2 = gpu.wait async [%y]
  %r = gpu.memcpy async [%f2] %x, %v : memref<1024xf32>, memref<1024xf32, strided<[1], offset: ?>>
  %w = gpu.memset async [%y] %b, %f : memref<1024xf32>, f32
  %j = gpu.wait async [%r, %w]
  gpu.wait [%j]
  return
}

// -----

// The source of a copy is in use until the copy is awaited.
// CHECK-LABEL: func.func @start_is_not_finish
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @start_is_not_finish(%x: memref<16xf32>, %f: f32) {
  %h = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %0 = gpu.wait async
  %t1 = gpu.memcpy async [%0] %x, %h : memref<16xf32>, memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  gpu.wait [%t1]
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same, once the copy is awaited before.
// CHECK-LABEL: func.func @finish_then_start
// CHECK: transient.arena {{.*}} : memref<64xi8>
func.func @finish_then_start(%x: memref<16xf32>, %f: f32) {
  %h = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %0 = gpu.wait async
  %t1 = gpu.memcpy async [%0] %x, %h : memref<16xf32>, memref<16xf32>
  gpu.wait [%t1]
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A host-blocking op waits for its own completion only.
// CHECK-LABEL: func.func @blocking_launch_is_no_barrier
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocking_launch_is_no_barrier(%x: memref<16xf32>, %y: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %0 = gpu.wait async
  %r = gpu.memcpy async [%0] %x, %a : memref<16xf32>, memref<16xf32>
  gpu.memset %y, %f : memref<16xf32>, f32
  gpu.memset %b, %f : memref<16xf32>, f32
  gpu.wait [%r]
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The storage of a branch's result outlives the branch.
// CHECK-LABEL: func.func @sibling_regions
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @sibling_regions(%c: i1, %x: memref<64xf32>, %f: f32) {
  %r = scf.if %c -> memref<64xf32> {
    %r0 = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%r0 : memref<64xf32>)
    scf.yield %r0 : memref<64xf32>
  } else {
    scf.yield %x : memref<64xf32>
  }
  scf.if %c {
    %t = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%t : memref<64xf32>)
    memref.copy %t, %x : memref<64xf32> to memref<64xf32>
  }
  memref.copy %r, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Content that crosses iterations lives through the loop.
// CHECK-LABEL: func.func @loop_ping_pong
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @loop_ping_pong(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.alloc() : memref<128xf32>
  %g = memref.alloc() : memref<128xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<128xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %e, %g : memref<128xf32> to memref<128xf32>
    memref.copy %g, %e : memref<128xf32> to memref<128xf32>
  }
  memref.copy %e, %x : memref<128xf32> to memref<128xf32>
  return
}

// -----

// Which buffer a select yields is not known: both are used.
// CHECK-LABEL: func.func @select_uses_both
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @select_uses_both(%c: i1, %x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  memref.copy %t, %x : memref<16xf32> to memref<16xf32>
  memref.copy %s, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that writes two results, one of them never read: both have a place
// while it runs.
// CHECK-LABEL: func.func @dead_result
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @dead_result(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %used = memref.alloc() : memref<16xf32>
  %dead = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32>) outs(%used, %dead : memref<16xf32>, memref<16xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    linalg.yield %in, %in : f32, f32
  }
  memref.copy %used, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Two small ones under a big one.
// CHECK-LABEL: func.func @two_small_under_one_big
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @two_small_under_one_big(%x: memref<128xf32>, %y: memref<256xf32>) {
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<128xf32> to memref<128xf32>
  memref.copy %a, %b : memref<128xf32> to memref<128xf32>
  memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  memref.copy %y, %c : memref<256xf32> to memref<256xf32>
  memref.copy %c, %y : memref<256xf32> to memref<256xf32>
  return
}

// -----

// i1 and index have the sizes of the stock lowering: a byte, eight bytes.
// CHECK-LABEL: func.func @element_sizes
// CHECK: transient.arena {{.*}} : memref<72xi8>
func.func @element_sizes(%x: memref<8xi1>, %y: memref<8xindex>) {
  %a = memref.alloc() : memref<8xi1>
  %b = memref.alloc() : memref<8xindex>
  memref.copy %x, %a : memref<8xi1> to memref<8xi1>
  memref.copy %y, %b : memref<8xindex> to memref<8xindex>
  memref.copy %a, %x : memref<8xi1> to memref<8xi1>
  memref.copy %b, %y : memref<8xindex> to memref<8xindex>
  return
}
