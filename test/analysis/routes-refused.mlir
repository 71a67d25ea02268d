// Ways on which a buffer leaves what can be followed: each is named, the buffer
// stays apart, and others are planned as ever (A6, A8, G4).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics | FileCheck %s

// A tensor is its buffer.
// CHECK-LABEL: func.func @to_tensor
// CHECK-NOT: transient.arena
func.func @to_tensor(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{lives on in the result of 'bufferization.to_tensor'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %t = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  %v = bufferization.to_buffer %t : tensor<64xf32> to memref<64xf32>
  memref.copy %v, %x : memref<64xf32> to memref<64xf32>
  return
}

// A buffer that comes from a tensor argument is none of ours.
// CHECK-LABEL: func.func @to_buffer_of_argument
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @to_buffer_of_argument(%x: memref<64xf32>, %t: tensor<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %v = bufferization.to_buffer %t : tensor<64xf32> to memref<64xf32>
  memref.copy %v, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

func.func private @sink(index)
// CHECK-LABEL: func.func @pointer
// CHECK-NOT: transient.arena
func.func @pointer(%f: f32) {
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @sink(%p) : (index) -> ()
  return
}

// Also of a view, wherever that came from.
// CHECK-LABEL: func.func @pointer_of_transpose
// CHECK-NOT: transient.arena
func.func @pointer_of_transpose(%f: f32) {
  // expected-remark @below {{has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %v = memref.transpose %a (i, j) -> (j, i) : memref<4x16xf32> to memref<16x4xf32, strided<[1, 16]>>
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %v : memref<16x4xf32, strided<[1, 16]>> -> index
  call @sink(%p) : (index) -> ()
  return
}

// The pointer of an argument is none of ours.
// CHECK-LABEL: func.func @pointer_of_argument
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @pointer_of_argument(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<64xf32> -> index
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A global outlives everything; one that is read keeps nobody apart.
memref.global "private" @weights : memref<64xf32> = dense<1.0>
memref.global @table : memref<1xindex>
// CHECK-LABEL: func.func @global_is_read
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @global_is_read(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %w = memref.get_global @weights : memref<64xf32>
  memref.copy %w, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @global_keeps_address
// CHECK-NOT: transient.arena
func.func @global_keeps_address(%f: f32) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{has its address taken by}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  %g = memref.get_global @table : memref<1xindex>
  memref.store %p, %g[%c0] : memref<1xindex>
  return
}

// -----

// Without a contract a call may keep what it is given; with one, the result may
// still be it.
func.func private @opaque(memref<64xf32>)
func.func private @returns(memref<64xf32> {transient.contract = "read"}) -> memref<64xf32>
// CHECK-LABEL: func.func @opaque_call
// CHECK-NOT: transient.arena
func.func @opaque_call() {
  // expected-remark @below {{is passed to a call whose effects are not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{consumer}}
  call @opaque(%a) : (memref<64xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @contract_and_result
// CHECK-NOT: transient.arena
func.func @contract_and_result(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{is passed to a call whose effects are not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %r = call @returns(%a) : (memref<64xf32>) -> memref<64xf32>
  memref.copy %r, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A body that returns its argument, or a view of it.
func.func private @identity(%p: memref<64xf32>) -> memref<8xf32, strided<[1], offset: 8>> {
  %v = memref.subview %p[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  return %v : memref<8xf32, strided<[1], offset: 8>>
}
// CHECK-LABEL: func.func @call_returns_argument
// CHECK-NOT: transient.arena
func.func @call_returns_argument(%f: f32) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{is returned, in the function it is passed to}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  %r = call @identity(%a) : (memref<64xf32>) -> memref<8xf32, strided<[1], offset: 8>>
  %l = memref.load %r[%c0] : memref<8xf32, strided<[1], offset: 8>>
  return
}

// -----

// CHECK-LABEL: func.func @view_is_returned
// CHECK-NOT: transient.arena
func.func @view_is_returned(%f: f32) -> memref<16x4xf32, strided<[1, 16]>> {
  // expected-remark @below {{not planned: the buffer is returned}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %v = memref.transpose %a (i, j) -> (j, i) : memref<4x16xf32> to memref<16x4xf32, strided<[1, 16]>>
  // expected-note @below {{the buffer is returned}}
  return %v : memref<16x4xf32, strided<[1, 16]>>
}
// CHECK-LABEL: func.func @view_of_argument_is_returned
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @view_of_argument_is_returned(%x: memref<64xf32>, %f: f32) -> memref<8xf32, strided<[1], offset: 8>> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  %v = memref.subview %x[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  return %v : memref<8xf32, strided<[1], offset: 8>>
}

// -----

// What a body hands out to somebody else is not followed.
func.func private @somebody(!async.value<memref<64xf32>>)
// CHECK-LABEL: func.func @captured_and_yielded
// CHECK-NOT: transient.arena
func.func @captured_and_yielded(%f: f32) {
  // expected-remark @below {{is captured by 'async.yield'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    // expected-note @below {{consumer}}
    async.yield %a : memref<64xf32>
  }
  // expected-note @below {{consumer: the buffer is passed to a call whose effects are not known}}
  func.call @somebody(%v) : (!async.value<memref<64xf32>>) -> ()
  async.await %t : !async.token
  return
}

// One that is only captured does not.
// CHECK-LABEL: func.func @captured
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @captured(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// -----

// A descriptor that is never destroyed, or only on some path.
// CHECK-LABEL: func.func @descriptor_is_kept
// CHECK-NOT: transient.arena
func.func @descriptor_is_kept(%n: index) {
  // expected-remark @below {{is held by the descriptor of 'gpu.create_dn_tensor', whose end is not known}}
  // expected-note @below {{to plan it}}
  %a = gpu.alloc () : memref<64xf64>
  %0 = gpu.wait async
  // expected-note @below {{consumer}}
  %d, %1 = gpu.create_dn_tensor async [%0] %a, %n : index into memref<64xf64>
  gpu.wait [%1]
  return
}
// CHECK-LABEL: func.func @descriptor_is_destroyed_sometimes
// CHECK-NOT: transient.arena
func.func @descriptor_is_destroyed_sometimes(%n: index, %c: i1) {
  // expected-remark @below {{is held by the descriptor of 'gpu.create_dn_tensor', whose end is not known}}
  // expected-note @below {{to plan it}}
  %a = gpu.alloc () : memref<64xf64>
  %0 = gpu.wait async
  // expected-note @below {{consumer}}
  %d, %1 = gpu.create_dn_tensor async [%0] %a, %n : index into memref<64xf64>
  gpu.wait [%1]
  scf.if %c {
    %2 = gpu.wait async
    %3 = gpu.destroy_dn_tensor async [%2] %d
    gpu.wait [%3]
  }
  return
}

// -----

// Nor is one followed that goes elsewhere.
func.func private @keep(!gpu.sparse.dntensor_handle)
// CHECK-LABEL: func.func @descriptor_is_passed_on
// CHECK-NOT: transient.arena
func.func @descriptor_is_passed_on(%n: index) {
  // expected-remark @below {{is held by the descriptor of 'gpu.create_dn_tensor', whose end is not known}}
  // expected-note @below {{to plan it}}
  %a = gpu.alloc () : memref<64xf64>
  %0 = gpu.wait async
  // expected-note @below {{consumer}}
  %d, %1 = gpu.create_dn_tensor async [%0] %a, %n : index into memref<64xf64>
  gpu.wait [%1]
  // expected-note @below {{completion_edge}}
  call @keep(%d) : (!gpu.sparse.dntensor_handle) -> ()
  %2 = gpu.wait async
  %3 = gpu.destroy_dn_tensor async [%2] %d
  gpu.wait [%3]
  return
}
