// RUN: transient-opt %s -split-input-file --transient-liveness -verify-diagnostics

func.func @declared_too_narrow(%x: memref<64xf32>, %f: f32) {
  // expected-error @below {{declares the lifetime [0, 0], but node 1 uses the buffer}}
  %a = transient.alloc lifetime <declared, first = [0], last = [0]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{node 1 is here}}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

func.func @declared_past_the_end(%f: f32) {
  // expected-error @below {{declares a lifetime that ends at node 9, but the function has only 2 nodes}}
  %a = transient.alloc lifetime <declared, first = [0], last = [9]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}

// -----

func.func @declared_without_order(%x: memref<64xf32>, %f: f32) {
  // expected-error @below {{declares a lifetime as an interval of node ids, but nodes 1 and 2 are not proved to run one after the other}}
  %a = transient.alloc lifetime <declared, first = [0], last = [3]> : memref<64xf32>
  %0 = gpu.wait async
  // expected-note @below {{node 1 is here}}
  %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  // expected-note @below {{node 2 is here}}
  %2 = gpu.wait async
  %3 = gpu.memset async [%2] %x, %f : memref<64xf32>, f32
  return
}

// -----

func.func @declared_class(%f: f32) -> memref<64xf32> {
  // expected-error @below {{is declared 'transient', but the buffer is returned}}
  %a = transient.alloc class transient : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{here}}
  return %a : memref<64xf32>
}

// -----

// What cannot be proved gets no lifetime, not even the one it had.
func.func @blocked(%f: f32) -> memref<64xf32> {
  // expected-remark @below {{not planned: the buffer is returned}}
  // expected-note @below {{to plan it}}
  %a = transient.alloc lifetime <derived, first = [0], last = [0]> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer}}
  return %a : memref<64xf32>
}
