// Host code says what it reads and writes; kernels and the stack stay as they are.
// RUN: transient-opt %s --transient-mark-host-accesses | FileCheck %s

// CHECK: llvm.func @transientSimHostAccess(!llvm.ptr, i64, i32)
// CHECK-LABEL: llvm.func @host
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[N:.*]]: i32)
llvm.func @host(%p: !llvm.ptr, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %s = llvm.alloca %c1 x f32 : (i64) -> !llvm.ptr
  // CHECK: %[[B:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: %[[R:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @transientSimHostAccess(%[[P]], %[[B]], %[[R]])
  // CHECK-NEXT: llvm.load %[[P]]
  %v = llvm.load %p : !llvm.ptr -> f32
  // CHECK-NEXT: llvm.store %{{.*}}, %{{.*}}
  llvm.store %v, %s : f32, !llvm.ptr
  // CHECK-NEXT: %[[G:.*]] = llvm.getelementptr %[[P]]
  %g = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK: %[[W:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @transientSimHostAccess(%[[G]], %{{.*}}, %[[W]])
  // CHECK-NEXT: llvm.store
  llvm.store %v, %g : f32, !llvm.ptr
  // CHECK: %[[LEN:.*]] = llvm.zext %[[N]] : i32 to i64
  // CHECK: llvm.call @transientSimHostAccess(%[[P]], %[[LEN]], %{{.*}})
  // CHECK: llvm.call @transientSimHostAccess(%[[G]],
  // CHECK-NEXT: "llvm.intr.memcpy"
  "llvm.intr.memcpy"(%g, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  // CHECK: llvm.call @transientSimHostAccess(%[[P]], %{{.*}}, %{{.*}})
  // CHECK-NEXT: "llvm.intr.memset"
  "llvm.intr.memset"(%p, %zero, %c1) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.atomicrmw
  %old = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
  // CHECK-NOT: llvm.call @transientSimHostAccess
  llvm.return
}
gpu.module @kernels {
  llvm.func @kernel(%p: !llvm.ptr) {
    // CHECK: llvm.load
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.return
  }
}
