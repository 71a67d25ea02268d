// Results written in place of operands, on the simulated device: the same bytes
// as without, in every schedule, and no word from the checker.
//
// REQUIRES: mlir-runner
// RUN: %python %utils/sim-compare.py %s --opt %transient-opt --beside %plugin --entry layers --pipeline="in-place" --schedules=fifo,lifo,adversarial,random:1,random:2,threads | FileCheck %s
// CHECK: /in-place {{.*}} 0 768 768
// CHECK-NEXT: outputs identical, no violation

// Nobody but the next kernel needs %a and %c. %b is read by two kernels at the
// same time, neither of which may write over it. The last one writes over the
// first of its operands.
// RUN: transient-opt %s --transient-import --transient-in-place 2> %t.remarks | FileCheck %s --check-prefix=MERGED
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks
// MERGED-LABEL: func.func @layers
// MERGED: transient.alloc {{.*}}in_place 1
// MERGED-NEXT: transient.alloc kind gpu class transient :
// MERGED-NEXT: transient.alloc {{.*}}in_place 1
// MERGED-NOT: transient.alloc
// REMARKS-COUNT-2: remark: not written in place of {{.*}}: the operand may be accessed while this op runs
// REMARKS-NOT: remark:

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @square(%from: memref<8x8xf32>, %to: memref<8x8xf32>) kernel {
      %i = gpu.block_id x
      %j = gpu.thread_id x
      %v = memref.load %from[%i, %j] : memref<8x8xf32>
      %w = memref.load %from[%i, %j] : memref<8x8xf32>
      %r = arith.mulf %v, %w : f32
      memref.store %r, %to[%i, %j] : memref<8x8xf32>
      gpu.return
    }
    // A row a thread, in a loop.
    gpu.func @rows(%from: memref<8x8xf32>, %to: memref<8x8xf32>, %by: f32) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %i = gpu.thread_id x
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %from[%i, %j] : memref<8x8xf32>
        %r = arith.addf %v, %by : f32
        memref.store %r, %to[%i, %j] : memref<8x8xf32>
      }
      gpu.return
    }
    // Four threads have nothing to do.
    gpu.func @sum(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %to: memref<8x8xf32>) kernel {
      %c8 = arith.constant 8 : index
      %i = gpu.thread_id x
      %j = gpu.thread_id y
      %isIn = arith.cmpi ult, %i, %c8 : index
      scf.if %isIn {
        %v = memref.load %a[%i, %j] : memref<8x8xf32>
        %w = memref.load %b[%i, %j] : memref<8x8xf32>
        %r = arith.subf %v, %w : f32
        memref.store %r, %to[%i, %j] : memref<8x8xf32>
      }
      gpu.return
    }
  }
  func.func @layers(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %a = gpu.alloc () : memref<8x8xf32>
    %b = gpu.alloc () : memref<8x8xf32>
    %c = gpu.alloc () : memref<8x8xf32>
    %d = gpu.alloc () : memref<8x8xf32>
    %e = gpu.alloc () : memref<8x8xf32>
    %0 = gpu.wait async
    %1 = gpu.memcpy async [%0] %a, %x : memref<8x8xf32>, memref<8x8xf32>
    %2 = gpu.launch_func async [%1] @k::@square blocks in (%c8, %c1, %c1) threads in (%c8, %c1, %c1) args(%a : memref<8x8xf32>, %b : memref<8x8xf32>)
    %3 = gpu.launch_func async [%2] @k::@rows blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%b : memref<8x8xf32>, %c : memref<8x8xf32>, %two : f32)
    %4 = gpu.launch_func async [%2] @k::@rows blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%b : memref<8x8xf32>, %d : memref<8x8xf32>, %three : f32)
    %5 = gpu.launch_func async [%3, %4] @k::@sum blocks in (%c1, %c1, %c1) threads in (%c12, %c8, %c1) args(%d : memref<8x8xf32>, %c : memref<8x8xf32>, %e : memref<8x8xf32>)
    %6 = gpu.memcpy async [%5] %y, %e : memref<8x8xf32>, memref<8x8xf32>
    gpu.wait [%6]
    return
  }
}
