// Only the first buffers share (all reuse off, the first ones on): each number
// gives a plan that holds, and the report and the checker agree.
// RUN: transient-opt %s --transient-pipeline="lower=none share-first=0" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: transient-opt %s --transient-pipeline="lower=none share-first=1" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: transient-opt %s --transient-pipeline="lower=none share-first=3" | FileCheck %s --check-prefixes=CHECK,SOME
// RUN: transient-opt %s --transient-pipeline="lower=none share-first=4" | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: transient-opt %s --transient-pipeline="lower=none" | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: transient-opt %s --transient-pipeline="lower=none strategy=slots share-first=0 report=%t.json" | FileCheck %s --check-prefix=SLOTS
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// REPORT: "saved": 0
// REPORT: "overlapping_pairs": 0

// CHECK-LABEL: func.func @chain
func.func @chain(%o: memref<64xf32>, %f: f32) {
  // NONE: transient.arena physical 0 align 4 : memref<1024xi8>
  // SOME: transient.arena physical 0 align 4 : memref<768xi8>
  // ALL: transient.arena physical 0 align 4 : memref<512xi8>
  // SLOTS-COUNT-4: transient.arena
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %d : memref<64xf32> to memref<64xf32>
  memref.copy %d, %o : memref<64xf32> to memref<64xf32>
  return
}
