// A view or a pointer that is kept outlives the release of its base (M4).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics | FileCheck %s

func.func @view_outlives_free(%x: memref<8xf32>, %f: f32) {
  // expected-note @below {{allocated here}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.subview %a[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  // expected-error @below {{before every access to it is proved to have ended}}
  memref.dealloc %a : memref<64xf32>
  // expected-note @below {{this access may still run, or start, when the free starts}}
  memref.copy %v, %x : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
  return
}

// -----

// The descriptor holds the address until it is destroyed, whether or not
// anybody uses it.
func.func @descriptor_outlives_free(%n: index) {
  // expected-note @below {{allocated here}}
  %a = gpu.alloc () : memref<64xf64>
  %0 = gpu.wait async
  %d, %1 = gpu.create_dn_tensor async [%0] %a, %n : index into memref<64xf64>
  gpu.wait [%1]
  // expected-error @below {{before every access to it is proved to have ended}}
  gpu.dealloc %a : memref<64xf64>
  // expected-note @below {{this access may still run, or start, when the free starts}}
  %2 = gpu.destroy_dn_tensor async [%1] %d
  gpu.wait [%2]
  return
}

// -----

// Nobody knows how long a pointer is kept: the buffer stays apart.
func.func private @keep(index)
// CHECK-LABEL: func.func @pointer_is_kept
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK: memref.alloc() : memref<64xf32>
func.func @pointer_is_kept(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  func.call @keep(%p) : (index) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
