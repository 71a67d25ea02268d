// What the harness can call: every scalar and element type, rank zero, dynamic
// extents and layouts, scalar arguments, private callees, and results besides
// out-parameters.

// REQUIRES: mlir-runner
// RUN: %python %utils/execute.py %s --unplanned-only --entry types | FileCheck %s --check-prefix=TYPES
// TYPES: outputs identical: @types, 11 values
// TYPES-NEXT: wrote argument 10: 8 x f64, {{[2-8]}} distinct

// RUN: %python %utils/execute.py %s --unplanned-only --entry dynamic --dyn 3,5 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: outputs identical: @dynamic, 4 values
// DYNAMIC-NEXT: wrote argument 1: 15 x f32
// DYNAMIC-NEXT: wrote result 0: 15 x f32
// DYNAMIC-NEXT: wrote result 1: 1 x index, 1 distinct
// DYNAMIC-NOT: weak

// RUN: %python %utils/execute.py %s --unplanned-only --entry scalars | FileCheck %s --check-prefix=SCALARS
// SCALARS: outputs identical: @scalars, 1 values, 4 bytes
// SCALARS-NEXT: wrote argument 0: 1 x f32

// Floats come from the range that was asked for: square roots of negative
// numbers make a comparison weak, and the harness says so.
// RUN: %python %utils/execute.py %s --unplanned-only --entry roots --float-range=-2,-1 | FileCheck %s --check-prefix=NAN
// NAN: wrote argument 1: 8 x f32, 1 distinct, 8 NaN
// NAN-NEXT: weak comparison
// RUN: %python %utils/execute.py %s --unplanned-only --entry roots --float-range=1,2 | FileCheck %s --check-prefix=ROOTS
// ROOTS: wrote argument 1: 8 x f32, {{[2-8]}} distinct{{$}}
// ROOTS-NOT: weak

// Integers are small and not negative, so that they can index.
// RUN: %python %utils/execute.py %s --unplanned-only --entry indices --int-limit 8 | FileCheck %s --check-prefix=INDICES
// INDICES: wrote argument 1: 64 x i32, {{[4-8]}} distinct

#id = affine_map<(d0) -> (d0)>

func.func @types(%i1: memref<8xi1>, %i8: memref<8xi8>, %i16: memref<8xi16>,
                 %i32: memref<8xi32>, %i64: memref<8xi64>, %index: memref<8xindex>,
                 %f16: memref<8xf16>, %bf16: memref<8xbf16>, %f32: memref<8xf32>,
                 %f64: memref<8xf64>, %out: memref<8xf64>) {
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id],
                  iterator_types = ["parallel"]}
      ins(%i1, %i8, %i16, %i32, %i64, %index, %f16, %bf16, %f32, %f64
          : memref<8xi1>, memref<8xi8>, memref<8xi16>, memref<8xi32>, memref<8xi64>,
            memref<8xindex>, memref<8xf16>, memref<8xbf16>, memref<8xf32>, memref<8xf64>)
      outs(%out : memref<8xf64>) {
  ^bb0(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: index, %g: f16, %h: bf16, %i: f32, %j: f64, %o: f64):
    %a64 = arith.extui %a : i1 to i64
    %b64 = arith.extsi %b : i8 to i64
    %c64 = arith.extsi %c : i16 to i64
    %d64 = arith.extsi %d : i32 to i64
    %f64_ = arith.index_cast %f : index to i64
    %s0 = arith.addi %a64, %b64 : i64
    %s1 = arith.addi %s0, %c64 : i64
    %s2 = arith.addi %s1, %d64 : i64
    %s3 = arith.addi %s2, %e : i64
    %s4 = arith.addi %s3, %f64_ : i64
    %x0 = arith.sitofp %s4 : i64 to f64
    %g64 = arith.extf %g : f16 to f64
    %h64 = arith.extf %h : bf16 to f64
    %i64_ = arith.extf %i : f32 to f64
    %x1 = arith.addf %x0, %g64 : f64
    %x2 = arith.addf %x1, %h64 : f64
    %x3 = arith.addf %x2, %i64_ : f64
    %x4 = arith.addf %x3, %j : f64
    linalg.yield %x4 : f64
  }
  return
}

func.func private @twice(%in: memref<?x?xf32>, %out: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  linalg.add ins(%in, %in : memref<?x?xf32>, memref<?x?xf32>)
      outs(%out : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}

func.func @dynamic(%in: memref<?x5xf32>, %out: memref<3x?xf32, strided<[?, ?], offset: ?>>)
    -> (memref<?x?xf32, strided<[1, ?]>>, index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %in, %c0 : memref<?x5xf32>
  %0 = memref.cast %in : memref<?x5xf32> to memref<?x?xf32>
  %1 = memref.cast %out : memref<3x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @twice(%0, %1) : (memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  %2 = memref.transpose %0 (d0, d1) -> (d1, d0) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  return %2, %rows : memref<?x?xf32, strided<[1, ?]>>, index
}

func.func @scalars(%out: memref<f32>, %x: f32, %n: i32, %flag: i1, %size: index) {
  %0 = arith.sitofp %n : i32 to f32
  %1 = arith.addf %x, %0 : f32
  %2 = arith.select %flag, %1, %x : f32
  %3 = arith.index_cast %size : index to i32
  %4 = arith.sitofp %3 : i32 to f32
  %5 = arith.addf %2, %4 : f32
  memref.store %5, %out[] : memref<f32>
  return
}

func.func @roots(%in: memref<8xf32>, %out: memref<8xf32>) {
  linalg.sqrt ins(%in : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

func.func @indices(%in: memref<64xi32>, %out: memref<64xi32>) {
  %table = memref.alloc() : memref<8xi32>
  %three = arith.constant 3 : i32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%table : memref<8xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.muli %0, %three : i32
    linalg.yield %1 : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<64xi32>) outs(%out : memref<64xi32>) {
  ^bb0(%x: i32, %o: i32):
    %i = arith.index_cast %x : i32 to index
    %0 = memref.load %table[%i] : memref<8xi32>
    linalg.yield %0 : i32
  }
  memref.dealloc %table : memref<8xi32>
  return
}

// What a program prints is compared too, as bytes: the digits would be rounded
// and the address differs from run to run.
// RUN: %python %utils/execute.py %s --unplanned-only --entry prints | FileCheck %s --check-prefix=PRINTS
// PRINTS: outputs identical: @prints, 3 values
// PRINTS-NEXT: wrote print 0: 6 x f32, {{[2-6]}} distinct
// PRINTS-NEXT: wrote print 1: 1 x f32

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @prints(%in: memref<2x3xf32>) {
  %0 = memref.cast %in : memref<2x3xf32> to memref<*xf32>
  call @printMemrefF32(%0) : (memref<*xf32>) -> ()
  %1 = memref.alloc() : memref<f32>
  %one = arith.constant 1.0 : f32
  memref.store %one, %1[] : memref<f32>
  %2 = memref.cast %1 : memref<f32> to memref<*xf32>
  call @printMemrefF32(%2) : (memref<*xf32>) -> ()
  return
}
