// RUN: not transient-opt %s --transient-sanitize="red-zone=0" 2>&1 | FileCheck %s
// CHECK: transient-sanitize: expects 'red-zone' in 1..1073741824, got 0
// RUN: not transient-opt %s --transient-sanitize 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: 'transient.arena' op overflow: with red zones it needs more than 2^63 - 1 bytes
func.func @f(%f: f32) {
  %arena = transient.arena physical 0 align 4 : memref<9223372036854775807xi8>
  %a = transient.view %arena[0] tenant 0 : memref<9223372036854775807xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}
