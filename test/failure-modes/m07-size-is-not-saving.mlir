// What a buffer saves is what the plan gets smaller by, not how large it is (M7).
// RUN: transient-opt %s --transient-pipeline="report=%t.json" -o /dev/null
// RUN: FileCheck %s < %t.json

// A large buffer shares with a small one: 256 bytes are saved, not 4096.
// CHECK: "name": "small_under_large"
// CHECK: "logical": 4352
// CHECK-NEXT: "physical": 4096
// CHECK-NEXT: "saved": 256
func.func @small_under_large(%x: memref<64xf32>, %y: memref<1024xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<1024xf32>)
  memref.copy %b, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// A buffer that is live at the peak saves nothing.
// CHECK: "name": "live_at_peak"
// CHECK: "logical": 4352
// CHECK-NEXT: "physical": 4352
// CHECK-NEXT: "saved": 0
func.func @live_at_peak(%x: memref<64xf32>, %y: memref<1024xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<1024xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<1024xf32> to memref<1024xf32>
  return
}
