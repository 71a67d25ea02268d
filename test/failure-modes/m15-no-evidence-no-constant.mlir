// What is not known stays unknown: it gets no default size, bound, alignment or
// end, and the report says "unknown" (M15).
// RUN: transient-opt %s --transient-pipeline="lower=none report=%t.json" -verify-diagnostics | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

module attributes {gpu.container_module} {
// REPORT: "resources": [
// REPORT: "bytes": "unknown"
// REPORT: "first": "unknown"
// REPORT: "fact": "size_bound"
// CHECK-LABEL: func.func @no_size
// CHECK-NOT: transient.arena
func.func @no_size(%n: index, %f: f32) {
  // expected-remark @below {{not planned: the buffer has a dynamic size without a bound}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}

// REPORT: "fact": "completion_edge"
// CHECK-LABEL: func.func @no_completion
// CHECK-NOT: transient.arena
func.func @no_completion(%stream: !llvm.ptr, %f: f32) {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{not planned: the buffer is accessed by work of unknown completion}}
  // expected-note @below {{to plan it}}
  %a = gpu.alloc () : memref<64xf32>
  // expected-note @below {{completion_edge}}
  gpu.launch_func <%stream : !llvm.ptr> @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
  return
}

// REPORT: "fact": "consumer"
func.func private @who_knows(memref<64xf32>)
// CHECK-LABEL: func.func @no_consumer
// CHECK-NOT: transient.arena
func.func @no_consumer() {
  // expected-remark @below {{not planned: the buffer is passed to a call whose effects are not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{consumer}}
  call @who_knows(%a) : (memref<64xf32>) -> ()
  return
}

gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}
}
