// That one op is enqueued after another says nothing about which ends first (M1).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics | FileCheck %s

// In the text, the last user of A is above the first of B. No sharing.
// CHECK-LABEL: func.func @enqueued_before
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @enqueued_before(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %a1 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %a2 = gpu.memcpy async [%a1] %x, %a : memref<64xf32>, memref<64xf32>
  %s1 = gpu.wait async
  %b1 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %b2 = gpu.memcpy async [%b1] %y, %b : memref<64xf32>, memref<64xf32>
  %j = gpu.wait async [%a2, %b2]
  gpu.wait [%j]
  return
}

// -----

// A free that is enqueued last is not one that runs last.
func.func @freed_last_in_the_text(%x: memref<64xf32>, %f: f32) {
  %0 = gpu.wait async
  // expected-note @below {{allocated here}}
  %a, %1 = gpu.alloc async [%0] () : memref<64xf32>
  %2 = gpu.memset async [%1] %a, %f : memref<64xf32>, f32
  // expected-note @below {{this access may still run, or start, when the free starts}}
  %3 = gpu.memcpy async [%2] %x, %a : memref<64xf32>, memref<64xf32>
  // expected-error @below {{before every access to it is proved to have ended}}
  %4 = gpu.dealloc async [%2] %a : memref<64xf32>
  gpu.wait [%3]
  gpu.wait [%4]
  return
}
