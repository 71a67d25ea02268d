// Races within one tenant or buffer belong to the program: a warning.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

// Unordered writes to one tenant are the program's, not the plan's.
func.func @race_in_tenant(%z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  // expected-warning @below {{race in the program: 'gpu.memset' writes bytes [0, 64) of tenant 0 while tenant 0 may still be in use there}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t2 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
  gpu.wait [%t1, %t2]
  return
}

// -----

func.func @race_on_argument(%m: memref<16xf32>, %o: memref<16xf32>, %z: f32) {
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of argument 0}}
  %t1 = gpu.memset async [%t0] %m, %z : memref<16xf32>, f32
  // expected-warning @below {{race in the program: 'gpu.memcpy' reads bytes [0, 64) of argument 0 while argument 0 may still be in use there}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memcpy'}}
  %t2 = gpu.memcpy async [%t0] %o, %m : memref<16xf32>, memref<16xf32>
  gpu.wait [%t1, %t2]
  return
}

// -----

func.func @no_race_between_halves(%m: memref<16xf32>, %z: f32) {
  %low = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %high = memref.subview %m[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %low, %z : memref<8xf32, strided<[1]>>, f32
  %t2 = gpu.memset async [%t0] %high, %z : memref<8xf32, strided<[1], offset: 8>>, f32
  gpu.wait [%t1, %t2]
  return
}

// -----

// Which parts are written is not known: no alarm about the program.
func.func @no_race_at_unknown_offsets(%m: memref<16xf32>, %i: index, %j: index, %z: f32) {
  %a = memref.subview %m[%i] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  %b = memref.subview %m[%j] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %z : memref<8xf32, strided<[1], offset: ?>>, f32
  %t2 = gpu.memset async [%t0] %b, %z : memref<8xf32, strided<[1], offset: ?>>, f32
  gpu.wait [%t1, %t2]
  return
}

// -----

func.func @no_race_between_readers(%m: memref<16xf32>, %o1: memref<16xf32>, %o2: memref<16xf32>) {
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %o1, %m : memref<16xf32>, memref<16xf32>
  %t2 = gpu.memcpy async [%t0] %o2, %m : memref<16xf32>, memref<16xf32>
  gpu.wait [%t1, %t2]
  return
}

// -----

// A buffer that is new in each iteration does not race with its namesake.
func.func @no_race_over_iterations(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %z : memref<16xf32>, f32
    %t2 = gpu.memset async [%t1] %a, %z : memref<16xf32>, f32
  }
  return
}

// -----

// One that is not does.
func.func @race_over_iterations(%n: index, %m: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t0 = gpu.wait async
    // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of argument 1}}
    %t1 = gpu.memset async [%t0] %m, %z : memref<16xf32>, f32
    // expected-warning @below {{race in the program: 'gpu.memset' writes bytes [0, 64) of argument 1 while argument 1 may still be in use there}}
    // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
    %t2 = gpu.memset async [%t1] %m, %z : memref<16xf32>, f32
  }
  return
}

// -----

memref.global "private" @state : memref<16xf32>
func.func @race_on_global(%z: f32) {
  %g = memref.get_global @state : memref<16xf32>
  %h = memref.get_global @state : memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of global @state}}
  %t1 = gpu.memset async [%t0] %g, %z : memref<16xf32>, f32
  // expected-warning @below {{race in the program: 'gpu.memset' writes bytes [0, 64) of global @state while global @state may still be in use there}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t2 = gpu.memset async [%t0] %h, %z : memref<16xf32>, f32
  gpu.wait [%t1, %t2]
  return
}
