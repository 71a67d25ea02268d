// A plan that gives storage away too early, in a program whose order is
// beyond doubt: a chain. Only the tenants show it. With the planner's own
// offsets the same program is clean, with and without markers.
//
// REQUIRES: mlir-runner
// RUN: transient-opt %s --transient-pipeline="lower=gpu mark-tenants" -o %t.right.mlir
// RUN: grep -c "call @transientSimTenant" %t.right.mlir | FileCheck %s --check-prefix=COUNT
// RUN: %python %utils/sim-run.py %t.right.mlir --beside %plugin --schedule fifo --schedule adversarial --schedule threads 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %python %utils/sim-run.py %t.right.mlir --beside %plugin --own-streams --schedule lifo --schedule random:1 2>&1 | FileCheck %s --check-prefix=RIGHT

// The second buffer goes where the first one is. The checker of the plan
// says so; the device, without markers, does not.
// RUN: transient-opt %s --transient-import=allocations=gpu --transient-liveness --transient-plan -o %t.plan.mlir
// RUN: sed -E 's/offset = (256|512), bytes/offset = 0, bytes/' %t.plan.mlir > %t.edited.mlir
// RUN: not transient-opt %t.edited.mlir --transient-materialize --convert-transient-to-gpu --transient-prepare-tokens --transient-verify -o /dev/null
// RUN: transient-opt %t.edited.mlir --transient-materialize --convert-transient-to-gpu --transient-prepare-tokens -o %t.wrong.mlir
// RUN: %python %utils/sim-run.py %t.wrong.mlir --beside %plugin 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: transient-opt %t.wrong.mlir --transient-mark-tenants -o %t.marked.mlir
// RUN: not %python %utils/sim-run.py %t.marked.mlir --beside %plugin --schedule fifo --schedule adversarial --schedule threads > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=WRONG < %t.out

// Four operations with one view, one with two.
// COUNT: 6
// RIGHT-COUNT-2: [1, 1, 1, 1]
// RIGHT-NOT: violation
// SILENT-NOT: violation
// SILENT: [2, 2, 2, 2]
// WRONG: violation 1: two tenants of one operation overlap on device allocation #1
// WRONG-NEXT: copy on stream {{[0-9]+}} uses tenants 3 at byte 0 and 2 at byte 0
// WRONG-NEXT: violation 2: read of another tenant's bytes on device allocation #1
// WRONG-NEXT: op #{{[0-9]+}} kernel @copy on stream {{[0-9]+}} reads these bytes as tenant 1
// WRONG-NEXT: they hold what tenant 2 left; tenant 1 never wrote them
// WRONG: schedule fifo: exit status 86
// WRONG: : read of another tenant's bytes
// WRONG: schedule adversarial: exit status 86
// WRONG: : read of another tenant's bytes
// WRONG: schedule threads: exit status 86

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @copy(%to: memref<4xi32>, %from: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xi32>
      memref.store %v, %to[%i] : memref<4xi32>
      gpu.return
    }
    gpu.func @add(%to: memref<64xi32>, %v: i32) kernel {
      %i = gpu.thread_id x
      %w = memref.load %to[%i] : memref<64xi32>
      %x = arith.addi %v, %w : i32
      memref.store %x, %to[%i] : memref<64xi32>
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %zero = arith.constant 0 : i32
    %out = gpu.alloc host_shared () : memref<4xi32>
    %a = memref.alloc() : memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    %c = memref.alloc() : memref<64xi32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %one : memref<64xi32>, i32
    %t2 = gpu.memset async [%t1] %b, %two : memref<64xi32>, i32
    %t3 = gpu.launch_func async [%t2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%out : memref<4xi32>, %a : memref<64xi32>)
    %t4 = gpu.launch_func async [%t3] @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xi32>, %one : i32)
    %t5 = gpu.memcpy async [%t4] %c, %b : memref<64xi32>, memref<64xi32>
    gpu.wait [%t5]
    %m = memref.cast %out : memref<4xi32> to memref<*xi32>
    call @printMemrefI32(%m) : (memref<*xi32>) -> ()
    return
  }
}
