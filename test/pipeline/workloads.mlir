// The heavyweight scratch that sharing is for, one phase after the other: the
// partials of a reduction, a sort's workspace, an FFT's temporary and a sparse
// product's workspace (Q15). One allocation of the largest holds them all; apart
// they would add up (Q20).
// RUN: transient-opt %s --transient-pipeline="lower=none report=%t.json" | FileCheck %s
// RUN: transient-opt %s --transient-pipeline="lower=none strategy=slots" | FileCheck %s --check-prefix=SLOTS
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK-LABEL: func.func @solver_step
// CHECK: transient.arena physical 0 align 4 : memref<32768xi8>
// CHECK-NOT: transient.arena
// CHECK-COUNT-4: transient.view %arena[0]
// The first tenant fixes the size of a slot and it never grows: the sort's
// workspace is larger than the partials before it.
// SLOTS-LABEL: func.func @solver_step
// SLOTS: transient.arena physical 0 align 4 : memref<4096xi8>
// SLOTS: transient.arena physical 1 align 4 : memref<32768xi8>
// SLOTS-NOT: transient.arena
// REPORT: "logical": 69632
// REPORT: "physical": 32768
// REPORT: "value": 32768
// REPORT-NEXT: "exact": true
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%out: memref<?xf32>, %in: memref<64xf32>) kernel {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %v = memref.load %in[%c0] : memref<64xf32>
      memref.store %v, %out[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @use(%in: memref<?xf32>, %out: memref<64xf32>) kernel {
      %i = gpu.block_id x
      %v = memref.load %in[%i] : memref<?xf32>
      memref.store %v, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @solver_step(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %partials = memref.alloc() : memref<1024xf32>
    %sort = memref.alloc() : memref<8192xf32>
    %fft = memref.alloc() : memref<4096xf32>
    %sparse = memref.alloc() : memref<4096xf32>
    %p = memref.cast %partials : memref<1024xf32> to memref<?xf32>
    %s = memref.cast %sort : memref<8192xf32> to memref<?xf32>
    %q = memref.cast %fft : memref<4096xf32> to memref<?xf32>
    %w = memref.cast %sparse : memref<4096xf32> to memref<?xf32>
    %0 = gpu.wait async
    %1 = gpu.launch_func async [%0] @k::@fill blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<?xf32>, %x : memref<64xf32>)
    %2 = gpu.launch_func async [%1] @k::@use blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<?xf32>, %x : memref<64xf32>)
    %3 = gpu.launch_func async [%2] @k::@fill blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<?xf32>, %x : memref<64xf32>)
    %4 = gpu.launch_func async [%3] @k::@use blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<?xf32>, %x : memref<64xf32>)
    %5 = gpu.launch_func async [%4] @k::@fill blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%q : memref<?xf32>, %x : memref<64xf32>)
    %6 = gpu.launch_func async [%5] @k::@use blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%q : memref<?xf32>, %x : memref<64xf32>)
    %7 = gpu.launch_func async [%6] @k::@fill blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<?xf32>, %x : memref<64xf32>)
    %8 = gpu.launch_func async [%7] @k::@use blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<?xf32>, %x : memref<64xf32>)
    gpu.wait [%8]
    return
  }
}
