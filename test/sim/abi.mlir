// The C ABI itself: errors that no lowering provokes, and CUDA's semantics of
// streams and events.
//
// REQUIRES: mlir-runner
// RUN: %python %utils/sim-run.py %s --beside %plugin --emit-lowered > %t.lowered
// RUN: %python %S/Inputs/abi.py %t.lowered %plugin

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %v = arith.constant 1.0 : f32
    %a = gpu.alloc host_shared () : memref<64xf32>
    gpu.launch_func @k::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    return
  }
}
