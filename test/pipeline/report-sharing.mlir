// Who shares with whom and why; what keeps the residents of the peak apart; a
// plan that was edited into overlap is not called proved (G0, E5).
// RUN: transient-opt %s -split-input-file --transient-liveness --transient-report -o /dev/null | FileCheck %s

// CHECK-LABEL: "name": "proved"
// CHECK: "overlapping_pairs": 1
// CHECK: "sharing": [
// CHECK: "a": "b0"
// CHECK-NEXT: "b": "b2"
// CHECK-NEXT: "kind": "unconditional"
// CHECK-NEXT: "proof": {
// CHECK-NEXT: "end_of": [
// CHECK-NEXT: 1
// CHECK-NEXT: ]
// CHECK-NEXT: "before_start_of": [
// CHECK-NEXT: 2
// CHECK-NEXT: ]
// CHECK-NEXT: "conditions": {"storage":"same kind and memory space","order":"in every execution","completion":"every user's end is known","retained":"no address is kept","owner":"no owners","exposure":"within one owner","content":"starts undefined, is not kept","size":"static"}
// CHECK: "rejected": [
// CHECK-NEXT: {
// CHECK-NEXT: "a": "b0"
// CHECK-NEXT: "b": "b1"
// CHECK-NEXT: "condition": "order"
// CHECK-NEXT: "reason": "node 1 is not proved to end before node 1 starts; node 2 is not proved to end before node 0 starts"
// CHECK-NEXT: "overlaps": false
func.func @proved(%o: memref<64xf32>, %f: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  %b = transient.alloc placement <physical = 0, offset = 256, bytes = 256> : memref<64xf32>
  %c = transient.alloc placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %o : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: "name": "edited"
// CHECK: "overlapping_pairs": 1
// CHECK: "sharing": []
// CHECK: "rejected": [
// CHECK: "a": "b0"
// CHECK-NEXT: "b": "b1"
// CHECK-NEXT: "condition": "order"
// CHECK-NEXT: "reason": "node 1 is not
// CHECK-NEXT: "overlaps": true
func.func @edited(%o: memref<64xf32>, %f: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  %b = transient.alloc placement <physical = 0, offset = 128, bytes = 256> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: "name": "storage"
// CHECK: "rejected": [
// CHECK: "condition": "storage"
// CHECK-NEXT: "reason": "they differ in kind or memory space"
func.func @storage(%o: memref<64xf32>, %f: f32) {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  %b = transient.alloc placement <physical = 1, offset = 0, bytes = 256> : memref<64xf32, 1>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32, 1>)
  return
}

// -----

// CHECK-LABEL: "name": "owner"
// CHECK: "rejected": [
// CHECK: "condition": "owner"
func.func @owner(%f: f32) {
  %a = transient.alloc owner "me" placement <physical = 0, offset = 0, bytes = 256> : memref<64xf32>
  %b = transient.alloc owner "you" placement <physical = 1, offset = 0, bytes = 256> : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  return
}
