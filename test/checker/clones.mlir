// `bufferization.clone` may be a copy, or the same storage.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

func.func @read_of_clone_after_takeover(%arena: memref<64xi8>, %o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{in use before by: 'bufferization.clone' reads bytes [0, 64) of tenant 0}}
  %k = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-error @below {{'memref.copy' reads bytes [0, 64) of tenant 0 (or of a clone) after tenant 1 took over its storage (V2)}}
  memref.copy %k, %o : memref<16xf32> to memref<16xf32>
  memref.dealloc %k : memref<16xf32>
  return
}

// -----

// Both are freed, whichever it is, and a clone outlives its source.
func.func @clone_outlives_source(%o: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %k = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.copy %k, %o : memref<16xf32> to memref<16xf32>
  memref.dealloc %k : memref<16xf32>
  return
}

// -----

func.func @use_of_clone_after_its_free(%a: memref<16xf32>, %o: memref<16xf32>) {
  %k = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
  memref.dealloc %k : memref<16xf32>
  // expected-error @below {{use after free: 'memref.copy' reads bytes [0, 64) of this allocation (V3)}}
  memref.copy %k, %o : memref<16xf32> to memref<16xf32>
  return
}
