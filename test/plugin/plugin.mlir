// The plugin in a stock mlir-opt: dialect, passes and pipeline.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(transient-pipeline{lower=none})' %s | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(transient-import,transient-liveness,transient-plan,transient-materialize,transient-verify)' %s | FileCheck %s
// Bytecode written by one tool is read by the other.
// RUN: transient-opt %s --transient-pipeline="lower=none" -emit-bytecode -o %t.bc
// RUN: %mlir-opt --load-dialect-plugin=%plugin %t.bc | FileCheck %s
// Stock passes on our ops.
// RUN: %mlir-opt --load-dialect-plugin=%plugin %t.bc --pass-pipeline='builtin.module(test-bytecode-roundtrip{test-dialect-version=2.0})' 2>&1 | FileCheck %s --check-prefix=BYTECODE
// BYTECODE-NOT: error

// CHECK-LABEL: func.func @f
// CHECK: transient.arena physical 0 align 4 : memref<256xi8>
// CHECK-COUNT-2: transient.view
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
