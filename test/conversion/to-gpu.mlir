// RUN: transient-opt %s -split-input-file --convert-transient-to-gpu -verify-diagnostics | FileCheck %s

// One wait at entry; one join at exit, of exactly the last users whose end is
// not proved by then; nothing else.
// CHECK-LABEL: func.func @pending_users
func.func @pending_users(%x: memref<16xf32>, %f: f32) {
  // CHECK-NEXT: %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT: %[[ARENA:.*]], %[[T1:.*]] = gpu.alloc async [%[[T0]]] () : memref<128xi8>
  // CHECK-NEXT: gpu.wait [%[[T1]]]
  %arena = transient.arena physical 0 kind gpu align 64 : memref<128xi8>
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[A:.*]] = memref.view %[[ARENA]][%[[C0]]][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %a = transient.view %arena[0] tenant 0 : memref<128xi8> to memref<16xf32>
  %b = transient.view %arena[64] tenant 1 : memref<128xi8> to memref<16xf32>
  // CHECK: gpu.wait async
  %0 = gpu.wait async
  // CHECK: gpu.memset async
  %1 = gpu.memset async [%0] %a, %f : memref<16xf32>, f32
  // CHECK: %[[LAST:.*]] = gpu.memcpy async
  %2 = gpu.memcpy async [%1] %x, %a : memref<16xf32>, memref<16xf32>
  %3 = gpu.wait async
  // CHECK: %[[OTHER:.*]] = gpu.memset async
  %4 = gpu.memset async [%3] %b, %f : memref<16xf32>, f32
  // CHECK-NEXT: %[[JOIN:.*]] = gpu.wait async [%[[LAST]], %[[OTHER]]]
  // CHECK-NEXT: gpu.dealloc async [%[[JOIN]]] %[[ARENA]] : memref<128xi8>
  // CHECK-NEXT: return
  return
}

// -----

// Everything has ended: the free waits for nothing, and is awaited to give its
// stream back.
// CHECK-LABEL: func.func @ended_users
func.func @ended_users(%f: f32) {
  %arena = transient.arena physical 0 kind gpu align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  // CHECK: gpu.memset %
  gpu.memset %a, %f : memref<16xf32>, f32
  // CHECK-NEXT: %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT: %[[T1:.*]] = gpu.dealloc async [%[[T0]]]
  // CHECK-NEXT: gpu.wait [%[[T1]]]
  // CHECK-NEXT: return
  return
}

// -----

// The stock lowering takes host-shared memory without tokens only.
// CHECK-LABEL: func.func @host_shared
func.func @host_shared(%f: f32) {
  // CHECK-NEXT: gpu.alloc host_shared () : memref<64xi8>
  %arena = transient.arena physical 0 kind gpu_host_shared align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // CHECK: gpu.dealloc async
  return
}

// -----

// Where a user's end is not known, the storage is not freed.
module attributes {gpu.container_module} {
// CHECK-LABEL: func.func @unknown_user
func.func @unknown_user(%s: !llvm.ptr) {
  // expected-remark @below {{storage is not freed: a launch on an explicit stream completes at a time that no token shows}}
  %arena = transient.arena physical 0 kind gpu align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  %c1 = arith.constant 1 : index
  // expected-note @below {{here}}
  gpu.launch_func <%s : !llvm.ptr> @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
  // CHECK-NOT: gpu.dealloc
  return
}
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<16xf32>
    gpu.return
  }
}
}

// -----

// Requests of kind gpu that were left without a placement.
// CHECK-LABEL: func.func @unplaced
func.func @unplaced(%f: f32) -> memref<16xf32> {
  // CHECK: %[[A:.*]], %{{.*}} = gpu.alloc async
  %a = transient.alloc kind gpu : memref<16xf32>
  // CHECK: %[[B:.*]], %{{.*}} = gpu.alloc async
  %b = transient.alloc kind gpu : memref<16xf32>
  gpu.memset %a, %f : memref<16xf32>, f32
  gpu.memset %b, %f : memref<16xf32>, f32
  // CHECK: gpu.dealloc async [%{{.*}}] %[[A]]
  // CHECK-NOT: gpu.dealloc async [%{{.*}}] %[[B]]
  return %b : memref<16xf32>
}

// -----

// A request in a region has no end of its own.
func.func @nested(%c: i1, %f: f32) {
  scf.if %c {
    // expected-remark @below {{storage is not freed: it is allocated in a nested region}}
    %a = transient.alloc kind gpu : memref<16xf32>
    gpu.memset %a, %f : memref<16xf32>, f32
  }
  return
}

// -----

func.func @large_alignment(%f: f32) {
  // expected-remark @below {{gpu.alloc does not promise an alignment of 4096; device allocators give 256}}
  %arena = transient.arena physical 0 kind gpu align 4096 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  gpu.memset %a, %f : memref<16xf32>, f32
  return
}
