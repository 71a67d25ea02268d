// The payload of a buffer is not all it needs: alignment, whole bytes of small
// elements and the workspaces of calls come on top (M5).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" | FileCheck %s

// 4 and 4 bytes of payload; the second one starts at a multiple of 64.
// CHECK-LABEL: func.func @alignment
// CHECK: transient.arena physical 0 align 64 : memref<128xi8>
func.func @alignment(%x: memref<1xf32>, %f: f32) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
  memref.copy %x, %a : memref<1xf32> to memref<1xf32>
  memref.copy %a, %b : memref<1xf32> to memref<1xf32>
  memref.copy %b, %x : memref<1xf32> to memref<1xf32>
  return
}

// -----

// 16 bits of payload are 16 bytes of memory.
// CHECK-LABEL: func.func @elements_of_a_bit
// CHECK: transient.arena {{.*}} : memref<16xi8>
func.func @elements_of_a_bit(%x: memref<8xi1>) {
  %a = memref.alloc() : memref<8xi1>
  %b = memref.alloc() : memref<8xi1>
  memref.copy %x, %a : memref<8xi1> to memref<8xi1>
  memref.copy %a, %b : memref<8xi1> to memref<8xi1>
  memref.copy %b, %x : memref<8xi1> to memref<8xi1>
  return
}

// -----

// The caller's own payload is 256 bytes; the call needs 1024 more.
func.func private @callee(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  %v = memref.subview %a[0] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1]>>
  memref.copy %v, %o : memref<64xf32, strided<[1]>> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @workspace
// CHECK: transient.arena {{.*}} : memref<1280xi8>
func.func @workspace(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  call @callee(%a, %f) : (memref<64xf32>, f32) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
