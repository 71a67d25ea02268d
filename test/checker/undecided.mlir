// What the checker cannot decide, it says.
// RUN: transient-opt %s --transient-verify --allow-unregistered-dialect -split-input-file -verify-diagnostics -o /dev/null

func.func private @opaque(memref<16xf32>)
func.func @opaque_call(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide when 'func.call' ends: the callee says nothing of what it keeps or when it is done}}
  call @opaque(%a) : (memref<16xf32>) -> ()
  // expected-note @below {{needed for: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  return
}

// -----

// An opaque call after the takeover is no question: it is a fault.
func.func private @opaque(memref<16xf32>)
func.func @opaque_call_after_takeover(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{'func.call' reads and writes bytes [0, 64) of tenant 0 after tenant 1 took over its storage (V2)}}
  call @opaque(%a) : (memref<16xf32>) -> ()
  return
}

// -----

// A contract says what the call does, and that it keeps nothing.
func.func private @reads(memref<16xf32> {bufferization.access = "read"})
func.func @call_with_contract(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  call @reads(%a) : (memref<16xf32>) -> ()
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A callee with a body that runs on this thread is read.
func.func private @body(%m: memref<16xf32>, %o: memref<16xf32>) {
  memref.copy %m, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @call_with_body(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  call @body(%a, %o) : (memref<16xf32>, memref<16xf32>) -> ()
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// One that launches and returns is not.
func.func private @launches(%m: memref<16xf32>, %z: f32) {
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %m, %z : memref<16xf32>, f32
  return
}
func.func @call_that_leaks(%z: f32) {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'func.call' reads and writes bytes [0, 64) of this allocation}}
  call @launches(%a, %z) : (memref<16xf32>, f32) -> ()
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the callee says nothing of what it keeps or when it is done}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

func.func @recursive(%a: memref<16xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.store %v, %a[%c0] : memref<16xf32>
  scf.if %c {
    %b = memref.alloc() : memref<16xf32>
    // expected-note @below {{used here: 'func.call' reads and writes bytes [0, 64) of this allocation}}
    func.call @recursive(%b, %c) : (memref<16xf32>, i1) -> ()
    // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the callee says nothing of what it keeps or when it is done}}
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// -----

// The pointer escapes: from there on anything may happen to the bytes.
func.func @pointer_escapes(%z: f32) -> index {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide when 'memref.extract_aligned_pointer_as_index' ends: the address of the buffer escapes there}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  // expected-note @below {{needed for: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  return %p : index
}

// -----

// stored where others see it
func.func @stored_memref(%where: memref<memref<16xf32>>, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'memref.store' takes the address of bytes [0, 64) of this allocation}}
  memref.store %a, %where[] : memref<memref<16xf32>>
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'memref.store': the address of the buffer escapes there}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

func.func @unknown_region_op(%z: f32) {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'foo.region' writes bytes [0, 64) of this allocation}}
  "foo.region"() ({
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    "foo.end"() : () -> ()
  }) : () -> ()
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'foo.region': it has regions that are not understood}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// What such a region allocates and frees is its own affair, and not decided.
func.func @unknown_region_op_that_allocates(%z: f32) {
  // expected-warning @below {{transient-verify cannot decide what the regions of this op do with storage that they allocate}}
  "foo.region"() ({
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    "foo.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// Nothing shared, nothing freed: nothing to say.
func.func @unknown_ops_without_sharing(%z: f32) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  "foo.use"(%a) : (memref<16xf32>) -> ()
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  return %a : memref<16xf32>
}

// -----

// A body that runs concurrently is a scope of its own.
func.func @free_in_parallel_body(%n: index, %o: memref<?xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<16xf32>
    memref.store %z, %a[%c0] : memref<16xf32>
    // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
    memref.dealloc %a : memref<16xf32>
    // expected-error @below {{use after free: 'memref.load' reads bytes [0, 64) of this allocation (V3)}}
    %v = memref.load %a[%c0] : memref<16xf32>
    memref.store %v, %o[%i] : memref<?xf32>
  }
  return
}

// -----

func.func @placement_in_parallel_body(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-warning @below {{transient-verify cannot decide whether iterations of 'scf.parallel' that run at the same time use one placement}}
    %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    memref.store %z, %a[%c0] : memref<16xf32>
  }
  return
}

// -----

// A sparse handle keeps the address that it was made from.
func.func @retained_by_handle(%a: memref<16xf32>, %n: index) {
  %m = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{used here: 'gpu.create_dn_tensor' reads and writes bytes [0, 64) of this allocation}}
  %h, %t1 = gpu.create_dn_tensor async [%t0] %m, %n : index into memref<16xf32>
  gpu.wait [%t1]
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'gpu.create_dn_tensor': its result keeps the address}}
  memref.dealloc %m : memref<16xf32>
  return
}

// -----

// Until it is destroyed in the block that makes it: whoever is given the handle
// uses the buffer, and nobody else.
func.func @handle_is_destroyed(%a: memref<16xf32>, %n: index) {
  %m = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %h, %t1 = gpu.create_dn_tensor async [%t0] %m, %n : index into memref<16xf32>
  %t2 = gpu.destroy_dn_tensor async [%t1] %h
  gpu.wait [%t2]
  memref.dealloc %m : memref<16xf32>
  return
}

// -----

// A callee that hands its argument on is not followed.
func.func private @hands_back(%m: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    scf.yield %m : memref<16xf32>
  } else {
    scf.yield %m : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func @call_that_hands_back(%c: i1) {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'func.call' reads and writes bytes [0, 64) of this allocation}}
  %r = call @hands_back(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the callee says nothing of what it keeps or when it is done}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// A region op may have effects of its own.
func.func @region_op_with_own_effects(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{'memref.generic_atomic_rmw' reads and writes bytes [0, 64) of tenant 0 after tenant 1 took over its storage (V2)}}
  %x = memref.generic_atomic_rmw %a[%c0] : memref<16xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %z : f32
  }
  return
}

// -----

// Who is given a token may wait for it.
func.func private @await(!gpu.async.token)
func.func @token_given_to_call(%z: f32) {
  %a = gpu.alloc () : memref<16xf32>
  // expected-note @below {{used here: 'gpu.memset' writes bytes [0, 64) of this allocation}}
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  call @await(%t) : (!gpu.async.token) -> ()
  // expected-warning @below {{transient-verify cannot decide whether 'gpu.dealloc' frees storage that is still in use by 'gpu.memset': a token was given to an op that may wait for it}}
  gpu.dealloc %a : memref<16xf32>
  return
}

// -----

func.func private @await(!gpu.async.token)
func.func @token_given_to_call_before_takeover(%arena: memref<64xi8>, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-warning @below {{transient-verify cannot decide when 'gpu.memset' ends: a token was given to an op that may wait for it}}
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  call @await(%t) : (!gpu.async.token) -> ()
  // expected-note @below {{needed for: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  return
}

// -----

// Another token than the one that matters was given away.
func.func private @await(!gpu.async.token)
func.func @other_token_given_to_call(%z: f32) {
  %a = gpu.alloc () : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{may still run: 'gpu.memset' writes bytes [0, 64) of this allocation}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  call @await(%t0) : (!gpu.async.token) -> ()
  // expected-error @below {{'gpu.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'gpu.dealloc'}}
  gpu.dealloc %a : memref<16xf32>
  gpu.wait [%t1]
  return
}

// -----

// A token from elsewhere may stand for anything that was launched before.
func.func private @everything_so_far() -> !gpu.async.token
func.func @token_from_call(%z: f32) {
  %a = gpu.alloc () : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{used here: 'gpu.memset' writes bytes [0, 64) of this allocation}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %t2 = call @everything_so_far() : () -> !gpu.async.token
  // expected-warning @below {{transient-verify cannot decide whether 'gpu.dealloc' frees storage that is still in use by 'gpu.memset': a token was given to an op that may wait for it}}
  %t3 = gpu.dealloc async [%t2] %a : memref<16xf32>
  gpu.wait [%t1, %t3]
  return
}

// -----

func.func private @await(!gpu.async.token)
func.func @token_of_allocation_given_to_call(%z: f32) {
  %t0 = gpu.wait async
  // expected-note @below {{allocated here}}
  %a, %ta = gpu.alloc async [%t0] () : memref<16xf32>
  call @await(%ta) : (!gpu.async.token) -> ()
  // expected-warning @below {{transient-verify cannot decide whether 'gpu.memset' writes bytes [0, 64) of this allocation before its allocation has completed: a token was given to an op that may wait for it}}
  gpu.memset %a, %z : memref<16xf32>, f32
  // expected-warning @below {{transient-verify cannot decide whether 'gpu.dealloc' frees bytes [0, 64) of this allocation before its allocation has completed: a token was given to an op that may wait for it}}
  gpu.dealloc %a : memref<16xf32>
  return
}

// -----

// A race within one iteration hides whether two iterations take turns in the place
// that each has for itself.
func.func @races_in_one_iteration(%n: index, %m: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %s = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!gpu.async.token) {
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %u = scf.for %j = %c0 to %m step %c1 iter_args(%v = %t) -> (!gpu.async.token) {
      // expected-note @below {{not ordered with it: }}
      // expected-note @below {{missing: an edge from the end of the later op}}
      gpu.memset %a, %f : memref<16xf32>, f32
      gpu.wait [%v]
      // expected-warning @below {{cannot decide whether 'gpu.memset' writes bytes [0, 64) of tenant 0 while an earlier iteration's instance of it may still be in use there: not even within one iteration is it ordered}}
      // expected-warning @below {{race in the program}}
      %w = gpu.memset async %a, %f : memref<16xf32>, f32
      scf.yield %w : !gpu.async.token
    }
    scf.yield %u : !gpu.async.token
  }
  gpu.wait [%r]
  memref.dealloc %arena : memref<64xi8>
  return
}
