// The output of stock optimize-allocation-liveness on an asynchronous program.
// RUN: transient-opt %s --transient-verify -o /dev/null
// RUN: transient-opt %s --pass-pipeline="builtin.module(func.func(optimize-allocation-liveness),transient-verify)" -verify-diagnostics -o /dev/null

// The stock pass moves the free to just after the last op that names the
// buffer, above the wait for it.
func.func @moved_above_the_wait(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %t2 = gpu.memcpy async [%t1] %o, %a : memref<16xf32>, memref<16xf32>
  gpu.wait [%t2]
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'memref.dealloc'}}
  memref.dealloc %a : memref<16xf32>
  return
}
