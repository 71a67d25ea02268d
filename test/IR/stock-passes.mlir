// What stock passes may and may not do to our ops.
// RUN: transient-opt %s -split-input-file --cse --canonicalize --inline | FileCheck %s

// Equal views of one tenant are one view; another tenant is another buffer.
// CHECK-LABEL: func.func @cse_views
func.func @cse_views() -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %arena = transient.arena physical 0 align 64 : memref<64xi8>
  // CHECK: %[[A:.*]] = transient.view %{{.*}}[0] tenant 0
  %0 = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<4xf32>
  // CHECK-NOT: tenant 0
  %1 = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<4xf32>
  // CHECK: %[[B:.*]] = transient.view %{{.*}}[0] tenant 1
  %2 = transient.view %arena[0] tenant 1 : memref<64xi8> to memref<4xf32>
  // CHECK: return %[[A]], %[[A]], %[[B]]
  return %0, %1, %2 : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// Two requests are two buffers, however equal.
// CHECK-LABEL: func.func @no_cse_allocs
func.func @no_cse_allocs() -> (memref<4xf32>, memref<4xf32>) {
  // CHECK-COUNT-2: transient.alloc
  %0 = transient.alloc : memref<4xf32>
  %1 = transient.alloc : memref<4xf32>
  return %0, %1 : memref<4xf32>, memref<4xf32>
}

// -----

// A request that nobody uses goes away.
// CHECK-LABEL: func.func @dead_alloc
func.func @dead_alloc() {
  // CHECK-NEXT: return
  %0 = transient.alloc : memref<4xf32>
  return
}

// -----

// Requests and views are inlined.
func.func private @callee(%m: memref<64xi8>) {
  %c = arith.constant 0.0 : f32
  %0 = transient.alloc align 64 : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%0 : memref<4xf32>)
  %1 = transient.view %m[0] tenant 0 : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%c : f32) outs(%1 : memref<4xf32>)
  return
}
// CHECK-LABEL: func.func @inlined
func.func @inlined(%m: memref<64xi8>) {
  // CHECK-DAG: transient.alloc align 64 : memref<4xf32>
  // CHECK-DAG: transient.view
  call @callee(%m) : (memref<64xi8>) -> ()
  return
}

// -----

// An arena lives until its function returns: not into a loop.
func.func private @with_arena() {
  %c = arith.constant 0.0 : f32
  %arena = transient.arena physical 0 align 64 : memref<64xi8>
  %0 = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%c : f32) outs(%0 : memref<4xf32>)
  return
}
// CHECK-LABEL: func.func @inline_arena
func.func @inline_arena() {
  // CHECK: transient.arena
  call @with_arena() : () -> ()
  return
}
// CHECK-LABEL: func.func @no_inline_arena_into_loop
func.func @no_inline_arena_into_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: call @with_arena
    func.call @with_arena() : () -> ()
  }
  return
}
