// Planning never adds, removes or reorders a launch, copy, wait or token (Q8,
// C8). The token forms of allocations count as the waits that they become.
// RUN: transient-opt %s --test-transient-structure -o /dev/null > %t.before
// RUN: transient-opt %s --transient-pipeline="lower=none" | transient-opt --test-transient-structure -o /dev/null > %t.none
// RUN: diff %t.before %t.none
// RUN: transient-opt %s --transient-pipeline="lower=memref" | transient-opt --test-transient-structure -o /dev/null > %t.memref
// RUN: diff %t.before %t.memref
// With a gpu arena: one wait at entry (for the allocation) and one join at exit.
// RUN: transient-opt %s --transient-pipeline="lower=auto" | transient-opt --test-transient-structure -o /dev/null > %t.auto
// RUN: not diff %t.before %t.auto > %t.diff
// RUN: FileCheck %s < %t.before
// RUN: FileCheck %s --check-prefix=AUTO < %t.auto
// Placements are attributes, and nothing else changes (Q3).
// RUN: transient-opt %s --transient-import --transient-liveness > %t.live
// RUN: transient-opt %s --transient-import --transient-liveness --transient-plan | sed -e 's/ placement <[^>]*>//' > %t.planned
// RUN: diff %t.live %t.planned

// CHECK: @f
// CHECK-NEXT: gpu.wait async [] -> t0
// CHECK-NEXT: gpu.wait async [t0] -> t1
// CHECK-NEXT: gpu.memset async [t1] -> t2
// CHECK-NEXT: gpu.wait async [t2] -> t3
// CHECK-NEXT: gpu.memcpy async [t3] -> t4
// CHECK-NEXT: gpu.memcpy async [t2] -> t5
// CHECK-NEXT: gpu.wait async [t4, t5] -> t6
// CHECK-NEXT: gpu.wait async [t6] -> t7
// CHECK-NEXT: gpu.wait [t7]
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: memref.copy
// AUTO: @f
// AUTO-NEXT: gpu.wait async [] -> t0
// AUTO-NEXT: gpu.wait async [t0] -> t1
// AUTO-NEXT: gpu.wait [t1]
// AUTO-NEXT: gpu.wait async [] -> t2
// AUTO-NEXT: gpu.wait async [t2] -> t3
// AUTO-NEXT: gpu.memset async [t3] -> t4
// AUTO-NEXT: gpu.wait async [t4] -> t5
// AUTO-NEXT: gpu.memcpy async [t5] -> t6
// AUTO-NEXT: gpu.memcpy async [t4] -> t7
// AUTO-NEXT: gpu.wait async [t6, t7] -> t8
// AUTO-NEXT: gpu.wait async [t8] -> t9
// AUTO-NEXT: gpu.wait [t9]
// AUTO-NEXT: linalg.fill
// AUTO-NEXT: memref.copy
// AUTO-NEXT: gpu.wait async [] -> t10
// AUTO-NEXT: gpu.wait async [t10] -> t11
// AUTO-NEXT: gpu.wait [t11]
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %host = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %a, %1 = gpu.alloc async [%0] () : memref<64xf32>
  %2 = gpu.memset async [%1] %a, %f : memref<64xf32>, f32
  %3 = gpu.wait async [%2]
  %4 = gpu.memcpy async [%3] %x, %a : memref<64xf32>, memref<64xf32>
  %5 = gpu.memcpy async [%2] %y, %a : memref<64xf32>, memref<64xf32>
  %6 = gpu.wait async [%4, %5]
  %7 = gpu.dealloc async [%6] %a : memref<64xf32>
  gpu.wait [%7]
  linalg.fill ins(%f : f32) outs(%host : memref<64xf32>)
  memref.copy %host, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %host : memref<64xf32>
  return
}
