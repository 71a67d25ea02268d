// RUN: transient-opt %s -split-input-file --convert-transient-to-memref -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @arena
func.func @arena(%f: f32) {
  // CHECK-NEXT: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<128xi8>
  %arena = transient.arena physical 0 align 64 : memref<128xi8>
  // CHECK-NEXT: %[[C64:.*]] = arith.constant 64 : index
  // CHECK-NEXT: %[[A:.*]] = memref.view %[[ARENA]][%[[C64]]][] {tenant = 3 : i64} : memref<128xi8> to memref<16xf32>
  %a = transient.view %arena[64] tenant 3 : memref<128xi8> to memref<16xf32>
  // CHECK-NEXT: linalg.fill
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // CHECK-NEXT: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} : memref<128xi8>
  // CHECK-NEXT: return
  return
}

// -----

// No wait is added for the sake of a free.
// CHECK-LABEL: func.func @pending_user
func.func @pending_user(%f: f32) {
  // expected-remark @below {{storage is not freed: a user may still run at the return}}
  %arena = transient.arena physical 0 align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  %0 = gpu.wait async
  // expected-note @below {{here}}
  %1 = gpu.memset async [%0] %a, %f : memref<16xf32>, f32
  // CHECK-NOT: memref.dealloc
  // CHECK-NOT: gpu.wait [
  return
}

// -----

// A user that the host has waited for has ended.
// CHECK-LABEL: func.func @awaited_user
func.func @awaited_user(%f: f32) {
  %arena = transient.arena physical 0 align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %a, %f : memref<16xf32>, f32
  // CHECK: gpu.wait [
  gpu.wait [%1]
  // CHECK-NEXT: memref.dealloc
  return
}

// -----

// Storage of kind gpu is for the other pass.
// CHECK-LABEL: func.func @other_kind
func.func @other_kind() {
  // CHECK: transient.arena physical 0 kind gpu
  %arena = transient.arena physical 0 kind gpu align 64 : memref<64xi8>
  return
}

// -----

// A request that was left without a placement gets an allocation of its own,
// freed where that is known to be safe.
// CHECK-LABEL: func.func @unplaced
func.func @unplaced(%n: index, %f: f32) {
  // CHECK: %[[A:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64, bufferization.manual_deallocation} : memref<?xf32>
  %a = transient.alloc(%n) align 64 : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  // CHECK: memref.dealloc %[[A]] {bufferization.manual_deallocation}
  return
}

// -----

// Unplanned allocations: the caller's, freed already, escaped, nested.
func.func private @opaque(memref<16xf32>)
// CHECK-LABEL: func.func @unplanned
func.func @unplanned(%n: index, %f: f32) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.alloc() : memref<16xf32>
  %returned = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%returned : memref<16xf32>)
  // CHECK: %[[FREED:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
  %freed = memref.alloc(%n) : memref<?xf32>
  // expected-remark @below {{storage is not freed: it is passed to a call whose effects are not known}}
  %escaped = memref.alloc() : memref<16xf32>
  // expected-note @below {{here}}
  call @opaque(%escaped) : (memref<16xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{storage is not freed: it is allocated in a nested region}}
    %nested = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%nested : memref<?xf32>)
  }
  // CHECK: memref.dealloc %[[FREED]] : memref<?xf32>
  memref.dealloc %freed : memref<?xf32>
  // CHECK-NEXT: return
  return %returned : memref<16xf32>
}

// -----

// Freed at every return.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%f: f32, %c: i1) {
  // CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  return
^bb2:
  // CHECK: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  return
}

// -----

func.func @block_before_one_return(%f: f32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-remark @below {{storage is not freed: it is allocated in a block that not every return follows}}
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  return
^bb2:
  return
}
