// Storage is passed into a function only if every call passes what it needs, as
// edited plans may not: then it keeps storage of its own, and nobody else does.
// RUN: transient-opt %s -split-input-file --transient-materialize --transient-verify | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-materialize="poison-byte=255" | FileCheck %s --check-prefix=POISON

// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: memref<1024xi8>)
// CHECK-LABEL: func.func @all_passed
// CHECK-COUNT-2: call @inner(%{{.*}}, %{{.*}}, %{{.*}})
func.func private @inner(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 0, bytes = 1024> : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
func.func @all_passed(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc class workspace align 4 placement <physical = 0, offset = 0, bytes = 1024> workspace <@inner, physical = 0> : memref<1024xi8>
  call @inner(%x, %f) : (memref<256xf32>, f32) -> ()
  %b = transient.alloc class workspace align 4 placement <physical = 0, offset = 0, bytes = 1024> workspace <@inner, physical = 0> : memref<1024xi8>
  call @inner(%x, %f) : (memref<256xf32>, f32) -> ()
  return
}

// -----

// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: f32)
// CHECK: transient.arena
// CHECK-LABEL: func.func @one_deleted
// CHECK-NOT: transient
func.func private @inner(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 0, bytes = 1024> : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
func.func @one_deleted(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc class workspace align 4 placement <physical = 0, offset = 0, bytes = 1024> workspace <@inner, physical = 0> : memref<1024xi8>
  call @inner(%x, %f) : (memref<256xf32>, f32) -> ()
  %b = transient.alloc class workspace workspace <@inner, physical = 0> : memref<1024xi8>
  call @inner(%x, %f) : (memref<256xf32>, f32) -> ()
  return
}

// -----

// Twice the same, and none for the other.
// CHECK-LABEL: func.func private @two(
// CHECK-SAME: f32)
// CHECK-COUNT-2: transient.arena
// CHECK-LABEL: func.func @wrong_one
// CHECK-NOT: transient
func.func private @two(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 0, bytes = 1024> : memref<256xf32>
  %b = transient.alloc kind gpu_host_shared lifetime <derived, first = [0], last = [1]> placement <physical = 1, offset = 0, bytes = 1024> : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
func.func @wrong_one(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc class workspace align 4 placement <physical = 0, offset = 0, bytes = 1024> workspace <@two, physical = 0> : memref<1024xi8>
  %b = transient.alloc class workspace align 4 placement <physical = 0, offset = 1024, bytes = 1024> workspace <@two, physical = 0> : memref<1024xi8>
  call @two(%x, %f) : (memref<256xf32>, f32) -> ()
  return
}

// -----

// Too small: the callee's plan has grown.
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: f32)
// CHECK: transient.arena
// CHECK-LABEL: func.func @too_small
// CHECK-NOT: transient
func.func private @inner(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 512, bytes = 1024> : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
func.func @too_small(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc class workspace align 4 placement <physical = 0, offset = 0, bytes = 1024> workspace <@inner, physical = 0> : memref<1024xi8>
  call @inner(%x, %f) : (memref<256xf32>, f32) -> ()
  return
}

// -----

// Poison before a call does not hide what the call is passed.
// CHECK-LABEL: func.func @poisoned_caller
// POISON-LABEL: func.func @poisoned_caller
// POISON: linalg.fill
// POISON: linalg.fill
// POISON: call @poisoned(%{{.*}}, %{{.*}}, %{{.*}})
// POISON-LABEL: func.func private @poisoned(
// POISON-SAME: memref<1024xi8>)
func.func @poisoned_caller(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc class workspace align 4 lifetime <derived, first = [0], last = [0]> placement <physical = 0, offset = 0, bytes = 1024> workspace <@poisoned, physical = 0> : memref<1024xi8>
  call @poisoned(%x, %f) : (memref<256xf32>, f32) -> ()
  return
}
func.func private @poisoned(%x: memref<256xf32>, %f: f32) {
  %a = transient.alloc lifetime <derived, first = [0], last = [1]> placement <physical = 0, offset = 0, bytes = 1024> : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
