// Stock deallocation takes the planned program, and leaves the arena alone.
// RUN: transient-opt %s --transient-pipeline | %mlir-opt --buffer-deallocation-pipeline | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}}manual_deallocation
// CHECK-COUNT-1: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @f(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
