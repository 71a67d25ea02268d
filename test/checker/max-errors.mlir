// No more errors than asked for, and a count of the rest.
// RUN: transient-opt %s --transient-verify="max-errors=2" -split-input-file -verify-diagnostics -o /dev/null

// expected-note @below {{3 more errors in this function are not printed}}
func.func @many_faults(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  %c = memref.view %arena[%c0][] {tenant = 2 : i64} : memref<64xi8> to memref<16xf32>
  %d = memref.view %arena[%c0][] {tenant = 3 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 1}}
  %t2 = gpu.memset async [%t1] %b, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 2 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 2 while tenant 1 may still be in use there (V1)}}
  %t3 = gpu.memset async [%t0] %c, %z : memref<16xf32>, f32
  %t4 = gpu.memset async [%t0] %d, %z : memref<16xf32>, f32
  gpu.wait [%t2, %t3, %t4]
  return
}
