// Preconditions that transient-apply-ordering cannot make true.
// RUN: transient-opt %s -split-input-file -verify-diagnostics --transient-apply-ordering

// expected-error @below {{has preconditions, but no body to order}}
func.func private @declared() attributes {transient.preconditions = [#transient.precondition<end = 0, start = 1>]}

// -----

// expected-error @below {{cannot realise #transient.precondition<end = 1, start = 2>: node 2 is no asynchronous op of the gpu dialect}}
func.func @host_op(%x: memref<64xf32>, %f: f32) attributes {transient.preconditions = [#transient.precondition<end = 1, start = 2>]} {
  %t = gpu.wait async
  %0 = gpu.memset async [%t] %x, %f : memref<64xf32>, f32
  gpu.wait [%0]
  return
}

// -----

// Numbers of another version of the function.
func.func @stale(%x: memref<64xf32>, %f: f32) attributes {transient.preconditions = [#transient.precondition<end = 1, start = 3>]} {
  // expected-error @below {{'transient.node' is out of date: expects 0, got 1; run transient-liveness again}}
  %t = gpu.wait async {transient.node = 1 : i64}
  %0 = gpu.memset async [%t] %x, %f : memref<64xf32>, f32
  %1 = gpu.memset async [%t] %x, %f : memref<64xf32>, f32
  %2 = gpu.memset async [%t] %x, %f : memref<64xf32>, f32
  gpu.wait [%0, %1, %2]
  return
}
