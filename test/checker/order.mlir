// V1: unordered accesses of different tenants to shared bytes.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// diamond with the third tenant ordered after one reader only
func.func @diamond_reuse_after_one_reader(%out1: memref<256xf32>, %out2: memref<256xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<256xf32>, f32
  %r1 = gpu.memcpy async [%p] %out1, %a : memref<256xf32>, memref<256xf32>
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 1024) of tenant 0}}
  %r2 = gpu.memcpy async [%p] %out2, %a : memref<256xf32>, memref<256xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 1024) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%r1] %b, %z : memref<256xf32>, f32
  gpu.wait [%r1, %r2, %w]
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// The join of both readers makes it right.
func.func @diamond_reuse_after_join(%out1: memref<256xf32>, %out2: memref<256xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<256xf32>, f32
  %r1 = gpu.memcpy async [%p] %out1, %a : memref<256xf32>, memref<256xf32>
  %r2 = gpu.memcpy async [%p] %out2, %a : memref<256xf32>, memref<256xf32>
  %j = gpu.wait async [%r1, %r2]
  %w = gpu.memset async [%j] %b, %z : memref<256xf32>, f32
  gpu.wait [%w]
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// alias chain over streams: the reader of a view of a view counts for the root
func.func @alias_chain_over_streams(%out: memref<16x16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [16, 16] : memref<256xf32> into memref<16x16xf32>
  %s0 = gpu.wait async
  %p = gpu.memset async [%s0] %v, %z : memref<16x16xf32>, f32
  %y = gpu.memset async [%p] %a, %z : memref<256xf32>, f32
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 1024) of tenant 0}}
  %r = gpu.memcpy async [%y] %out, %v : memref<16x16xf32>, memref<16x16xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 1024) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%y] %b, %z : memref<256xf32>, f32
  gpu.wait [%r, %w]
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// start/finish: the source of a copy is in use until the copy's token is
// awaited, not until the copy was issued
func.func @start_finish(%dev: memref<16xf32, 1>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %h = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 64) of tenant 0}}
  %t1 = gpu.memcpy async [%t0] %dev, %h : memref<16xf32, 1>, memref<16xf32>
  // expected-error @below {{'linalg.fill' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'linalg.fill'}}
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  gpu.wait [%t1]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

func.func @finish_before_takeover(%dev: memref<16xf32, 1>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %h = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%h : memref<16xf32>)
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %dev, %h : memref<16xf32, 1>, memref<16xf32>
  gpu.wait [%t1]
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// a blocking launch is no barrier for other work in flight (C11)
func.func @blocking_op_is_no_barrier(%out: memref<16xf32>, %other: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 64) of tenant 0}}
  %x = gpu.memcpy async [%p] %out, %a : memref<16xf32>, memref<16xf32>
  gpu.memset %other, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'gpu.memset'}}
  gpu.memset %b, %z : memref<16xf32>, f32
  gpu.wait [%x]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A blocking op that depends on the work in flight is evidence.
func.func @blocking_op_with_dependency(%out: memref<16xf32>, %other: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %x = gpu.memcpy async [%p] %out, %a : memref<16xf32>, memref<16xf32>
  gpu.memset [%x] %other, %z : memref<16xf32>, f32
  gpu.memset %b, %z : memref<16xf32>, f32
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// `gpu.wait async` without dependencies is a fresh start, not a join.
func.func @fresh_token_proves_nothing(%out: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %t1 = gpu.wait async
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t1] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The token was made before the work that it is taken to prove.
func.func @token_older_than_the_work(%out: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A selected token proves what both of its sources prove.
func.func @selected_token(%c: i1, %out: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %s = arith.select %c, %p, %t0 : !gpu.async.token
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%s] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Tenants beside each other need no order.
func.func @disjoint_bytes(%z: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %w = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// One shared byte is enough.
func.func @overlap_by_one_element(%z: f32) {
  %c0 = arith.constant 0 : index
  %c60 = arith.constant 60 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c60][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memset' writes bytes [60, 124) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// Two plain allocations never overlap.
func.func @allocations_do_not_overlap(%z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %w = gpu.memset async [%t0] %b, %z : memref<16xf32>, f32
  gpu.wait [%p, %w]
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// -----

// One op that reads one tenant and writes another in the same bytes.
func.func @one_op_touches_both(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{'memref.copy' writes bytes [0, 64) of tenant 1, and also tenant 0 in bytes [0, 64) (V1)}}
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A kernel that only loads its argument reads; another that stores writes.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @load(%m: memref<16xf32>, %o: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %m[%i] : memref<16xf32>
      memref.store %v, %o[%i] : memref<16xf32>
      gpu.return
    }
  }
  func.func @kernel_modes(%out: memref<16xf32>, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
    %t0 = gpu.wait async
    %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
    // expected-note @below {{not ordered with it: 'gpu.launch_func' reads bytes [0, 64) of tenant 0}}
    // expected-note @below {{not ordered with it: 'gpu.launch_func' writes bytes [0, 64) of argument 0}}
    %r = gpu.launch_func async [%p] @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>, %out : memref<16xf32>)
    // expected-error @below {{'gpu.launch_func' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
    // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.launch_func' to the start of this 'gpu.launch_func'}}
    // expected-warning @below {{race in the program: 'gpu.launch_func' reads bytes [0, 64) of argument 0 while argument 0 may still be in use there}}
    %w = gpu.launch_func async [%p] @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<16xf32>, %b : memref<16xf32>)
    gpu.wait [%r, %w]
    memref.dealloc %arena : memref<64xi8>
    return
  }
}

// -----

// Every way in which a value may name a buffer counts.
func.func @select_names_both(%c: i1, %out: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %other = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %p = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  %s = arith.select %c, %other, %a : memref<16xf32>
  // expected-note @below {{not ordered with it: 'gpu.memcpy' reads bytes [0, 64) of tenant 0}}
  %r = gpu.memcpy async [%p] %out, %s : memref<16xf32>, memref<16xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memcpy' to the start of this 'gpu.memset'}}
  %w = gpu.memset async [%p] %b, %z : memref<16xf32>, f32
  gpu.wait [%r, %w]
  memref.dealloc %arena : memref<64xi8>
  memref.dealloc %other : memref<16xf32>
  return
}

// -----

// Stream objects are not tokens; the launch blocks nobody that we know of.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @load(%m: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %m[%i] : memref<16xf32>
      gpu.return
    }
  }
  func.func @launch_on_stream_object(%stream: !llvm.ptr, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
    gpu.memset %a, %z : memref<16xf32>, f32
    // expected-warning @below {{transient-verify cannot decide when 'gpu.launch_func' ends: it is launched on a stream that this program does not define}}
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    // expected-note @below {{needed for: 'gpu.memset' writes bytes [0, 64) of tenant 1}}
    gpu.memset %b, %z : memref<16xf32>, f32
    return
  }
}

// -----

// The carried token proves the work of earlier iterations, its own token that of
// this one: together they prove all of it. A loop that launches iteration k before
// it awaits k-1.
func.func @carried_and_own_token(%out: memref<256xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %e = gpu.wait async
  %s = gpu.memset async [%e] %a, %z : memref<256xf32>, f32
  gpu.wait [%s]
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %e) -> !gpu.async.token {
    %r = gpu.memcpy async [%e] %out, %a : memref<256xf32>, memref<256xf32>
    %old = gpu.wait async [%before]
    %both = gpu.wait async [%old, %r]
    scf.yield %both : !gpu.async.token
  }
  %w = gpu.memset async [%last] %b, %z : memref<256xf32>, f32
  gpu.wait [%w]
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// Only the last iteration's work.
func.func @own_token_only(%out: memref<256xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %e = gpu.wait async
  %s = gpu.memset async [%e] %a, %z : memref<256xf32>, f32
  gpu.wait [%s]
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %e) -> !gpu.async.token {
    // expected-note @below {{not ordered with it}}
    %r = gpu.memcpy async [%e] %out, %a : memref<256xf32>, memref<256xf32>
    scf.yield %r : !gpu.async.token
  }
  // expected-error @below {{'gpu.memset' writes bytes [0, 1024) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing}}
  %w = gpu.memset async [%last] %b, %z : memref<256xf32>, f32
  gpu.wait [%w]
  return
}

// -----

// What both branches wait for has ended after them.
func.func @both_branches_wait(%c: i1, %out: memref<256xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<1024xi8> to memref<256xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<1024xi8> to memref<256xf32>
  %e = gpu.wait async
  %s = gpu.memset async [%e] %a, %z : memref<256xf32>, f32
  %q = gpu.wait async [%s]
  %r = gpu.wait async [%s]
  scf.if %c {
    gpu.wait [%q]
  } else {
    gpu.wait [%r]
  }
  memref.store %z, %b[%c0] : memref<256xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// A callee that issues asynchronous work need not touch all that it is given.
func.func private @waits_only(%unused: memref<16xf32>, %t: !gpu.async.token) {
  %u = gpu.wait async [%t]
  gpu.wait [%u]
  return
}
func.func @unused_argument(%z: f32) {
  %arena = transient.arena physical 0 align 4 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  %b = transient.view %arena[0] tenant 1 : memref<64xi8> to memref<16xf32>
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  func.call @waits_only(%b, %t) : (memref<16xf32>, !gpu.async.token) -> ()
  %u = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  gpu.wait [%u]
  return
}
func.func private @async_user(%b: memref<16xf32>, %t: !gpu.async.token, %z: f32) {
  %u = gpu.memset async [%t] %b, %z : memref<16xf32>, f32
  return
}
func.func @used_argument(%z: f32, %s: !gpu.async.token) {
  %arena = transient.arena physical 0 align 4 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  %b = transient.view %arena[0] tenant 1 : memref<64xi8> to memref<16xf32>
  // expected-note @below {{'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %t = gpu.memset async %a, %z : memref<16xf32>, f32
  // expected-error @below {{'func.call' reads and writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  func.call @async_user(%b, %s, %z) : (memref<16xf32>, !gpu.async.token, f32) -> ()
  return
}
