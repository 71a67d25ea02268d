// Branches, loops, parallel loops and blocks.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// exclusive branches never run together
func.func @exclusive_branches(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.if %c {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  } else {
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

func.func @exclusive_cases(%i: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.index_switch %i
  case 1 {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    scf.yield
  }
  case 2 {
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

// -----

// ... unless work leaks from one activation into the next.
func.func @exclusive_branches_leak(%n: index, %c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t0 = gpu.wait async
    scf.if %c {
      // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
      %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
    } else {
      // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
      // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
      %t1 = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
    }
  }
  return
}

// -----

// sibling regions: the value of the first if lives over the second
func.func @sibling_regions(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %o : memref<16xf32>
  }
  scf.if %c {
    // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  }
  // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0 after tenant 1 took over its storage (V2)}}
  memref.copy %r, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// conditional reader: on the else path nothing orders b after p
func.func @conditional_reader(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %r = gpu.memcpy async [%p] %o, %a : memref<16xf32>, memref<16xf32>
    scf.yield %r : !gpu.async.token
  } else {
    %f = gpu.wait async
    scf.yield %f : !gpu.async.token
  }
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  return
}

// -----

// With the producer's token on the else path, both paths are proved.
func.func @conditional_reader_joined(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %r = gpu.memcpy async [%p] %o, %a : memref<16xf32>, memref<16xf32>
    scf.yield %r : !gpu.async.token
  } else {
    scf.yield %p : !gpu.async.token
  }
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%w]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A wait that may not run proves nothing to what follows it.
func.func @wait_in_branch(%c: i1, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  scf.if %c {
    gpu.wait [%p]
  }
  // expected-error @below {{'linalg.fill' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'linalg.fill'}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  gpu.wait [%p]
  return
}

// -----

// ... but it does to what comes after it in the same branch.
func.func @wait_and_takeover_in_branch(%c: i1, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  scf.if %c {
    gpu.wait [%p]
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  }
  return
}

// -----

// In a loop on the host, each tenant is written anew before it is read.
func.func @loop_with_whole_overwrites(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// loop ping-pong: each is read from an iteration in which the other took over
func.func @loop_ping_pong(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %e = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %f = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%e : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0, as an earlier iteration left them, but tenant 1 overwrites them in each iteration (V2)}}
    memref.copy %e, %o : memref<16xf32> to memref<16xf32>
    // expected-note @below {{overwritten here: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%f : memref<16xf32>)
  }
  return
}

// -----

// What is read and never written holds nothing that could be lost.
func.func @loop_read_never_written(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %e = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %f = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below {{transient-verify cannot decide whether tenant 0 keeps content for the next iteration of the loop, in which tenant 1 uses the same bytes: its first use is not a proved overwrite of all of it}}
    memref.copy %e, %o : memref<16xf32> to memref<16xf32>
    // expected-note @below {{shared with: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%f : memref<16xf32>)
  }
  return
}

// -----

// A partial write may leave content of an earlier iteration: not decided.
func.func @loop_with_partial_write(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below {{transient-verify cannot decide whether tenant 0 keeps content for the next iteration of the loop, in which tenant 1 uses the same bytes: its first use is not a proved overwrite of all of it}}
    memref.store %z, %a[%c0] : memref<16xf32>
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    // expected-note @below {{shared with: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// A value from before the loop is needed in every iteration.
func.func @value_spans_loop(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0, as an earlier iteration left them, but tenant 1 overwrites them in each iteration (V2)}}
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    // expected-note @below {{overwritten here: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  }
  return
}

// -----

// One stream around the loop: the token is carried, so iterations are ordered.
func.func @loop_with_carried_token(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t0) -> !gpu.async.token {
    %t1 = gpu.memset async [%s] %a, %z : memref<16xf32>, f32
    %t2 = gpu.memcpy async [%t1] %o, %a : memref<16xf32>, memref<16xf32>
    %t3 = gpu.memset async [%t2] %b, %z : memref<16xf32>, f32
    %t4 = gpu.memcpy async [%t3] %o, %b : memref<16xf32>, memref<16xf32>
    scf.yield %t4 : !gpu.async.token
  }
  gpu.wait [%t]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Ordered within an iteration, but the next one does not wait.
func.func @loop_without_carried_token(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t0 = gpu.wait async
    // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
    %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
    // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
    // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
    %t3 = gpu.memset async [%t1] %b, %z : memref<16xf32>, f32
  }
  return
}

// -----

// Only the last iteration's work is proved by a token that drops the others'.
func.func @last_iteration_only(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t0) -> !gpu.async.token {
    %f = gpu.wait async
    // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
    %t1 = gpu.memset async [%f] %a, %z : memref<16xf32>, f32
    scf.yield %t1 : !gpu.async.token
  }
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%w]
  return
}

// -----

// A placed request in a loop: every iteration's buffer is in one place.
func.func @request_in_loop(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    %t0 = gpu.wait async
    // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 0 while an earlier iteration's instance of it may still be in use there (V1)}}
    // expected-note @below {{not ordered with the next iteration: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
    %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  }
  return
}

// -----

func.func @requests_in_loop_take_turns(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    %b = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    memref.store %z, %a[%c0] : memref<16xf32>
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    memref.store %z, %b[%c0] : memref<16xf32>
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// scf.while: the after-region follows the before-region, and the other way
// around in the next iteration.
func.func @while_loop(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.while : () -> () {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    scf.condition(%c)
  } do {
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    scf.yield
  }
  return
}

// -----

// Iterations of a parallel loop run at the same time.
func.func @parallel_iterations(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-error @below {{'scf.parallel' writes bytes [0, 64) of tenant 0, and also tenant 1 in bytes [0, 64) (V1)}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  }
  return
}

// -----

// Seen from outside, a parallel loop is one step.
func.func @parallel_loop_then_takeover(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %a[%i] : memref<16xf32>
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Blocks: dominance and joins.
func.func @blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  cf.cond_br %c, ^left, ^right
^left:
  %r = gpu.memcpy async [%p] %o, %a : memref<16xf32>, memref<16xf32>
  cf.br ^end(%r : !gpu.async.token)
^right:
  cf.br ^end(%p : !gpu.async.token)
^end(%t: !gpu.async.token):
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%w]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

func.func @blocks_with_missing_join(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  cf.cond_br %c, ^left, ^end(%p : !gpu.async.token)
^left:
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 64) of tenant 0}}
  %r = gpu.memcpy async [%p] %o, %a : memref<16xf32>, memref<16xf32>
  cf.br ^end(%p : !gpu.async.token)
^end(%t: !gpu.async.token):
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%w]
  return
}

// -----

// A cycle of blocks: each is overwritten on every path from the other one.
func.func @cycle_of_blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  cf.br ^body
^body:
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  cf.cond_br %c, ^body, ^end
^end:
  return
}

// -----

// The argument of the loop's header is used after the loop: what it proves is
// known only once the loop's body was looked at.
func.func @token_of_header_used_after_cycle(%c: i1, %m: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  cf.br ^header(%t0 : !gpu.async.token)
^header(%t: !gpu.async.token):
  cf.cond_br %c, ^body, ^end
^body:
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %t1 = gpu.memcpy async [%t0] %m, %a : memref<16xf32>, memref<16xf32>
  cf.br ^header(%t1 : !gpu.async.token)
^end:
  gpu.wait [%t]
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'memref.dealloc'}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// The same where only some iterations read it.
func.func @blocks_each_overwritten(%c: i1, %d: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  cf.br ^head
^head:
  cf.cond_br %c, ^body, ^exit
^body:
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.cond_br %d, ^read, ^next
^read:
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  cf.br ^next
^next:
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  cf.br ^head
^exit:
  return
}

// -----

// One path leads around the overwrite.
func.func @blocks_overwritten_on_one_path(%c: i1, %d: i1, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  cf.br ^head
^head:
  cf.cond_br %c, ^body, ^exit
^body:
  cf.cond_br %d, ^write, ^read
^write:
  // expected-warning @below {{cannot decide whether tenant 0 keeps content for the next iteration of the loop, in which tenant 1 uses the same bytes}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.br ^read
^read:
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  // expected-note @below {{shared with}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  cf.br ^head
^exit:
  return
}

// -----

// A free and a use in blocks that may exclude each other.
func.func @blocks_free_or_use(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.cond_br %c, ^free, ^join
^free:
  // expected-note @below {{may be freed}}
  memref.dealloc %a : memref<16xf32>
  cf.br ^join
^join:
  cf.cond_br %c, ^exit, ^use
^use:
  // expected-warning @below {{cannot decide whether the storage is still there when 'memref.copy'}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  cf.br ^exit
^exit:
  return
}

// -----

// A use that always follows the free.
func.func @blocks_free_then_use(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.cond_br %c, ^free, ^use
^free:
  // expected-note @below {{freed here by 'memref.dealloc'}}
  memref.dealloc %a : memref<16xf32>
  cf.br ^use
^use:
  // expected-error @below {{use after free: 'memref.copy' reads bytes [0, 64) of this allocation (V3)}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A loop with constant bounds waits at least once; one that may have no iteration
// may not.
func.func @waits_in_a_loop(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<64xf32>, memref<64xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    gpu.wait [%t1]
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  }
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// As numbers of one bit with a sign, 1 is less than 0.
func.func @waits_in_no_iteration(%x: memref<64xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  %a = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  // expected-note @below {{may still run: 'gpu.memcpy' writes bytes [0, 256) of this allocation}}
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<64xf32>, memref<64xf32>
  scf.for %i = %false to %true step %true : i1 {
    gpu.wait [%t1]
  }
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<64xf32>
  return
}
