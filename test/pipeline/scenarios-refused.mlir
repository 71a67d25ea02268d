// What has gone wrong in systems that do this job, where the right answer is a
// refusal that says why. Each function is named after what it protects.
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics | FileCheck %s

// A free while another reader may still run: the error names both ops.
func.func @free_before_completion(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  // expected-note @below {{allocated here}}
  %a = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %w = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  %r1 = gpu.memcpy async [%w] %x, %a : memref<64xf32>, memref<64xf32>
  %fork = gpu.wait async [%w]
  // expected-note @below {{this access may still run, or start, when the free starts}}
  %r2 = gpu.memcpy async [%fork] %y, %a : memref<64xf32>, memref<64xf32>
  // expected-error @below {{frees buffer 0 of type 'memref<64xf32>' before every access to it is proved to have ended}}
  %d = gpu.dealloc async [%r1] %a : memref<64xf32>
  gpu.wait [%d]
  gpu.wait [%r2]
  return
}

// -----

// A pointer goes to a call: nothing says when it is let go. The other two still
// share.
func.func private @sink(index)
// CHECK-LABEL: func.func @pointer_escapes
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK: %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK: extract_aligned_pointer_as_index %[[A]]
func.func @pointer_escapes(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{not planned: the buffer has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{address taken}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @sink(%p) : (index) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<64xf32>)
  memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A view of the output is returned: the base is the caller's from there on.
// CHECK-LABEL: func.func @view_of_output_returned
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK: memref.alloc() : memref<64xf32>
func.func @view_of_output_returned(%x: memref<64xf32>, %f: f32) -> memref<8xf32, strided<[1], offset: 8>> {
  // expected-remark @below {{not planned: the buffer is returned}}
  // expected-note @below {{to plan it, return through an out-parameter}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.subview %a[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  // expected-note @below {{the buffer is returned}}
  return %v : memref<8xf32, strided<[1], offset: 8>>
}

// -----

// Stored where others see it; each route is named.
memref.global @table : memref<1xindex>
// CHECK-LABEL: func.func @stored_in_global
// CHECK-NOT: transient.arena
func.func @stored_in_global(%f: f32, %i: index) {
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  %g = memref.get_global @table : memref<1xindex>
  memref.store %p, %g[%i] : memref<1xindex>
  return
}
// CHECK-LABEL: func.func @stored_in_memory
// CHECK-NOT: transient.arena
func.func @stored_in_memory(%table: memref<1xmemref<64xf32>>, %f: f32, %i: index) {
  // expected-remark @below {{is handed to 'memref.store', which does not say what it does with it}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  memref.store %a, %table[%i] : memref<1xmemref<64xf32>>
  return
}
// CHECK-LABEL: func.func @stored_in_struct
// CHECK-NOT: transient.arena
func.func @stored_in_struct(%f: f32) {
  // expected-remark @below {{has its address taken by 'builtin.unrealized_conversion_cast'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %s = builtin.unrealized_conversion_cast %a : memref<64xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  return
}
// CHECK-LABEL: func.func @stored_in_descriptor
// CHECK-NOT: transient.arena
func.func @stored_in_descriptor(%n: index) {
  %t = gpu.wait async
  // expected-remark @below {{is held by the descriptor of 'gpu.create_dn_tensor', whose end is not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf64>
  // expected-note @below {{consumer}}
  %d, %t1 = gpu.create_dn_tensor async [%t] %a, %n : index into memref<64xf64>
  gpu.wait [%t1]
  return
}
func.func private @register(memref<64xf32>, () -> ())
// CHECK-LABEL: func.func @registered_for_callback
// CHECK-NOT: transient.arena
func.func @registered_for_callback(%callback: () -> (), %f: f32) {
  // expected-remark @below {{is passed to a call whose effects are not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  call @register(%a, %callback) : (memref<64xf32>, () -> ()) -> ()
  return
}

// -----

// Work on a buffer of the body that is only awaited after the loop; the op
// whose token is missing is named.
// CHECK-LABEL: func.func @loop_carried_async
// CHECK-NOT: transient.arena
func.func @loop_carried_async(%x: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = gpu.wait async
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%received = %init) -> !gpu.async.token {
    // expected-remark @below {{is accessed by asynchronous work that may still run in the next iteration}}
    // expected-note @below {{to plan it, await its token in the same iteration, or hand it on to the next}}
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    %fresh = gpu.wait async
    // expected-note @below {{completion_edge: the buffer is accessed by asynchronous work that may still run in the next iteration}}
    %r = gpu.memcpy async [%fresh] %x, %a : memref<64xf32>, memref<64xf32>
    scf.yield %r : !gpu.async.token
  }
  gpu.wait [%last]
  return
}

// -----

// A size that is no number: the buffer is named.
func.func @overflow_of_each(%f: f32) {
  // expected-error @below {{overflow: the size of buffer 0 of type 'memref<2147483648x1073741824xf32>' does not fit 64 bits}}
  %a = memref.alloc() : memref<2147483648x1073741824xf32>
  %b = memref.alloc() : memref<2147483648x1073741824xf32>
  %c = memref.alloc() : memref<2147483648x1073741824xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<2147483648x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<2147483648x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<2147483648x1073741824xf32>)
  return
}

// -----

// Three sizes that fit, and a sum over 2^63 that does not.
func.func @overflow_of_sum(%x: memref<1073741824x1073741824xf32>, %f: f32) {
  // expected-note @below {{b0 of 4611686018427387904 bytes is in the same physical buffer}}
  %a = memref.alloc() : memref<1073741824x1073741824xf32>
  // expected-error @below {{overflow: b1 of 4611686018427387904 bytes would be placed at byte 4611686018427387904 and end past 2^63 - 1}}
  %b = memref.alloc() : memref<1073741824x1073741824xf32>
  %c = memref.alloc() : memref<1073741824x1073741824xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<1073741824x1073741824xf32>)
  memref.copy %a, %x : memref<1073741824x1073741824xf32> to memref<1073741824x1073741824xf32>
  memref.copy %b, %x : memref<1073741824x1073741824xf32> to memref<1073741824x1073741824xf32>
  memref.copy %c, %x : memref<1073741824x1073741824xf32> to memref<1073741824x1073741824xf32>
  return
}

// -----

// A lower bound is no size: without an upper one a dimension is dynamic.
// CHECK-LABEL: func.func @lower_bound_is_no_bound
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @lower_bound_is_no_bound(%n: index, %f: f32) {
  %c1 = arith.constant 1 : index
  %m = arith.maxsi %n, %c1 : index
  // expected-remark @below {{has a dynamic size without a bound}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}
