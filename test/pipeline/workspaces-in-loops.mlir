// Workspaces of calls in loops, beside buffers that the loop's tokens order.
// RUN: transient-opt %s --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s

// A loop's tokens order the one buffer, the host the workspace of a call: neither
// chain covers both, so they lie apart.
// CHECK-LABEL: func.func @two_chains
// CHECK: transient.arena physical 0 align 4 : memref<80xi8>
func.func private @awaits(%z: f32) {
  %b = memref.alloc() : memref<16xf32>
  %t = gpu.memset async %b, %z : memref<16xf32>, f32
  gpu.wait [%t]
  return
}
func.func @two_chains(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = gpu.wait async
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %e) -> !gpu.async.token {
    %a = memref.alloc() : memref<4xf32>
    func.call @awaits(%z) : (f32) -> ()
    %t = gpu.memset async [%x] %a, %z : memref<4xf32>, f32
    scf.yield %t : !gpu.async.token
  }
  gpu.wait [%r]
  return
}
