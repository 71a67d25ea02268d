// No size is rounded to a class, no threshold and no age decides: what is not
// asked for is not done, and a familiar name is no strategy (M14).
// RUN: transient-opt %s --transient-pipeline="lower=none" | FileCheck %s
// RUN: not transient-opt %s --transient-pipeline="strategy=buddy" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not transient-opt %s --transient-pipeline="strategy=lru" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: Cannot find option named '{{buddy|lru}}'

// 12 + 20 + 4 bytes are 36, neither 16 + 32 + 4 nor 3 * 256.
// CHECK-LABEL: func.func @odd_sizes
// CHECK: transient.arena physical 0 align 4 : memref<36xi8>
func.func @odd_sizes(%x: memref<3xf32>, %y: memref<5xf32>, %z: memref<1xf32>, %f: f32) {
  %a = memref.alloc() : memref<3xf32>
  %b = memref.alloc() : memref<5xf32>
  %c = memref.alloc() : memref<1xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<3xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<5xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<1xf32>)
  memref.copy %a, %x : memref<3xf32> to memref<3xf32>
  memref.copy %b, %y : memref<5xf32> to memref<5xf32>
  memref.copy %c, %z : memref<1xf32> to memref<1xf32>
  return
}
