// RUN: transient-opt %s -split-input-file --transient-import | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-import="split-webs=false" | FileCheck %s --check-prefix=WHOLE
// RUN: transient-opt %s -split-input-file --transient-pipeline -o /dev/null

// Without the option every buffer stays in one piece.
// WHOLE-NOT: web_of {{[0-35-9]}}

// Each overwrite begins a value; the buffer's own place in the program, its
// alignment and its type are those of every web.
// CHECK-LABEL: func.func @fill(
func.func @fill(%f: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  // CHECK-NEXT: %[[A:.*]] = transient.alloc class transient align 64 web_of 0 : memref<64xf32>
  // CHECK-NEXT: %[[B:.*]] = transient.alloc class transient align 64 web_of 0 : memref<64xf32>
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK-NEXT: memref.copy %[[A]]
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK-NEXT: memref.copy %[[B]]
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @copy(
func.func @copy(%x: memref<64xf32>, %y: memref<64xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<64xf32>
  // CHECK: memref.copy %{{.*}}, %[[A]]
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  // CHECK: memref.copy %[[A]], %{{.*}}
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  // CHECK: memref.copy %{{.*}}, %[[B]]
  memref.copy %y, %a : memref<64xf32> to memref<64xf32>
  // CHECK: memref.copy %[[B]], %{{.*}}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The payload ignores the old value, and the map covers the output although it
// permutes it and leaves a loop out.
// CHECK-LABEL: func.func @generic(
func.func @generic(%x: memref<8x4x2xf32>, %y: memref<4x8xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<4x8xf32>
  // CHECK: memref.copy %{{.*}}, %[[A]]
  memref.copy %y, %a : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: memref.copy %[[A]], %{{.*}}
  memref.copy %a, %y : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: outs(%[[B]]
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                       affine_map<(i, j, k) -> (j, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<8x4x2xf32>) outs(%a : memref<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // CHECK: memref.copy %[[B]], %{{.*}}
  memref.copy %a, %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// Device work: the tokens prove the order.
// CHECK-LABEL: func.func @device(
func.func @device(%f: f32, %x: memref<64xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc kind gpu {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc kind gpu {{.*}}web_of 0
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
  // CHECK: gpu.memset async [{{.*}}] %[[A]]
  %t2 = gpu.memset async [%t1] %a, %f : memref<64xf32>, f32
  // CHECK: gpu.memcpy async [{{.*}}] %{{.*}}, %[[A]]
  %t3 = gpu.memcpy async [%t2] %x, %a : memref<64xf32>, memref<64xf32>
  // CHECK: gpu.memcpy async [{{.*}}] %[[B]], %{{.*}}
  %t4 = gpu.memcpy async [%t3] %a, %x : memref<64xf32>, memref<64xf32>
  // CHECK: gpu.memcpy async [{{.*}}] %{{.*}}, %[[B]]
  %t5 = gpu.memcpy async [%t4] %x, %a : memref<64xf32>, memref<64xf32>
  %t6 = gpu.dealloc async [%t5] %a : memref<64xf32>
  gpu.wait [%t6]
  return
}

// -----

// The free is checked and dropped once, for the whole buffer.
// CHECK-LABEL: func.func @freed(
func.func @freed(%f: f32, %x: memref<64xf32>) {
  // CHECK-COUNT-2: web_of 0
  // CHECK-NOT: dealloc
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// Half of a value and all of it: only the whole write ends what was there.
// CHECK-LABEL: func.func @partial_write(
func.func @partial_write(%f: f32, %x: memref<64xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %half = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  linalg.fill ins(%f : f32) outs(%half : memref<32xf32, strided<[1]>>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// An update in place reads what it overwrites, whichever operand does so.
// CHECK-LABEL: func.func @in_place(
func.func @in_place(%f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// As above, through another view of the buffer.
// CHECK-LABEL: func.func @in_place_through_view(
func.func @in_place_through_view(%f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %m = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.transpose ins(%m : memref<8x8xf32>) outs(%m : memref<8x8xf32>) permutation = [1, 0]
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// The payload reads the buffer itself, not through an operand of the op.
// CHECK-LABEL: func.func @read_in_payload(
func.func @read_in_payload(%f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : memref<64xf32>) {
  ^bb0(%out: f32):
    %v = memref.load %a[%c0] : memref<64xf32>
    linalg.yield %v : f32
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Accumulation continues a value; the fill before it begins one.
// CHECK-LABEL: func.func @accumulated(
func.func @accumulated(%f: f32, %l: memref<8x8xf32>, %x: memref<8x8xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<8x8xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[A]]
  // CHECK: linalg.matmul {{.*}} outs(%[[A]]
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%l, %l : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  memref.copy %a, %x : memref<8x8xf32> to memref<8x8xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[B]]
  // CHECK: linalg.matmul {{.*}} outs(%[[B]]
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%l, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  memref.copy %a, %x : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// If the branch is not taken, the old value is read.
// CHECK-LABEL: func.func @conditional_write(
func.func @conditional_write(%c: i1, %f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A conditional reader is no obstacle: it reads the value that stands before
// or after it.
// CHECK-LABEL: func.func @conditional_read(
func.func @conditional_read(%c: i1, %f: f32, %x: memref<64xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    // CHECK: scf.if
    // CHECK-NEXT: memref.copy %[[A]]
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  // CHECK: linalg.fill {{.*}} outs(%[[B]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    // CHECK: scf.if
    // CHECK-NEXT: memref.copy %[[B]]
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// The second value is written while the first may still be read.
// CHECK-LABEL: func.func @unordered_reader(
func.func @unordered_reader(%f: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  // CHECK: transient.alloc kind gpu class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = gpu.alloc () : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
  %t2 = gpu.memcpy async [%t1] %x, %a : memref<64xf32>, memref<64xf32>
  %t3 = gpu.memset async [%t1] %a, %f : memref<64xf32>, f32
  %t4 = gpu.memcpy async [%t3] %y, %a : memref<64xf32>, memref<64xf32>
  gpu.wait [%t2, %t4]
  return
}

// -----

// A reader that starts before the second value is there, and may end after it.
// CHECK-LABEL: func.func @unordered_later_reader(
func.func @unordered_later_reader(%f: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  // CHECK: transient.alloc kind gpu class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %a = gpu.alloc () : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
  %t2 = gpu.memset async [%t1] %a, %f : memref<64xf32>, f32
  %t3 = gpu.memcpy async [%t2] %x, %a : memref<64xf32>, memref<64xf32>
  %t4 = gpu.memcpy async [%t1] %y, %a : memref<64xf32>, memref<64xf32>
  gpu.wait [%t3, %t4]
  return
}

// -----

// The iteration reads what the one before left: the loop is one user, and the
// overwrite inside it ends nothing.
// CHECK-LABEL: func.func @loop_carried(
func.func @loop_carried(%n: index, %f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc class transient : memref<64xf32>
  // CHECK-NOT: transient.alloc
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// What is read before anything was written belongs to the first value, and so
// does a write that leaves some of it.
// CHECK-LABEL: func.func @never_written(
func.func @never_written(%f: f32, %x: memref<64xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  // CHECK: memref.store %{{.*}}, %[[A]]
  memref.store %f, %a[%c0] : memref<64xf32>
  // CHECK: memref.copy %[[A]]
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[B]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // CHECK: memref.store %{{.*}}, %[[B]]
  memref.store %f, %a[%c0] : memref<64xf32>
  // CHECK: memref.copy %[[B]]
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A view that serves two values is cloned where it stands; one that serves the
// second alone moves over; the size is no access.
// CHECK-LABEL: func.func @views(
func.func @views(%f: f32, %x: memref<8x8xf32>) -> index {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  // CHECK: %[[MA:.*]] = memref.expand_shape %[[A]]
  // CHECK-NEXT: %[[MB:.*]] = memref.expand_shape %[[B]]
  %m = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  // CHECK-NEXT: %[[TB:.*]] = memref.reinterpret_cast %[[MB]]
  %t = memref.reinterpret_cast %m to offset: [0], sizes: [8, 8], strides: [1, 8] : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  // CHECK: linalg.fill {{.*}} outs(%[[MA]]
  linalg.fill ins(%f : f32) outs(%m : memref<8x8xf32>)
  // CHECK: memref.copy %[[MA]]
  memref.copy %m, %x : memref<8x8xf32> to memref<8x8xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[TB]]
  linalg.fill ins(%f : f32) outs(%t : memref<8x8xf32, strided<[1, 8]>>)
  // CHECK: memref.copy %[[MB]]
  memref.copy %m, %x : memref<8x8xf32> to memref<8x8xf32>
  %d = memref.dim %a, %c0 : memref<64xf32>
  return %d : index
}

// -----

// A view of a view: each value has a chain of its own.
// CHECK-LABEL: func.func @chains_of_views(
func.func @chains_of_views(%f: f32, %x: memref<4xf32>) {
  // CHECK: %[[A:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[B:.*]] = transient.alloc {{.*}}web_of 0
  // CHECK: %[[C:.*]] = transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<64xf32>
  // CHECK-DAG: %[[MA:.*]] = memref.expand_shape %[[A]]
  // CHECK-DAG: %[[MB:.*]] = memref.expand_shape %[[B]]
  // CHECK-DAG: %[[MC:.*]] = memref.expand_shape %[[C]]
  %m = memref.expand_shape %a [[0, 1]] output_shape [16, 4] : memref<64xf32> into memref<16x4xf32>
  // CHECK-DAG: %[[RA:.*]] = memref.subview %[[MA]]
  // CHECK-DAG: %[[RB:.*]] = memref.subview %[[MB]]
  // CHECK-DAG: %[[RC:.*]] = memref.subview %[[MC]]
  %r = memref.subview %m[3, 0] [1, 4] [1, 1] : memref<16x4xf32> to memref<4xf32, strided<[1], offset: 12>>
  // CHECK: linalg.fill {{.*}} outs(%[[A]]
  // CHECK-NEXT: memref.copy %[[RA]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %r, %x : memref<4xf32, strided<[1], offset: 12>> to memref<4xf32>
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
  // CHECK-NEXT: memref.copy %[[RB]]
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %r, %x : memref<4xf32, strided<[1], offset: 12>> to memref<4xf32>
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[MC]]
  // CHECK-NEXT: memref.copy %[[RC]]
  linalg.fill ins(%f : f32) outs(%m : memref<16x4xf32>)
  memref.copy %r, %x : memref<4xf32, strided<[1], offset: 12>> to memref<4xf32>
  return
}

// -----

// A select may be either buffer: neither is split.
// CHECK-LABEL: func.func @select(
func.func @select(%c: i1, %f: f32, %x: memref<64xf32>) {
  // CHECK-NOT: web_of
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = arith.select %c, %a, %b : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %s, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %s, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// So may the result of a region.
// CHECK-LABEL: func.func @region_result(
func.func @region_result(%c: i1, %f: f32, %x: memref<64xf32>) {
  // CHECK-NOT: web_of
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = scf.if %c -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %b : memref<64xf32>
  }
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %s, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %s, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Numbers of allocations that were split go on where an earlier import left
// off.
// CHECK-LABEL: func.func @imported_before(
func.func @imported_before(%f: f32, %x: memref<64xf32>) {
  // CHECK: transient.alloc web_of 4
  %b = transient.alloc web_of 4 : memref<64xf32>
  // CHECK: transient.alloc {{.*}}web_of 5
  // CHECK: transient.alloc {{.*}}web_of 5
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
