// One number for the end of a lifetime hides that it ends at several users (M3).
// RUN: transient-opt %s -split-input-file --transient-import --transient-liveness --transient-plan | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-import --transient-liveness --transient-plan | sed 's/offset = [0-9]*/offset = 0/' > %t.mlir
// RUN: not transient-opt %t.mlir -split-input-file --transient-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=EDITED

// Both readers are last users. B, which is after one of them, keeps away.
// CHECK-LABEL: func.func @two_last_users
// CHECK: last = [3, 5]> placement <physical = 0, offset = [[A:[0-9]+]], bytes = 256>
// CHECK-NOT: offset = [[A]], bytes
// CHECK: return
// EDITED: error: 'gpu.memset' writes bytes [0, 256) of tenant 1 while tenant 0 may still be in use there (V1)
// EDITED: note: not ordered with it: 'gpu.memcpy' reads bytes [0, 256) of tenant 0
func.func @two_last_users(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  %f1 = gpu.wait async [%p]
  %r1 = gpu.memcpy async [%f1] %x, %a : memref<64xf32>, memref<64xf32>
  %f2 = gpu.wait async [%p]
  %r2 = gpu.memcpy async [%f2] %y, %a : memref<64xf32>, memref<64xf32>
  %w = gpu.memset async [%r2] %b, %f : memref<64xf32>, f32
  %j = gpu.wait async [%r1, %w]
  gpu.wait [%j]
  return
}
