// What is not written in place, and why (M10). Each function has one reason.
// RUN: transient-opt %s -split-input-file --transient-in-place -verify-diagnostics | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-in-place 2>/dev/null | FileCheck %s --check-prefix=NONE
// NONE-NOT: in_place

// CHECK-LABEL: func.func @needed_later(
func.func @needed_later(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{not written in place of buffer 0 of type 'memref<64xf32>': the operand is needed after this op}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  // expected-note @below {{by this access}}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  // The copy stands before the launch, and proves nothing by that (C2).
  // CHECK-LABEL: func.func @second_reader(
  func.func @second_reader(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
    // expected-note @below {{by this access, which is not proved to end before}}
    %2 = gpu.memcpy async [%1] %y, %a : memref<64xf32>, memref<64xf32>
    // expected-remark @below {{not written in place of buffer 0 of type 'memref<64xf32>': the operand may be accessed while this op runs}}
    %3 = gpu.launch_func async [%1] @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %4 = gpu.memcpy async [%3] %x, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%4]
    gpu.wait [%2]
    return
  }

  // CHECK-LABEL: func.func @result_busy(
  func.func @result_busy(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
    // expected-note @below {{by this access, which is not proved to start after}}
    %2 = gpu.memcpy async [%0] %y, %b : memref<64xf32>, memref<64xf32>
    // expected-remark @below {{not written in place of buffer 0 of type 'memref<64xf32>': the result may be accessed while this op runs}}
    %3 = gpu.launch_func async [%1] @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %4 = gpu.memcpy async [%3] %x, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%4]
    gpu.wait [%2]
    return
  }
}

// -----

// CHECK-LABEL: func.func @result_in_use(
func.func @result_in_use(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  // expected-note @below {{by this access}}
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the result is in use before this op}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @both_by_a_select(
func.func @both_by_a_select(%x: memref<64xf32>, %c: i1, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  %s = arith.select %c, %a, %b : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand is needed after this op}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  // expected-note @below {{by this access}}
  memref.copy %s, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Square: both reads are of one buffer.
// CHECK-LABEL: func.func @read_twice(
func.func @read_twice(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{this op uses the operand or the result in another way, too}}
  // expected-note @below {{here}}
  linalg.mul ins(%a, %a : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The payload looks at other elements, too.
// CHECK-LABEL: func.func @read_in_payload(
func.func @read_in_payload(%x: memref<64xf32>, %f: f32) {
  %c63 = arith.constant 63 : index
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{this op uses the operand or the result in another way, too}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%in: f32, %old: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c63, %i : index
    // expected-note @below {{here}}
    %other = memref.load %a[%j] : memref<64xf32>
    %new = arith.addf %in, %other : f32
    linalg.yield %new : f32
  }
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The loop runs the op again, on what it has left of the operand.
// CHECK-LABEL: func.func @requested_outside(
func.func @requested_outside(%x: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{here}}
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{a buffer is requested in another block than that of this op}}
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// The next iteration waits for the writer of A along one token, and for the
// reader of B along another.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @two_chains(
  func.func @two_chains(%x: memref<64xf32>, %n: index, %f: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.wait async
    %u = gpu.wait async
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %q = %u) -> (!gpu.async.token, !gpu.async.token) {
      %a = transient.alloc kind gpu : memref<64xf32>
      // expected-note @below {{requested here}}
      %b = transient.alloc kind gpu : memref<64xf32>
      %1 = gpu.memset async [%p] %a, %f : memref<64xf32>, f32
      // expected-remark @below {{a buffer's accesses may go on in the next iteration}}
      %2 = gpu.launch_func async [%1, %q] @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
      %3 = gpu.memcpy async [%2] %x, %b : memref<64xf32>, memref<64xf32>
      scf.yield %2, %3 : !gpu.async.token, !gpu.async.token
    }
    gpu.wait [%r#0]
    gpu.wait [%r#1]
    return
  }
}

// -----

// CHECK-LABEL: func.func @kinds(
func.func @kinds(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  // expected-note @below {{the result is requested here}}
  %b = transient.alloc kind gpu_host_shared : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand and the result differ in kind}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @usages(
func.func @usages(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc usage <storage> : memref<64xf32>
  // expected-note @below {{the result is requested here}}
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand and the result differ in usage}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @owners(
func.func @owners(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc owner "one" : memref<64xf32>
  // expected-note @below {{the result is requested here}}
  %b = transient.alloc owner "two" : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand and the result differ in owner}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @other_attributes(
func.func @other_attributes(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  // expected-note @below {{the result is requested here}}
  %b = transient.alloc {my.hint = 1 : i32} : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand and the result differ in other attributes}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @other_class(
func.func @other_class(%x: memref<64xf32>, %f: f32) {
  // expected-note @below {{here}}
  %a = transient.alloc class reconstructable : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand is of class 'reconstructable', not 'transient'}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @declared_lifetime(
func.func @declared_lifetime(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  // expected-note @below {{here}}
  %b = transient.alloc lifetime <declared, first = [0], last = [2]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the result has a lifetime or a place already}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @kept_apart(
func.func @kept_apart(%x: memref<64xf32>, %f: f32) {
  // expected-note @below {{here}}
  %a = transient.alloc {transient.keep_apart} : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand is not planned: it is switched out by 'transient.keep_apart'}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @returned(
func.func @returned(%f: f32) -> memref<64xf32> {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the result is not planned: it is returned}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  // expected-note @below {{here}}
  return %b : memref<64xf32>
}

// -----

// CHECK-LABEL: func.func @freed(
func.func @freed(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-remark @below {{the operand or the result is freed}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  // expected-note @below {{here}}
  memref.dealloc %a : memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Not elementwise at all, so there is nothing to explain: another permutation,
// a reduction, a broadcast, a part, another shape, an old value that counts.
// CHECK-LABEL: func.func @no_remark(
func.func @no_remark(%x: memref<8x8xf32>, %f: f32) {
  %a = transient.alloc : memref<8x8xf32>
  %b = transient.alloc : memref<8x8xf32>
  %c = transient.alloc : memref<8x8xf32>
  %d = transient.alloc : memref<8x8xf32>
  %e = transient.alloc : memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  linalg.fill ins(%f : f32) outs(%c : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  %u = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %v = memref.subview %d[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.exp ins(%u : memref<8x4xf32, strided<[8, 1]>>) outs(%v : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  %w = memref.transpose %e (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  linalg.exp ins(%d : memref<8x8xf32>) outs(%w : memref<8x8xf32, strided<[1, 8]>>)
  memref.copy %e, %x : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Copies move bytes from one place to another.
// CHECK-LABEL: func.func @copied(
func.func @copied(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// All operands that could have been taken are explained, in their order.
// CHECK-LABEL: func.func @two_operands(
func.func @two_operands(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  // expected-note @below {{here}}
  %b = transient.alloc class staging : memref<64xf32>
  %c = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // expected-remark @below {{not written in place of buffer 0 of type 'memref<64xf32>': the operand is needed after this op}}
  // expected-remark @below {{not written in place of buffer 1 of type 'memref<64xf32>': the operand is of class 'staging', not 'transient'}}
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  // expected-note @below {{by this access}}
  linalg.add ins(%a, %c : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// Another type is no candidate.
// CHECK-LABEL: func.func @types(
func.func @types(%x: memref<64xf64>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf64>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<64xf32>) outs(%b : memref<64xf64>) {
  ^bb0(%in: f32, %old: f64):
    %new = arith.extf %in : f32 to f64
    linalg.yield %new : f64
  }
  memref.copy %b, %x : memref<64xf64> to memref<64xf64>
  return
}
