// Slack at the end of an allocation, where it is proved (F9).
// RUN: transient-opt %s --transient-pipeline="report=%t.json lower=none" -o /dev/null 2>/dev/null
// RUN: FileCheck %s < %t.json
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json

// Rows 0 and 1 of eight, and bytes 64 to 128.
// CHECK-LABEL: "name": "views_only"
// CHECK: "right_size": [
// CHECK-NEXT: {
// CHECK-NEXT: "resource": "b0"
// CHECK-NEXT: "bytes": 2048
// CHECK-NEXT: "touched": 512
// CHECK-NEXT: "saved": 1536
// CHECK-NEXT: "loc": "{{.*}}report-right-size.mlir:[[# @LINE + 10]]:
// CHECK-NEXT: }
// CHECK-NEXT: {
// CHECK-NEXT: "resource": "b1"
// CHECK-NEXT: "bytes": 1024
// CHECK-NEXT: "touched": 128
// CHECK-NEXT: "saved": 896
func.func @views_only(%x: memref<2x64xf32>, %y: memref<16xf32>, %f: f32) {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x64xf32>
  %rows = memref.subview %a[0, 0] [2, 64] [1, 1] : memref<8x64xf32> to memref<2x64xf32, strided<[64, 1]>>
  linalg.fill ins(%f : f32) outs(%rows : memref<2x64xf32, strided<[64, 1]>>)
  memref.copy %rows, %x : memref<2x64xf32, strided<[64, 1]>> to memref<2x64xf32>
  %b = memref.alloc() : memref<1024xi8>
  %d = memref.dim %b, %c0 : memref<1024xi8>
  %v = memref.view %b[%c64][] : memref<1024xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<16xf32>)
  memref.copy %v, %y : memref<16xf32> to memref<16xf32>
  return
}

// One use of all of it, a view that ends with the buffer, an offset that is not
// known, an address from which all can be reached: nothing is proved.
// CHECK-LABEL: "name": "all_of_it"
// CHECK: "right_size": []
func.func @all_of_it(%x: memref<64xf32>, %n: index, %f: f32) {
  %a = memref.alloc() : memref<2x64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<2x64xf32>)
  %row = memref.subview %a[0, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1]>>
  memref.copy %row, %x : memref<64xf32, strided<[1]>> to memref<64xf32>
  %b = memref.alloc() : memref<128xf32>
  %odd = memref.subview %b[1] [64] [2] : memref<128xf32> to memref<64xf32, strided<[2], offset: 1>>
  linalg.fill ins(%f : f32) outs(%odd : memref<64xf32, strided<[2], offset: 1>>)
  memref.copy %odd, %x : memref<64xf32, strided<[2], offset: 1>> to memref<64xf32>
  %c = memref.alloc() : memref<128xf32>
  %somewhere = memref.subview %c[%n] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: ?>>
  linalg.fill ins(%f : f32) outs(%somewhere : memref<64xf32, strided<[1], offset: ?>>)
  memref.copy %somewhere, %x : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32>
  %e = memref.alloc() : memref<128xf32>
  %half = memref.subview %e[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  linalg.fill ins(%f : f32) outs(%half : memref<64xf32, strided<[1]>>)
  %address = memref.extract_aligned_pointer_as_index %half : memref<64xf32, strided<[1]>> -> index
  memref.copy %half, %x : memref<64xf32, strided<[1]>> to memref<64xf32>
  return
}
