// The statistics line and the trace.
//
// REQUIRES: mlir-runner
// RUN: env TRANSIENT_SIM_STATS=1 TRANSIENT_SIM_TRACE=%t.json %python %utils/sim-run.py %s --beside %plugin 2>&1 | FileCheck %s
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]))" %t.json
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// RUN: env TRANSIENT_SIM_TRACE=/nowhere/t.json %python %utils/sim-run.py %s --beside %plugin 2>&1 | FileCheck %s --check-prefix=UNWRITABLE

// The first buffer is released before the second is allocated, the last never.
// CHECK: transient-sim: note: 1 allocations of 128 bytes were not released, the first is device allocation #3 (128 bytes at
// CHECK: transient-sim: note: 1 streams and 0 events were not destroyed
// CHECK: transient-sim: stats: schedule=fifo check=1 ops={{[0-9]+}} kernels=2 items=128 seconds={{[0-9.]+}} peak_bytes=384 host_peak_bytes=0 width={{[0-9]+}} settled_loops=0 violations=0

// TRACE: "traceEvents"
// TRACE: "name": "kernel @fill"
// TRACE: "ph": "X"
// TRACE: "after": [
// TRACE: "name": "order"

// UNWRITABLE: transient-sim: warning: cannot write the trace '/nowhere/t.json'

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
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t3 = gpu.dealloc async [%t2] %a : memref<64xf32>
    %b, %t4 = gpu.alloc async [%t3] () : memref<64xf32>
    %c, %t5 = gpu.alloc async [%t4] () : memref<32xf32>
    %s = gpu.wait async [%t5]
    %t6 = gpu.launch_func async [%s] @k::@fill blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    %t7 = gpu.dealloc async [%t6] %b : memref<64xf32>
    gpu.wait [%t7]
    return
  }
}
