// What one isolation domain leaves in memory, another must not find (M11).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-import --transient-liveness --transient-plan | sed 's/physical = 1/physical = 0/' > %t.mlir
// RUN: not transient-opt %t.mlir -split-input-file --transient-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=EDITED

// Lifetimes are disjoint; owners are not the same.
// CHECK-LABEL: func.func @owners
// CHECK-COUNT-2: transient.arena {{.*}} : memref<64xi8>
// The checker finds out where a plan is edited.
// EDITED: error: placed in physical buffer 0 of another owner (V7)
func.func @owners(%x: memref<16xf32>, %f: f32) {
  %a = transient.alloc owner "tenant_a" : memref<16xf32>
  %b = transient.alloc owner "tenant_b" : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An owner that is not said is not the same owner.
// CHECK-LABEL: func.func @unknown_owner
// CHECK-COUNT-2: transient.arena {{.*}} : memref<64xi8>
func.func @unknown_owner(%x: memref<16xf32>, %f: f32) {
  %a = transient.alloc owner "tenant_a" : memref<16xf32>
  %b = transient.alloc : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}
