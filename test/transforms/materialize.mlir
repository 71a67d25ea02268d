// RUN: transient-opt %s -split-input-file --transient-materialize | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-materialize="poison-byte=165" | FileCheck %s --check-prefix=POISON

// One arena a physical buffer, at entry; one view a request, where it stood;
// the tenant is the number of the allocation. Node ids go.
// CHECK-LABEL: func.func @arena
// POISON-LABEL: func.func @arena
func.func @arena(%x: memref<16xf32>, %f: f32) {
  // CHECK-NEXT: %[[ARENA:.*]] = transient.arena physical 0 align 64 : memref<128xi8>
  // POISON-NEXT: %[[ARENA:.*]] = transient.arena physical 0
  // POISON-NEXT: %[[C0:.*]] = arith.constant -91 : i8
  // POISON-NEXT: linalg.fill ins(%[[C0]] : i8) outs(%[[ARENA]] : memref<128xi8>)
  // CHECK-NEXT: %[[A:.*]] = transient.view %[[ARENA]][0] tenant 0 : memref<128xi8> to memref<16xf32>
  %a = transient.alloc align 64 lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // CHECK-NEXT: memref.alloc
  %other = memref.alloc() : memref<16xf32>
  // CHECK-NEXT: %[[B:.*]] = transient.view %[[ARENA]][64] tenant 2 : memref<128xi8> to memref<16xf32>
  %b = transient.alloc lifetime <derived, first = [1], last = [2]> placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  // The takeover is before the first user, not where the buffer is created.
  // POISON: %[[BYTES:.*]] = transient.view %[[ARENA]][0] tenant 0 : memref<128xi8> to memref<64xi8>
  // POISON-NEXT: %[[C1:.*]] = arith.constant -91 : i8
  // POISON-NEXT: linalg.fill ins(%[[C1]] : i8) outs(%[[BYTES]] : memref<64xi8>)
  // POISON-NEXT: linalg.fill
  // CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[A]] : memref<16xf32>)
  linalg.fill {transient.node = 0 : i64} ins(%f : f32) outs(%a : memref<16xf32>)
  // POISON: transient.view %[[ARENA]][64] tenant 2 : memref<128xi8> to memref<64xi8>
  // POISON: memref.copy
  memref.copy %a, %b {transient.node = 1 : i64} : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x {transient.node = 2 : i64} : memref<16xf32> to memref<16xf32>
  // CHECK-NOT: transient.node
  return {transient.node = 3 : i64}
}

// -----

// A request without a placement stays.
// CHECK-LABEL: func.func @unplaced
func.func @unplaced(%f: f32) {
  // CHECK-NEXT: transient.alloc : memref<16xf32>
  %a = transient.alloc : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  return
}

// -----

// Required usages add up to what the storage offers.
// CHECK-LABEL: func.func @usage
func.func @usage() {
  // CHECK: transient.arena physical 0 kind gpu usage <copy_dst|storage> align 4 : memref<128xi8, 1>
  // CHECK: transient.arena physical 3 kind gpu align 4 : memref<64xi8, 1>
  %a = transient.alloc kind gpu usage <storage> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32, 1>
  %b = transient.alloc kind gpu usage <copy_dst> placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32, 1>
  %c = transient.alloc kind gpu placement <physical = 3, offset = 0, bytes = 64> : memref<16xf32, 1>
  return
}

// -----

// No poison before a device op: it may follow the tenant before it by a token
// that the host does not wait for.
// POISON-LABEL: func.func @device_first
func.func @device_first(%f: f32) {
  // POISON: linalg.fill
  // POISON-NOT: linalg.fill
  %a = transient.alloc lifetime <derived, first = [1], last = [1]> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %a, %f : memref<16xf32>, f32
  gpu.wait [%1]
  // POISON: return
  return
}
