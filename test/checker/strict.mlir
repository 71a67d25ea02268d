// With strict, what cannot be decided is an error.
// RUN: transient-opt %s --transient-verify="strict=true" -split-input-file -verify-diagnostics -o /dev/null

func.func private @opaque(memref<16xf32>)
func.func @opaque_call(%z: f32) {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'func.call' reads and writes bytes [0, 64) of this allocation}}
  call @opaque(%a) : (memref<16xf32>) -> ()
  // expected-error @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the callee says nothing of what it keeps or when it is done}}
  memref.dealloc %a : memref<16xf32>
  return
}
