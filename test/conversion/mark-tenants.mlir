// RUN: transient-opt %s -split-input-file --transient-mark-tenants | FileCheck %s

// The marker stands right before the operation, after the wait that the token
// lowering put there; the address is taken once.
// CHECK: func.func private @transientSimTenant(!llvm.ptr, i64, i64, i64)
// CHECK-LABEL: func.func @chain
func.func @chain(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[ARENA:.*]], %{{.*}} = gpu.alloc async
  // CHECK-NEXT: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[ARENA]]
  // CHECK-NEXT: %[[NUMBER:.*]] = arith.index_cast %[[INDEX]] : index to i64
  // CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
  %t0 = gpu.wait async
  %arena, %t1 = gpu.alloc async [%t0] () : memref<128xi8>
  gpu.wait [%t1]
  // CHECK-NOT: memref.extract_aligned_pointer_as_index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  %0 = gpu.wait async
  // CHECK: %[[OFFSET:.*]] = arith.index_cast %c0 : index to i64
  // CHECK-NEXT: %[[BYTES:.*]] = arith.constant 64 : i64
  // CHECK-NEXT: %[[TENANT:.*]] = arith.constant 0 : i64
  // CHECK-NEXT: call @transientSimTenant(%[[POINTER]], %[[OFFSET]], %[[BYTES]], %[[TENANT]])
  // CHECK-NEXT: %[[T:.*]] = gpu.memset async
  %1 = gpu.memset async [%0] %a, %f : memref<16xf32>, f32
  // CHECK-NEXT: %[[FORK:.*]] = gpu.wait async [%[[T]]]
  %fork = gpu.wait async [%1]
  // Both views of the copy, first its target.
  // CHECK-NEXT: %[[OFFSET1:.*]] = arith.index_cast %c64 : index to i64
  // CHECK-NEXT: %[[BYTES1:.*]] = arith.constant 64 : i64
  // CHECK-NEXT: %[[TENANT1:.*]] = arith.constant 1 : i64
  // CHECK-NEXT: call @transientSimTenant(%[[POINTER]], %[[OFFSET1]], %[[BYTES1]], %[[TENANT1]])
  // CHECK: %[[TENANT0:.*]] = arith.constant 0 : i64
  // CHECK-NEXT: call @transientSimTenant(%[[POINTER]], %{{.*}}, %{{.*}}, %[[TENANT0]])
  // CHECK-NEXT: gpu.memcpy async [%[[FORK]]]
  %2 = gpu.memcpy async [%fork] %b, %a : memref<16xf32>, memref<16xf32>
  // CHECK-NEXT: gpu.wait
  gpu.wait [%2]
  return
}

// -----

// A kernel gets parts of a view: the whole view is its tenant, once.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: memref<8xf32, strided<[1], offset: 8>>, %b: memref<4x4xf32>, %c: memref<16xf32>) kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @parts
  func.func @parts(%arena: memref<256xi8>, %other: memref<64xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    // Addresses of arguments are taken at entry.
    // CHECK-COUNT-2: memref.extract_aligned_pointer_as_index
    %a = memref.view %arena[%c128][] {tenant = 3 : i64} : memref<256xi8> to memref<16xf32>
    %part = memref.subview %a[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
    %square = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    %b = memref.view %other[%c0][] {tenant = 4 : i64} : memref<64xi8> to memref<16xf32>
    // CHECK: arith.constant 64 : i64
    // CHECK-NEXT: arith.constant 3 : i64
    // CHECK-NEXT: call @transientSimTenant
    // CHECK-NOT: arith.constant 3 : i64
    // CHECK: arith.constant 4 : i64
    // CHECK-NEXT: call @transientSimTenant
    // CHECK-NEXT: gpu.launch_func
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%part : memref<8xf32, strided<[1], offset: 8>>, %square : memref<4x4xf32>, %b : memref<16xf32>)
    return
  }
}

// -----

// The body of a gpu.launch uses what it names. Work of the host is not marked.
// CHECK-LABEL: func.func @body
func.func @body(%arena: memref<64xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  // CHECK-NOT: call @transientSimTenant
  // CHECK: linalg.fill
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // CHECK: call @transientSimTenant
  // CHECK-NEXT: gpu.launch
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %f, %a[%c0] : memref<16xf32>
    gpu.terminator
  }
  return
}

// -----

// The size of a view may be known at run time only.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%arena: memref<?xi8>, %m: index, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][%m, %n] {tenant = 0 : i64} : memref<?xi8> to memref<?x3x?xf32>
  // CHECK: %[[PART:.*]] = arith.constant 12 : i64
  // CHECK: %[[M:.*]] = arith.index_cast %arg1 : index to i64
  // CHECK: %[[MPART:.*]] = arith.muli %[[PART]], %[[M]]
  // CHECK: %[[N:.*]] = arith.index_cast %arg2 : index to i64
  // CHECK: %[[BYTES:.*]] = arith.muli %[[MPART]], %[[N]]
  // CHECK: call @transientSimTenant(%{{.*}}, %{{.*}}, %[[BYTES]], %{{.*}})
  gpu.memset %a, %f : memref<?x3x?xf32>, f32
  return
}

// -----

// Another arena of such an operation is marked all the same.
// CHECK-LABEL: func.func @other_arena
func.func @other_arena(%arena: memref<64xi8>, %second: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %second[%c0][] {tenant = 7 : i64} : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {tenant = 8 : i64} : memref<64xi8> to memref<64xi8>
  // CHECK: arith.constant 7 : i64
  // CHECK-NEXT: call @transientSimTenant
  // CHECK-NEXT: gpu.memcpy
  gpu.memcpy %arena, %a : memref<64xi8>, memref<64xi8>
  // CHECK: arith.constant 8 : i64
  // CHECK-NEXT: call @transientSimTenant
  // CHECK-NEXT: gpu.memset
  %c = arith.constant 0 : i8
  gpu.memset %b, %c : memref<64xi8>, i8
  return
}

// -----

// A declaration that is there is used; views without tenants need none.
// CHECK-COUNT-1: func.func private @transientSimTenant
// CHECK-NOT: func.func private @transientSimTenant
func.func private @transientSimTenant(!llvm.ptr, i64, i64, i64)
func.func @known(%arena: memref<64xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  // CHECK: call @transientSimTenant
  gpu.memset %a, %f : memref<16xf32>, f32
  return
}

// -----

// Not marked: an operation that also reaches the arena as a whole, through a
// view without a tenant, or through a value that control flow chose.
// CHECK-LABEL: func.func @no_marker_whole_arena
// CHECK-NOT: transientSimTenant
func.func @no_marker_whole_arena(%arena: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<64xi8>
  gpu.memcpy %arena, %a : memref<64xi8>, memref<64xi8>
  return
}
func.func @no_marker_plain_view(%arena: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  gpu.memcpy %b, %a : memref<16xf32>, memref<16xf32>
  return
}
func.func @no_marker_chosen(%arena: memref<128xi8>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  %s = arith.select %c, %a, %b : memref<16xf32>
  gpu.memcpy %b, %s : memref<16xf32>, memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    gpu.memcpy %a, %p : memref<16xf32>, memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  %d = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  gpu.memcpy %b, %d : memref<16xf32>, memref<16xf32>
  return
}
