// What the stock deallocation passes leave is right: they compare addresses and
// free what is not needed any more.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// A result of unknown origin may be what is freed here, or not.
func.func private @id(memref<16xf32> {bufferization.access = "read"}) -> memref<16xf32>
func.func @result_of_call_may_be_argument(%z: f32) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %r = call @id(%a) : (memref<16xf32>) -> memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %r : memref<16xf32> -> index
  %c = arith.cmpi ne, %p, %q : index
  scf.if %c {
    // expected-note @below {{may be freed: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
    memref.dealloc %a : memref<16xf32>
  }
  // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'func.return' reads bytes [0, 64) of this allocation}}
  return %r : memref<16xf32>
}

// -----

// Control flow decides which of two is used, and which is freed.
func.func @what_is_not_selected_is_freed(%c: i1, %z: f32) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %r : memref<16xf32> -> index
  %d = arith.cmpi ne, %p, %q : index
  cf.cond_br %d, ^free, ^end
^free:
  // expected-note @below {{may be freed: 'memref.dealloc' frees bytes [0, 64) of this allocation}}
  memref.dealloc %a : memref<16xf32>
  cf.br ^end
^end:
  // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'linalg.fill' writes bytes [0, 64) of this allocation}}
  linalg.fill ins(%z : f32) outs(%r : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide whether the storage is still there when 'func.return' reads bytes [0, 64) of this allocation}}
  return %r : memref<16xf32>
}

// -----

// No condition stands between this free and the use of what may be freed.
func.func @selected_after_free(%c: i1, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = arith.select %c, %a, %b : memref<16xf32>
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below {{use after free: 'linalg.fill' writes bytes [0, 64) of this allocation (V3)}}
  linalg.fill ins(%z : f32) outs(%r : memref<16xf32>)
  return
}

// -----

// Work on a buffer of unknown origin is pending: perhaps on this one.
func.func private @id(memref<16xf32> {bufferization.access = "read"}) -> memref<16xf32>
func.func @free_while_result_of_call_is_in_use(%z: f32) {
  %a = memref.alloc() : memref<16xf32>
  %r = call @id(%a) : (memref<16xf32>) -> memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{used here: 'gpu.memset' writes bytes [0, 64) of this allocation}}
  %t1 = gpu.memset async [%t0] %r, %z : memref<16xf32>, f32
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'gpu.memset': what that op names is not known}}
  memref.dealloc %a : memref<16xf32>
  gpu.wait [%t1]
  return
}
