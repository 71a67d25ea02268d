// Two buffers that the program can tell apart stay two (M10).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics | FileCheck %s

// One launch is given both: it may count on their being different, whatever it
// does with them.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<64xf32>
      memref.store %v, %b[%i] : memref<64xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @given_to_one_launch
  // CHECK: transient.arena {{.*}} : memref<512xi8>
  func.func @given_to_one_launch(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }
}

// -----

// The host compares addresses.
// CHECK-LABEL: func.func @addresses_are_compared
// CHECK-NOT: transient.arena
func.func @addresses_are_compared(%x: memref<64xf32>, %f: f32) -> i1 {
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  // expected-note @below {{consumer}}
  %q = memref.extract_aligned_pointer_as_index %b : memref<64xf32> -> index
  %same = arith.cmpi eq, %p, %q : index
  return %same : i1
}

// -----

// In place only where the program says so: element for element or not, A and B
// have a place each.
// CHECK-LABEL: func.func @not_in_place
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @not_in_place(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
