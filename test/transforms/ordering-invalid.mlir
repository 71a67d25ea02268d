// Order that cannot be had, or that nobody has added yet.
// RUN: transient-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(transient-liveness,transient-plan{ordering-budget=256},transient-materialize)"
// RUN: not transient-opt --transient-plan=ordering-budget=-2 %s 2>&1 | FileCheck %s
// CHECK: transient-plan: expects 'ordering-budget' to be bytes or -1, got -2

// expected-error @below {{its plan relies on order that it does not have; run transient-apply-ordering}}
func.func @not_applied(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  // expected-note @below {{this is to end before it starts}}
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  // expected-remark @below {{transient-plan: this is to wait for other work, so that buffers may share storage}}
  %2 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %3 = gpu.memcpy async [%2] %y, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%1, %3]
  return
}

// -----

// Both are live at once whatever waits.
// expected-remark @below {{transient-plan: found no order with which the storage takes 256 bytes; it takes 512}}
func.func @out_of_reach(%x: memref<64xf32>, %f: f32) {
  %a = transient.alloc : memref<64xf32>
  %b = transient.alloc : memref<64xf32>
  %s0 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %b, %a : memref<64xf32>, memref<64xf32>
  %2 = gpu.memcpy async [%1] %x, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%2]
  return
}

// -----

// A branch does not wait for another block's work: its token would not do for
// what follows.
// expected-remark @below {{transient-plan: found no order with which the storage takes 256 bytes; it takes 512}}
func.func @in_another_block(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32, %c: i1) {
  %a = transient.alloc : memref<64xf32>
  %s0 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  scf.if %c {
    %b = transient.alloc : memref<64xf32>
    %s1 = gpu.wait async
    %2 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
    %3 = gpu.memcpy async [%2] %y, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%3]
  }
  gpu.wait [%1]
  return
}

// -----

// expected-error @below {{cannot realise #transient.precondition<end = 0, start = 2>: node 0 and node 2 are not in one block}}
func.func @other_block(%x: memref<64xf32>, %f: f32, %c: i1) attributes {transient.preconditions = [#transient.precondition<end = 0, start = 2>]} {
  %a = transient.alloc : memref<64xf32>
  %0 = gpu.memset async %a, %f : memref<64xf32>, f32
  scf.if %c {
    %1 = gpu.memset async %x, %f : memref<64xf32>, f32
    gpu.wait [%1]
  }
  gpu.wait [%0]
  return
}

// -----

// expected-error @below {{cannot realise #transient.precondition<end = 0, start = 1>: node 0 is no asynchronous op of the gpu dialect}}
func.func @host_op(%x: memref<64xf32>, %f: f32) attributes {transient.preconditions = [#transient.precondition<end = 0, start = 1>]} {
  %a = transient.alloc : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %0 = gpu.memset async %x, %f : memref<64xf32>, f32
  gpu.wait [%0]
  return
}

// -----

// expected-error @below {{cannot realise #transient.precondition<end = 0, start = 9>: the function has only}}
func.func @no_such_node(%f: f32) attributes {transient.preconditions = [#transient.precondition<end = 0, start = 9>]} {
  %a = transient.alloc : memref<64xf32>
  %0 = gpu.memset async %a, %f : memref<64xf32>, f32
  gpu.wait [%0]
  return
}
