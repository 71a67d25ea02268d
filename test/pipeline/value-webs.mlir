// Two values of one allocation and what is live between them: the pipeline
// places three values in the storage of two, and the report says so.
// RUN: transient-opt %s --transient-pipeline="report=%t.json" | FileCheck %s --check-prefix=SPLIT
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: transient-opt %s --transient-pipeline="report=%t.whole.json split-webs=false" | FileCheck %s --check-prefix=WHOLE
// RUN: FileCheck %s --check-prefix=WHOLE-REPORT < %t.whole.json
// RUN: transient-opt %s --transient-pipeline="strategy=slots lower=none" | FileCheck %s --check-prefix=SLOTS
// RUN: transient-opt %s --transient-pipeline | transient-opt --transient-verify="strict=true" -o /dev/null
// RUN: %python %S/../docs/schema.py %S/../../docs/report.schema.json %t.json %t.whole.json

// SPLIT: memref.alloc() {{.*}} : memref<1024xi8>
// SPLIT-NOT: memref.alloc
// WHOLE: memref.alloc() {{.*}} : memref<2048xi8>

// SLOTS: transient.arena physical 0 {{.*}} : memref<1024xi8>
// SLOTS-NOT: transient.arena

// The program has two allocations: what was saved is counted against those.
// REPORT: "logical": 2048
// REPORT: "physical": 1024
// REPORT: "saved": 1024
// REPORT: "webs": {
// REPORT-NEXT: "split": 1,
// REPORT-NEXT: "webs": 2
// REPORT-NEXT: }
// REPORT: "id": "b0"
// REPORT: "web_of": 0
// REPORT: "id": "b1"
// REPORT: "web_of": 0
// REPORT: "id": "b2"
// REPORT-NOT: "web_of"

// WHOLE-REPORT: "logical": 2048
// WHOLE-REPORT: "physical": 2048
// WHOLE-REPORT: "saved": 0
// WHOLE-REPORT: "webs": {
// WHOLE-REPORT-NEXT: "split": 0,
// WHOLE-REPORT-NEXT: "webs": 0
// WHOLE-REPORT-NOT: "web_of"

func.func @webs(%x: memref<256xf32>, %y: memref<256xf32>, %f: f32) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<256xf32>)
  linalg.add ins(%a, %x : memref<256xf32>, memref<256xf32>) outs(%x : memref<256xf32>)
  linalg.exp ins(%x : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.add ins(%b, %y : memref<256xf32>, memref<256xf32>) outs(%y : memref<256xf32>)
  memref.copy %y, %a : memref<256xf32> to memref<256xf32>
  linalg.add ins(%a, %x : memref<256xf32>, memref<256xf32>) outs(%x : memref<256xf32>)
  return
}
