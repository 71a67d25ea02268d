// A buffer of a size that is known at run time only is planned at its bound; a
// call whose size exceeds the bound allocates, and computes the same.

// REQUIRES: mlir-runner
// RUN: %python %utils/execute.py %s | FileCheck %s
// RUN: transient-opt %s -transient-pipeline 2>/dev/null | FileCheck %s --check-prefix=PLAN

// CHECK: outputs identical: @entry
// CHECK-NEXT: wrote argument 0: 16 x f32, {{[0-9]+}} distinct
// CHECK-NEXT: wrote argument 1: 48 x f32, {{[0-9]+}} distinct

// Two buffers of up to 32 elements take turns in the storage that the caller
// passes; beyond the bound each is allocated.
// PLAN: func.func private @twice_within_bounds
// PLAN-NOT: memref.alloc
// PLAN: func.func private @twice_beyond_bounds
// PLAN-COUNT-2: memref.alloc(
// PLAN: func.func @entry
// PLAN: memref.alloc() {{.*}} : memref<128xi8>

func.func private @twice(%x: memref<?xf32> {transient.bound = array<i64: 32>}) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  linalg.add ins(%x, %x : memref<?xf32>, memref<?xf32>) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%d) : memref<?xf32>
  linalg.mul ins(%x, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.add ins(%b, %x : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

func.func @entry(%small: memref<16xf32>, %large: memref<48xf32>) {
  %s = memref.cast %small : memref<16xf32> to memref<?xf32>
  %l = memref.cast %large : memref<48xf32> to memref<?xf32>
  call @twice(%s) : (memref<?xf32>) -> ()
  call @twice(%l) : (memref<?xf32>) -> ()
  return
}
