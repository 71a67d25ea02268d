// RUN: transient-opt %s -split-input-file --transient-materialize -verify-diagnostics
// RUN: not transient-opt %s --transient-materialize="poison-byte=256" 2>&1 | FileCheck %s
// CHECK: transient-materialize: expects 'poison-byte' in -1..255, got 256

func.func @kinds() {
  // expected-note @below {{the other buffer is here}}
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-error @below {{is placed in physical buffer 0 with a buffer of another kind or memory space}}
  %b = transient.alloc kind gpu placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  return
}

// -----

func.func @spaces() {
  // expected-note @below {{the other buffer is here}}
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-error @below {{is placed in physical buffer 0 with a buffer of another kind or memory space}}
  %b = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32, 1>
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error @below {{has a placement but no static size and identity layout}}
  %a = transient.alloc(%n) placement <physical = 0, offset = 0, bytes = 64> : memref<?xf32>
  return
}
