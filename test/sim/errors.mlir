// What the simulated device cannot run is one error that names it.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,threads
// RUN: env TRANSIENT_SIM=sometimes not %python %utils/sim-run.py %s --entry subgroup --beside %plugin 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: env TRANSIENT_SIM=random: not %python %utils/sim-run.py %s --entry subgroup --beside %plugin 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: env TRANSIENT_SIM_CHECK=yes not %python %utils/sim-run.py %s --entry subgroup --beside %plugin 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not %python %utils/sim-run.py %s --runtime /nowhere.so 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not %python %utils/sim-run.py %s --entry nowhere --beside %plugin 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not %python %utils/sim-run.py %s.missing --beside %plugin 2>&1 | FileCheck %s --check-prefix=FILE
// SCHEDULE: transient-sim: error: TRANSIENT_SIM: expects fifo, lifo, random:SEED, adversarial or threads, got 'sometimes'
// SEED: transient-sim: error: TRANSIENT_SIM: expects {{.*}}, got 'random:'
// FLAG: transient-sim: error: TRANSIENT_SIM_CHECK: expects 0 or 1, got 'yes'
// RUNTIME: sim-run: error: no runtime at /nowhere.so
// ENTRY: sim-run: error: no function @nowhere without arguments and results
// FILE: sim-run: error: {{.*}}errors.mlir.missing

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @single(%m: memref<16xindex>) kernel {
      %c0 = arith.constant 0 : index
      memref.store %c0, %m[%c0] : memref<16xindex>
      gpu.return
    }
    gpu.func @subgroup(%m: memref<16xindex>) kernel {
      %i = gpu.thread_id x
      %v = gpu.lane_id
      memref.store %v, %m[%i] : memref<16xindex>
      gpu.return
    }
  }

  // ERROR: kernel 'single' is launched in clusters, which are not supported
  func.func @clusters() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = gpu.alloc host_shared () : memref<16xindex>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@single clusters in (%c1, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<16xindex>)
    gpu.wait [%t1]
    return
  }

  // ERROR: cannot run kernel 'subgroup': unsupported built-in or intrinsic: _Z22get_sub_group_local_id
  func.func @subgroup() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = gpu.alloc host_shared () : memref<16xindex>
    gpu.launch_func @k::@subgroup blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xindex>)
    return
  }
}
