// The option of the pipeline, what the report says, and a target that has no use
// for it.
// RUN: transient-opt %s --transient-pipeline="in-place report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json
// RUN: transient-opt %s --transient-pipeline="in-place strategy=slots" | FileCheck %s
// The same stages by hand.
// RUN: transient-opt %s --transient-pipeline="in-place" > %t.pipeline
// RUN: transient-opt %s --transient-import | transient-opt --transient-in-place | transient-opt --transient-liveness --transient-plan --transient-materialize --convert-transient-to-gpu --convert-transient-to-memref --transient-verify | diff - %t.pipeline
// The result is the same twice, for there is nothing left to merge.
// RUN: transient-opt %s --transient-import --transient-in-place > %t.once
// RUN: transient-opt %t.once --transient-in-place | diff - %t.once
// RUN: transient-opt %s --mlir-disable-threading --transient-import --transient-in-place | diff - %t.once

// RUN: transient-opt %s --transient-pipeline="in-place strategy=slots target=webgpu lower=none" 2>&1 | FileCheck %s --check-prefix=WEBGPU
// WEBGPU: in-place.mlir:[[@LINE+28]]:{{[0-9]+}}: remark: not written in place of buffer 0 of type 'memref<64xf32>': target=webgpu lets no dispatch read and write one buffer
// WEBGPU-COUNT-2: transient.arena

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @relu(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %z = arith.constant 0.0 : f32
      %r = arith.maximumf %v, %z : f32
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  // REPORT: "logical": 256
  // REPORT: "physical": 256
  // REPORT: "resources": [
  // REPORT: "in_place": 1
  // CHECK-LABEL: func.func @one
  // CHECK: gpu.alloc {{.*}}memref<256xi8>
  // CHECK-NOT: gpu.alloc
  // CHECK: args(%[[A:.*]] : memref<64xf32>, %[[A]] : memref<64xf32>)
  func.func @one(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    gpu.launch_func @m::@relu blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }
}
