// Buffers of a size that is known at run time only, planned at its bound, on the
// device: calls within the bound share storage, calls beyond it allocate, and both
// compute what the unplanned program does.
//
// REQUIRES: mlir-runner
// RUN: %python %utils/sim-compare.py --opt %transient-opt --beside %plugin %s --schedules=fifo,lifo,adversarial,random:1,random:2 --entry entry --keep %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=PLAN < %t/0/planned.mlir

// The call beyond the bound holds more than the report can know.
// CHECK: /bounded-sizes {{.*}} 15 15 {{[0-9.]+}} 0 128 320
// CHECK-NEXT: outputs identical, no violation

// PLAN: func.func private @twice_within_bounds
// PLAN-NOT: gpu.alloc
// PLAN: func.func private @twice_beyond_bounds
// PLAN: gpu.alloc

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @add(%to: memref<?xf32>, %a: memref<?xf32>, %b: memref<?xf32>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %to[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func private @twice(%x: memref<?xf32> {transient.bound = array<i64: 32>}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = memref.dim %x, %c0 : memref<?xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] (%d) : memref<?xf32>
    %t2 = gpu.launch_func async [%t1] @k::@add blocks in (%d, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %x : memref<?xf32>)
    %t3 = gpu.launch_func async [%t2] @k::@add blocks in (%d, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>, %a : memref<?xf32>, %x : memref<?xf32>)
    %t4 = gpu.dealloc async [%t3] %a : memref<?xf32>
    %b, %t5 = gpu.alloc async [%t4] (%d) : memref<?xf32>
    %t6 = gpu.memcpy async [%t5] %b, %x : memref<?xf32>, memref<?xf32>
    %t7 = gpu.launch_func async [%t6] @k::@add blocks in (%d, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>, %b : memref<?xf32>, %b : memref<?xf32>)
    %t8 = gpu.dealloc async [%t7] %b : memref<?xf32>
    gpu.wait [%t8]
    return
  }
  func.func @entry(%small: memref<16xf32>, %large: memref<48xf32>) {
    %s = memref.cast %small : memref<16xf32> to memref<?xf32>
    %l = memref.cast %large : memref<48xf32> to memref<?xf32>
    call @twice(%s) : (memref<?xf32>) -> ()
    call @twice(%l) : (memref<?xf32>) -> ()
    return
  }
}
