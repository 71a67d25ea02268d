// RUN: transient-opt %s -split-input-file --transient-prepare-tokens | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-prepare-tokens="separate-streams" | FileCheck %s --check-prefix=SEPARATE

// A token that two ops take: the second gets a fork. A join of both is a look,
// not a take.
// CHECK-LABEL: func.func @fork
func.func @fork(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %f: f32) {
  // CHECK: %[[T0:.*]] = gpu.wait async
  %0 = gpu.wait async
  // CHECK-NEXT: %[[T1:.*]] = gpu.memset async [%[[T0]]]
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  // CHECK-NEXT: %[[T2:.*]] = gpu.memcpy async [%[[T1]]] %arg1
  %2 = gpu.memcpy async [%1] %b, %a : memref<4xf32>, memref<4xf32>
  // CHECK-NEXT: %[[FORK:.*]] = gpu.wait async [%[[T1]]]
  // CHECK-NEXT: %[[T3:.*]] = gpu.memcpy async [%[[FORK]]] %arg2
  %3 = gpu.memcpy async [%1] %c, %a : memref<4xf32>, memref<4xf32>
  // CHECK-NEXT: %[[JOIN:.*]] = gpu.wait async [%[[T1]], %[[T2]], %[[T3]]]
  %4 = gpu.wait async [%1, %2, %3]
  // CHECK-NEXT: gpu.wait [%[[JOIN]]]
  gpu.wait [%4]
  return
}

// -----

// A blocking wait ends a stream: it is a take too.
// CHECK-LABEL: func.func @wait_and_launch
func.func @wait_and_launch(%a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  // CHECK: %[[T1:.*]] = gpu.memset async
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  // CHECK-NEXT: gpu.wait [%[[T1]]]
  gpu.wait [%1]
  // CHECK-NEXT: %[[FORK:.*]] = gpu.wait async [%[[T1]]]
  // CHECK-NEXT: gpu.memset async [%[[FORK]]]
  %2 = gpu.memset async [%1] %a, %f : memref<4xf32>, f32
  return
}

// -----

// One token, one dependency: no op of either kind is lowered otherwise.
// CHECK-LABEL: func.func @joins
func.func @joins(%a: memref<4xf32>, %f: f32) {
  // CHECK-NEXT: %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT: %[[T1:.*]] = gpu.memset async [%[[T0]]]
  %1 = gpu.memset async %a, %f : memref<4xf32>, f32
  // CHECK-NEXT: %[[T2:.*]] = gpu.wait async
  %2 = gpu.wait async
  // CHECK-NEXT: %[[JOIN:.*]] = gpu.wait async [%[[T1]], %[[T2]]]
  // CHECK-NEXT: gpu.memset async [%[[JOIN]]]
  %3 = gpu.memset async [%1, %2] %a, %f : memref<4xf32>, f32
  return
}

// -----

// Blocking forms become asynchronous ones with a wait; host-shared memory is
// lowered in its blocking form only.
// CHECK-LABEL: func.func @blocking
func.func @blocking(%a: memref<4xf32>, %f: f32) {
  // CHECK-NEXT: gpu.alloc host_shared ()
  %h = gpu.alloc host_shared () : memref<4xf32>
  // CHECK-NEXT: %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT: %[[D:.*]], %[[T1:.*]] = gpu.alloc async [%[[T0]]] ()
  // CHECK-NEXT: gpu.wait [%[[T1]]]
  %d = gpu.alloc () : memref<4xf32>
  // CHECK-NEXT: %[[T2:.*]] = gpu.wait async
  // CHECK-NEXT: %[[T3:.*]] = gpu.memset async [%[[T2]]] %[[D]]
  // CHECK-NEXT: gpu.wait [%[[T3]]]
  gpu.memset %d, %f : memref<4xf32>, f32
  // CHECK-NEXT: %[[T4:.*]] = gpu.wait async
  %0 = gpu.wait async
  // CHECK-NEXT: %[[T5:.*]] = gpu.dealloc async [%[[T4]]] %[[D]]
  // CHECK-NEXT: gpu.wait [%[[T5]]]
  gpu.dealloc [%0] %d : memref<4xf32>
  return
}

// -----

// With separate streams the lowering adds no order.
// SEPARATE-LABEL: func.func @chain
// CHECK-LABEL: func.func @chain
func.func @chain(%a: memref<4xf32>, %f: f32) {
  // SEPARATE-NEXT: %[[T0:.*]] = gpu.wait async
  // CHECK-NEXT: gpu.wait async
  %0 = gpu.wait async
  // SEPARATE-NEXT: %[[F0:.*]] = gpu.wait async [%[[T0]]]
  // SEPARATE-NEXT: %[[T1:.*]] = gpu.memset async [%[[F0]]]
  // CHECK-NEXT: gpu.memset async
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  // SEPARATE-NEXT: %[[F1:.*]] = gpu.wait async [%[[T1]]]
  // SEPARATE-NEXT: gpu.memset async [%[[F1]]]
  // CHECK-NEXT: gpu.memset async
  // CHECK-NEXT: return
  %2 = gpu.memset async [%1] %a, %f : memref<4xf32>, f32
  return
}

// -----

// Takers in different blocks: the first of the program keeps the stream.
// CHECK-LABEL: func.func @branches
func.func @branches(%c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  // CHECK: %[[T1:.*]] = gpu.memset async
  %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  scf.if %c {
    // CHECK: gpu.wait [%[[T1]]]
    gpu.wait [%1]
  } else {
    // CHECK: %[[FORK:.*]] = gpu.wait async [%[[T1]]]
    // CHECK-NEXT: gpu.wait [%[[FORK]]]
    gpu.wait [%1]
  }
  return
}

// -----

// What goes into an async.execute, or comes out of an async.await, is an event.
// CHECK-LABEL: func.func @events
func.func @events(%a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  // CHECK: %[[DONE:.*]], %[[RESULT:.*]] = async.execute
  %done, %result = async.execute -> !async.value<!gpu.async.token> {
    // CHECK: %[[T1:.*]] = gpu.memset async
    %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
    async.yield %1 : !gpu.async.token
  }
  // CHECK: async.execute [%[[DONE]]] (%[[RESULT]] as %[[IN:.*]]: !async.value<!gpu.async.token>)
  %last = async.execute [%done] (%result as %in: !async.value<!gpu.async.token>) {
    // CHECK-NEXT: %[[JOIN:.*]] = gpu.wait async [%[[IN]]]
    // CHECK-NEXT: %[[T2:.*]] = gpu.memset async [%[[JOIN]]]
    %2 = gpu.memset async [%in] %a, %f : memref<4xf32>, f32
    // CHECK-NEXT: gpu.wait [%[[T2]]]
    gpu.wait [%2]
    async.yield
  }
  async.await %last : !async.token
  // CHECK: %[[OUT:.*]] = async.await
  %out = async.await %result : !async.value<!gpu.async.token>
  // CHECK-NEXT: gpu.wait [%[[OUT]]]
  gpu.wait [%out]
  return
}
