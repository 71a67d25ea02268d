// A class says what a buffer is, not where it lies (B8): the same buffers under
// other classes get the same places. A reconstructable one is never discarded
// (B6): nothing here knows how to make it again.
// RUN: transient-opt %s --transient-liveness --transient-plan | FileCheck %s
// RUN: sed 's/class transient/class reconstructable/' %s | transient-opt --transient-liveness --transient-plan | FileCheck %s
// RUN: sed '/PLAIN/s/class transient/class staging/' %s | transient-opt --transient-liveness --transient-plan | FileCheck %s

// CHECK-LABEL: func.func @classes
// CHECK: transient.alloc {{.*}}last = [1]> placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
// CHECK: transient.alloc {{.*}}last = [3]> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
// CHECK: transient.alloc {{.*}}last = [3]> placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
func.func @classes(%x: memref<16xf32>) {
  %a = transient.alloc class transient : memref<16xf32>
  %b = transient.alloc class transient : memref<16xf32>
  %c = transient.alloc class transient : memref<16xf32> // PLAIN
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32>
  linalg.add ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
