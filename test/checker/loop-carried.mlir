// A buffer that a loop's body makes is a new one in each iteration. If all have
// one place, what an earlier one held is gone once a later one is written.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

func.func @read_after_next_is_written(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %init) -> memref<16xf32> {
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    // expected-note @below {{this iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    // expected-error @below {{'linalg.add' reads bytes [0, 64) of tenant 1, as an earlier iteration left them, but this iteration has a buffer of its own in the same place (V2)}}
    linalg.add ins(%prev, %new : memref<16xf32>, memref<16xf32>) outs(%new : memref<16xf32>)
    scf.yield %new : memref<16xf32>
  }
  memref.copy %r, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same as views, and around blocks.
func.func @views_in_cycle_of_blocks(%n: index, %arena: memref<128xi8>, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %init = memref.view %arena[%c64][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  cf.br ^loop(%init, %c0 : memref<16xf32>, index)
^loop(%prev: memref<16xf32>, %i: index):
  %new = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @below {{this iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
  // expected-error @below {{'linalg.add' reads bytes [0, 64) of tenant 1, as an earlier iteration left them, but this iteration has a buffer of its own in the same place (V2)}}
  linalg.add ins(%prev, %new : memref<16xf32>, memref<16xf32>) outs(%new : memref<16xf32>)
  %next = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %next, %n : index
  cf.cond_br %c, ^loop(%new, %next : memref<16xf32>, index), ^done
^done:
  memref.copy %new, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Inside a region that is a cycle of blocks; across several blocks.
func.func @requests_in_cycle_of_blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  scf.execute_region {
    %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
    linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
    cf.br ^header(%init : memref<16xf32>)
  ^header(%prev: memref<16xf32>):
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    cf.cond_br %c, ^body, ^end
  ^body:
    // expected-note @below {{this iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    cf.br ^latch
  ^latch:
    // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 1, as an earlier iteration left them, but this iteration has a buffer of its own in the same place (V2)}}
    memref.copy %prev, %o : memref<16xf32> to memref<16xf32>
    cf.br ^header(%new : memref<16xf32>)
  ^end:
    scf.yield
  }
  return
}

// -----

// The last reader of the former instance comes before the first writer of the
// next: they take turns.
func.func @read_before_next_is_written(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %init) -> memref<16xf32> {
    memref.copy %prev, %o : memref<16xf32> to memref<16xf32>
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    scf.yield %new : memref<16xf32>
  }
  memref.copy %r, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @read_before_next_is_written_in_blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  cf.br ^loop(%init : memref<16xf32>)
^loop(%prev: memref<16xf32>):
  memref.copy %prev, %o : memref<16xf32> to memref<16xf32>
  %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
  cf.cond_br %c, ^loop(%new : memref<16xf32>), ^done
^done:
  memref.copy %new, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An inner loop brings the write around to the read of what the outer carries.
func.func @inner_loop_brings_write_around(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %init) -> memref<16xf32> {
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    scf.for %j = %c0 to %n step %c1 {
      // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 1, as an earlier iteration left them, but this iteration has a buffer of its own in the same place (V2)}}
      memref.copy %prev, %o : memref<16xf32> to memref<16xf32>
      // expected-note @below {{this iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
      linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    }
    scf.yield %new : memref<16xf32>
  }
  return
}

// -----

// Two iterations later it is a question of which paths were taken in between.
func.func @two_iterations_later(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%last = %init, %older = %init) -> (memref<16xf32>, memref<16xf32>) {
    // expected-warning @below {{transient-verify cannot decide whether 'memref.copy' reads bytes [0, 64) of tenant 1 as an earlier iteration left them: a later one has a buffer of its own in the same place}}
    memref.copy %older, %o : memref<16xf32> to memref<16xf32>
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    // expected-note @below {{a later iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
    linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    scf.yield %new, %last : memref<16xf32>, memref<16xf32>
  }
  return
}

// -----

// A cycle with two entries has no iterations that could be told apart.
func.func @cycle_with_two_entries(%c: i1, %d: i1, %o: memref<16xf32>, %z: f32) {
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  cf.cond_br %c, ^one(%init : memref<16xf32>), ^two(%init : memref<16xf32>)
^one(%x: memref<16xf32>):
  %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-note @below {{a later iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide whether 'memref.copy' reads bytes [0, 64) of tenant 1 as an earlier iteration left them: a later one has a buffer of its own in the same place}}
  memref.copy %x, %o : memref<16xf32> to memref<16xf32>
  cf.br ^two(%new : memref<16xf32>)
^two(%y: memref<16xf32>):
  cf.cond_br %d, ^one(%y : memref<16xf32>), ^done
^done:
  return
}

// -----

// Asynchronous reads of the former instance that nothing waits for.
func.func @unordered_read_of_former_instance(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  %t0 = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %init) -> memref<16xf32> {
    // expected-note @below {{not ordered with the next iteration: 'gpu.memcpy' reads bytes [0, 64) of tenant 1}}
    %t1 = gpu.memcpy async [%t0] %o, %prev : memref<16xf32>, memref<16xf32>
    %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
    // expected-error @below {{'linalg.fill' writes bytes [0, 64) of tenant 1 while an earlier iteration's instance of it may still be in use there (V1)}}
    linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
    scf.yield %new : memref<16xf32>
  }
  return
}

// -----

// One buffer from outside of the loop, handed around: nothing is made anew.
func.func @one_buffer_handed_around(%n: index, %arena: memref<64xi8>, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    linalg.add ins(%x, %o : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
    memref.copy %x, %o : memref<16xf32> to memref<16xf32>
    scf.yield %x : memref<16xf32>
  }
  return
}

// -----

// Forty buffers that change places, one position an iteration.
func.func @carried_through_many_positions(%c: i1, %o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  cf.br ^loop(%o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o, %o : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>)
^loop(%x0: memref<16xf32>, %x1: memref<16xf32>, %x2: memref<16xf32>, %x3: memref<16xf32>, %x4: memref<16xf32>, %x5: memref<16xf32>, %x6: memref<16xf32>, %x7: memref<16xf32>, %x8: memref<16xf32>, %x9: memref<16xf32>, %x10: memref<16xf32>, %x11: memref<16xf32>, %x12: memref<16xf32>, %x13: memref<16xf32>, %x14: memref<16xf32>, %x15: memref<16xf32>, %x16: memref<16xf32>, %x17: memref<16xf32>, %x18: memref<16xf32>, %x19: memref<16xf32>, %x20: memref<16xf32>, %x21: memref<16xf32>, %x22: memref<16xf32>, %x23: memref<16xf32>, %x24: memref<16xf32>, %x25: memref<16xf32>, %x26: memref<16xf32>, %x27: memref<16xf32>, %x28: memref<16xf32>, %x29: memref<16xf32>, %x30: memref<16xf32>, %x31: memref<16xf32>, %x32: memref<16xf32>, %x33: memref<16xf32>, %x34: memref<16xf32>, %x35: memref<16xf32>, %x36: memref<16xf32>, %x37: memref<16xf32>, %x38: memref<16xf32>, %x39: memref<16xf32>):
  cf.cond_br %c, ^loop(%x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19, %x20, %x21, %x22, %x23, %x24, %x25, %x26, %x27, %x28, %x29, %x30, %x31, %x32, %x33, %x34, %x35, %x36, %x37, %x38, %x39, %a : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>), ^done
^done:
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{use after free: 'linalg.fill' writes bytes [0, 64) of this allocation (V3)}}
  linalg.fill ins(%z : f32) outs(%x0 : memref<16xf32>)
  return
}

// -----

// What an inner loop made last goes around the outer one; the inner loop's next
// iterations write its place.
func.func @made_by_inner_carried_by_outer(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %init) -> memref<16xf32> {
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%x = %init) -> memref<16xf32> {
      // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 1, as an earlier iteration left them, but this iteration has a buffer of its own in the same place (V2)}}
      memref.copy %prev, %o : memref<16xf32> to memref<16xf32>
      %new = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
      // expected-note @below {{this iteration's: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
      linalg.fill ins(%z : f32) outs(%new : memref<16xf32>)
      scf.yield %new : memref<16xf32>
    }
    scf.yield %last : memref<16xf32>
  }
  return
}

// -----

// In a cycle of blocks, another request takes over between two uses.
func.func @takeover_within_iteration_of_blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  cf.br ^loop
^loop:
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %b = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0 after tenant 1 took over its storage (V2)}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// -----

// One after the other in each iteration of blocks.
func.func @turns_within_iteration_of_blocks(%c: i1, %o: memref<16xf32>, %z: f32) {
  cf.br ^loop
^loop:
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  %b = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// -----

// The workspace of a single kernel, allocated in each iteration, all in one place:
// two iterations' kernels must not use it at once.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @uses(%w: memref<16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %w[%c0] : memref<16xf32>
      memref.store %v, %w[%c0] : memref<16xf32>
      gpu.return
    }
  }
  func.func @own_iterations(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = transient.arena physical 0 align 4 : memref<64xi8>
    %t = gpu.wait async
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
      %w = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
      // expected-error @below {{'gpu.launch_func' reads and writes bytes [0, 64) of tenant 0 while an earlier iteration's instance of it may still be in use there (V1)}}
      // expected-note @below {{not ordered with the next iteration: 'gpu.launch_func' reads and writes bytes [0, 64) of tenant 0}}
      %u = gpu.launch_func async [%t] @k::@uses blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<16xf32>)
      %j = gpu.wait async [%x, %u]
      scf.yield %j : !gpu.async.token
    }
    gpu.wait [%r]
    return
  }
  func.func @own_iterations_in_order(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = transient.arena physical 0 align 4 : memref<64xi8>
    %t = gpu.wait async
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> !gpu.async.token {
      %w = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
      %u = gpu.launch_func async [%x] @k::@uses blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<16xf32>)
      scf.yield %u : !gpu.async.token
    }
    gpu.wait [%r]
    return
  }
}
