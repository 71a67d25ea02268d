// Red zones, poison and checks: where they are put, and on what they wait.
// RUN: transient-opt %s -split-input-file --transient-sanitize="red-zone=64" -verify-diagnostics | FileCheck %s
// What was added is ordered as it must be.
// RUN: transient-opt %s -split-input-file --transient-sanitize --transient-verify -o /dev/null 2>/dev/null

// %c takes over from %a: its poison waits for the check of %a's red zone, its users
// wait for the poison.
// CHECK: gpu.module @transient_sanitizer
// CHECK: gpu.func @fill(%{{.*}}: memref<?xi8>, %{{.*}}: i8) kernel
// CHECK: gpu.func @check(%{{.*}}: memref<?xi8>, %{{.*}}: memref<?xi8>) kernel
// CHECK-LABEL: func.func @device
// CHECK: %[[FLAGS:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<3xi8>
// CHECK: %[[ARENA:.*]] = transient.arena physical 0 kind gpu align 64 : memref<704xi8>
// CHECK-DAG: %[[A:.*]] = transient.view %[[ARENA]][0] tenant 0 : memref<704xi8> to memref<320xi8>
// CHECK-DAG: %[[ZONE_A:.*]] = memref.view %[[A]][%c256{{.*}}][] : memref<320xi8> to memref<64xi8>
// CHECK-DAG: transient.view %[[ARENA]][320] tenant 1 : memref<704xi8> to memref<320xi8>
// CHECK-DAG: transient.view %[[ARENA]][0] tenant 2 : memref<704xi8> to memref<320xi8>
// CHECK: %[[CONTENT:.*]] = gpu.launch_func async {{.*}} @transient_sanitizer::@fill
// CHECK: %[[RED:.*]] = gpu.launch_func async [%[[CONTENT]]] @transient_sanitizer::@fill
// CHECK: gpu.memset async [%[[RED]], %{{.*}}] %{{.*}}, %{{.*}} : memref<64xf32>, f32
// CHECK: %[[COPY:.*]] = gpu.memcpy async
// CHECK: %[[END:.*]] = gpu.wait async [%[[COPY]]]
// CHECK: %[[CAST:.*]] = memref.cast %[[ZONE_A]]
// CHECK: %[[CHECK:.*]] = gpu.launch_func async [%[[END]]] @transient_sanitizer::@check {{.*}} args(%[[CAST]] : memref<?xi8>
// CHECK: %[[START:.*]] = gpu.wait async [%[[CHECK]]]
// CHECK: gpu.launch_func async [%[[START]]] @transient_sanitizer::@fill
// CHECK: gpu.memcpy async [%{{.*}}] %{{.*}}, %[[FLAGS]] : memref<3xi8>, memref<3xi8>
// CHECK: cf.assert %{{.*}}, "transient-sanitize: something was written behind the end of tenant 0"
// CHECK: cf.assert %{{.*}}, "transient-sanitize: something was written behind the end of tenant 1"
// CHECK: cf.assert %{{.*}}, "transient-sanitize: something was written behind the end of tenant 2"
// CHECK-NEXT: return
func.func @device(%x: memref<64xf32>, %f: f32) {
  %arena = transient.arena physical 0 kind gpu align 64 : memref<512xi8>
  %a = transient.view %arena[0] tenant 0 : memref<512xi8> to memref<64xf32>
  %b = transient.view %arena[256] tenant 1 : memref<512xi8> to memref<64xf32>
  %c = transient.view %arena[0] tenant 2 : memref<512xi8> to memref<64xf32>
  %s = gpu.wait async
  %0 = gpu.memset async [%s] %a, %f : memref<64xf32>, f32
  %1 = gpu.memcpy async [%0] %b, %a : memref<64xf32>, memref<64xf32>
  %2 = gpu.memcpy async [%1] %c, %b : memref<64xf32>, memref<64xf32>
  %3 = gpu.memcpy async [%2] %x, %c : memref<64xf32>, memref<64xf32>
  gpu.wait [%3]
  return
}

// -----

// On the host at once, and no kernel.
// CHECK-NOT: gpu.module
// CHECK-LABEL: func.func @host
// CHECK: linalg.fill ins(%c-1_i8
// CHECK-NEXT: %[[CANARY:.*]] = arith.constant -91 : i8
// CHECK-NEXT: linalg.fill ins(%[[CANARY]]
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32)
// CHECK-NEXT: memref.copy
// CHECK: %[[INTACT:.*]] = call @transient_sanitizer_check
// CHECK-NEXT: cf.assert %[[INTACT]], "transient-sanitize: something was written behind the end of tenant 0"
// CHECK-NEXT: return
// CHECK: func.func private @transient_sanitizer_check(%{{.*}}: memref<?xi8>) -> i1
func.func @host(%x: memref<64xf32>, %f: f32) {
  %arena = transient.arena physical 0 align 4 : memref<256xi8>
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Two that take turns in a loop have no place for poison or checks outside of it;
// one that is used in a loop only has.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: linalg.fill ins(%c-1_i8
// CHECK: scf.for
// CHECK-NOT: linalg.fill ins(%c-1_i8
// CHECK: }
// CHECK: call @transient_sanitizer_check
// CHECK-NOT: call @transient_sanitizer_check
// CHECK: return
func.func @in_a_loop(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %arena = transient.arena physical 0 align 4 : memref<512xi8>
  // expected-remark @below {{transient-sanitize: tenant 0 is not checked: it and tenant 1 take turns inside of one op}}
  %a = transient.view %arena[0] tenant 0 : memref<512xi8> to memref<64xf32>
  // expected-remark @below {{transient-sanitize: tenant 1 is not checked: it and tenant 0 take turns inside of one op}}
  %b = transient.view %arena[0] tenant 1 : memref<512xi8> to memref<64xf32>
  %c = transient.view %arena[256] tenant 2 : memref<512xi8> to memref<64xf32>
  // expected-note @below {{here}}
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %c : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
    memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// The end of a user is not known.
func.func private @keep(memref<64xf32>)
func.func @escaped(%f: f32) {
  %arena = transient.arena physical 0 align 4 : memref<256xi8>
  // expected-remark @below {{transient-sanitize: tenant 0 is not checked: when it is no longer used is not known}}
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  // expected-note @below {{here}}
  func.call @keep(%a) : (memref<64xf32>) -> ()
  return
}

// -----

func.func @unused() {
  %arena = transient.arena physical 0 align 4 : memref<256xi8>
  // expected-remark @below {{transient-sanitize: tenant 0 is not checked: nobody uses it}}
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  return
}

// -----

func.func @blocks(%x: memref<64xf32>, %f: f32) {
  %arena = transient.arena physical 0 align 4 : memref<256xi8>
  // expected-remark @below {{transient-sanitize: tenant 0 is not checked: its function has several blocks}}
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  cf.br ^next
^next:
  return
}

// -----

// Asynchronous work in a loop may go on when that has ended.
func.func @goes_on(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %arena = transient.arena physical 0 kind gpu align 4 : memref<256xi8>
  // expected-remark @below {{transient-sanitize: tenant 0 is not checked: a user may go on when the op around it has ended}}
  %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  scf.for %i = %c0 to %c9 step %c1 {
    %s = gpu.wait async
    // expected-note @below {{here}}
    %0 = gpu.memset async [%s] %a, %f : memref<64xf32>, f32
  }
  return
}

// -----

// What a caller passes in is the caller's tenant.
// expected-remark @below {{transient-sanitize: storage that callers pass in is not checked}}
func.func private @served(%storage: memref<256xi8>, %f: f32) {
  %a = transient.view %storage[0] tenant 0 : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}
