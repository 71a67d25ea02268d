// Buffers that only a wait in a branch lets take turns. "Before" is not transitive
// there: what is before the branch's buffer, and that before a later one, may
// still run when the later one begins.
// RUN: transient-opt %s -split-input-file --transient-import --transient-liveness --transient-plan --transient-materialize --transient-verify | FileCheck %s

// The branch's buffer takes over from the work that the branch waits for; the
// buffer after the branch from the branch's, and not from that work.
// CHECK-LABEL: func.func @not_transitive
// CHECK: transient.arena {{.*}} : memref<2048xi8>
// CHECK-DAG: transient.view %{{.*}}[[[A:[0-9]+]]] tenant 0
// CHECK-DAG: transient.view %{{.*}}[{{[0-9]+}}] tenant 1
// CHECK-DAG: transient.view %{{.*}}[{{[0-9]+}}] tenant 2
func.func @not_transitive(%c: i1, %x: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %d = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %q = gpu.memcpy async [%p] %x, %a : memref<256xf32>, memref<256xf32>
  scf.if %c {
    gpu.wait [%q]
    linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
    memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  }
  linalg.fill ins(%f : f32) outs(%d : memref<256xf32>)
  memref.copy %d, %x : memref<256xf32> to memref<256xf32>
  gpu.wait [%q]
  return
}

// -----

// CHECK-LABEL: func.func @waits_inside
// CHECK: transient.arena {{.*}} : memref<1024xi8>
func.func @waits_inside(%c: i1, %x: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  scf.if %c {
    %q = gpu.memset async [%p] %b, %f : memref<256xf32>, f32
    gpu.wait [%q]
  }
  gpu.wait [%p]
  return
}

// -----

// Used after the branch, too: there it has to wait for itself.
// CHECK-LABEL: func.func @used_after
// CHECK: transient.arena {{.*}} : memref<2048xi8>
func.func @used_after(%c: i1, %x: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  scf.if %c {
    gpu.wait [%p]
    linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  }
  linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  gpu.wait [%p]
  return
}

// -----

// The other branch does not wait.
// CHECK-LABEL: func.func @other_branch
// CHECK: transient.arena {{.*}} : memref<2048xi8>
func.func @other_branch(%c: i1, %x: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  scf.if %c {
    gpu.wait [%p]
    linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  } else {
    linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  }
  gpu.wait [%p]
  return
}

// -----

// Both branches wait for work that follows the same: after them that has ended.
// CHECK-LABEL: func.func @common
// CHECK: transient.arena {{.*}} : memref<2048xi8>
func.func @common(%c: i1, %x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %d = memref.alloc() : memref<256xf32>
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<256xf32>, f32
  %p1 = gpu.memcpy async [%p] %x, %a : memref<256xf32>, memref<256xf32>
  %q = gpu.memset async [%p1] %b, %f : memref<256xf32>, f32
  %r = gpu.memset async [%p1] %y, %f : memref<256xf32>, f32
  scf.if %c {
    gpu.wait [%q]
  } else {
    gpu.wait [%r]
  }
  linalg.fill ins(%f : f32) outs(%d : memref<256xf32>)
  memref.copy %d, %x : memref<256xf32> to memref<256xf32>
  gpu.wait [%q]
  return
}
