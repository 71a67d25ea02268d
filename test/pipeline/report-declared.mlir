// A lifetime and a place that were written by hand, and a fact against them (G4).
// RUN: transient-opt %s --transient-report -o /dev/null | FileCheck %s

// CHECK-LABEL: "name": "retained"
// CHECK: "sharing": []
// CHECK: "rejected": [
// CHECK-NEXT: {
// CHECK-NEXT: "a": "b0"
// CHECK-NEXT: "b": "b1"
// CHECK-NEXT: "condition": "retained"
// CHECK-NEXT: "reason": "b0 has its address taken by 'memref.extract_aligned_pointer_as_index'"
// CHECK-NEXT: "overlaps": true
// CHECK-NEXT: }
// CHECK-NEXT: ]
func.func @retained(%o: memref<64xf32>, %f: f32) -> index {
  %a = transient.alloc lifetime <declared, creation = [0], first = [0], last = [0]> placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  %b = transient.alloc lifetime <declared, creation = [1], first = [1], last = [2]> placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  return %p : index
}
