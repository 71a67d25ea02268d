// Computing a value again needs its inputs, an order and time: a class that
// promises it buys nothing, and no op is added (M9).
// RUN: transient-opt %s --transient-pipeline="lower=none" | FileCheck %s

// The input of the fill may be gone by then; A stays live to its last reader.
// CHECK-LABEL: func.func @reconstructable
// CHECK: transient.arena {{.*}} : memref<512xi8>
// CHECK-COUNT-1: linalg.exp
// CHECK-NOT: linalg.exp
// CHECK: return
func.func @reconstructable(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = transient.alloc class reconstructable : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  return
}
