// The order of events: completion evidence only (C1, C2, C11).
// RUN: transient-opt %s -split-input-file --test-transient-order -o /dev/null | FileCheck %s

// Host ops block: each is after the one before.
// CHECK-LABEL: order of @host_chain
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 linalg.fill blocking after [0]
// CHECK-NEXT: 2 func.return blocking after [1]
// CHECK-NEXT: chains: 1
func.func @host_chain(%m: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// Two launches without a token between them are unordered, whatever their
// position; a join is after both.
// CHECK-LABEL: order of @fork_join
// CHECK-NEXT: 0 gpu.wait token after []
// CHECK-NEXT: 1 gpu.memset token after [0]
// CHECK-NEXT: 2 gpu.wait token after []
// CHECK-NEXT: 3 gpu.memset token after [2]
// CHECK-NEXT: 4 gpu.wait token after [1, 3]
// CHECK-NEXT: 5 gpu.wait blocking after [4]
// CHECK-NEXT: 6 func.return blocking after [5]
// CHECK-NEXT: chains: 2
func.func @fork_join(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %2 = gpu.wait async
  %3 = gpu.memset async [%2] %b, %f : memref<4xf32>, f32
  %4 = gpu.wait async [%1, %3]
  gpu.wait [%4]
  return
}

// -----

// A blocking op waits for its own completion, not for other work in flight.
// CHECK-LABEL: order of @blocking_is_no_barrier
// CHECK-NEXT: 0 gpu.wait token after []
// CHECK-NEXT: 1 gpu.memset token after [0]
// CHECK-NEXT: 2 gpu.memset blocking after []
// CHECK-NEXT: 3 linalg.fill blocking after [2]
// CHECK-NEXT: 4 func.return blocking after [3]
func.func @blocking_is_no_barrier(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  gpu.memset %b, %f : memref<4xf32>, f32
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  return
}

// -----

// A fresh token is ordered after what the host has waited for already.
// CHECK-LABEL: order of @fresh_token
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 gpu.wait token after [0]
func.func @fresh_token(%a: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %0 = gpu.wait async
  return
}

// -----

// A token that is an argument, or comes out of a select, proves nothing yet.
// CHECK-LABEL: order of @unknown_tokens
// CHECK-NEXT: 0 gpu.wait token after []
// CHECK-NEXT: 1 gpu.memset token after []
func.func @unknown_tokens(%t: !gpu.async.token, %c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %1 = arith.select %c, %0, %t : !gpu.async.token
  %2 = gpu.memset async [%1] %a, %f : memref<4xf32>, f32
  return
}

// -----

// A call may leave work running, unless its declaration says otherwise.
func.func private @opaque(memref<4xf32>)
func.func private @declared(memref<4xf32> {bufferization.access = "read"})
// CHECK-LABEL: order of @calls
// CHECK-NEXT: 0 func.call unknown (a call may leave work running that it does not declare) after []
// CHECK-NEXT: 1 func.call blocking after []
// CHECK-NEXT: 2 func.return blocking after [1]
func.func @calls(%a: memref<4xf32>) {
  call @opaque(%a) : (memref<4xf32>) -> ()
  call @declared(%a) : (memref<4xf32>) -> ()
  return
}
