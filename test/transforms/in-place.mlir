// Results that take over the buffer of an operand.
// RUN: transient-opt %s -split-input-file --transient-import --transient-in-place 2>/dev/null | FileCheck %s
// The checker takes what comes of it for one buffer each.
// RUN: transient-opt %s -split-input-file --transient-pipeline="in-place" -o /dev/null
// Without the option nothing of it happens.
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s --check-prefix=APART
// APART: transient.arena {{.*}} : memref<512xi8>

// CHECK-LABEL: func.func @host(
func.func @host(%x: memref<64xf32>, %f: f32) {
  // CHECK: %[[A:.*]] = transient.alloc class transient in_place 1 : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK: linalg.exp ins(%[[A]] : memref<64xf32>) outs(%[[A]] : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  // CHECK: memref.copy %[[A]], %{{.*}}
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A merged buffer is an operand like any other (R5).
// CHECK-LABEL: func.func @chain(
func.func @chain(%x: memref<64xf32>, %f: f32) {
  // CHECK: transient.alloc class transient in_place 3 : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%x, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.tanh ins(%c : memref<64xf32>) outs(%d : memref<64xf32>)
  memref.copy %d, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Both operands die; the first is taken.
// CHECK-LABEL: func.func @first_operand(
func.func @first_operand(%x: memref<64xf32>, %f: f32) {
  // CHECK: %[[A:.*]] = transient.alloc class transient in_place 1
  // CHECK: %[[B:.*]] = transient.alloc class transient :
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // CHECK: linalg.add ins(%[[A]], %[[B]] {{.*}} outs(%[[A]] :
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The first operand is needed again, the second is not.
// CHECK-LABEL: func.func @second_operand(
func.func @second_operand(%x: memref<64xf32>, %f: f32) {
  // CHECK: %[[A:.*]] = transient.alloc class transient :
  // CHECK: %[[B:.*]] = transient.alloc class transient in_place 1
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // CHECK: linalg.add ins(%[[A]], %[[B]] {{.*}} outs(%[[B]] :
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The result's views may stand before the operand's request. What each needs of
// its place, both have.
// CHECK-LABEL: func.func @result_requested_first(
func.func @result_requested_first(%x: memref<32xf32>, %f: f32) {
  // CHECK-NEXT: %[[A:.*]] = transient.alloc class transient align 256 in_place 1 : memref<64xf32>
  // CHECK-NEXT: memref.subview %[[A]]
  // CHECK-NOT: transient.alloc
  %b = memref.alloc() {alignment = 256 : i64} : memref<64xf32>
  %v = memref.subview %b[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %v, %x : memref<32xf32, strided<[1]>> to memref<32xf32>
  return
}

// -----

// Both whole, in one shape, which is neither's own.
// CHECK-LABEL: func.func @views(
func.func @views(%x: memref<8x8xf32>, %f: f32) {
  // CHECK: transient.alloc class transient in_place 1
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  %u = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %v = memref.collapse_shape %b [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %w = memref.cast %v : memref<64xf32> to memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%u : memref<64xf32>) outs(%w : memref<?xf32>) {
  ^bb0(%in: f32, %old: f32):
    %new = arith.negf %in : f32
    linalg.yield %new : f32
  }
  memref.copy %b, %x : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// One permutation for both; other operands and the position may come in.
// CHECK-LABEL: func.func @permuted(
func.func @permuted(%x: memref<4x16xf32>, %row: memref<16xf32>, %f: f32) {
  // CHECK: transient.alloc class transient in_place 1
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<4x16xf32>
  %b = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>,
                                   affine_map<(j, i) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %row : memref<4x16xf32>, memref<16xf32>) outs(%b : memref<4x16xf32>) {
  ^bb0(%in: f32, %r: f32, %old: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %g = arith.sitofp %n : i32 to f32
    %s = arith.addf %in, %r : f32
    %new = arith.mulf %s, %g : f32
    linalg.yield %new : f32
  }
  memref.copy %b, %x : memref<4x16xf32> to memref<4x16xf32>
  return
}

// -----

// An allocation that held two values: the second of them goes on in the result.
// CHECK-LABEL: func.func @web(
func.func @web(%x: memref<64xf32>, %f: f32) {
  // CHECK: transient.alloc class transient web_of 0 : memref<64xf32>
  // CHECK: transient.alloc class transient web_of 0 in_place 1 : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Each iteration has buffers of its own, so it has one of its own.
// CHECK-LABEL: func.func @in_loop(
func.func @in_loop(%x: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: transient.alloc class transient in_place 1
  // CHECK-NOT: transient.alloc
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// Branches and loops around other accesses do not matter, as long as they have
// ended.
// CHECK-LABEL: func.func @accesses_in_regions(
func.func @accesses_in_regions(%x: memref<64xf32>, %c: i1, %n: index, %f: f32) {
  // CHECK: transient.alloc class transient in_place 1
  // CHECK-NOT: transient.alloc
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  } else {
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  }
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// Kernels: a thread for each element, threads without one, a loop in each
// thread, two dimensions, and constants for what does not count.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @plain(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %w = memref.load %from[%i] : memref<64xf32>
      %r = arith.mulf %v, %w : f32
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @guarded(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %c64 = arith.constant 64 : index
      %i = gpu.global_id x
      %isIn = arith.cmpi ult, %i, %c64 : index
      scf.if %isIn {
        %v = memref.load %from[%i] : memref<64xf32>
        %z = arith.constant 0.0 : f32
        %isPositive = arith.cmpf ogt, %v, %z : f32
        scf.if %isPositive {
          memref.store %v, %to[%i] : memref<64xf32>
        }
      }
      gpu.return
    }
    gpu.func @rows(%from: memref<64xf32>, %to: memref<64xf32>, %by: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %f = memref.cast %from : memref<64xf32> to memref<?xf32>
      %t = gpu.block_id y
      %o = arith.muli %t, %by : index
      scf.for %j = %c0 to %c8 step %c1 {
        %i = arith.addi %o, %j : index
        %v = memref.load %f[%i] : memref<?xf32>
        %r = arith.negf %v : f32
        memref.store %r, %to[%i] : memref<64xf32>
      }
      gpu.return
    }
    gpu.func @matrix(%from: memref<8x8xf32>, %to: memref<8x8xf32>) kernel {
      %i = gpu.block_id x
      %j = gpu.thread_id x
      %v = memref.load %from[%j, %i] : memref<8x8xf32>
      %r = arith.negf %v : f32
      memref.store %r, %to[%j, %i] : memref<8x8xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @kernels(
  func.func @kernels(%x: memref<64xf32>, %f: f32) {
    // CHECK: %[[A:.*]] = transient.alloc kind gpu class transient in_place 3 : memref<64xf32>
    // CHECK-NOT: transient.alloc
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    %c = gpu.alloc () : memref<64xf32>
    %d = gpu.alloc () : memref<64xf32>
    gpu.memcpy %a, %x : memref<64xf32>, memref<64xf32>
    // CHECK: args(%[[A]] : memref<64xf32>, %[[A]] : memref<64xf32>)
    gpu.launch_func @m::@plain blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.launch_func @m::@guarded blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
    gpu.launch_func @m::@rows blocks in (%c1, %c8, %c1) threads in (%c1, %c1, %c1) args(%c : memref<64xf32>, %d : memref<64xf32>, %c8 : index)
    gpu.memcpy %x, %d : memref<64xf32>, memref<64xf32>
    return
  }
  // CHECK-LABEL: func.func @matrix(
  func.func @matrix(%x: memref<8x8xf32>, %f: f32) {
    // CHECK: transient.alloc kind gpu class transient in_place 1 : memref<8x8xf32>
    // CHECK-NOT: transient.alloc
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<8x8xf32>
    %b = gpu.alloc () : memref<8x8xf32>
    gpu.memset %a, %f : memref<8x8xf32>, f32
    gpu.launch_func @m::@matrix blocks in (%c8, %c1, %c1) threads in (%c8, %c1, %c1) args(%a : memref<8x8xf32>, %b : memref<8x8xf32>)
    gpu.memcpy %x, %b : memref<8x8xf32>, memref<8x8xf32>
    return
  }
}

// -----

// The other reader has ended, as a token shows.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @tokens(
  func.func @tokens(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
    // CHECK: transient.alloc kind gpu class transient in_place 1
    // CHECK-NOT: transient.alloc
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
    %2 = gpu.memcpy async [%1] %y, %a : memref<64xf32>, memref<64xf32>
    %3 = gpu.launch_func async [%1, %2] @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %4 = gpu.memcpy async [%3] %x, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%4]
    return
  }
}
