// Programs in which two buffers must not take turns, each for a reason of its own.
// The planner keeps them apart (two places, or only one of them planned), and the
// checker, which knows nothing of the planner, accepts the plan.
// RUN: transient-opt %s -split-input-file --transient-pipeline=lower=none | FileCheck %s

// A view of one buffer is read after the other was written.
// CHECK-LABEL: func.func @view_outlives(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @view_outlives(%o: memref<16xf32>, %p: memref<4xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %s = memref.subview %a[8] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.copy %s, %p : memref<4xf32, strided<[1], offset: 8>> to memref<4xf32>
  return
}

// -----

// What is selected may be the buffer.
// CHECK-LABEL: func.func @select_with_argument(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @select_with_argument(%c: i1, %o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %s = arith.select %c, %a, %x : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.copy %s, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Each of the two may be what is read last.
// CHECK-LABEL: func.func @select_of_both(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @select_of_both(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  memref.copy %s, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A buffer leaves a branch, as the result of it.
// CHECK-LABEL: func.func @branch_yields(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @branch_yields(%c: i1, %o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %s = scf.if %c -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.copy %s, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Two buffers change places in each iteration.
// CHECK-LABEL: func.func @ping_pong(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @ping_pong(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p0 = %a, %q0 = %b) -> (memref<16xf32>, memref<16xf32>) {
    memref.copy %p0, %q0 : memref<16xf32> to memref<16xf32>
    scf.yield %q0, %p0 : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same in scf.while.
// CHECK-LABEL: func.func @while_swapped(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @while_swapped(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.while (%p0 = %a, %q0 = %b) : (memref<16xf32>, memref<16xf32>) -> (memref<16xf32>, memref<16xf32>) {
    scf.condition(%c) %q0, %p0 : memref<16xf32>, memref<16xf32>
  } do {
  ^bb0(%p1: memref<16xf32>, %q1: memref<16xf32>):
    memref.copy %p1, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%q1 : memref<16xf32>)
    scf.yield %p1, %q1 : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The iteration before wrote what this one reads.
// CHECK-LABEL: func.func @read_first_in_loop(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @read_first_in_loop(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  }
  return
}

// -----

// An iteration writes one element and reads all.
// CHECK-LABEL: func.func @partial_write_in_loop(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @partial_write_in_loop(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %a[%c0] : memref<16xf32>
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// Only some iterations overwrite it.
// CHECK-LABEL: func.func @overwritten_under_condition(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @overwritten_under_condition(%c: i1, %n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    }
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// The last iteration's content is read after the loop.
// CHECK-LABEL: func.func @read_after_loop(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @read_after_loop(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The inner loop overwrites, the outer one reads first.
// CHECK-LABEL: func.func @nested_loops(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @nested_loops(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    scf.for %j = %c0 to %n step %c1 {
      linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    }
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// The token proves the last iteration only.
// CHECK-LABEL: func.func @token_of_last_iteration(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @token_of_last_iteration(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> !gpu.async.token {
    %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
    scf.yield %r : !gpu.async.token
  }
  gpu.wait [%l]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An iteration may drop the token it was given.
// CHECK-LABEL: func.func @token_dropped(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @token_dropped(%c: i1, %n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> !gpu.async.token {
    %r = gpu.memset async [%t] %a, %z : memref<16xf32>, f32
    %k = scf.if %c -> !gpu.async.token {
      scf.yield %r : !gpu.async.token
    } else {
      scf.yield %e : !gpu.async.token
    }
    scf.yield %k : !gpu.async.token
  }
  gpu.wait [%l]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A wait in a loop that may not run.
// CHECK-LABEL: func.func @zero_trips(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @zero_trips(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.for %i = %c0 to %n step %c1 {
    gpu.wait [%r]
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// The other branch does not wait.
// CHECK-LABEL: func.func @one_branch_waits(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @one_branch_waits(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.if %c {
    gpu.wait [%r]
  } else {
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// Both branches wait, for different work.
// CHECK-LABEL: func.func @branches_wait_for_others(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @branches_wait_for_others(%c: i1, %o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  %s = gpu.memcpy async [%e] %o, %x : memref<16xf32>, memref<16xf32>
  scf.if %c {
    gpu.wait [%r]
  } else {
    gpu.wait [%s]
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// The wait in the branch comes after the use.
// CHECK-LABEL: func.func @waits_too_late(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waits_too_late(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.if %c {
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    gpu.wait [%r]
  }
  gpu.wait [%r]
  return
}

// -----

// A branch of the branch waits.
// CHECK-LABEL: func.func @waits_in_nested_branch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waits_in_nested_branch(%c: i1, %d: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.if %c {
    scf.if %d {
      gpu.wait [%r]
    }
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  gpu.wait [%r]
  return
}

// -----

// One case of a switch does not wait.
// CHECK-LABEL: func.func @waits_in_switch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waits_in_switch(%n: index, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.index_switch %n
  case 0 {
    gpu.wait [%r]
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
    gpu.wait [%r]
    scf.yield
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// Before the branch's buffer, which is before the last one; yet not before the last one.
// CHECK-LABEL: func.func @not_transitive(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @not_transitive(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %m = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.if %c {
    gpu.wait [%r]
    linalg.fill ins(%z : f32) outs(%m : memref<16xf32>)
    memref.copy %m, %o : memref<16xf32> to memref<16xf32>
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// Work that a branch starts outlives it.
// CHECK-LABEL: func.func @leaks_from_branch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @leaks_from_branch(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  scf.if %c {
    %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A branch's work outlives it, and a loop brings the other branch.
// CHECK-LABEL: func.func @exclusive_but_leaks(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @exclusive_but_leaks(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  scf.for %i = %c0 to %n step %c1 {
    %ci = arith.cmpi eq, %i, %c0 : index
    scf.if %ci {
      %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
    } else {
      %s = gpu.memset async [%e] %b, %z : memref<16xf32>, f32
    }
  }
  return
}

// -----

// A blocking copy ends itself, and nothing else.
// CHECK-LABEL: func.func @blocking_is_no_barrier(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocking_is_no_barrier(%o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  gpu.memcpy %o, %x : memref<16xf32>, memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// One of two readers is waited for.
// CHECK-LABEL: func.func @second_reader(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @second_reader(%o: memref<16xf32>, %x: memref<16xf32>, %y: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  %s = gpu.memcpy async [%r] %o, %a : memref<16xf32>, memref<16xf32>
  %t = gpu.memcpy async [%r] %x, %a : memref<16xf32>, memref<16xf32>
  gpu.wait [%s]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  gpu.wait [%t]
  return
}

// -----

// A selected token proves what both prove: nothing.
// CHECK-LABEL: func.func @token_select(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @token_select(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  %s = arith.select %c, %r, %e : !gpu.async.token
  gpu.wait [%s]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// A call is given the token, and may not wait.
// CHECK-LABEL: func.func @token_to_call(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func private @take(!gpu.async.token)
func.func @token_to_call(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  func.call @take(%r) : (!gpu.async.token) -> ()
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// A call returns a token of its own.
// CHECK-LABEL: func.func @token_from_call(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func private @give(!gpu.async.token) -> !gpu.async.token
func.func @token_from_call(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  %s = func.call @give(%r) : (!gpu.async.token) -> !gpu.async.token
  gpu.wait [%s]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// The body of async.execute runs beside the host.
// CHECK-LABEL: func.func @execute_not_awaited(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @execute_not_awaited(%o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = async.execute {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    async.yield
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  async.await %r : !async.token
  return
}

// -----

// The inner body outlives the outer one.
// CHECK-LABEL: func.func @execute_nested(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @execute_nested(%o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = async.execute {
    %q = async.execute {
      linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      async.yield
    }
    async.yield
  }
  async.await %r : !async.token
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Iterations run at the same time.
// CHECK-LABEL: func.func @parallel_iterations(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @parallel_iterations(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %b[%i] : memref<16xf32>
    %l = memref.load %a[%i] : memref<16xf32>
    memref.store %l, %o[%i] : memref<16xf32>
    scf.reduce
  }
  return
}

// -----

// An op reads the one and writes the other.
// CHECK-LABEL: func.func @one_op_uses_both(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @one_op_uses_both(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A cycle of blocks carries the content around.
// CHECK-LABEL: func.func @blocks_cycle(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocks_cycle(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.br ^h
^h:
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  cf.cond_br %c, ^h, ^x
^x:
  return
}

// -----

// A block argument may be either.
// CHECK-LABEL: func.func @blocks_argument(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocks_argument(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  cf.cond_br %c, ^j(%a : memref<16xf32>), ^j(%b : memref<16xf32>)
^j(%m: memref<16xf32>):
  memref.copy %m, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// One of two blocks waits.
// CHECK-LABEL: func.func @blocks_wait_on_one_path(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocks_wait_on_one_path(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  cf.cond_br %c, ^w, ^j
^w:
  gpu.wait [%r]
  cf.br ^j
^j:
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  gpu.wait [%r]
  return
}

// -----

// The token of a cycle is that of its last iteration.
// CHECK-LABEL: func.func @blocks_token_of_last(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocks_token_of_last(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  cf.br ^h
^h:
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  cf.cond_br %c, ^h, ^x
^x:
  gpu.wait [%r]
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A write of a part begins no new value.
// CHECK-LABEL: func.func @partial_web(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @partial_web(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %s = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  linalg.fill ins(%z : f32) outs(%s : memref<8xf32, strided<[1]>>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A value that begins in a branch does not begin outside.
// CHECK-LABEL: func.func @web_in_branch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @web_in_branch(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  scf.if %c {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that adds to its output needs what was there.
// CHECK-LABEL: func.func @accumulated(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @accumulated(%o: memref<16xf32>, %x: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that ignores its output may read the same buffer as input.
// CHECK-LABEL: func.func @reads_its_output(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @reads_its_output(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The address is used where nobody sees it.
// CHECK-LABEL: func.func @address_is_taken(
// CHECK: transient.arena {{.*}} : memref<64xi8>
func.func private @use(index)
func.func @address_is_taken(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %k = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  func.call @use(%k) : (index) -> ()
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A call may keep what it is given.
// CHECK-LABEL: func.func @kept_by_call(
// CHECK: transient.arena {{.*}} : memref<64xi8>
func.func private @keep(memref<16xf32>)
func.func @kept_by_call(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  func.call @keep(%a) : (memref<16xf32>) -> ()
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The base of the metadata is the buffer.
// CHECK-LABEL: func.func @metadata_base(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @metadata_base(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %m, %off, %sz, %st = memref.extract_strided_metadata %a : memref<16xf32> -> memref<f32>, index, index, index
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %l = memref.load %m[] : memref<f32>
  memref.store %l, %o[%c0] : memref<16xf32>
  return
}

// -----

// A view by another shape.
// CHECK-LABEL: func.func @reinterpreted(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @reinterpreted(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %m = memref.reinterpret_cast %a to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to memref<4x4xf32, strided<[4, 1]>>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %l = memref.load %m[%c1, %c1] : memref<4x4xf32, strided<[4, 1]>>
  memref.store %l, %o[%c0] : memref<16xf32>
  return
}

// -----

// A transpose names the same bytes.
// CHECK-LABEL: func.func @transposed(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @transposed(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<4x4xf32>)
  %m = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %l = memref.load %m[%c1, %c1] : memref<4x4xf32, strided<[1, 4]>>
  memref.store %l, %o[%c0] : memref<16xf32>
  return
}

// -----

// Stored in memory, it is read from there.
// CHECK-LABEL: func.func @memref_of_memref(
// CHECK: transient.arena {{.*}} : memref<64xi8>
func.func @memref_of_memref(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %h = memref.alloca() : memref<1xmemref<16xf32>>
  memref.store %a, %h[%c0] : memref<1xmemref<16xf32>>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %m = memref.load %h[%c0] : memref<1xmemref<16xf32>>
  memref.copy %m, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The loop starts with it and hands on another one.
// CHECK-LABEL: func.func @loop_argument_kept(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @loop_argument_kept(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<16xf32>) {
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %m, %o : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A region yields it.
// CHECK-LABEL: func.func @execute_region_yields(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @execute_region_yields(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %m = scf.execute_region -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  }
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.copy %m, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The branch waits for this iteration's work, not for that of iterations in which
// it was not taken.
// CHECK-LABEL: func.func @waits_for_this_iteration(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waits_for_this_iteration(%c: i1, %n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  scf.for %i = %c0 to %n step %c1 {
    %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
    scf.if %c {
      gpu.wait [%r]
      linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
      memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    }
  }
  return
}

// -----

// In the branch, a loop that may not run waits.
// CHECK-LABEL: func.func @waits_in_loop_of_branch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waits_in_loop_of_branch(%c: i1, %n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      gpu.wait [%r]
    }
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  }
  gpu.wait [%r]
  return
}

// -----

// What the branch has waited for is not known where its token is used.
// CHECK-LABEL: func.func @waited_for_in_branch(
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @waited_for_in_branch(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = gpu.wait async
  %r = gpu.memset async [%e] %a, %z : memref<16xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    gpu.wait [%r]
    %s = gpu.wait async
    scf.yield %s : !gpu.async.token
  } else {
    scf.yield %e : !gpu.async.token
  }
  %w = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  %v = gpu.memcpy async [%w] %o, %b : memref<16xf32>, memref<16xf32>
  gpu.wait [%v, %r]
  return
}
