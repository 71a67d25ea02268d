// The maximum of two buffers only where they are proved to exclude each other;
// elsewhere the sum. Nor is the sum a fact where they may share (M6).
// RUN: transient-opt %s -split-input-file --transient-pipeline="lower=none" 2>/dev/null | FileCheck %s

// The two conditions never hold together, but nothing in the structure says so.
// CHECK-LABEL: func.func @exclusive_by_data_only
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @exclusive_by_data_only(%c: i1, %x: memref<64xf32>, %f: f32) {
  %true = arith.constant true
  %d = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  }
  scf.if %d {
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  }
  scf.if %c {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  scf.if %d {
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// Branches exclude each other; what they leave running does not.
// CHECK-LABEL: func.func @exclusive_branches_in_a_loop
// CHECK: transient.arena {{.*}} : memref<512xi8>
func.func @exclusive_branches_in_a_loop(%c: memref<8xi1>, %x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = gpu.wait async
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %s) -> !gpu.async.token {
    %ci = memref.load %c[%i] : memref<8xi1>
    %r = scf.if %ci -> !gpu.async.token {
      %fresh = gpu.wait async
      %1 = gpu.memset async [%fresh] %a, %f : memref<64xf32>, f32
      %2 = gpu.wait async [%1, %t]
      scf.yield %2 : !gpu.async.token
    } else {
      %fresh = gpu.wait async
      %1 = gpu.memset async [%fresh] %b, %f : memref<64xf32>, f32
      %2 = gpu.wait async [%1, %t]
      scf.yield %2 : !gpu.async.token
    }
    scf.yield %r : !gpu.async.token
  }
  gpu.wait [%last]
  return
}

// -----

// Workspaces of two calls that may run at once add up.
func.func private @work(%o: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func.func @concurrent_workspaces
// CHECK-NOT: transient.arena
func.func @concurrent_workspaces(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %t = async.execute {
    func.call @work(%x, %f) : (memref<64xf32>, f32) -> ()
    async.yield
  }
  call @work(%y, %f) : (memref<64xf32>, f32) -> ()
  async.await %t : !async.token
  return
}
