// What the checker says nowhere else in these tests.
// RUN: transient-opt %s --transient-verify -allow-unregistered-dialect -split-input-file -verify-diagnostics -o /dev/null

// The token says when the copy is done; what it was made from lives on in it.
func.func @result_holds_address() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %s = memref.alloc() : memref<16xf32, 3>
  // expected-note @below {{used here: 'nvgpu.device_async_copy' reads bytes [0, 64) of this allocation}}
  %t = nvgpu.device_async_copy %a[%c0], %s[%c0], 4 : memref<16xf32> to memref<16xf32, 3>
  // expected-warning @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'nvgpu.device_async_copy': the address lives on in its result}}
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

func.func @end_is_not_known() {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<16x16xf16, 3>
  // expected-note @below {{used here: 'nvgpu.ldmatrix' reads and writes bytes [0, 512) of this allocation}}
  %x = nvgpu.ldmatrix %s[%c0, %c0] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
  // expected-warning @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'nvgpu.ldmatrix': the op does not say when it is done}}
  memref.dealloc %s : memref<16x16xf16, 3>
  return
}

// -----

// Whoever uses the handle later reads the new values.
func.func @handle_keeps_address(%p: memref<?xindex>, %c: memref<?xindex>, %n: index) {
  %v = memref.alloc(%n) : memref<?xf32>
  %w = memref.alloc(%n) : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %p, %c, %v : memref<?xindex>, memref<?xindex>, memref<?xf32>
  // expected-note @below {{used here: 'gpu.set_csr_pointers' reads and writes bytes of this allocation}}
  %t2 = gpu.set_csr_pointers async [%t1] %m, %p, %c, %w : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.wait [%t2]
  // expected-warning @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'gpu.set_csr_pointers': a handle that it is given may keep the address}}
  memref.dealloc %w : memref<?xf32>
  return
}

// -----

func.func @offset_is_not_known(%i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  // expected-warning @below {{cannot decide whether this view lies within its storage: its offset is not constant}}
  %b = memref.view %arena[%i][] {tenant = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  // expected-warning @below {{cannot decide whether 'linalg.fill' writes bytes [0, 128) of tenant 1 that tenant 0 still needs: the offset of a view is not known}}
  linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
  // expected-note @below {{needed here: 'memref.load' reads bytes [0, 64) of tenant 0}}
  %x = memref.load %a[%c0] : memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// The work of the second is still running when the next iteration starts.
func.func @edge_into_the_next_iteration(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [0, 64) of tenant 0}}
    // expected-note @below {{missing: an edge from the end of the later op to the start of this 'gpu.memset' in the next iteration}}
    %t = gpu.memset async %a, %v : memref<16xf32>, f32
    gpu.wait [%t]
    // expected-error @below {{'gpu.memset' writes bytes [0, 64) of tenant 1 while tenant 0 may still be in use there (V1)}}
    %u = gpu.memset async %b, %v : memref<16xf32>, f32
  }
  return
}

// -----

func.func @place_is_not_known(%i: index) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  // expected-warning @below {{cannot decide whether this view lies within its storage: its offset is not constant}}
  %v = memref.view %arena[%i][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  // expected-warning @below {{cannot decide whether 'memref.assume_alignment' has its alignment 64: where its buffer lies is not known}}
  %w = memref.assume_alignment %v, 64 : memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

func.func @instance_is_not_known(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (memref<16xf32>) {
    %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
    // expected-warning @below {{cannot decide of which iteration's instance 'gpu.memset' writes bytes [0, 64) of tenant 0}}
    %t = gpu.memset async %p, %v : memref<16xf32>, f32
    // expected-note @below {{needed for: 'gpu.memset' writes bytes [0, 64) of tenant 1}}
    %u = gpu.memset async %b, %v : memref<16xf32>, f32
    gpu.wait [%t, %u]
    scf.yield %a : memref<16xf32>
  }
  return
}

// -----

func.func @origin_is_not_known(%v: f32) {
  %m = "foo.make"() : () -> memref<4xf32>
  // expected-note @below {{may still run: 'gpu.memset' writes bytes of a buffer of unknown origin}}
  %t = gpu.memset async %m, %v : memref<4xf32>, f32
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of each of them to this 'memref.dealloc'}}
  memref.dealloc %m : memref<4xf32>
  gpu.wait [%t]
  return
}
