// The result goes on through the stock passes, without the plugin.
// RUN: transient-opt %s --transient-pipeline="lower=gpu" -o %t.planned.mlir
// RUN: %mlir-opt %t.planned.mlir --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_90 cubin-features=+ptx80 cubin-format=isa" | FileCheck %s
// RUN: transient-opt %s --transient-pipeline="lower=memref" | %mlir-opt --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_90 cubin-features=+ptx80 cubin-format=isa" -o /dev/null
// REQUIRES: nvptx

// CHECK: .entry k
// CHECK: llvm.call @mgpuMemAlloc
// CHECK: llvm.call @mgpuMemFree
// CHECK-NOT: gpu.alloc
// CHECK-NOT: gpu.dealloc
// CHECK-NOT: gpu.memcpy
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      %i = gpu.block_id x
      %v = memref.load %a[%i] : memref<64xf32>
      memref.store %v, %b[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @f(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    %c = memref.alloc() : memref<64xf32>
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
    %2 = gpu.launch_func async [%1] @m::@k blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %3 = gpu.launch_func async [%2] @m::@k blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
    %4 = gpu.memcpy async [%3] %x, %c : memref<64xf32>, memref<64xf32>
    gpu.wait [%4]
    return
  }
}
