// RUN: transient-opt %s -split-input-file --transient-import | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-import="allocations=memref" | FileCheck %s --check-prefix=MEMREF
// RUN: transient-opt %s -split-input-file --transient-import="allocations=gpu" | FileCheck %s --check-prefix=GPU

// The alignment is the op's; its source is lost if we write down another.
// CHECK-LABEL: func.func @host
// MEMREF-LABEL: func.func @host
// GPU-LABEL: func.func @host
func.func @host(%f: f32) {
  // CHECK: transient.alloc class transient align 64 : memref<64xf32>
  // CHECK: transient.alloc class transient : memref<64xf32>
  // The host touches it, so it stays a host allocation.
  // GPU: transient.alloc class transient align 64 : memref<64xf32>
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // CHECK-NOT: memref.dealloc
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// The asynchronous forms pass tokens on: every token survives as a join.
// CHECK-LABEL: func.func @async
// MEMREF-LABEL: func.func @async
func.func @async(%f: f32) {
  // CHECK: %[[T0:.*]] = gpu.wait async
  %0 = gpu.wait async
  // CHECK: %[[T1:.*]] = gpu.wait async [%[[T0]]]
  // CHECK: %[[A:.*]] = transient.alloc kind gpu class transient : memref<64xf32>
  // MEMREF: transient.alloc class transient : memref<64xf32>
  %a, %1 = gpu.alloc async [%0] () : memref<64xf32>
  // CHECK: %[[T2:.*]] = gpu.memset async [%[[T1]]] %[[A]]
  %2 = gpu.memset async [%1] %a, %f : memref<64xf32>, f32
  // CHECK: %[[T3:.*]] = gpu.wait async [%[[T2]]]
  %3 = gpu.dealloc async [%2] %a : memref<64xf32>
  // CHECK: gpu.wait [%[[T3]]]
  gpu.wait [%3]
  return
}

// -----

// A blocking form with dependencies leaves a blocking wait, without them
// nothing.
// CHECK-LABEL: func.func @blocking
func.func @blocking(%f: f32) {
  // CHECK-NEXT: transient.alloc kind gpu_host_shared
  %a = gpu.alloc host_shared () : memref<64xf32>
  // CHECK-NEXT: %[[T0:.*]] = gpu.wait async
  %0 = gpu.wait async
  // CHECK-NEXT: %[[T1:.*]] = gpu.memset async [%[[T0]]]
  %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  // CHECK-NEXT: gpu.wait [%[[T1]]]
  // CHECK-NEXT: return
  gpu.dealloc [%1] %a : memref<64xf32>
  return
}

// -----

// With allocations=gpu, a buffer that only the device touches moves there.
// CHECK-LABEL: func.func @device_only
// GPU-LABEL: func.func @device_only
func.func @device_only(%f: f32) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // GPU: transient.alloc kind gpu class transient : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  gpu.wait [%1]
  return
}

// -----

// One place serves all iterations: nothing of the buffer leaves the body.
// CHECK-LABEL: func.func @in_loop
func.func @in_loop(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: transient.alloc
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    // CHECK-NOT: memref.dealloc
    memref.dealloc %a : memref<64xf32>
  }
  return
}

// -----

// A declaration says what a call does with its argument.
func.func private @declared(memref<64xf32> {bufferization.access = "write"})
// CHECK-LABEL: func.func @declared_call
func.func @declared_call() {
  // CHECK: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  call @declared(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// A reshape reads its shape, not the buffer; a declared call may return a token.
func.func private @enqueue(memref<64xf32> {bufferization.access = "read"}) -> !gpu.async.token
// CHECK-LABEL: func.func @reshape_and_token
func.func @reshape_and_token(%n: index, %x: memref<8x8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: transient.alloc class transient : memref<2xindex>
  %shape = memref.alloc() : memref<2xindex>
  memref.store %n, %shape[%c0] : memref<2xindex>
  memref.store %n, %shape[%c1] : memref<2xindex>
  // CHECK: transient.alloc class transient : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %r = memref.reshape %a(%shape) : (memref<64xf32>, memref<2xindex>) -> memref<8x8xf32>
  memref.copy %r, %x : memref<8x8xf32> to memref<8x8xf32>
  %t = call @enqueue(%a) : (memref<64xf32>) -> !gpu.async.token
  gpu.wait [%t]
  return
}

// -----

// What the program says about alignment stays true.
// CHECK-LABEL: func.func @stated_alignment
// GPU-LABEL: func.func @stated_alignment
func.func @stated_alignment(%f: f32) {
  // CHECK: transient.alloc class transient align 16 : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.assume_alignment %a, 16 : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // More than a device allocator promises: stays on the host.
  // GPU: transient.alloc class transient align 4096 : memref<64xf32>
  %c = memref.alloc() {alignment = 4096 : i64} : memref<64xf32>
  gpu.memset %c, %f : memref<64xf32>, f32
  return
}

// -----

// Kernels, and functions of the LLVM dialect, are not planned.
// CHECK-LABEL: gpu.module @m
gpu.module @m {
  gpu.func @k() kernel {
    // CHECK: memref.alloc
    %a = memref.alloc() : memref<64xf32>
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<64xf32>
    gpu.return
  }
}

// -----

// Raw bytes are as aligned as the elements of their views need.
// CHECK-LABEL: func.func @raw_bytes
// MEMREF-LABEL: func.func @raw_bytes
// GPU-LABEL: func.func @raw_bytes
func.func @raw_bytes(%f: f32, %z: i8) {
  %c0 = arith.constant 0 : index
  // CHECK: transient.alloc kind gpu class transient align 4 : memref<96xi8>
  // CHECK: transient.alloc kind gpu class transient : memref<5xi8>
  %a = gpu.alloc () : memref<96xi8>
  %b = gpu.alloc () : memref<5xi8>
  %v = memref.view %a[%c0][] : memref<96xi8> to memref<8xf32>
  gpu.memset %b, %z : memref<5xi8>, i8
  gpu.memset %v, %f : memref<8xf32>, f32
  return
}
