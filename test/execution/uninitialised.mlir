// A program that reads memory nobody wrote gives other bytes under another
// poison. It cannot be a reference, so the harness says so instead of blaming
// the plan (or, with luck, finding the outputs identical).

// REQUIRES: mlir-runner
// RUN: not %python %utils/execute.py %s --unplanned-only | FileCheck %s
// RUN: not %python %utils/execute.py %s --planned %s | FileCheck %s

// CHECK: skipped: {{.*}}: the unplanned program's outputs depend on uninitialised memory: argument 0: element 2 (i32): expected 0x00000000, got 0xffffffff; 2 of 4 elements differ

func.func @entry(%out: memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  %zero = arith.constant 0 : i32
  %half = memref.subview %a[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  linalg.fill ins(%zero : i32) outs(%half : memref<2xi32, strided<[1]>>)
  memref.copy %a, %out : memref<4xi32> to memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
