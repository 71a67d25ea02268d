// Storage that is kept for later holds more than is needed, and serves who must
// not have it: whole buffers are neither grown, nor kept, nor lent to another
// owner or kind (M8).
// RUN: transient-opt %s -split-input-file --transient-pipeline="strategy=slots lower=none" | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline="strategy=slots lower=memref" | FileCheck %s --check-prefix=FREED

// A buffer of 64 bytes is not grown to serve one of 128 later.
// CHECK-LABEL: func.func @no_growth
// CHECK: transient.arena physical 0 align 4 : memref<64xi8>
// CHECK: transient.arena physical 1 align 4 : memref<128xi8>
// FREED-LABEL: func.func @no_growth
// FREED-COUNT-2: memref.alloc
// FREED-COUNT-2: memref.dealloc
// FREED: return
func.func @no_growth(%x: memref<16xf32>, %y: memref<32xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32>)
  memref.copy %b, %y : memref<32xf32> to memref<32xf32>
  return
}

// -----

// CHECK-LABEL: func.func @no_other_owner
// CHECK-COUNT-2: transient.arena
func.func @no_other_owner(%x: memref<16xf32>, %f: f32) {
  %a = transient.alloc owner "one" : memref<16xf32>
  %b = transient.alloc owner "two" : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// CHECK-LABEL: func.func @no_other_kind
// CHECK-COUNT-2: transient.arena
func.func @no_other_kind(%x: memref<16xf32>, %f: f32) {
  %a = gpu.alloc () : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  gpu.memset %a, %f : memref<16xf32>, f32
  gpu.memcpy %x, %a : memref<16xf32>, memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}
