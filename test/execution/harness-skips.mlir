// Programs that cannot run on the CPU are skipped with the reason, never
// reported as identical; wrong command lines are errors.

// REQUIRES: mlir-runner
// RUN: not %python %utils/execute.py %s --unplanned-only --entry external | FileCheck %s --check-prefix=EXTERNAL
// EXTERNAL: skipped: {{.*}}harness-skips.mlir: calls the external function @opaque
// RUN: not %python %utils/execute.py %s --unplanned-only --entry nested | FileCheck %s --check-prefix=EXTERNAL

// RUN: not %python %utils/execute.py %s --unplanned-only --entry device | FileCheck %s --check-prefix=DEVICE
// DEVICE: skipped: {{.*}}: gpu.alloc does not run on the CPU

// RUN: not %python %utils/execute.py %s --unplanned-only --entry unranked | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: skipped: {{.*}}: argument 0 has type memref<*xf32>

// RUN: not %python %utils/execute.py %s --unplanned-only --entry space | FileCheck %s --check-prefix=SPACE
// SPACE: skipped: {{.*}}: argument 0 has layout or memory space 1 : i32

// RUN: not %python %utils/execute.py %s --unplanned-only --entry silent | FileCheck %s --check-prefix=SILENT
// SILENT: skipped: {{.*}}: @silent writes no argument, returns and prints nothing

// A call that the entry does not reach is no obstacle.
// RUN: %python %utils/execute.py %s --unplanned-only --entry works | FileCheck %s --check-prefix=WORKS
// WORKS: outputs identical: @works

// RUN: not %python %utils/execute.py %s --unplanned-only --entry missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: execute.py: error: {{.*}}: no public function with a body named @missing
// RUN: not %python %utils/execute.py %t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: execute.py: error: cannot {{read|run}}
// RUN: not %python %utils/execute.py %s --opt %t.absent 2>&1 | FileCheck %s --check-prefix=OPT
// OPT: execute.py: error: cannot run {{.*}}.absent; build it or name it with --opt
// RUN: not %python %utils/execute.py %s --poison=300 2>&1 | FileCheck %s --check-prefix=BYTE
// BYTE: error: argument --poison: expected a byte, got 300

func.func private @opaque(memref<4xf32>)

func.func @external(%a: memref<4xf32>) {
  call @opaque(%a) : (memref<4xf32>) -> ()
  return
}

func.func private @middle(%a: memref<4xf32>) {
  call @opaque(%a) : (memref<4xf32>) -> ()
  return
}

func.func @nested(%a: memref<4xf32>) {
  call @middle(%a) : (memref<4xf32>) -> ()
  return
}

func.func @device(%a: memref<4xf32>) {
  %0 = gpu.alloc() : memref<4xf32>
  memref.copy %0, %a : memref<4xf32> to memref<4xf32>
  return
}

func.func @unranked(%a: memref<*xf32>) {
  return
}

func.func @space(%a: memref<4xf32, 1 : i32>) {
  return
}

func.func @silent(%a: memref<4xf32>) {
  return
}

func.func @works(%a: memref<4xf32>) {
  %one = arith.constant 1.5 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  return
}
