// Calls: summaries, contracts, workspaces of private functions (B4, B7, design: calls).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=memref" -o /dev/null

// One arena for the call tree: 256 for the call's own buffer or for @leaf, and
// 512 more while @middle runs.
func.func private @leaf(%o: memref<64xf32>, %f: f32) {
  // CHECK-LABEL: func.func private @leaf(
  // CHECK-SAME: %[[STORAGE:[a-z0-9]+]]: memref<512xi8>)
  // CHECK-NOT: transient.arena
  // CHECK: transient.view %[[STORAGE]][0] tenant 0
  // CHECK: transient.view %[[STORAGE]][256] tenant 1
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func private @middle(%o: memref<64xf32>, %f: f32) {
  // CHECK-LABEL: func.func private @middle(
  // CHECK-SAME: memref<768xi8>)
  %a = memref.alloc() : memref<64xf32>
  call @leaf(%a, %f) : (memref<64xf32>, f32) -> ()
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @shares_workspaces
// CHECK: %[[ARENA:.*]] = transient.arena physical 0 align 4 : memref<768xi8>
func.func @shares_workspaces(%o: memref<64xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[M:.*]] = transient.view %[[ARENA]][0] {{.*}} to memref<768xi8>
    // CHECK: call @middle(%{{.*}}, %{{.*}}, %[[M]])
    func.call @middle(%o, %f) : (memref<64xf32>, f32) -> ()
    // CHECK: %[[L:.*]] = transient.view %[[ARENA]][0] {{.*}} to memref<512xi8>
    // CHECK: call @leaf(%{{.*}}, %{{.*}}, %[[L]])
    func.call @leaf(%o, %f) : (memref<64xf32>, f32) -> ()
  }
  return
}

// -----

// A buffer that is live over the call keeps away from its workspace.
func.func private @leaf(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @live_over_call
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @live_over_call(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @leaf(%o, %f) : (memref<64xf32>, f32) -> ()
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A public function keeps an arena of its own.
// CHECK-LABEL: func.func @public
// CHECK-SAME: (%{{.*}}: memref<64xf32>, %{{.*}}: f32)
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @public(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func @caller(%o: memref<64xf32>, %f: f32) {
  call @public(%o, %f) : (memref<64xf32>, f32) -> ()
  return
}

// -----

// Nor does one that calls itself take storage from its callers.
// CHECK-LABEL: func.func private @recursive
// CHECK-SAME: (%{{.*}}: memref<64xf32>, %{{.*}}: f32, %{{.*}}: i1)
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func private @recursive(%o: memref<64xf32>, %f: f32, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  scf.if %c {
    func.call @recursive(%o, %f, %c) : (memref<64xf32>, f32, i1) -> ()
  }
  return
}
func.func @caller(%o: memref<64xf32>, %f: f32, %c: i1) {
  call @recursive(%o, %f, %c) : (memref<64xf32>, f32, i1) -> ()
  return
}

// -----

// Two calls that may run at the same time: each needs its own.
// CHECK-LABEL: func.func private @concurrent
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func private @concurrent(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func @caller(%o: memref<64xf32>, %f: f32) {
  %t = async.execute {
    func.call @concurrent(%o, %f) : (memref<64xf32>, f32) -> ()
    async.yield
  }
  call @concurrent(%o, %f) : (memref<64xf32>, f32) -> ()
  async.await %t : !async.token
  return
}

// -----

// A contract says what a function does that cannot be followed.
func.func private @opaque(memref<64xf32> {transient.contract = "read"})
// CHECK-LABEL: func.func @contract
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @contract(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @opaque(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  return
}

// -----

// What a function with a body does is seen in it, also where it calls others.
func.func private @inner(%a: memref<64xf32>, %o: memref<64xf32>) {
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func private @wrapper(%a: memref<64xf32>, %o: memref<64xf32>) {
  call @inner(%a, %o) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @summaries
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @summaries(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  call @wrapper(%a, %o) : (memref<64xf32>, memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  call @wrapper(%b, %o) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A call that returns a buffer of its own has a workspace as any other, which
// is not that buffer.
func.func private @makes(%f: f32) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %r : memref<64xf32> to memref<64xf32>
  return %r : memref<64xf32>
}
// CHECK-LABEL: func.func @uses_what_is_made
// CHECK: transient.arena {{.*}} : memref<256xi8>
func.func @uses_what_is_made(%o: memref<64xf32>, %f: f32) {
  %b = memref.alloc() : memref<64xf32>
  %r = call @makes(%f) : (f32) -> memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  memref.copy %r, %o : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A call in a cycle of blocks with two entries has no place in the order, and so
// no storage to pass on: then no call passes any.
func.func private @leaf(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func private @middle(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  call @leaf(%a, %f) : (memref<64xf32>, f32) -> ()
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @call_without_order
// CHECK: transient.arena {{.*}} : memref<256xi8>
// CHECK: call @middle(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<64xf32>, f32, memref<256xi8>)
// CHECK: call @leaf(%{{[^,]*}}, %{{[^,]*}}) :
func.func @call_without_order(%o: memref<64xf32>, %f: f32, %c: i1) {
  call @middle(%o, %f) : (memref<64xf32>, f32) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  call @leaf(%o, %f) : (memref<64xf32>, f32) -> ()
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}
