// Planned programs with markers that are all right: in loops, with copies of
// parts of a view, with operations that cannot be marked.
//
// REQUIRES: mlir-runner
// RUN: transient-opt %s --transient-pipeline="lower=gpu mark-tenants" -o %t.mlir
// DEFINE: %{f} =
// DEFINE: %{run} = %python %utils/sim-run.py %t.mlir --beside %plugin --schedule fifo --schedule adversarial --schedule random:1 --schedule threads --entry %{f} > %t.%{f} 2>&1
// REDEFINE: %{f} = in_loop
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=LOOP < %t.in_loop
// LOOP-COUNT-4: [6]
// REDEFINE: %{f} = parts
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=PARTS < %t.parts
// PARTS-COUNT-4: [3, 4]
// REDEFINE: %{f} = chosen
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=CHOSEN < %t.chosen
// CHOSEN-COUNT-4: [7]

// The operations with the chosen buffer are not marked, the others are.
// RUN: FileCheck %s --check-prefix=MARKS < %t.mlir
// MARKS-LABEL: func.func @chosen
// MARKS: %[[PICK:.*]] = arith.select
// MARKS-NOT: transientSimTenant
// MARKS: gpu.memset async [%{{.*}}] %[[PICK]]
// MARKS: call @transientSimTenant
// MARKS: return

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @add(%to: memref<64xi32>, %from: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xi32>
      %w = memref.load %to[%i] : memref<64xi32>
      %x = arith.addi %v, %w : i32
      memref.store %x, %to[%i] : memref<64xi32>
      gpu.return
    }
    gpu.func @first(%to: memref<1xi32>, %from: memref<64xi32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %from[%c0] : memref<64xi32>
      memref.store %v, %to[%c0] : memref<1xi32>
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>)

  // Storage that two tenants use in turn in every round.
  func.func @in_loop() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %out = gpu.alloc host_shared () : memref<1xi32>
    %sum = memref.alloc() : memref<64xi32>
    gpu.memset %sum, %zero : memref<64xi32>, i32
    scf.for %i = %c0 to %c3 step %c1 {
      %a = memref.alloc() : memref<64xi32>
      %b = memref.alloc() : memref<64xi32>
      gpu.memset %a, %one : memref<64xi32>, i32
      gpu.launch_func @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%sum : memref<64xi32>, %a : memref<64xi32>)
      gpu.memset %b, %one : memref<64xi32>, i32
      gpu.launch_func @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%sum : memref<64xi32>, %b : memref<64xi32>)
    }
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<1xi32>, %sum : memref<64xi32>)
    %m = memref.cast %out : memref<1xi32> to memref<*xi32>
    call @printMemrefI32(%m) : (memref<*xi32>) -> ()
    return
  }

  // Parts of a buffer are written one by one; a strided copy becomes a kernel.
  func.func @parts() {
    %c0 = arith.constant 0 : index
    %three = arith.constant 3 : i32
    %four = arith.constant 4 : i32
    %h = memref.alloc() : memref<2xi32>
    %a = memref.alloc() : memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    %c = memref.alloc() : memref<128xi32>
    gpu.memset %a, %three : memref<64xi32>, i32
    gpu.memset %b, %four : memref<64xi32>, i32
    %low = memref.subview %c[0] [64] [2] : memref<128xi32> to memref<64xi32, strided<[2]>>
    %high = memref.subview %c[1] [64] [2] : memref<128xi32> to memref<64xi32, strided<[2], offset: 1>>
    gpu.memcpy %low, %a : memref<64xi32, strided<[2]>>, memref<64xi32>
    gpu.memcpy %high, %b : memref<64xi32, strided<[2], offset: 1>>, memref<64xi32>
    %two = memref.subview %c[0] [2] [1] : memref<128xi32> to memref<2xi32, strided<[1]>>
    gpu.memcpy %h, %two : memref<2xi32>, memref<2xi32, strided<[1]>>
    %m = memref.cast %h : memref<2xi32> to memref<*xi32>
    call @printMemrefI32(%m) : (memref<*xi32>) -> ()
    return
  }

  // Which buffer is written is known at run time only.
  func.func @chosen() {
    %c1 = arith.constant 1 : index
    %seven = arith.constant 7 : i32
    %zero = arith.constant 0 : i32
    %yes = arith.constant true
    %out = gpu.alloc host_shared () : memref<1xi32>
    %a = memref.alloc() : memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %zero : memref<64xi32>, i32
    %t2 = gpu.memset async [%t1] %b, %zero : memref<64xi32>, i32
    %s = arith.select %yes, %a, %b : memref<64xi32>
    %t3 = gpu.memset async [%t2] %s, %seven : memref<64xi32>, i32
    %t4 = gpu.launch_func async [%t3] @k::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<1xi32>, %a : memref<64xi32>)
    gpu.wait [%t4]
    %m = memref.cast %out : memref<1xi32> to memref<*xi32>
    call @printMemrefI32(%m) : (memref<*xi32>) -> ()
    return
  }
}
