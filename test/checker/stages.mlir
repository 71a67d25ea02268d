// The same rules at every stage of the pipeline.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// Placed requests: the placement is all that is trusted to say where they are.
func.func @placed_requests_unordered(%z: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %b = transient.alloc placement <physical = 0, offset = 32, bytes = 64> : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memset' writes bytes [32, 96) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t2 = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  gpu.wait [%t1, %t2]
  return
}

// -----

// Lifetimes and node numbers say that all is well. They are not evidence.
func.func @lifetimes_are_not_evidence(%z: f32) {
  %a = transient.alloc lifetime <derived, creation = [0], first = [0], last = [0]> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %b = transient.alloc lifetime <derived, creation = [0], first = [1], last = [1]> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32 {transient.node = 0 : i64}
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t2 = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32 {transient.node = 1 : i64}
  gpu.wait [%t1, %t2]
  return
}

// -----

func.func @placed_requests_in_other_buffers(%z: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %b = transient.alloc placement <physical = 1, offset = 0, bytes = 64> : memref<16xf32>
  %c = transient.alloc : memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %t2 = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  %t3 = gpu.memset async [%t0] %c, %z : memref<16xf32>, f32
  gpu.wait [%t1, %t2, %t3]
  return
}

// -----

func.func @arena_and_views(%o: memref<16xf32>, %z: f32) {
  %arena = transient.arena physical 0 align 64 : memref<128xi8>
  %a = transient.view %arena[0] tenant 0 : memref<128xi8> to memref<16xf32>
  %b = transient.view %arena[32] tenant 1 : memref<128xi8> to memref<16xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [32, 96) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0 after tenant 1 took over its storage (V2)}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @freed_request(%z: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{'memref.dealloc' frees the storage that tenant 0 shares with others (V4)}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// A lowered gpu arena: one entry wait, one exit join of exactly its last users.
func.func @gpu_arena(%o1: memref<16xf32>, %o2: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %e = gpu.wait async
  %arena, %ta = gpu.alloc async [%e] () : memref<128xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c32][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  %t1 = gpu.memset async [%ta] %a, %z : memref<16xf32>, f32
  %r1 = gpu.memcpy async [%t1] %o1, %a : memref<16xf32>, memref<16xf32>
  %t2 = gpu.memset async [%r1] %b, %z : memref<16xf32>, f32
  %r2 = gpu.memcpy async [%t2] %o2, %b : memref<16xf32>, memref<16xf32>
  %j = gpu.wait async [%r1, %r2]
  %d = gpu.dealloc async [%j] %arena : memref<128xi8>
  gpu.wait [%d]
  return
}
