// One buffer switched out: it stays an allocation of its own, the rest is planned,
// and the report says why. Lowered IR has no attribute that stock tools lack.
// RUN: transient-opt %s --transient-pipeline="report=%t.json" 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: FileCheck %s --check-prefix=REMARK < %t.err

// REPORT: "fact": "placement"
// REPORT-NEXT: "reason": "the buffer is switched out by 'transient.keep_apart'"
// REMARK: keep-apart.mlir:[[# @LINE + 8]]:{{[0-9]+}}: remark: not planned: the buffer is switched out by 'transient.keep_apart'

// CHECK-LABEL: func.func @chain
func.func @chain(%o: memref<64xf32>, %f: f32) {
  // CHECK-NOT: keep_apart
  // CHECK: memref.alloc() {{.*}} : memref<512xi8>
  // CHECK: memref.alloc() : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() {transient.keep_apart} : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %d : memref<64xf32> to memref<64xf32>
  memref.copy %d, %o : memref<64xf32> to memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}
