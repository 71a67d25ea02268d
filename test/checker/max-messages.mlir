// Questions and races are counted like errors.
// RUN: transient-opt %s --transient-verify="max-errors=1" -split-input-file -verify-diagnostics -o /dev/null

// expected-note @below {{1 more undecided questions in this function are not printed}}
func.func @many_questions(%i: index) {
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  // expected-warning @below {{cannot decide whether this view lies within its storage: its offset is not constant}}
  %a = memref.view %arena[%i][] {tenant = 0 : i64} : memref<128xi8> to memref<4xf32>
  %b = memref.view %arena[%i][] {tenant = 1 : i64} : memref<128xi8> to memref<8xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// expected-note @below {{1 more races of the program in this function are not printed}}
func.func @many_races(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) {
  // expected-note @below {{not ordered with it: }}
  %t0 = gpu.memset async %a, %v : memref<4xf32>, f32
  // expected-note @below {{missing: a token path or a blocking wait}}
  // expected-warning @below {{race in the program}}
  %t1 = gpu.memset async %a, %v : memref<4xf32>, f32
  %t2 = gpu.memset async %b, %v : memref<4xf32>, f32
  %t3 = gpu.memset async %b, %v : memref<4xf32>, f32
  gpu.wait [%t0, %t1, %t2, %t3]
  return
}
