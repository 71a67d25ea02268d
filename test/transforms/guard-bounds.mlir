// RUN: transient-opt %s -split-input-file -transient-guard-bounds | FileCheck %s
// RUN: transient-opt %s -split-input-file -transient-guard-bounds | FileCheck %s --check-prefix=GONE

// The function tests its arguments; the calls of others go through the test.
// CHECK-LABEL: func.func @bounded(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8xf32>, %[[N:[a-z0-9]+]]: index, %[[F:[a-z0-9]+]]: f32) -> f32
// CHECK-SAME: attributes {llvm.emit_c_interface}
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[D:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 1024 : index
// CHECK-NEXT: %[[ROWS:.*]] = arith.cmpi ule, %[[D]], %[[MOST]]
// CHECK-NEXT: %[[C16:.*]] = arith.constant 16 : index
// CHECK-NEXT: %[[INDEX:.*]] = arith.cmpi ule, %[[N]], %[[C16]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[ROWS]], %[[INDEX]]
// CHECK-NEXT: %[[R:.*]] = scf.if %[[BOTH]] -> (f32)
// CHECK-NEXT:   %[[W:.*]] = func.call @bounded_within_bounds(%[[X]], %[[N]], %[[F]])
// CHECK-NEXT:   scf.yield %[[W]]
// CHECK:        %[[B:.*]] = func.call @bounded_beyond_bounds(%[[X]], %[[N]], %[[F]])
// CHECK-NEXT:   scf.yield %[[B]]
// CHECK:      return %[[R]]
// CHECK: func.func private @bounded_within_bounds({{.*}}transient.bound = array<i64: 1024, -1>{{.*}}transient.bound = array<i64: 16>
// CHECK-NOT: emit_c_interface
// CHECK: memref.alloc
// CHECK: func.func private @bounded_beyond_bounds(
// CHECK-NOT: emit_c_interface
// CHECK-NOT: transient.bound
// CHECK: memref.alloc
func.func @bounded(%x: memref<?x8xf32> {transient.bound = array<i64: 1024, -1>},
                   %n: index {transient.bound = array<i64: 16>}, %f: f32) -> f32
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%d) : memref<?x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?x8xf32>)
  memref.copy %a, %x : memref<?x8xf32> to memref<?x8xf32>
  return %f : f32
}
// CHECK-LABEL: func.func @caller
// CHECK: call @bounded(
func.func @caller(%x: memref<?x8xf32>, %n: index, %f: f32) {
  %0 = call @bounded(%x, %n, %f) : (memref<?x8xf32>, index, f32) -> f32
  return
}

// -----

// Bounds that let nothing be planned cost nothing.
// GONE-LABEL: func.func @not_needed
// GONE-NOT: transient.bound
// GONE-NOT: scf.if
func.func @not_needed(%x: memref<?x8xf32> {transient.bound = array<i64: 1024, -1>}, %n: index, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  return
}

// -----

// A bound whose bytes do not fit 64 bits is none.
// GONE-LABEL: func.func @too_large
// GONE-NOT: transient.bound
// GONE-NOT: scf.if
func.func @too_large(%n: index {transient.bound = array<i64: 9223372036854775807>}, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}

// -----

// GONE-LABEL: func.func private @declaration(index)
func.func private @declaration(index {transient.bound = array<i64: 4>})

// -----

// No bound but the op that computes the size: no guard.
// GONE-LABEL: func.func @computed
// GONE-NOT: scf.if
func.func @computed(%n: index, %f: f32) {
  %m = affine.min affine_map<()[s0] -> (s0, 256)>()[%n]
  %a = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}

// -----

// Several blocks and results, a name that is taken, calls of itself.
// GONE-LABEL: func.func @blocks(
// CHECK-LABEL: func.func @blocks(
// CHECK: cmpi ule
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: func.call @blocks_within_bounds_0(
// CHECK: func.call @blocks_beyond_bounds(
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK: func.func private @blocks_within_bounds_0(
// CHECK: cf.cond_br
// CHECK: call @blocks(
// CHECK: func.func private @blocks_beyond_bounds(
// CHECK: call @blocks(
func.func private @blocks_within_bounds()
func.func @blocks(%n: index {transient.bound = array<i64: 8>}, %x: memref<?xf32>, %c: i1, %f: f32) -> (index, f32) {
  cf.cond_br %c, ^a, ^b
^a:
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  cf.br ^b
^b:
  %0:2 = call @blocks(%n, %x, %c, %f) : (index, memref<?xf32>, i1, f32) -> (index, f32)
  return %0#0, %0#1 : index, f32
}
