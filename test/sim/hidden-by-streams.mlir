// Two kernels depend on one token and are unordered, but the stock lowering
// puts both on that token's stream. Only --own-streams tests the tokens.
//
// REQUIRES: mlir-runner
// RUN: %python %utils/sim-run.py %s --beside %plugin --schedule lifo
// RUN: not %python %utils/sim-run.py %s --beside %plugin --schedule lifo --own-streams 2>&1 | FileCheck %s
// RUN: %python %utils/sim-run.py %s --beside %plugin --own-streams --emit-lowered | FileCheck %s --check-prefix=LOWERED

// CHECK:      transient-sim: violation 1: write-write race on device allocation #1 (256 bytes at 0x{{[0-9a-f]+}}), byte 0
// CHECK-NEXT:   op #[[A:[0-9]+]] kernel @fill on stream [[S:[0-9]+]] writes these bytes
// CHECK-NEXT:   op #[[B:[0-9]+]] kernel @fill on stream [[T:[0-9]+]] writes these bytes
// CHECK-NEXT:   missing order: op #[[B]] must wait for op #[[A]], e.g. for an event recorded on stream [[S]] after op #[[A]] and awaited on stream [[T]] before op #[[B]]
// CHECK:      transient-sim: 1 violations

// One for each of four operations and each of three waits.
// LOWERED-COUNT-7: call @mgpuStreamCreate

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t3 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t4 = gpu.wait async [%t2, %t3]
    %t5 = gpu.dealloc async [%t4] %a : memref<64xf32>
    gpu.wait [%t5]
    return
  }
}
