// Host code says what it reads and writes; kernels stay as they are, and so does
// the stack that nobody else knows of.
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
  // CHECK: %[[A:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @transientSimHostAccess(%[[P]], %{{.*}}, %[[A]])
  // CHECK-NEXT: llvm.atomicrmw
  %old = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
  // CHECK-NOT: llvm.call @transientSimHostAccess
  llvm.return
}
// CHECK-LABEL: llvm.func @atomics
llvm.func @atomics(%p: !llvm.ptr, %v: i32) {
  // CHECK: %[[A:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @transientSimHostAccess(%{{.*}}, %{{.*}}, %[[A]])
  // CHECK-NEXT: llvm.load
  %x = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK: %[[A:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @transientSimHostAccess(%{{.*}}, %{{.*}}, %[[A]])
  // CHECK-NEXT: llvm.store
  llvm.store %v, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}
llvm.func @take(!llvm.ptr)
// CHECK-LABEL: llvm.func @stack
llvm.func @stack(%v: f32) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %known = llvm.alloca %c1 x f32 : (i64) -> !llvm.ptr
  %own = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  // CHECK: llvm.call @take
  llvm.call @take(%known) : (!llvm.ptr) -> ()
  // CHECK-NEXT: llvm.store
  llvm.store %known, %own : !llvm.ptr, !llvm.ptr
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.store
  llvm.store %v, %known : f32, !llvm.ptr
  llvm.return
}
// CHECK-LABEL: llvm.func @inlined
llvm.func @inlined(%p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i8) : i8
  // CHECK: llvm.mlir.constant(12 : i64)
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: "llvm.intr.memcpy.inline"
  "llvm.intr.memcpy.inline"(%p, %q) <{isVolatile = false, len = 12 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: "llvm.intr.memset.inline"
  "llvm.intr.memset.inline"(%p, %zero) <{isVolatile = false, len = 12 : i64}> : (!llvm.ptr, i8) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @masked
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[Q:.*]]: vector<2x!llvm.ptr>, %[[M:.*]]: vector<2xi1>
llvm.func @masked(%p: !llvm.ptr, %q: vector<2x!llvm.ptr>, %m: vector<2xi1>, %z: vector<2xf32>) {
  // CHECK: llvm.getelementptr %[[P]][0] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK: %[[S0:.*]] = llvm.extractelement %[[M]]
  // CHECK: %[[B0:.*]] = llvm.select %[[S0]],
  // CHECK: llvm.call @transientSimHostAccess(%{{.*}}, %[[B0]], %{{.*}})
  // CHECK: llvm.getelementptr %[[P]][1]
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.intr.masked.load
  %a = llvm.intr.masked.load %p, %m, %z {alignment = 4 : i32} : (!llvm.ptr, vector<2xi1>, vector<2xf32>) -> vector<2xf32>
  // CHECK-COUNT-2: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.intr.masked.store
  llvm.intr.masked.store %a, %p, %m {alignment = 4 : i32} : vector<2xf32>, vector<2xi1> into !llvm.ptr
  // CHECK: %[[AT:.*]] = llvm.extractelement %[[Q]]
  // CHECK: llvm.call @transientSimHostAccess(%[[AT]],
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.intr.masked.gather
  %b = llvm.intr.masked.gather %q, %m, %z {alignment = 4 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>, vector<2xf32>) -> vector<2xf32>
  // CHECK-COUNT-2: llvm.call @transientSimHostAccess
  // CHECK-NEXT: llvm.intr.masked.scatter
  llvm.intr.masked.scatter %b, %q, %m {alignment = 4 : i32} : vector<2xf32>, vector<2xi1> into vector<2x!llvm.ptr>
  // CHECK: %[[ALL:.*]] = llvm.add
  // CHECK: %[[ALL2:.*]] = llvm.add %[[ALL]]
  // CHECK: llvm.call @transientSimHostAccess(%[[P]], %[[ALL2]],
  // CHECK-NEXT: "llvm.intr.masked.expandload"
  %c = "llvm.intr.masked.expandload"(%p, %m, %z) : (!llvm.ptr, vector<2xi1>, vector<2xf32>) -> vector<2xf32>
  // CHECK: llvm.call @transientSimHostAccess
  // CHECK-NEXT: "llvm.intr.masked.compressstore"
  "llvm.intr.masked.compressstore"(%c, %p, %m) : (vector<2xf32>, !llvm.ptr, vector<2xi1>) -> ()
  llvm.return
}
gpu.module @kernels {
  llvm.func @kernel(%p: !llvm.ptr) {
    // CHECK: llvm.load
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.return
  }
}
