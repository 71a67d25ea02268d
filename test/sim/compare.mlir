// utils/sim-compare.py says what is wrong, and where.
//
// REQUIRES: mlir-runner
// RUN: split-file %s %t
// DEFINE: %{run} = %python %utils/sim-compare.py --opt %transient-opt --beside %plugin

// A program with a race: the first form shows it.
// RUN: not %{run} %t/race.mlir --schedules=fifo,random:1 > %t.out
// RUN: FileCheck %s --check-prefix=RACE < %t.out
// RACE: /race {{.*}} 2 2 {{[0-9.]+}} 2 - -
// RACE: FAILED: {{.*}}/race: unplanned: exit status 86
// RACE: violation 1: write-write race

// Results that depend on the order, by a race or without one.
// RUN: not %{run} %t/order.mlir --schedules=fifo,lifo --pipeline="verify=false" > %t.out
// RUN: FileCheck %s --check-prefix=ORDER < %t.out
// ORDER: FAILED: {{.*}}/order: unplanned: exit status 86
// ORDER: violation 1: write-write race
// RUN: not %{run} %t/atomics.mlir --schedules=fifo,lifo > %t.out
// RUN: FileCheck %s --check-prefix=DIFFER < %t.out
// DIFFER: FAILED: {{.*}}/atomics: unplanned: lifo: outputs differ
// DIFFER-NEXT: argument 0: element 0 (f32): expected

// Kernels made of linalg; a program that is all right.
// RUN: %{run} %t/good.mlir --schedules=fifo,lifo,random:3,threads --checked=2 --entry good --keep %t.keep | FileCheck %s --check-prefix=GOOD
// RUN: FileCheck %s --check-prefix=MARKED < %t.keep/0/planned.mlir
// GOOD: program ops kernels width runs checked seconds races physical measured
// GOOD-NEXT: /good {{[0-9]+}} 3 1 12 6 {{[0-9.]+}} 0 128 128
// GOOD-NEXT: outputs identical, no violation, the device held what the reports promise
// MARKED: call @transientSimTenant

// RUN: not %{run} %t/good.mlir --entry other 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: sim-compare: error: no function @other
// RUN: not %{run} %t/good.mlir --schedules=fifo,nifo 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: no schedule 'nifo'
// RUN: not %{run} %t/good.mlir --checked=0 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: --checked and --int-limit expect a positive number
// RUN: not %{run} %t/none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: sim-compare: error: {{.*}}none.mlir
// RUN: not %python %utils/sim-compare.py %t/good.mlir --runtime /nowhere.so 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: sim-compare: error: no runtime at /nowhere.so
// RUN: not %{run} %t/good.mlir --pipeline="strategy=none" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: sim-compare: error: {{.*}}strategy
// RUN: not %{run} %t/good.mlir --timeout=0.001 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// TIMEOUT: sim-compare: error: {{.*}}good.mlir: mlir-opt{{.*}} took longer than 0.001 s

//--- race.mlir
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<16xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<16xf32>
      gpu.return
    }
  }
  func.func @race(%a: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %v = arith.constant 1.0 : f32
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }
}
//--- order.mlir
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<16xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<16xf32>
      gpu.return
    }
  }
  func.func @order(%a: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %v = arith.constant 1.0 : f32
    %w = arith.constant 2.0 : f32
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<16xf32>, %w: f32)
    gpu.wait [%u1, %u2]
    return
  }
}
//--- atomics.mlir
// Unordered atomics are no race, but floating-point sums depend on their order.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @add(%m: memref<1xf32>, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      %old = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<1xf32>) -> f32
      gpu.return
    }
  }
  func.func @atomics(%a: memref<1xf32>) {
    %c1 = arith.constant 1 : index
    %v = arith.constant 1.0e30 : f32
    %w = arith.constant -1.0e30 : f32
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %s3 = gpu.wait async
    %x = arith.constant 1.0 : f32
    %u1 = gpu.launch_func async [%s1] @k::@add blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<1xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@add blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<1xf32>, %w: f32)
    %u3 = gpu.launch_func async [%s3] @k::@add blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<1xf32>, %x: f32)
    gpu.wait [%u1, %u2, %u3]
    return
  }
}
//--- good.mlir
func.func @good(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
