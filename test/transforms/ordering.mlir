// Order that the program does not have: proposed on request, listed, and added by
// a pass of its own (G2b).
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan=ordering-budget=256 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan=ordering-budget=256 --transient-apply-ordering --transient-materialize --transient-verify="strict=true" 2>/dev/null | FileCheck %s
// What is proposed costs the same twice: preconditions are relied on, and added to.
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan=ordering-budget=256 --transient-plan 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan=ordering-budget=256 --transient-plan=ordering-budget=256 2>/dev/null | FileCheck %s --check-prefix=PLAN

// Two temporaries on two streams.
// PLAN-LABEL: func.func @two_streams
// PLAN-SAME: transient.preconditions = [#transient.precondition<end = 3, start = 4>]
// CHECK-LABEL: func.func @two_streams
// CHECK-NOT: transient.preconditions
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK: %[[READ:.*]] = gpu.memcpy async
// CHECK: gpu.memset async [%[[READ]], %{{.*}}]
func.func @two_streams(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  %2 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %3 = gpu.memcpy async [%2] %y, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%1, %3]
  return
}

// Every last user of the one before every first user of the other; what is
// ordered already is not ordered again.
// PLAN-LABEL: func.func @two_readers
// PLAN-SAME: transient.preconditions = [#transient.precondition<end = 3, start = 5>]
// CHECK-LABEL: func.func @two_readers
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @two_readers(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  %2 = gpu.memcpy async [%0] %y, %a : memref<64xf32>, memref<64xf32>
  %3 = gpu.memset async [%s1, %2] %b, %f : memref<64xf32>, f32
  %4 = gpu.memcpy async [%3] %z, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%1, %4]
  return
}

// Within one iteration of a loop.
// PLAN-LABEL: func.func @in_a_loop
// PLAN-SAME: transient.preconditions = [#transient.precondition<end = 4, start = 5>]
// CHECK-LABEL: func.func @in_a_loop
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @in_a_loop(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    %s0 = gpu.wait async
    %s1 = gpu.wait async
    %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
    %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
    %2 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
    %3 = gpu.memcpy async [%2] %y, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%1, %3]
  }
  return
}

// Nothing waits where the budget holds anyway.
// PLAN-LABEL: func.func @within
// PLAN-NOT: transient.preconditions
func.func @within(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  gpu.wait [%1]
  return
}
