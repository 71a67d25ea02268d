// Kernels that never end are stopped, the same in every schedule that runs one
// kernel at a time, and named. Loops that end, however long, are not counted.
//
// REQUIRES: mlir-runner
// RUN: env TRANSIENT_SIM_STEPS=100000 %python %S/Inputs/expect.py %s --beside %plugin
// RUN: env TRANSIENT_SIM_STEPS=100000 TRANSIENT_SIM_CHECK=0 %python %S/Inputs/expect.py %s --beside %plugin
// RUN: env TRANSIENT_SIM_STEPS=2000 not %python %utils/sim-run.py %s --entry halves --beside %plugin 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: env TRANSIENT_SIM_STEPS=2000 TRANSIENT_SIM=threads %python %utils/sim-run.py %s --entry halves --beside %plugin
// RUN: env TRANSIENT_SIM_STEPS=0 %python %utils/sim-run.py %s --entry halves --beside %plugin
// RUN: env TRANSIENT_SIM_STEPS=-1 not %python %utils/sim-run.py %s --entry halves --beside %plugin 2>&1 | FileCheck %s --check-prefix=NUMBER
// FEW: transient-sim: error: op #{{[0-9]+}} kernel @halves on stream {{[0-9]+}}: a work item goes round in loops for more than 2000 rounds;
// NUMBER: transient-sim: error: TRANSIENT_SIM_STEPS: expects a number, got '-1'

module attributes {gpu.container_module} {
  gpu.module @k {
    // Waits until another kernel has stored a number there.
    gpu.func @wait_for(%flag: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %old = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
        %same = arith.cmpi eq, %old, %zero : i32
        scf.condition(%same)
      } do {
        scf.yield
      }
      gpu.return
    }
    // The same, with a barrier: work items are fibers.
    gpu.func @wait_together(%flag: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %old = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
        gpu.barrier
        %same = arith.cmpi eq, %old, %zero : i32
        scf.condition(%same)
      } do {
        scf.yield
      }
      gpu.return
    }
    // 500 x 500 rounds whose number is settled beforehand, in several items.
    gpu.func @long(%m: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 500 : index
      %one = arith.constant 1.0 : f32
      scf.for %a = %c0 to %n step %c1 {
        scf.for %b = %c0 to %n step %c1 {
          %v = memref.load %m[%i] : memref<4xf32>
          %w = arith.addf %v, %one : f32
          memref.store %w, %m[%i] : memref<4xf32>
        }
      }
      gpu.return
    }
    // Ends after as many rounds as memory says: 3000.
    gpu.func @halves(%m: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %one = arith.constant 1.0 : f32
      %end = arith.constant 3000.0 : f32
      scf.while : () -> () {
        %v = memref.load %m[%i] : memref<4xf32>
        %more = arith.cmpf olt, %v, %end : f32
        scf.condition(%more)
      } do {
        %v = memref.load %m[%i] : memref<4xf32>
        %w = arith.addf %v, %one : f32
        memref.store %w, %m[%i] : memref<4xf32>
        scf.yield
      }
      gpu.return
    }
  }

  // ERROR: op #\d+ kernel @wait_for on stream \d+: a work item goes round in loops for more than 100000 rounds; if it waits for another kernel, both need TRANSIENT_SIM=threads
  func.func @spin() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<1xi32>
    %t2 = gpu.memset async [%t1] %a, %zero : memref<1xi32>, i32
    %t3 = gpu.launch_func async [%t2] @k::@wait_for blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<1xi32>)
    gpu.wait [%t3]
    return
  }

  // ERROR: kernel @wait_together on stream \d+: a work item goes round in loops for more than 100000 rounds
  func.func @spin_at_barrier() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<1xi32>
    %t2 = gpu.memset async [%t1] %a, %zero : memref<1xi32>, i32
    %t3 = gpu.launch_func async [%t2] @k::@wait_together blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%a: memref<1xi32>)
    gpu.wait [%t3]
    return
  }

  // CLEAN
  func.func @long_loops() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
    %t2 = gpu.memset async [%t1] %a, %zero : memref<4xf32>, f32
    %t3 = gpu.launch_func async [%t2] @k::@long blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%a: memref<4xf32>)
    gpu.wait [%t3]
    return
  }

  // Each of the four items has 3000 rounds of its own.
  // CLEAN
  func.func @halves() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
    %t2 = gpu.memset async [%t1] %a, %zero : memref<4xf32>, f32
    %t3 = gpu.launch_func async [%t2] @k::@halves blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%a: memref<4xf32>)
    gpu.wait [%t3]
    return
  }
}
