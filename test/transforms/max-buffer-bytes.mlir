// No physical buffer is larger than the limit; one request that is, is an error.
// RUN: transient-opt %s --transient-pipeline="lower=none max-buffer-bytes=512 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: not transient-opt %s --transient-pipeline="max-buffer-bytes=255" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not transient-opt %s --transient-plan=max-buffer-bytes=-2 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: transient-plan: expects 'max-buffer-bytes' to be bytes or -1, got -2

// CHECK-LABEL: func.func @three_at_once
// CHECK: transient.arena physical 0 {{.*}} : memref<512xi8>
// CHECK: transient.arena physical 1 {{.*}} : memref<256xi8>
// REPORT: "physical": 768
// LARGE: max-buffer-bytes.mlir:[[# @LINE + 3]]:8: error: 'transient.alloc' op buffer 'b0' takes 256 bytes at offset 0, but a physical buffer has 255 at most
func.func @three_at_once(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %f: f32) {
  // Each is read after all have been written.
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  memref.copy %c, %z : memref<64xf32> to memref<64xf32>
  return
}
