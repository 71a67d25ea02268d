// RUN: transient-opt %s -split-input-file --transient-liveness --transient-plan | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-liveness --transient-plan="strategy=slots" | FileCheck %s --check-prefix=SLOTS
// RUN: transient-opt %s -split-input-file --transient-liveness --transient-plan="target=vulkan" | FileCheck %s --check-prefix=VULKAN

// Disjoint lifetimes share; the big one covers both small ones.
// CHECK-LABEL: func.func @two_under_one
// SLOTS-LABEL: func.func @two_under_one
func.func @two_under_one(%out: memref<16xf32>, %f: f32) {
  // CHECK: placement <physical = 0, offset = [[X:.*]], bytes = 64>
  // CHECK: placement <physical = 0, offset = {{.*}}, bytes = 64>
  // CHECK: placement <physical = 0, offset = 0, bytes = 128>
  // No growth: whole buffers cannot be joined.
  // SLOTS: placement <physical = 0, offset = 0, bytes = 64>
  // SLOTS: placement <physical = 1, offset = 0, bytes = 64>
  // SLOTS: placement <physical = 2, offset = 0, bytes = 128>
  %x = transient.alloc : memref<16xf32>
  %y = transient.alloc : memref<16xf32>
  %z = transient.alloc : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  memref.copy %y, %out : memref<16xf32> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%z : memref<32xf32>)
  return
}

// -----

// Unordered readers keep a buffer live (the diamond): 2048 bytes.
// CHECK-LABEL: func.func @diamond
func.func @diamond(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  // CHECK: placement <physical = 0, offset = [[A:0|1024]], bytes = 1024>
  %a = transient.alloc kind gpu : memref<256xf32>
  // CHECK-NOT: offset = [[A]], bytes
  // CHECK: return
  %b = transient.alloc kind gpu : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<256xf32>, memref<256xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<256xf32>, memref<256xf32>
  %w = gpu.memset async [%c1] %b, %f : memref<256xf32>, f32
  %j = gpu.wait async [%c2, %w]
  gpu.wait [%j]
  return
}

// -----

// The same, where the writer waits for both: 1024 bytes.
// CHECK-LABEL: func.func @diamond_joined
func.func @diamond_joined(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  // CHECK-COUNT-2: placement <physical = 0, offset = 0, bytes = 1024>
  %a = transient.alloc kind gpu : memref<256xf32>
  %b = transient.alloc kind gpu : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %f1 = gpu.wait async [%p]
  %c1 = gpu.memcpy async [%f1] %x, %a : memref<256xf32>, memref<256xf32>
  %f2 = gpu.wait async [%p]
  %c2 = gpu.memcpy async [%f2] %y, %a : memref<256xf32>, memref<256xf32>
  %j = gpu.wait async [%c1, %c2]
  %w = gpu.memset async [%j] %b, %f : memref<256xf32>, f32
  gpu.wait [%w]
  return
}

// -----

// Kinds of allocation, memory spaces and owners never share.
// CHECK-LABEL: func.func @spaces
func.func @spaces(%f: f32) {
  // CHECK: placement <physical = 0,
  %a = transient.alloc : memref<16xf32>
  // CHECK: placement <physical = 1,
  %b = transient.alloc kind gpu : memref<16xf32>
  // CHECK: placement <physical = 2,
  %c = transient.alloc : memref<16xf32, 1>
  // CHECK: placement <physical = 3,
  %d = transient.alloc owner "other" : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  gpu.memset %b, %f : memref<16xf32>, f32
  linalg.fill ins(%f : f32) outs(%c : memref<16xf32, 1>)
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  return
}

// -----

// A buffer of no bytes takes no storage and is legal (scenario zero-size).
// CHECK-LABEL: func.func @zero_size
func.func @zero_size(%f: f32) {
  // CHECK: placement <physical = 0, offset = 0, bytes = 64>
  %a = transient.alloc : memref<16xf32>
  // CHECK: placement <physical = 0, offset = 0, bytes = 0>
  %z = transient.alloc : memref<0xf32>
  linalg.fill ins(%f : f32) outs(%z : memref<0xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%z : memref<0xf32>)
  return
}

// -----

// Offsets past 2^31 are exact.
// CHECK-LABEL: func.func @large
func.func @large(%f: f32) {
  // CHECK-DAG: offset = 0, bytes = 2147483648>
  // CHECK-DAG: offset = 2147483648, bytes = 2147483648>
  // CHECK-DAG: offset = 4294967296, bytes = 2147483648>
  %a = transient.alloc : memref<536870912xf32>
  %b = transient.alloc : memref<536870912xf32>
  %c = transient.alloc : memref<536870912xf32>
  linalg.add ins(%a, %b : memref<536870912xf32>, memref<536870912xf32>) outs(%c : memref<536870912xf32>)
  return
}

// -----

// A target's alignment goes on top of the buffer's own.
// VULKAN-LABEL: func.func @target_alignment
func.func @target_alignment(%f: f32) {
  // VULKAN-DAG: offset = 0, bytes = 256>
  // VULKAN-DAG: offset = 256, bytes = 256>
  %a = transient.alloc : memref<16xf32>
  %b = transient.alloc : memref<16xf32>
  linalg.copy ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  return
}

// -----

// Slots: a donor must offer the usage that the tenant requires (Q12).
// SLOTS-LABEL: func.func @usage
func.func @usage(%f: f32) {
  // SLOTS: usage <storage> {{.*}} placement <physical = 0
  %a = transient.alloc usage <storage> : memref<16xf32>
  // SLOTS: usage <storage|indirect> {{.*}} placement <physical = 1
  %b = transient.alloc usage <storage|indirect> : memref<16xf32>
  // SLOTS: usage <storage> {{.*}} placement <physical = 0
  %c = transient.alloc usage <storage> : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<16xf32>)
  return
}
