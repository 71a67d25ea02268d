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

// The content of a workspace means nothing after its owner (B4).
func.func @workspace_read_later(%x: memref<64xf32>) {
  // expected-error @below {{is declared 'workspace', but an op reads what another one left in it}}
  %a = transient.alloc class workspace : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  // expected-note @below {{here}}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

func.func @workspace_returned() -> memref<64xf32> {
  // expected-error @below {{is declared 'workspace', but the buffer is returned}}
  %a = transient.alloc class workspace : memref<64xf32>
  // expected-note @below {{here}}
  return %a : memref<64xf32>
}

// -----

func.func @staging_returned() -> memref<64xf32> {
  // expected-error @below {{is declared 'staging', but the buffer is returned}}
  %a = transient.alloc class staging : memref<64xf32>
  // expected-note @below {{here}}
  return %a : memref<64xf32>
}

// -----

func.func @reconstructable_returned() -> memref<64xf32> {
  // expected-error @below {{is declared 'reconstructable', but the buffer is returned}}
  %a = transient.alloc class reconstructable : memref<64xf32>
  // expected-note @below {{here}}
  return %a : memref<64xf32>
}

// -----

// These two claim nothing, and are believed: others have the buffer (B2, B7).
func.func @declared_strict(%f: f32) {
  // expected-remark @below {{not planned: the buffer is declared 'required_output', so others may use it after the function}}
  // expected-note @below {{declare another class if nobody does}}
  %a = transient.alloc class required_output : memref<64xf32>
  // expected-remark @below {{not planned: the buffer is declared 'escaped', so others may use it after the function}}
  // expected-note @below {{declare another class if nobody does}}
  %b = transient.alloc class escaped : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  return
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
