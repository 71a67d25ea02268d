// RUN: transient-opt %s --transient-sanitize | FileCheck %s
// RUN: not transient-opt %s --transient-sanitize --transient-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: {{.*}} while tenant {{[01]}} may still be in use there (V1)

// Without proof that the one has ended before the other starts, no order is made
// up: the race is still there to be seen.
// CHECK-LABEL: func.func @race
// CHECK: %[[CHECK:.*]] = gpu.launch_func async {{.*}} @transient_sanitizer::@check
// CHECK-NOT: gpu.wait async [%[[CHECK]]]
// CHECK: gpu.memset async {{.*}} %arg1
func.func @race(%x: memref<64xf32>, %f: f32) {
  %arena = transient.arena physical 0 kind gpu align 64 : memref<256xi8>
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  %b = transient.view %arena[0] tenant 1 : memref<256xi8> to memref<64xf32>
  %s = gpu.wait async
  %t = gpu.wait async
  %0 = gpu.memset async [%s] %a, %f : memref<64xf32>, f32
  %1 = gpu.memset async [%t] %b, %f : memref<64xf32>, f32
  gpu.wait [%0, %1]
  return
}
