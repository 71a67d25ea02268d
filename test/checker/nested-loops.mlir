// What tokens prove in loops within loops: a class of instances for each loop
// around, and one for the iteration at hand.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// The outer loop's token proves earlier outer iterations, the inner one's the
// earlier inner iterations of this one, although it starts from nothing.
func.func @two_chains(%n: index, %z: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %t) -> !gpu.async.token {
      %u = gpu.memset async [%x, %y] %a, %z : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    }
    %v = gpu.wait async [%x, %s]
    scf.yield %v : !gpu.async.token
  }
  gpu.wait [%r]
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// The inner chain alone forgets the outer iterations before: it starts anew.
func.func @outer_chain_is_lost(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %t) -> !gpu.async.token {
      // expected-note @below {{may still run: 'gpu.memset' writes bytes [0, 64) of this allocation}}
      %u = gpu.memset async [%y] %a, %z : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    }
    scf.yield %s : !gpu.async.token
  }
  gpu.wait [%r]
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// The outer token proves nothing of inner iterations since it was made.
func.func @inner_chain_is_lost(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %t) -> !gpu.async.token {
      // expected-note @below {{may still run: 'gpu.memset' writes bytes [0, 64) of this allocation}}
      %u = gpu.memset async [%x] %a, %z : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    }
    %v = gpu.wait async [%x, %s]
    scf.yield %v : !gpu.async.token
  }
  gpu.wait [%r]
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// The host waits for the outer iterations before, so the token that the inner loop
// hands on need not prove them.
func.func @host_waits_outside(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
    gpu.wait [%x]
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %t) -> !gpu.async.token {
      gpu.wait [%y]
      %u = gpu.memset async %a, %z : memref<16xf32>, f32
      scf.yield %u : !gpu.async.token
    }
    scf.yield %s : !gpu.async.token
  }
  gpu.wait [%r]
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// Three iterations are at least one: what each joins is proved behind the loop.
func.func @runs_at_least_once(%z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  %init = gpu.wait async
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %init) -> !gpu.async.token {
    %j = gpu.wait async [%t, %x]
    scf.yield %j : !gpu.async.token
  }
  gpu.wait [%r]
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// A loop that may not run proves nothing.
func.func @may_not_run(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{may still run: 'gpu.memset' writes bytes [0, 64) of this allocation}}
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  %init = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> !gpu.async.token {
    %j = gpu.wait async [%t, %x]
    scf.yield %j : !gpu.async.token
  }
  gpu.wait [%r]
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<16xf32>
  return
}
