// All stages in one pass pipeline, for each way of lowering.
// RUN: transient-opt %s --transient-pipeline | FileCheck %s --check-prefixes=ALL,AUTO
// RUN: transient-opt %s --transient-pipeline="lower=memref" | FileCheck %s --check-prefixes=ALL,MEMREF
// RUN: transient-opt %s --transient-pipeline="lower=gpu" | FileCheck %s --check-prefixes=ALL,GPU
// RUN: transient-opt %s --transient-pipeline="lower=none" | FileCheck %s --check-prefix=NONE
// RUN: transient-opt %s --transient-pipeline="strategy=slots lower=none" | FileCheck %s --check-prefix=SLOTS
// RUN: transient-opt %s --transient-pipeline="alignment=512 lower=none" | FileCheck %s --check-prefix=ALIGN
// RUN: transient-opt %s --transient-pipeline="lower=none poison-byte=255" | FileCheck %s --check-prefix=POISON
// The output of each stage is the input of the next, also as text.
// RUN: transient-opt %s --transient-import | transient-opt --transient-liveness | transient-opt --transient-plan | transient-opt --transient-materialize | transient-opt --convert-transient-to-gpu | transient-opt --convert-transient-to-memref | transient-opt --transient-verify > %t.stages
// RUN: transient-opt %s --transient-pipeline > %t.pipeline
// RUN: diff %t.stages %t.pipeline

// ALL-LABEL: func.func @mixed
// NONE-LABEL: func.func @mixed
// SLOTS-LABEL: func.func @mixed
// ALIGN-LABEL: func.func @mixed
// POISON-LABEL: func.func @mixed
func.func @mixed(%x: memref<64xf32>, %f: f32) {
  // Host buffers and device buffers never share.
  // AUTO-DAG: memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<256xi8>
  // AUTO-DAG: gpu.alloc async [%{{.*}}] () : memref<256xi8>
  // MEMREF: memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<256xi8>
  // MEMREF-NOT: gpu.alloc
  // GPU-DAG: memref.alloc() {{.*}} : memref<256xi8>
  // GPU-DAG: gpu.alloc async [%{{.*}}] () : memref<256xi8>
  // NONE-DAG: transient.arena physical 0 align 64 : memref<256xi8>
  // NONE-DAG: transient.arena physical 1 kind gpu align 4 : memref<256xi8>
  // SLOTS-COUNT-2: transient.arena
  // ALIGN-COUNT-2: transient.arena
  // POISON: linalg.fill ins(%{{.*}} : i8) outs(%arena : memref<256xi8>)
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %0 = gpu.wait async
  %d, %1 = gpu.alloc async [%0] () : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %2 = gpu.memset async [%1] %d, %f : memref<64xf32>, f32
  %3 = gpu.dealloc async [%2] %d : memref<64xf32>
  gpu.wait [%3]
  // ALL-NOT: transient
  return
}
