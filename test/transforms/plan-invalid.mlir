// RUN: transient-opt %s -split-input-file --transient-plan -verify-diagnostics
// RUN: not transient-opt %s --transient-plan="alignment=3" 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not transient-opt %s --transient-plan="target=webgpu" 2>&1 | FileCheck %s --check-prefix=WEBGPU
// RUN: not transient-opt %s --transient-plan="strategy=best" 2>&1 | FileCheck %s --check-prefix=STRATEGY
// ALIGN: transient-plan: expects 'alignment' to be a power of two, got 3
// WEBGPU: transient-plan: target=webgpu validates usage per whole buffer; use strategy=slots
// STRATEGY: Cannot find option named 'best'

func.func @unknown_node(%f: f32) {
  // expected-error @below {{has node 7 in the 'last' frontier of its lifetime, but the function has only 2 nodes}}
  %a = transient.alloc lifetime <derived, first = [0], last = [7]> : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  return
}

// -----

func.func @stale_nodes(%f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [0]> : memref<16xf32>
  // expected-error @below {{'transient.node' is out of date: expects 0, got 1; run transient-liveness again}}
  linalg.fill {transient.node = 1 : i64} ins(%f : f32) outs(%a : memref<16xf32>)
  return
}

// -----

// Numbers that are there for some nodes only were made for another function:
// inlining does that.
func.func @missing_node(%f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [0]> : memref<16xf32>
  linalg.fill {transient.node = 0 : i64} ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{'transient.node' is out of date: expects 1, got none}}
  return
}

// -----

func.func @dynamic(%n: index, %f: f32) {
  // expected-error @below {{has a lifetime but no static size to plan}}
  %a = transient.alloc(%n) lifetime <derived, first = [0], last = [0]> : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}

// -----

func.func @overflow(%f: f32) {
  // expected-error @below {{overflow: the size does not fit 64 bits}}
  %a = transient.alloc lifetime <derived, first = [0], last = [0]> : memref<2147483648x1073741824xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<2147483648x1073741824xf32>)
  return
}

// -----

// Each size fits, and so does the sum in the planner's 64 bits, but an offset in
// the IR has 63.
func.func @overflow_of_sum(%f: f32) {
  // expected-note @below {{b0 of 4611686018427387904 bytes is in the same physical buffer}}
  %a = transient.alloc lifetime <derived, first = [0], last = [5]> : memref<1073741824x1073741824xf32>
  // expected-error @below {{overflow: b1 of 4611686018427387904 bytes would be placed at byte 4611686018427387904 and end past 2^63 - 1}}
  %b = transient.alloc lifetime <derived, first = [1], last = [4]> : memref<1073741824x1073741824xf32>
  %c = transient.alloc lifetime <derived, first = [2], last = [3]> : memref<1073741824x1073741824xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<1073741824x1073741824xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<1073741824x1073741824xf32>)
  return
}
