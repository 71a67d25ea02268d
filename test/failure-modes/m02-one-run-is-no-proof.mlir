// What one run showed, written down as lifetimes, proves nothing about the
// others (M2).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" -verify-diagnostics

// In that run A had ended when B began.
func.func @observed_intervals(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  // expected-error @below {{declares a lifetime as an interval of node ids, but nodes 0 and 1 are not proved to run one after the other}}
  %a = transient.alloc lifetime <declared, first = [2], last = [2]> : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  // expected-note @below {{node 0 is here}}
  %s0 = gpu.wait async
  // expected-note @below {{node 1 is here}}
  %s1 = gpu.wait async
  %1 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %2 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  gpu.wait [%1]
  gpu.wait [%2]
  return
}

// -----

// Nor does a trace that misses a use that other inputs have.
func.func @observed_too_short(%c: i1, %x: memref<64xf32>, %f: f32) {
  // expected-error @below {{declares the lifetime [0, 0], but node}}
  %a = transient.alloc lifetime <declared, first = [0], last = [0]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    // expected-note @below {{is here}}
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  return
}
