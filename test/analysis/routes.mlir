// Every way from a buffer to another name of it is followed: the buffer is live
// as long as any of its names is used, and no longer (A6-A8, C10, G4). Of each
// two functions, B takes A's place in the first and not in the second.
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none verify=false" -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @cast_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @cast_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.cast %a : memref<64xf32> to memref<?xf32>
  %l = memref.load %v[%c0] : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @cast_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @cast_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.cast %a : memref<64xf32> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @subview_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @subview_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.subview %a[8] [8] [2] : memref<64xf32> to memref<8xf32, strided<[2], offset: 8>>
  %l = memref.load %v[%c0] : memref<8xf32, strided<[2], offset: 8>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @subview_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @subview_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.subview %a[8] [8] [2] : memref<64xf32> to memref<8xf32, strided<[2], offset: 8>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<8xf32, strided<[2], offset: 8>>
  return
}

// -----

// CHECK-LABEL: func.func @subview_of_subview_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @subview_of_subview_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %w = memref.subview %a[8] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 8>>
  %v = memref.subview %w[8] [8] [2] : memref<32xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[2], offset: 16>>
  %l = memref.load %v[%c0] : memref<8xf32, strided<[2], offset: 16>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @subview_of_subview_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @subview_of_subview_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %w = memref.subview %a[8] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 8>>
  %v = memref.subview %w[8] [8] [2] : memref<32xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[2], offset: 16>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<8xf32, strided<[2], offset: 16>>
  return
}

// -----

// CHECK-LABEL: func.func @expand_shape_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @expand_shape_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %l = memref.load %v[%c0, %c0] : memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @expand_shape_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @expand_shape_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0, %c0] : memref<8x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @collapse_shape_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @collapse_shape_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  %v = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @collapse_shape_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @collapse_shape_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  %v = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reinterpret_cast_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @reinterpret_cast_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 16], strides: [1, 4] : memref<64xf32> to memref<4x16xf32, strided<[1, 4]>>
  %l = memref.load %v[%c0, %c0] : memref<4x16xf32, strided<[1, 4]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @reinterpret_cast_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @reinterpret_cast_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 16], strides: [1, 4] : memref<64xf32> to memref<4x16xf32, strided<[1, 4]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0, %c0] : memref<4x16xf32, strided<[1, 4]>>
  return
}

// -----

// CHECK-LABEL: func.func @view_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @view_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %byte = arith.constant 1 : i8
  %a = memref.alloc() : memref<256xi8>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%byte : i8) outs(%a : memref<256xi8>)
  %v = memref.view %a[%c0][] : memref<256xi8> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @view_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @view_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %byte = arith.constant 1 : i8
  %a = memref.alloc() : memref<256xi8>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%byte : i8) outs(%a : memref<256xi8>)
  %v = memref.view %a[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @transpose_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @transpose_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x16xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %v = memref.transpose %a (i, j) -> (j, i) : memref<4x16xf32> to memref<16x4xf32, strided<[1, 16]>>
  %l = memref.load %v[%c0, %c0] : memref<16x4xf32, strided<[1, 16]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @transpose_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @transpose_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x16xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %v = memref.transpose %a (i, j) -> (j, i) : memref<4x16xf32> to memref<16x4xf32, strided<[1, 16]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0, %c0] : memref<16x4xf32, strided<[1, 16]>>
  return
}

// -----

// A view on top of one, and one on top of a view.
// CHECK-LABEL: func.func @view_of_transpose_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @view_of_transpose_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x16xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %u = memref.cast %a : memref<4x16xf32> to memref<4x?xf32>
  %w = memref.transpose %u (i, j) -> (j, i) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  %v = memref.cast %w : memref<?x4xf32, strided<[1, ?]>> to memref<16x4xf32, strided<[1, ?]>>
  %l = memref.load %v[%c0, %c0] : memref<16x4xf32, strided<[1, ?]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @view_of_transpose_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @view_of_transpose_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x16xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x16xf32>)
  %u = memref.cast %a : memref<4x16xf32> to memref<4x?xf32>
  %w = memref.transpose %u (i, j) -> (j, i) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  %v = memref.cast %w : memref<?x4xf32, strided<[1, ?]>> to memref<16x4xf32, strided<[1, ?]>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0, %c0] : memref<16x4xf32, strided<[1, ?]>>
  return
}

// -----

// The base buffer is the buffer; offset, sizes and strides are numbers.
// CHECK-LABEL: func.func @strided_metadata_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @strided_metadata_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %v = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size], strides: [%stride] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
  %l = memref.load %v[%c0] : memref<?xf32, strided<[?], offset: ?>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @strided_metadata_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @strided_metadata_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %v = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size], strides: [%stride] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// CHECK-LABEL: func.func @assume_alignment_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @assume_alignment_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.assume_alignment %a, 4 : memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @assume_alignment_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @assume_alignment_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.assume_alignment %a, 4 : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// Either of the two: here the other one is an argument.
// CHECK-LABEL: func.func @select_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @select_ends(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = arith.select %c, %a, %x : memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @select_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @select_lasts(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = arith.select %c, %a, %x : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @block_argument_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @block_argument_ends(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^next(%a : memref<64xf32>), ^next(%x : memref<64xf32>)
  ^next(%v: memref<64xf32>):
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @block_argument_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @block_argument_lasts(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^next(%a : memref<64xf32>), ^next(%x : memref<64xf32>)
  ^next(%v: memref<64xf32>):
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @yield_of_if_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @yield_of_if_ends(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.if %c -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %x : memref<64xf32>
  }
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @yield_of_if_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @yield_of_if_lasts(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.if %c -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %x : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @yield_of_switch_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @yield_of_switch_ends(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.index_switch %n -> memref<64xf32>
  case 0 {
    scf.yield %a : memref<64xf32>
  }
  default {
    scf.yield %x : memref<64xf32>
  }
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @yield_of_switch_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @yield_of_switch_lasts(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.index_switch %n -> memref<64xf32>
  case 0 {
    scf.yield %a : memref<64xf32>
  }
  default {
    scf.yield %x : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @yield_of_for_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @yield_of_for_ends(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<64xf32> {
    scf.yield %p : memref<64xf32>
  }
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @yield_of_for_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @yield_of_for_lasts(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<64xf32> {
    scf.yield %p : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @yield_of_while_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @yield_of_while_ends(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.while (%p = %a) : (memref<64xf32>) -> memref<64xf32> {
    scf.condition(%c) %p : memref<64xf32>
  } do {
  ^bb0(%q: memref<64xf32>):
    scf.yield %q : memref<64xf32>
  }
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @yield_of_while_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @yield_of_while_lasts(%x: memref<64xf32>, %f: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.while (%p = %a) : (memref<64xf32>) -> memref<64xf32> {
    scf.condition(%c) %p : memref<64xf32>
  } do {
  ^bb0(%q: memref<64xf32>):
    scf.yield %q : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @yield_of_execute_region_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @yield_of_execute_region_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.execute_region -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  }
  %l = memref.load %v[%c0] : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @yield_of_execute_region_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @yield_of_execute_region_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = scf.execute_region -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %l = memref.load %v[%c0] : memref<64xf32>
  return
}

// -----

// A promise about an argument.
func.func private @promised(memref<64xf32> {transient.contract = "read"})
// CHECK-LABEL: func.func @contract_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @contract_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @promised(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @contract_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @contract_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  call @promised(%a) : (memref<64xf32>) -> ()
  return
}

// -----

func.func private @declared(memref<64xf32> {bufferization.access = "read"})
// CHECK-LABEL: func.func @bufferization_access_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @bufferization_access_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @declared(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @bufferization_access_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @bufferization_access_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  call @declared(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// A body says it all.
func.func private @body(%p: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.cast %p : memref<64xf32> to memref<?xf32>
  %l = memref.load %v[%c0] : memref<?xf32>
  return
}
// CHECK-LABEL: func.func @body_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @body_ends(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @body(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @body_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @body_lasts(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  call @body(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// A descriptor holds its buffer until it is destroyed.
// CHECK-LABEL: func.func @descriptor_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @descriptor_ends(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = gpu.alloc () : memref<64xf32>
  %b = gpu.alloc () : memref<64xf32>
  gpu.memset %a, %f : memref<64xf32>, f32
  %t = gpu.wait async
  %d, %t1 = gpu.create_dn_tensor async [%t] %a, %n : index into memref<64xf32>
  gpu.wait [%t1]
  %t2 = gpu.wait async
  %t3 = gpu.destroy_dn_tensor async [%t2] %d
  gpu.wait [%t3]
  gpu.memset %b, %f : memref<64xf32>, f32
  gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
  return
}
// CHECK-LABEL: func.func @descriptor_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @descriptor_lasts(%x: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = gpu.alloc () : memref<64xf32>
  %b = gpu.alloc () : memref<64xf32>
  gpu.memset %a, %f : memref<64xf32>, f32
  %t = gpu.wait async
  %d, %t1 = gpu.create_dn_tensor async [%t] %a, %n : index into memref<64xf32>
  gpu.wait [%t1]
  gpu.memset %b, %f : memref<64xf32>, f32
  gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
  %t2 = gpu.wait async
  %t3 = gpu.destroy_dn_tensor async [%t2] %d
  gpu.wait [%t3]
  return
}

// -----

// The workspace of a sparse product is in use until that ends.
// CHECK-LABEL: func.func @workspace_of_product(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @workspace_of_product(%m: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %a = gpu.alloc () : memref<256xi8>
  %b = gpu.alloc () : memref<256xi8>
  %t = gpu.wait async
  %t1 = gpu.spmv async [%t] %m, %x, %y, %a : memref<256xi8> into f32
  %t2 = gpu.spmv async [%t1] %m, %y, %x, %b : memref<256xi8> into f32
  gpu.wait [%t2]
  return
}
// CHECK-LABEL: func.func @workspaces_at_once(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @workspaces_at_once(%m: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %a = gpu.alloc () : memref<256xi8>
  %b = gpu.alloc () : memref<256xi8>
  %t = gpu.wait async
  %t1 = gpu.spmv async [%t] %m, %x, %y, %a : memref<256xi8> into f32
  %t2 = gpu.spmv async [%t] %m, %y, %x, %b : memref<256xi8> into f32
  gpu.wait [%t1, %t2]
  return
}

// -----

// From one asynchronous body to the next, and to who awaits it.
// CHECK-LABEL: func.func @handed_over_ends(
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @handed_over_ends(%x: memref<64xf32>, %f: f32) {
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  %u = async.execute (%v as %a : !async.value<memref<64xf32>>) {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %u : !async.token
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %a = async.await %v : !async.value<memref<64xf32>>
  memref.dealloc %a : memref<64xf32>
  return
}
// CHECK-LABEL: func.func @handed_over_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @handed_over_lasts(%x: memref<64xf32>, %f: f32) {
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  %u = async.execute (%v as %a : !async.value<memref<64xf32>>) {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %a = async.await %v : !async.value<memref<64xf32>>
  async.await %u : !async.token
  memref.dealloc %a : memref<64xf32>
  return
}
// CHECK-LABEL: func.func @awaited_lasts(
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @awaited_lasts(%x: memref<64xf32>, %f: f32) {
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  async.await %t : !async.token
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %a = async.await %v : !async.value<memref<64xf32>>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
