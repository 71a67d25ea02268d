// Unordered ops may stand in any order: frontiers and bytes are the same (C2).
// RUN: transient-opt %s --transient-pipeline="lower=none report=%t.json" | FileCheck %s
// RUN: %python -c "import json,sys; a,b=[f['bytes'] for f in json.load(open(sys.argv[1]))['functions']]; sys.exit(a!=b)" %t.json

// CHECK-LABEL: func.func @one
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @one(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %s0 = gpu.wait async
  %a1 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %a2 = gpu.memcpy async [%a1] %x, %a : memref<64xf32>, memref<64xf32>
  %c1 = gpu.memset async [%a2] %c, %f : memref<64xf32>, f32
  %s1 = gpu.wait async
  %b1 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %b2 = gpu.memcpy async [%b1] %y, %b : memref<64xf32>, memref<64xf32>
  %j = gpu.wait async [%c1, %b2]
  gpu.wait [%j]
  return
}

// CHECK-LABEL: func.func @other
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @other(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %s1 = gpu.wait async
  %s0 = gpu.wait async
  %b1 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %a1 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %b2 = gpu.memcpy async [%b1] %y, %b : memref<64xf32>, memref<64xf32>
  %a2 = gpu.memcpy async [%a1] %x, %a : memref<64xf32>, memref<64xf32>
  %c1 = gpu.memset async [%a2] %c, %f : memref<64xf32>, f32
  %j = gpu.wait async [%c1, %b2]
  gpu.wait [%j]
  return
}
