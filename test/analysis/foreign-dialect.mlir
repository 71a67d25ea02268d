// Ops of a dialect that Transient does not know, ordered by what their
// OrderedOpInterface says.
// RUN: transient-opt %s -split-input-file --test-transient-order -o /dev/null | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: transient-opt %s -split-input-file --transient-import -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Events order work, and the host waits for exactly those it is given.
// CHECK-LABEL: order of @events
// CHECK-NEXT: 0 test_exec.start token after []
// CHECK-NEXT: 1 test_exec.start token after [0]
// CHECK-NEXT: 2 test_exec.start token after [1]
// CHECK-NEXT: 3 test_exec.start token after [2]
// CHECK-NEXT: 4 test_exec.sync blocking after [3]
// CHECK-NEXT: 5 test_exec.run blocking after [4]
// CHECK-NEXT: 6 func.return blocking after [5]
// PLAN-LABEL: func.func @events
// PLAN: transient.arena {{.*}} : memref<256xi8>
func.func @events(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = test_exec.start ins() outs(%a : memref<64xf32>)
  %1 = test_exec.start ins(%a : memref<64xf32>) outs(%x : memref<64xf32>) after %0
  %2 = test_exec.start ins() outs(%b : memref<64xf32>) after %1
  %3 = test_exec.start ins(%b : memref<64xf32>) outs(%x : memref<64xf32>) after %2
  test_exec.sync %3
  test_exec.run ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// Without an event between them they may run at the same time.
// CHECK-LABEL: order of @unordered
// CHECK: 1 test_exec.start token after []
// PLAN-LABEL: func.func @unordered
// PLAN: transient.arena {{.*}} : memref<512xi8>
func.func @unordered() {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = test_exec.start ins() outs(%a : memref<64xf32>)
  %1 = test_exec.start ins() outs(%b : memref<64xf32>)
  test_exec.sync %0, %1
  return
}

// -----

// Through regions as any token.
// CHECK-LABEL: order of @regions
// CHECK: scf.for join token
// CHECK: loop {{.*}}, hands on
func.func @regions(%n: index, %x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = test_exec.start ins() outs(%x : memref<64xf32>)
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> !test_exec.event {
    %2 = test_exec.start ins() outs(%x : memref<64xf32>) after %t
    scf.yield %2 : !test_exec.event
  }
  test_exec.sync %1
  return
}

// -----

// An op that does not say when it ends keeps what it touches apart.
// REMARK: remark: not planned: the buffer is accessed by work of unknown completion: 'test_exec.post' does not say when its work is complete
// CHECK-LABEL: order of @unknown
// CHECK: 1 test_exec.post unknown
func.func @unknown(%f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  test_exec.post %a : memref<64xf32>
  return
}
