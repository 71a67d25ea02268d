// The comparison must be able to fail. Two buffers are live together: a plan
// that puts them side by side computes the same bytes as the unplanned program,
// one that lets them overlap does not, and the harness says where.

// REQUIRES: mlir-runner
// RUN: split-file %s %t
// RUN: %python %utils/execute.py %t/unplanned.mlir --planned %t/right.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: not %python %utils/execute.py %t/unplanned.mlir --planned %t/overlap.mlir | FileCheck %s --check-prefix=OVERLAP
// RUN: not %python %utils/execute.py %t/unplanned.mlir --planned %t/tail.mlir --poison=0xA5 | FileCheck %s --check-prefix=TAIL
// RUN: not %python %utils/execute.py %t/unplanned.mlir --planned %t/other-signature.mlir | FileCheck %s --check-prefix=SIGNATURE
// RUN: not %python %utils/execute.py %t/unplanned.mlir --planned %t/uninitialised.mlir | FileCheck %s --check-prefix=UNINIT
// RUN: not %python %utils/execute.py %t/unplanned.mlir --planned %t/uninitialised.mlir --poison=0xA5 | FileCheck %s --check-prefix=UNINIT-A5

// RIGHT: outputs identical: @entry, 2 values, 128 bytes, poison 0xFF
// RIGHT-NEXT: wrote argument 1: 16 x f32, {{[0-9]+}} distinct

// OVERLAP: FAILED: {{.*}}unplanned.mlir: outputs differ
// OVERLAP-NEXT: argument 1: element 0 (f32): expected {{.*}} (0x{{[0-9a-f]+}}), got {{.*}}; {{[0-9]+}} of 16 elements differ

// Only the last element of one buffer is in the other's way.
// TAIL: FAILED: {{.*}} outputs differ
// TAIL-NEXT: argument 1: element 15 (f32): expected {{.*}}; 1 of 16 elements differ

// SIGNATURE: FAILED: {{.*}} the planned module has no @entry with the same signature

// A plan whose storage is read before it is written.
// UNINIT: FAILED: {{.*}} outputs differ
// UNINIT-NEXT: argument 1: element 0 (f32): expected {{.*}}, got nan (0xffffffff); 16 of 16 elements differ
// UNINIT-A5: argument 1: element 0 (f32): expected {{.*}}, got {{.*}} (0xa5a5a5a5); 16 of 16 elements differ

//--- unplanned.mlir
#id = affine_map<(d0) -> (d0)>
func.func @entry(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  linalg.sub ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

//--- right.mlir
#id = affine_map<(d0) -> (d0)>
func.func @entry(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %offset = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %a = memref.view %arena[%zero][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%offset][] : memref<128xi8> to memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  linalg.sub ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.dealloc %arena : memref<128xi8>
  return
}

//--- overlap.mlir
#id = affine_map<(d0) -> (d0)>
func.func @entry(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%zero][] : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%zero][] : memref<64xi8> to memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  linalg.sub ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

//--- tail.mlir
#id = affine_map<(d0) -> (d0)>
func.func @entry(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %offset = arith.constant 60 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<124xi8>
  %a = memref.view %arena[%zero][] : memref<124xi8> to memref<16xf32>
  %b = memref.view %arena[%offset][] : memref<124xi8> to memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  linalg.sub ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.dealloc %arena : memref<124xi8>
  return
}

//--- other-signature.mlir
func.func @entry(%in: memref<16xf32>, %out: memref<8xf32>) {
  return
}

//--- uninitialised.mlir
func.func @entry(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}
