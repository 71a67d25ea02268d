// V3, V4, V8, V9: storage is there before its first user and until its last.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// dealloc before completion: r2 is unordered with the free
func.func @free_unordered_with_reader(%o1: memref<16xf32>, %o2: memref<16xf32>, %z: f32) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<16xf32>
  %p = gpu.memset async [%t1] %a, %z : memref<16xf32>, f32
  %r1 = gpu.memcpy async [%p] %o1, %a : memref<16xf32>, memref<16xf32>
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %r2 = gpu.memcpy async [%p] %o2, %a : memref<16xf32>, memref<16xf32>
  // expected-error @below {{'gpu.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'gpu.dealloc'}}
  %d = gpu.dealloc async [%r1] %a : memref<16xf32>
  gpu.wait [%d, %r2]
  return
}

// -----

// Every last user is named.
func.func @free_unordered_with_two_readers(%o1: memref<16xf32>, %o2: memref<16xf32>, %z: f32) {
  %a = gpu.alloc () : memref<16xf32>
  gpu.memset %a, %z : memref<16xf32>, f32
  %t0 = gpu.wait async
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %r1 = gpu.memcpy async [%t0] %o1, %a : memref<16xf32>, memref<16xf32>
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %r2 = gpu.memcpy async [%t0] %o2, %a : memref<16xf32>, memref<16xf32>
  // expected-error @below {{'gpu.dealloc' is not ordered after 2 last users of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'gpu.dealloc'}}
  gpu.dealloc %a : memref<16xf32>
  gpu.wait [%r1, %r2]
  return
}

// -----

// Only the last user of a chain is named.
func.func @free_names_last_user_only(%o1: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of this allocation}}
  %t2 = gpu.memcpy async [%t1] %o1, %a : memref<16xf32>, memref<16xf32>
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'memref.dealloc'}}
  memref.dealloc %a : memref<16xf32>
  gpu.wait [%t2]
  return
}

// -----

func.func @free_after_join(%o1: memref<16xf32>, %o2: memref<16xf32>, %z: f32) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<16xf32>
  %p = gpu.memset async [%t1] %a, %z : memref<16xf32>, f32
  %r1 = gpu.memcpy async [%p] %o1, %a : memref<16xf32>, memref<16xf32>
  %r2 = gpu.memcpy async [%p] %o2, %a : memref<16xf32>, memref<16xf32>
  %j = gpu.wait async [%r1, %r2]
  %d = gpu.dealloc async [%j] %a : memref<16xf32>
  gpu.wait [%d]
  return
}

// -----

func.func @use_after_free(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{use after free: 'memref.copy' reads bytes [0, 64) of this allocation (V3)}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An asynchronous free runs whenever it likes after its dependencies.
func.func @use_after_async_free(%o: memref<16xf32>, %z: f32) {
  %a = gpu.alloc () : memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-note @below {{freed here by 'gpu.dealloc', before that access has ended}}
  %d = gpu.dealloc async [%t1] %a : memref<16xf32>
  // expected-error @below {{use after free: 'gpu.memcpy' reads bytes [0, 64) of this allocation (V3)}}
  %t2 = gpu.memcpy async [%t1] %o, %a : memref<16xf32>, memref<16xf32>
  gpu.wait [%d, %t2]
  return
}

// -----

func.func @use_through_view_after_free(%o: memref<8xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %v = memref.subview %a[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{use after free: 'memref.copy' reads bytes [32, 64) of this allocation (V3)}}
  memref.copy %v, %o : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
  return
}

// -----

func.func @double_free() {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{freed here already: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{double free (V8)}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

func.func @free_in_exclusive_branches(%c: i1, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  scf.if %c {
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

func.func @free_in_branch_then_use(%c: i1, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  scf.if %c {
    // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
    memref.dealloc %a : memref<16xf32>
  }
  // expected-error @below {{use after free: 'linalg.fill' writes bytes [0, 64) of this allocation (V3)}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  return
}

// -----

// The same condition twice is not looked at.
func.func @free_and_use_in_two_branches(%c: i1, %d: i1, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  scf.if %c {
    // expected-note @below {{may be freed: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
    memref.dealloc %a : memref<16xf32>
  }
  scf.if %d {
    // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'linalg.fill' writes bytes [0, 64) of this allocation}}
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  }
  return
}

// -----

func.func @free_in_every_iteration(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{use after free: 'linalg.fill' writes bytes [0, 64) of this allocation in the iterations that follow (V3)}}
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
    // expected-error @below {{double free: the storage is allocated outside of this loop (V8)}}
    // expected-note @below {{freed here already: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

// Each iteration has its own buffer.
func.func @alloc_and_free_in_loop(%n: index, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
    gpu.wait [%t1]
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

// The free takes one token of its own iteration: nothing of other iterations
// matters for a buffer that is new in each.
func.func @async_free_in_loop(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t0 = gpu.wait async
    %a, %ta = gpu.alloc async [%t0] () : memref<16xf32>
    %t1 = gpu.memset async [%ta] %a, %z : memref<16xf32>, f32
    %d = gpu.dealloc async [%t1] %a : memref<16xf32>
  }
  return
}

// -----

// loop-carried async: the work is awaited after the loop, the buffer freed in it
func.func @loop_carried_async(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t0) -> !gpu.async.token {
    %a = memref.alloc() : memref<16xf32>
    // expected-note @below {{may still run: 'gpu.memset' writes bytes [0, 64) of this allocation}}
    %t1 = gpu.memset async [%s] %a, %z : memref<16xf32>, f32
    // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
    // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'memref.dealloc'}}
    memref.dealloc %a : memref<16xf32>
    scf.yield %t1 : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// -----

// Which instance is freed depends on the iteration.
func.func @carried_allocation(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> memref<16xf32> {
    %new = memref.alloc() : memref<16xf32>
    // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'memref.copy' reads bytes [0, 64) of this allocation}}
    memref.copy %old, %new : memref<16xf32> to memref<16xf32>
    // expected-note @below {{may be freed: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
    // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is freed elsewhere, too}}
    // expected-note @below {{the other: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
    // expected-warning @below {{transient-verify cannot decide which iteration's allocation 'memref.dealloc' frees}}
    memref.dealloc %old : memref<16xf32>
    scf.yield %new : memref<16xf32>
  }
  return
}

// -----

// One of two is freed; which one is not known.
func.func @free_of_selected(%c: i1, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %s = arith.select %c, %a, %b : memref<16xf32>
  // expected-note @below {{may be freed: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
  memref.dealloc %s : memref<16xf32>
  // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'linalg.fill' writes bytes [0, 64) of this allocation}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  return
}

// -----

// A tenant is not the owner of its storage.
func.func @free_through_tenant(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{'memref.dealloc' frees the storage that tenant 0 shares with others (V4)}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// The allocation is asynchronous itself.
func.func @use_before_allocation(%z: f32) {
  %t0 = gpu.wait async
  // expected-note @below {{allocated here}}
  %a, %ta = gpu.alloc async [%t0] () : memref<16xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of this allocation before its allocation has completed (V9)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.alloc' to the start of this 'gpu.memset'}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  gpu.wait [%ta, %t1]
  gpu.dealloc %a : memref<16xf32>
  return
}

// -----

// Storage returned after it was freed.
func.func @return_of_freed() -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{use after free: 'func.return' reads bytes [0, 64) of this allocation (V3)}}
  return %a : memref<16xf32>
}

// -----

// The arena is freed under a tenant that is still read.
func.func @arena_freed_under_tenant(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %t0 = gpu.wait async
  %arena, %ta = gpu.alloc async [%t0] () : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %t1 = gpu.memset async [%ta] %a, %z : memref<16xf32>, f32
  // expected-note @below {{may still run: 'gpu.memcpy' reads bytes [0, 64) of tenant 0}}
  %t2 = gpu.memcpy async [%t1] %o, %a : memref<16xf32>, memref<16xf32>
  // expected-error @below {{'gpu.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'gpu.dealloc'}}
  %d = gpu.dealloc async [%t1] %arena : memref<64xi8>
  gpu.wait [%t2, %d]
  return
}
