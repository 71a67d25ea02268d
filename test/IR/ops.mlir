// Every op and attribute survives the pretty, generic and bytecode forms.
// RUN: transient-opt %s | FileCheck %s
// RUN: transient-opt %s -mlir-print-op-generic | transient-opt | FileCheck %s
// RUN: transient-opt %s -emit-bytecode | transient-opt | FileCheck %s
// RUN: transient-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @alloc_minimal
func.func @alloc_minimal() -> memref<64xf32> {
  // CHECK: %[[B:.*]] = transient.alloc : memref<64xf32>
  %0 = transient.alloc : memref<64xf32>
  return %0 : memref<64xf32>
}

// CHECK-LABEL: func.func @alloc_full
func.func @alloc_full(%n: index) {
  // CHECK: transient.alloc(%{{.*}}) kind gpu class workspace usage <copy_dst|storage> align 256 owner "solver" : memref<?xf32, 1>
  %0 = transient.alloc(%n) kind gpu class workspace usage <storage|copy_dst> align 256 owner "solver" : memref<?xf32, 1>
  return
}

// CHECK-LABEL: func.func @alloc_classes
func.func @alloc_classes() {
  // CHECK: class required_output :
  %0 = transient.alloc class required_output : memref<1xi8>
  // CHECK: class transient :
  %1 = transient.alloc class transient : memref<1xi8>
  // CHECK: class workspace :
  %2 = transient.alloc class workspace : memref<1xi8>
  // CHECK: class staging :
  %3 = transient.alloc class staging : memref<1xi8>
  // CHECK: class reconstructable :
  %4 = transient.alloc class reconstructable : memref<1xi8>
  // CHECK: class escaped :
  %5 = transient.alloc class escaped : memref<1xi8>
  return
}

// CHECK-LABEL: func.func @alloc_usages
func.func @alloc_usages() {
  // CHECK: usage <map_read|map_write|copy_src|copy_dst|index|vertex|uniform|storage|indirect|query_resolve>
  %0 = transient.alloc usage <map_read|map_write|copy_src|copy_dst|index|vertex|uniform|storage|indirect|query_resolve> : memref<1xi8>
  return
}

// CHECK-LABEL: func.func @web_of
func.func @web_of() {
  // CHECK: transient.alloc align 64 web_of 3 : memref<64xf32>
  %0 = transient.alloc align 64 web_of 3 : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @in_place
func.func @in_place() {
  // CHECK: transient.alloc web_of 3 in_place 2 : memref<64xf32>
  %0 = transient.alloc web_of 3 in_place 2 : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @lifetime_and_placement
func.func @lifetime_and_placement() {
  // CHECK: lifetime <derived, creation = [0], first = [0, 1], last = [2, 5]> placement <physical = 1, offset = 256, bytes = 256>
  %0 = transient.alloc align 64 lifetime <derived, creation = [0], first = [0, 1], last = [2, 5]> placement <physical = 1, offset = 256, bytes = 256> : memref<64xf32>
  // CHECK: lifetime <declared, first = [0], last = [3]>
  %1 = transient.alloc lifetime <declared, first = [0], last = [3]> : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @arena_and_view
func.func @arena_and_view() {
  // CHECK: %[[ARENA:.*]] = transient.arena physical 0 kind gpu_host_shared usage <storage> align 256 : memref<1024xi8, 1>
  %arena = transient.arena physical 0 kind gpu_host_shared usage <storage> align 256 : memref<1024xi8, 1>
  // CHECK: transient.view %[[ARENA]][256] tenant 3 : memref<1024xi8, 1> to memref<16x4xf32, 1>
  %0 = transient.view %arena[256] tenant 3 : memref<1024xi8, 1> to memref<16x4xf32, 1>
  // A view of no bytes may stand at the very end.
  // CHECK: transient.view %[[ARENA]][1024] tenant 4
  %1 = transient.view %arena[1024] tenant 4 : memref<1024xi8, 1> to memref<0x4xf32, 1>
  return
}

// CHECK-LABEL: func.func @node_attribute
func.func @node_attribute(%m: memref<4xf32>, %f: f32) {
  // CHECK: linalg.fill {transient.node = 0 : i64}
  linalg.fill {transient.node = 0 : i64} ins(%f : f32) outs(%m : memref<4xf32>)
  return
}
