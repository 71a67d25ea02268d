// Several schedules in one run: the host's part before the first operation
// happens once, the rest once for each schedule. The first status that is not 0
// is the run's, and the others run all the same.
//
// REQUIRES: mlir-runner
// RUN: rm -f %t.json.*
// RUN: env TRANSIENT_SIM=fifo,random:7,threads TRANSIENT_SIM_STATS=1 TRANSIENT_SIM_TRACE=%t.json %python %utils/sim-run.py %s --beside %plugin > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=TRACE < %t.json.random:7
// RUN: not %python %utils/sim-run.py %s --beside %plugin --entry race --schedule lifo --schedule adversarial > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=RACE < %t.out
// RUN: env TRANSIENT_SIM=fifo,nifo not %python %utils/sim-run.py %s --beside %plugin 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env TRANSIENT_SIM=fifo, not %python %utils/sim-run.py %s --beside %plugin 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK-DAG: stats: schedule=fifo {{.*}} kernels=1 items=16 {{.*}} violations=0
// CHECK-DAG: stats: schedule=random:7 {{.*}} kernels=1 items=16 {{.*}} violations=0
// CHECK-DAG: stats: schedule=threads {{.*}} kernels=1 items=16 {{.*}} violations=0
// TRACE: "name": "kernel @fill"
// RACE: violation 1: write-write race
// RACE: schedule lifo: exit status 86
// RACE: violation 1: write-write race
// RACE: schedule adversarial: exit status 86
// UNKNOWN: TRANSIENT_SIM: expects fifo, lifo, random:SEED, adversarial or threads, got 'nifo'
// EMPTY: TRANSIENT_SIM: expects {{.*}}, got ''

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<16xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<16xf32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<16xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    %t3 = gpu.dealloc async [%t2] %a : memref<16xf32>
    gpu.wait [%t3]
    return
  }
  func.func @race() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<16xf32>
    %s = gpu.wait async [%t1]
    %u1 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }
}
