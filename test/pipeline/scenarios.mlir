// What has gone wrong in systems that do this job, as bytes that the arena must
// have at least. Each function is named after what it protects.
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none in-place" 2>/dev/null | FileCheck %s --check-prefix=IN-PLACE
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none ordering-budget=2097152" 2>/dev/null | FileCheck %s --check-prefix=BUDGET

// B waits for one of two unordered readers of A.
// CHECK-LABEL: func.func @diamond
// CHECK: transient.arena {{.*}} : memref<2048xi8>
func.func @diamond(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<256xf32>, memref<256xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<256xf32>, memref<256xf32>
  %w = gpu.memset async [%c1] %b, %f : memref<256xf32>, f32
  %j = gpu.wait async [%c2, %w]
  gpu.wait [%j]
  return
}

// -----

// The same, with B waiting for both readers.
// CHECK-LABEL: func.func @diamond_joined
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @diamond_joined(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<256xf32>, memref<256xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<256xf32>, memref<256xf32>
  %both = gpu.wait async [%c1, %c2]
  %w = gpu.memset async [%both] %b, %f : memref<256xf32>, f32
  gpu.wait [%w]
  return
}

// -----

// A reference count that reaches zero on one stream says nothing about another:
// the last users are joined, not counted.
// CHECK-LABEL: func.func @counts_are_not_order
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @counts_are_not_order(%x: memref<32xf32>, %y: memref<32xf32>, %f: f32) {
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<32xf32>)
  %s1 = gpu.wait async
  %s2 = gpu.wait async
  %r1 = gpu.memcpy async [%s1] %x, %a : memref<32xf32>, memref<32xf32>
  %r2 = gpu.memcpy async [%s2] %y, %a : memref<32xf32>, memref<32xf32>
  // The last reader in the text has been awaited; the other one has not.
  gpu.wait [%r2]
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32>)
  gpu.wait [%r1]
  memref.copy %b, %x : memref<32xf32> to memref<32xf32>
  return
}

// -----

// Engines of one device are ordered by tokens only.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @store(%p: memref<32xf32>) kernel {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %p[%i] : memref<32xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @engines_need_an_edge
  // CHECK: transient.arena {{.*}} : memref<256xi8>
  func.func @engines_need_an_edge(%x: memref<32xf32>, %y: memref<32xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %a = gpu.alloc () : memref<32xf32>
    %b = gpu.alloc () : memref<32xf32>
    gpu.memset %a, %f : memref<32xf32>, f32
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %copy = gpu.memcpy async [%s1] %x, %a : memref<32xf32>, memref<32xf32>
    %kernel = gpu.launch_func async [%s2] @m::@store blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<32xf32>)
    %out = gpu.memcpy async [%kernel] %y, %b : memref<32xf32>, memref<32xf32>
    gpu.wait [%copy]
    gpu.wait [%out]
    return
  }
  // CHECK-LABEL: func.func @engines_with_an_edge
  // CHECK: transient.arena {{.*}} : memref<128xi8>
  func.func @engines_with_an_edge(%x: memref<32xf32>, %y: memref<32xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %a = gpu.alloc () : memref<32xf32>
    %b = gpu.alloc () : memref<32xf32>
    gpu.memset %a, %f : memref<32xf32>, f32
    %s1 = gpu.wait async
    %copy = gpu.memcpy async [%s1] %x, %a : memref<32xf32>, memref<32xf32>
    %kernel = gpu.launch_func async [%copy] @m::@store blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<32xf32>)
    %out = gpu.memcpy async [%kernel] %y, %b : memref<32xf32>, memref<32xf32>
    gpu.wait [%out]
    return
  }
}

// -----

// The kernel could write B in place on A, were it not for the copy, which reads
// A and is not ordered with it.
// CHECK-LABEL: func.func @in_place_needs_the_only_reader
// CHECK: transient.arena {{.*}} : memref<512xi8>
// IN-PLACE-LABEL: func.func @in_place_needs_the_only_reader
// IN-PLACE: transient.arena {{.*}} : memref<512xi8>
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @relu(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %z = arith.constant 0.0 : f32
      %r = arith.maximumf %v, %z : f32
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @in_place_needs_the_only_reader(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %1 = gpu.launch_func async [%s1] @m::@relu blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %2 = gpu.memcpy async [%s2] %x, %a : memref<64xf32>, memref<64xf32>
    %3 = gpu.memcpy async [%1] %y, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%2]
    gpu.wait [%3]
    return
  }
}

// -----

// The copy comes first: one slot, but only on request.
// CHECK-LABEL: func.func @in_place_after_the_reader
// CHECK: transient.arena {{.*}} : memref<512xi8>
// IN-PLACE-LABEL: func.func @in_place_after_the_reader
// IN-PLACE: transient.arena {{.*}} : memref<256xi8>
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @relu(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %z = arith.constant 0.0 : f32
      %r = arith.maximumf %v, %z : f32
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @in_place_after_the_reader(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    %s2 = gpu.wait async
    %2 = gpu.memcpy async [%s2] %x, %a : memref<64xf32>, memref<64xf32>
    %1 = gpu.launch_func async [%2] @m::@relu blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    %3 = gpu.memcpy async [%1] %y, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%3]
    return
  }
}

// -----

// The root's lifetime includes the reader of a view on another stream.
// CHECK-LABEL: func.func @alias_chain_over_streams
// CHECK: transient.arena {{.*}} : memref<8192xi8>
func.func @alias_chain_over_streams(%x: memref<1024xf32>, %f: f32) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %0 = gpu.wait async
  %v = memref.cast %a : memref<1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
  %s0 = gpu.memset async [%0] %a, %f : memref<1024xf32>, f32
  %f1 = gpu.wait async [%s0]
  %y = gpu.memset async [%f1] %v, %f : memref<1024xf32, strided<[1], offset: ?>>, f32
  %f2 = gpu.wait async [%y]
  %r = gpu.memcpy async [%f2] %x, %v : memref<1024xf32>, memref<1024xf32, strided<[1], offset: ?>>
  %w = gpu.memset async [%y] %b, %f : memref<1024xf32>, f32
  %j = gpu.wait async [%r, %w]
  gpu.wait [%j]
  return
}

// -----

// The source of a copy is in use until the copy is awaited.
// CHECK-LABEL: func.func @start_is_not_finish
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @start_is_not_finish(%x: memref<16xf32>, %f: f32) {
  %h = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %0 = gpu.wait async
  %t1 = gpu.memcpy async [%0] %x, %h : memref<16xf32>, memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  gpu.wait [%t1]
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same, once the copy is awaited before.
// CHECK-LABEL: func.func @finish_then_start
// CHECK: transient.arena {{.*}} : memref<64xi8>
func.func @finish_then_start(%x: memref<16xf32>, %f: f32) {
  %h = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %0 = gpu.wait async
  %t1 = gpu.memcpy async [%0] %x, %h : memref<16xf32>, memref<16xf32>
  gpu.wait [%t1]
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A host-blocking op waits for its own completion only.
// CHECK-LABEL: func.func @blocking_launch_is_no_barrier
// CHECK: transient.arena {{.*}} : memref<128xi8>
func.func @blocking_launch_is_no_barrier(%x: memref<16xf32>, %y: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %0 = gpu.wait async
  %r = gpu.memcpy async [%0] %x, %a : memref<16xf32>, memref<16xf32>
  gpu.memset %y, %f : memref<16xf32>, f32
  gpu.memset %b, %f : memref<16xf32>, f32
  gpu.wait [%r]
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The storage of a branch's result outlives the branch.
// CHECK-LABEL: func.func @sibling_regions
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @sibling_regions(%c: i1, %x: memref<64xf32>, %f: f32) {
  %r = scf.if %c -> memref<64xf32> {
    %r0 = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%r0 : memref<64xf32>)
    scf.yield %r0 : memref<64xf32>
  } else {
    scf.yield %x : memref<64xf32>
  }
  scf.if %c {
    %t = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%t : memref<64xf32>)
    memref.copy %t, %x : memref<64xf32> to memref<64xf32>
  }
  memref.copy %r, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The same where the branches lie deeper.
// CHECK-LABEL: func.func @sibling_regions_nested
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @sibling_regions_nested(%c: i1, %d: i1, %x: memref<64xf32>, %f: f32) {
  scf.if %d {
    %r = scf.if %c -> memref<64xf32> {
      %inner = scf.if %d -> memref<64xf32> {
        %r0 = memref.alloc() : memref<64xf32>
        linalg.fill ins(%f : f32) outs(%r0 : memref<64xf32>)
        scf.yield %r0 : memref<64xf32>
      } else {
        scf.yield %x : memref<64xf32>
      }
      scf.yield %inner : memref<64xf32>
    } else {
      scf.yield %x : memref<64xf32>
    }
    scf.if %c {
      scf.if %d {
        %t = memref.alloc() : memref<64xf32>
        linalg.fill ins(%f : f32) outs(%t : memref<64xf32>)
        memref.copy %t, %x : memref<64xf32> to memref<64xf32>
      }
    }
    memref.copy %r, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// Branches that exclude each other share, whichever comes first.
// CHECK-LABEL: func.func @exclusive_branches
// CHECK: transient.arena {{.*}} : memref<3000xi8>
func.func @exclusive_branches(%c: i1, %x: memref<250xf32>, %y: memref<750xf32>, %f: f32) {
  scf.if %c {
    %a = memref.alloc() : memref<250xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<250xf32>)
    memref.copy %a, %x : memref<250xf32> to memref<250xf32>
  } else {
    %b = memref.alloc() : memref<750xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<750xf32>)
    memref.copy %b, %y : memref<750xf32> to memref<750xf32>
  }
  return
}
// CHECK-LABEL: func.func @exclusive_branches_swapped
// CHECK: transient.arena {{.*}} : memref<3000xi8>
func.func @exclusive_branches_swapped(%c: i1, %x: memref<250xf32>, %y: memref<750xf32>, %f: f32) {
  scf.if %c {
    %b = memref.alloc() : memref<750xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<750xf32>)
    memref.copy %b, %y : memref<750xf32> to memref<750xf32>
  } else {
    %a = memref.alloc() : memref<250xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<250xf32>)
    memref.copy %a, %x : memref<250xf32> to memref<250xf32>
  }
  return
}

// -----

// On the else path nothing orders B after the writer of A.
// CHECK-LABEL: func.func @conditional_reader
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @conditional_reader(%c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %r = gpu.memcpy async [%p] %x, %a : memref<64xf32>, memref<64xf32>
    scf.yield %r : !gpu.async.token
  } else {
    %fresh = gpu.wait async
    scf.yield %fresh : !gpu.async.token
  }
  %w = gpu.memset async [%t] %b, %f : memref<64xf32>, f32
  %o = gpu.memcpy async [%w] %y, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%o]
  gpu.wait [%p]
  return
}

// -----

// If the else path hands on the writer's token, both paths prove it.
// CHECK-LABEL: func.func @conditional_reader_ordered
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @conditional_reader_ordered(%c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %r = gpu.memcpy async [%p] %x, %a : memref<64xf32>, memref<64xf32>
    scf.yield %r : !gpu.async.token
  } else {
    scf.yield %p : !gpu.async.token
  }
  %w = gpu.memset async [%t] %b, %f : memref<64xf32>, f32
  %o = gpu.memcpy async [%w] %y, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%o]
  return
}

// -----

// Content that crosses iterations lives through the loop.
// CHECK-LABEL: func.func @loop_ping_pong
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @loop_ping_pong(%x: memref<128xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.alloc() : memref<128xf32>
  %g = memref.alloc() : memref<128xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<128xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %e, %g : memref<128xf32> to memref<128xf32>
    memref.copy %g, %e : memref<128xf32> to memref<128xf32>
  }
  memref.copy %e, %x : memref<128xf32> to memref<128xf32>
  return
}

// -----

// Which buffer a select yields is not known: both are used.
// CHECK-LABEL: func.func @select_uses_both
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @select_uses_both(%c: i1, %x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  memref.copy %t, %x : memref<16xf32> to memref<16xf32>
  memref.copy %s, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// So does a block argument.
// CHECK-LABEL: func.func @block_argument_uses_both
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @block_argument_uses_both(%c: i1, %x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  cf.cond_br %c, ^use(%a : memref<16xf32>), ^use(%b : memref<16xf32>)
^use(%s: memref<16xf32>):
  linalg.fill ins(%f : f32) outs(%t : memref<16xf32>)
  memref.copy %t, %x : memref<16xf32> to memref<16xf32>
  memref.copy %s, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// And one that a loop carries: after the loop it is either.
// CHECK-LABEL: func.func @loop_carried_uses_both
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @loop_carried_uses_both(%n: index, %x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<16xf32>, memref<16xf32>) {
    scf.yield %q, %p : memref<16xf32>, memref<16xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<16xf32>)
  memref.copy %t, %x : memref<16xf32> to memref<16xf32>
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that changes its operand and returns it: one buffer, live to the last
// read of the result.
// CHECK-LABEL: func.func @mutated_operand_returned
// CHECK: transient.arena {{.*}} : memref<128xi8>
// IN-PLACE-LABEL: func.func @mutated_operand_returned
// IN-PLACE: transient.arena {{.*}} : memref<128xi8>
func.func @mutated_operand_returned(%x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %same = scf.execute_region -> memref<16xf32> {
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  memref.copy %same, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same, and then another op could write over the operand, were it not for
// the last read of what was returned.
// CHECK-LABEL: func.func @mutated_operand_read_by_its_other_name
// CHECK: transient.arena {{.*}} : memref<128xi8>
// IN-PLACE-LABEL: func.func @mutated_operand_read_by_its_other_name
// IN-PLACE: transient.arena {{.*}} : memref<128xi8>
func.func @mutated_operand_read_by_its_other_name(%x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %same = scf.execute_region -> memref<16xf32> {
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  }
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  memref.copy %same, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that writes two results, one of them never read: both have a place
// while it runs.
// CHECK-LABEL: func.func @dead_result
// CHECK: transient.arena {{.*}} : memref<192xi8>
func.func @dead_result(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %used = memref.alloc() : memref<16xf32>
  %dead = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32>) outs(%used, %dead : memref<16xf32>, memref<16xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    linalg.yield %in, %in : f32, f32
  }
  memref.copy %used, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Two small ones under a big one.
// CHECK-LABEL: func.func @two_small_under_one_big
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @two_small_under_one_big(%x: memref<128xf32>, %y: memref<256xf32>) {
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<128xf32> to memref<128xf32>
  memref.copy %a, %b : memref<128xf32> to memref<128xf32>
  memref.copy %b, %x : memref<128xf32> to memref<128xf32>
  memref.copy %y, %c : memref<256xf32> to memref<256xf32>
  memref.copy %c, %y : memref<256xf32> to memref<256xf32>
  return
}

// -----

// i1 and index have the sizes of the stock lowering: a byte, eight bytes.
// CHECK-LABEL: func.func @element_sizes
// CHECK: transient.arena {{.*}} : memref<72xi8>
func.func @element_sizes(%x: memref<8xi1>, %y: memref<8xindex>) {
  %a = memref.alloc() : memref<8xi1>
  %b = memref.alloc() : memref<8xindex>
  memref.copy %x, %a : memref<8xi1> to memref<8xi1>
  memref.copy %y, %b : memref<8xindex> to memref<8xindex>
  memref.copy %a, %x : memref<8xi1> to memref<8xi1>
  memref.copy %b, %y : memref<8xindex> to memref<8xindex>
  return
}

// -----

// A buffer without bytes takes no place, keeps nobody apart, and has a view.
// CHECK-LABEL: func.func @zero_size
// CHECK: transient.arena {{.*}} : memref<1024xi8>
// CHECK-NOT: transient.arena
// CHECK: memref<0xf32>
func.func @zero_size(%x: memref<256xf32>, %e: memref<0xf32>, %f: f32) {
  %z = memref.alloc() : memref<0xf32>
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%z : memref<0xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  memref.copy %z, %e : memref<0xf32> to memref<0xf32>
  return
}

// -----

// Offsets beyond 2^31 are exact.
// CHECK-LABEL: func.func @large_offsets
// CHECK: transient.arena {{.*}} : memref<6442450944xi8>
// CHECK-DAG: transient.view %{{.*}}[0] tenant
// CHECK-DAG: transient.view %{{.*}}[2147483648] tenant
// CHECK-DAG: transient.view %{{.*}}[4294967296] tenant
func.func @large_offsets(%x: memref<2147483648xi8>, %v: i8) {
  %a = memref.alloc() : memref<2147483648xi8>
  %b = memref.alloc() : memref<2147483648xi8>
  %c = memref.alloc() : memref<2147483648xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<2147483648xi8>)
  linalg.fill ins(%v : i8) outs(%b : memref<2147483648xi8>)
  linalg.fill ins(%v : i8) outs(%c : memref<2147483648xi8>)
  memref.copy %a, %x : memref<2147483648xi8> to memref<2147483648xi8>
  memref.copy %b, %x : memref<2147483648xi8> to memref<2147483648xi8>
  memref.copy %c, %x : memref<2147483648xi8> to memref<2147483648xi8>
  return
}

// -----

// An offset is aligned only as far as the arena's base is: it records the
// largest alignment of its tenants.
// CHECK-LABEL: func.func @base_alignment
// CHECK: transient.arena physical 0 align 256 : memref<368xi8>
// CHECK-DAG: transient.view %{{.*}}[256] tenant {{.*}}memref<25xf32>
// CHECK-DAG: transient.view %{{.*}}[0] tenant {{.*}}memref<16xf32>
func.func @base_alignment(%x: memref<25xf32>, %y: memref<16xf32>, %f: f32) {
  %a = memref.alloc() {alignment = 16 : i64} : memref<25xf32>
  %b = memref.alloc() {alignment = 256 : i64} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<25xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %a, %x : memref<25xf32> to memref<25xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Sharing would order branches that are free to run at once: none is ordered,
// unless a budget asks for it; then two are, and no more.
// BUDGET-LABEL: func.func @concurrency_is_kept
// BUDGET: transient.arena {{.*}} : memref<2097152xi8>
// BUDGET: %[[FIRST:.*]] = gpu.memset async [%{{[^,]*}}] %
// BUDGET: gpu.memset async [%[[FIRST]], %{{[^,]*}}]
// BUDGET: %[[THIRD:.*]] = gpu.memset async [%{{[^,]*}}] %
// BUDGET: gpu.memset async [%[[THIRD]], %{{[^,]*}}]
// CHECK-LABEL: func.func @concurrency_is_kept
// CHECK: transient.arena {{.*}} : memref<4194304xi8>
// CHECK-COUNT-4: gpu.memset async
// CHECK: gpu.wait async [%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}]
func.func @concurrency_is_kept(%x: memref<262144xf32>, %f: f32) {
  %a = memref.alloc() : memref<262144xf32>
  %b = memref.alloc() : memref<262144xf32>
  %c = memref.alloc() : memref<262144xf32>
  %d = memref.alloc() : memref<262144xf32>
  %s0 = gpu.wait async
  %s1 = gpu.wait async
  %s2 = gpu.wait async
  %s3 = gpu.wait async
  %0 = gpu.memset async [%s0] %a, %f : memref<262144xf32>, f32
  %1 = gpu.memset async [%s1] %b, %f : memref<262144xf32>, f32
  %2 = gpu.memset async [%s2] %c, %f : memref<262144xf32>, f32
  %3 = gpu.memset async [%s3] %d, %f : memref<262144xf32>, f32
  %j = gpu.wait async [%0, %1, %2, %3]
  gpu.wait [%j]
  return
}

// -----

// With an upper bound a dimension is planned at the bound, and guarded.
// CHECK-LABEL: func.func @upper_bound_is_guarded
// CHECK: transient.arena {{.*}} : memref<4096xi8>
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %c1024
// CHECK: scf.if %[[FITS]]
// CHECK: call @upper_bound_is_guarded_within_bounds
// CHECK: } else {
// CHECK: call @upper_bound_is_guarded_beyond_bounds
func.func @upper_bound_is_guarded(%n: index {transient.bound = array<i64: 1024>}, %x: memref<?xf32>, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// What an image requires may be more than its shape has: nobody else gets the
// bytes behind it.
// CHECK-LABEL: func.func @requirement_beats_shape
// CHECK: transient.arena {{.*}} : memref<3956736xi8>
func.func @requirement_beats_shape(%x: memref<1280x768xf32>, %f: f32) {
  %a = memref.alloc() : memref<1280x768xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1280x768xf32>)
  memref.copy %a, %x : memref<1280x768xf32> to memref<1280x768xf32>
  %b = memref.alloc() {transient.required_bytes = 3956736 : i64} : memref<1280x768xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<1280x768xf32>)
  memref.copy %b, %x : memref<1280x768xf32> to memref<1280x768xf32>
  return
}
// Both at once: the second starts behind all of the first, not behind its shape.
// CHECK-LABEL: func.func @requirement_keeps_off
// CHECK: %[[ARENA:.*]] = transient.arena {{.*}} : memref<7888896xi8>
func.func @requirement_keeps_off(%x: memref<1280x768xf32>, %f: f32) {
  %a = memref.alloc() : memref<1280x768xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1280x768xf32>)
  %b = memref.alloc() {transient.required_bytes = 3956736 : i64} : memref<1280x768xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<1280x768xf32>)
  memref.copy %a, %x : memref<1280x768xf32> to memref<1280x768xf32>
  memref.copy %b, %x : memref<1280x768xf32> to memref<1280x768xf32>
  return
}
