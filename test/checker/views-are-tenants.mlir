// With views-are-tenants, views without a number take turns, too.
// RUN: transient-opt %s --transient-verify="views-are-tenants=true" -split-input-file -verify-diagnostics -o /dev/null

func.func @ordered_views(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<4x4xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of view 0 without tenant}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of view 1 without tenant}}
  linalg.fill ins(%z : f32) outs(%b : memref<4x4xf32>)
  // expected-error @below {{'memref.copy' reads bytes [0, 64) of view 0 without tenant after view 1 without tenant took over its storage (V2)}}
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @views_take_turns(%o: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<4x4xf32>)
  return
}
