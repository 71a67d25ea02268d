// Bytes that requests no longer need are not bytes that the device no longer
// holds: the report names what it counts, and counts what is left apart (M13).
// RUN: transient-opt %s --transient-pipeline="report=%t.json" -o /dev/null 2>/dev/null
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=NONE --implicit-check-not=resident_bytes --implicit-check-not=committed --implicit-check-not='"resident"' < %t.json
// NONE: "schema"

// The returned buffer is not in the arena: it is no saving, and not forgotten.
// CHECK: "name": "returned"
// CHECK: "logical": 1536
// CHECK-NEXT: "physical": 256
// CHECK-NEXT: "saved": 256
// CHECK: "unplanned": 1024
func.func @returned(%x: memref<64xf32>, %f: f32) -> memref<256xf32> {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %r = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%r : memref<256xf32>)
  return %r : memref<256xf32>
}

// What is not known is not 0.
// CHECK: "name": "unknown"
// CHECK: "unknown_count": 1
func.func @unknown(%n: index, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}
