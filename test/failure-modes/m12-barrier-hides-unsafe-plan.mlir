// A barrier makes any plan look safe: none is added, and a plan that was made
// under one is found out when it goes (M12).
// RUN: transient-opt %s --transient-pipeline="lower=none" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sed 's/gpu.wait \[%[0-9a-z_]*\]/gpu.wait/' %t.mlir > %t.nobarrier.mlir
// RUN: not transient-opt %t.nobarrier.mlir --transient-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHOUT

// The program's own barrier lets B take A's place.
// CHECK-LABEL: func.func @barrier
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK-COUNT-2: gpu.wait [
// CHECK-NOT: gpu.wait [
// WITHOUT: error: 'gpu.memset' writes bytes [0, 256) of tenant 1 while tenant 0 may still be in use there (V1)
func.func @barrier(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %a = gpu.alloc () : memref<64xf32>
  %b = gpu.alloc () : memref<64xf32>
  %s0 = gpu.wait async
  %a1 = gpu.memset async [%s0] %a, %f : memref<64xf32>, f32
  %a2 = gpu.memcpy async [%a1] %x, %a : memref<64xf32>, memref<64xf32>
  gpu.wait [%a2]
  %s1 = gpu.wait async
  %b1 = gpu.memset async [%s1] %b, %f : memref<64xf32>, f32
  %b2 = gpu.memcpy async [%b1] %y, %b : memref<64xf32>, memref<64xf32>
  gpu.wait [%b2]
  return
}
