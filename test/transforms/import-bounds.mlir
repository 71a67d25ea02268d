// A buffer whose size is known only at run time is asked for at the most that it
// can be, one that requires more than its shape has at that; the program sees the
// part that it asked for.
// RUN: transient-opt %s -split-input-file -transient-import 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @declared
// CHECK: %[[D:.*]] = memref.dim
// CHECK: %[[A:.*]] = transient.alloc class transient align 4 : memref<32768xi8>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[V:.*]] = memref.view %[[A]][%[[C0]]][%[[D]]] : memref<32768xi8> to memref<?x8xf32>
// CHECK: linalg.fill {{.*}} outs(%[[V]]
// CHECK-NOT: memref.dealloc
func.func @declared(%x: memref<?x8xf32> {transient.bound = array<i64: 1024, -1>}, %f: f32) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%d) : memref<?x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?x8xf32>)
  memref.copy %a, %x : memref<?x8xf32> to memref<?x8xf32>
  memref.dealloc %a : memref<?x8xf32>
  return
}

// -----

// The ops that compute the size show it, also of a loop's variable.
// CHECK-LABEL: func.func @computed
// CHECK: transient.alloc class transient align 64 : memref<1024xi8>
// CHECK: transient.alloc class transient align 4 : memref<120xi8>
func.func @computed(%n: index, %x: memref<?xf32>, %y: memref<?xindex>, %f: f32, %i: index) {
  %m = affine.min affine_map<()[s0] -> (s0, 256)>()[%n]
  %a = memref.alloc(%m) {alignment = 64 : i64} : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %c16 step %c1 {
    %b = memref.alloc(%k) : memref<?xindex>
    linalg.fill ins(%i : index) outs(%b : memref<?xindex>)
    memref.copy %b, %y : memref<?xindex> to memref<?xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @device
// CHECK: %[[T:.*]] = gpu.wait async
// CHECK: %[[A:.*]] = transient.alloc kind gpu class transient align 4 : memref<256xi8, 1>
// CHECK: memref.view %[[A]][{{.*}}][%{{.*}}] : memref<256xi8, 1> to memref<?xf32, 1>
func.func @device(%n: index {transient.bound = array<i64: 64>}, %x: memref<?xf32, 1>, %f: f32) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32, 1>
  %t2 = gpu.memset async [%t1] %a, %f : memref<?xf32, 1>, f32
  %t3 = gpu.memcpy async [%t2] %x, %a : memref<?xf32, 1>, memref<?xf32, 1>
  %t4 = gpu.dealloc async [%t3] %a : memref<?xf32, 1>
  gpu.wait [%t4]
  return
}

// -----

// Every dimension needs one; a lower bound is none; one argument's says nothing
// of another, and the attribute of a dimension nothing of the next.
// CHECK-LABEL: func.func @no_bound
// CHECK-NOT: transient.alloc
func.func @no_bound(%n: index {transient.bound = array<i64: 64>}, %k: index,
                    %x: memref<?x?xf32> {transient.bound = array<i64: 8, -1>}, %f: f32) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %k) : memref<?x?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?x?xf32>)
  %m = affine.max affine_map<()[s0] -> (s0, 1)>()[%k]
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  %d = memref.dim %x, %c1 : memref<?x?xf32>
  %c = memref.alloc(%d) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
  return
}

// -----

// A buffer that is not planned keeps the size that it has.
// CHECK-LABEL: func.func @escapes
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NOT: memref.view
func.func private @keep(memref<?xf32>)
func.func @escapes(%n: index {transient.bound = array<i64: 64>}, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  call @keep(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @requires
// CHECK: %[[A:.*]] = transient.alloc class transient align 4 : memref<128xi8>
// CHECK: memref.view %[[A]][{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK: transient.alloc class transient : memref<16xf32>
// CHECK: transient.alloc class transient align 4 : memref<512xi8>
func.func @requires(%n: index {transient.bound = array<i64: 16>}, %x: memref<16xf32>, %y: memref<?xf32>, %f: f32) {
  %a = memref.alloc() {transient.required_bytes = 128 : i64} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() {transient.required_bytes = 8 : i64} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.alloc(%n) {transient.required_bytes = 512 : i64} : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// Also arithmetic that no affine expression describes, of natural numbers.
// CHECK-LABEL: func.func @arithmetic
// CHECK: transient.alloc {{.*}} : memref<64xi8>
// CHECK: transient.alloc {{.*}} : memref<128xi8>
// CHECK: transient.alloc {{.*}} : memref<2048xi8>
// CHECK: transient.alloc {{.*}} : memref<2056xi8>
// CHECK: transient.alloc {{.*}} : memref<64xi8>
func.func @arithmetic(%n: index {transient.bound = array<i64: 16>},
                      %x: memref<?xi32> {transient.bound = array<i64: 32>}, %k: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = memref.dim %x, %c0 : memref<?xi32>
  %least = arith.minui %n, %d : index
  %a = memref.alloc(%least) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<?xi32>)
  %most = arith.maxui %n, %d : index
  %b = memref.alloc(%most) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<?xi32>)
  %product = arith.muli %n, %d : index
  %c = memref.alloc(%product) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%c : memref<?xi32>)
  %sum = arith.addi %product, %c2 : index
  %e = memref.alloc(%sum) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%e : memref<?xi32>)
  // One bound is enough for the lesser of two, if the other is no negative
  // number in disguise.
  %signed = arith.minsi %n, %k : index
  %f = memref.alloc(%signed) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%f : memref<?xi32>)
  return
}

// -----

// CHECK-LABEL: func.func @no_arithmetic
// CHECK-NOT: transient.alloc
func.func @no_arithmetic(%n: index {transient.bound = array<i64: 16>}, %k: index, %v: i32) {
  %most = arith.maxsi %n, %k : index
  %a = memref.alloc(%most) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<?xi32>)
  %least = arith.minui %n, %k : index
  %b = memref.alloc(%least) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<?xi32>)
  %product = arith.muli %n, %k : index
  %c = memref.alloc(%product) : memref<?xi32>
  linalg.fill ins(%v : i32) outs(%c : memref<?xi32>)
  return
}

// -----

// Arithmetic that may wrap around bounds nothing: with 16 for n, the first size
// is 16, and 2^65 without wrapping. Nor does a bound of more than 64 bits, or one
// below zero.
// CHECK-LABEL: func.func @wraps
// CHECK-NOT: transient.alloc
func.func @wraps(%n: index {transient.bound = array<i64: 32>}, %k: index, %v: i8) {
  %huge = arith.constant 1152921504606846976 : index
  %c32 = arith.constant 32 : index
  %0 = arith.muli %n, %huge : index
  %1 = arith.subi %c32, %n : index
  %2 = arith.addi %0, %1 : index
  %a = memref.alloc(%2) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<?xi8>)
  %3 = affine.apply affine_map<()[s0] -> (s0 * 1152921504606846976 + 32 - s0)>()[%n]
  %b = memref.alloc(%3) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%b : memref<?xi8>)
  %c5 = arith.constant 5 : index
  %4 = arith.addi %k, %c5 : index
  %5 = affine.min affine_map<()[s0] -> (s0, 1)>()[%4]
  %6 = arith.subi %5, %4 : index
  %c = memref.alloc(%6) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%c : memref<?xi8>)
  %c40 = arith.constant 40 : index
  %7 = arith.subi %1, %c40 : index
  %d = memref.alloc(%7) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%d : memref<?xi8>)
  return
}

// -----

// CHECK-LABEL: func.func @does_not_wrap
// CHECK: transient.alloc {{.*}} : memref<24xi8>
func.func @does_not_wrap(%n: index {transient.bound = array<i64: 32>}, %v: i8) {
  %c8 = arith.constant 8 : index
  %0 = arith.subi %n, %c8 : index
  %a = memref.alloc(%0) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<?xi8>)
  return
}

// -----

// An unsigned loop takes a negative end for a large one.
// CHECK-LABEL: func.func @unsigned_loop
// CHECK-NOT: transient.alloc
func.func @unsigned_loop(%n: index, %first: index, %step: index, %v: i8) {
  %c16 = arith.constant 16 : index
  %end = arith.minsi %n, %c16 : index
  scf.for unsigned %i = %first to %end step %step {
    %a = memref.alloc(%i) : memref<?xi8>
    linalg.fill ins(%v : i8) outs(%a : memref<?xi8>)
  }
  return
}

// -----

// A dimension that the shape does not have, in a branch that never runs.
// CHECK-LABEL: func.func @no_such_dimension
// CHECK-NOT: transient.alloc
func.func @no_such_dimension(%x: memref<?xf32>, %c: i1, %f: f32) {
  %c5 = arith.constant 5 : index
  scf.if %c {
    %n = memref.dim %x, %c5 : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  }
  return
}

// -----

// A clamp for an open end is a bound, but none to allocate.
// CHECK-LABEL: func.func @of_no_use
// CHECK-NOT: transient.alloc
func.func @of_no_use(%x: memref<?xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xi8>
  %n = affine.min affine_map<()[s0] -> (s0, 9223372036854775807)>()[%d]
  %a = memref.alloc(%n) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<?xi8>)
  memref.copy %a, %x : memref<?xi8> to memref<?xi8>
  return
}
