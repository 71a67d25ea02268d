// Waits in a branch for work outside of it: they order what follows in the branch
// and nothing else, but what all branches wait for has ended after them.
// RUN: transient-opt %s -split-input-file --test-transient-order -o /dev/null | FileCheck %s

// Each branch waits for other work that follows the same: that has ended.
// CHECK-LABEL: order of @common
// CHECK: 1 gpu.memset token after [0]
// CHECK-NEXT: 2 gpu.memset token after [1]
// CHECK-NEXT: 3 gpu.memset token after [1]
// CHECK-NEXT: 4 scf.if enter blocking after []
// CHECK-NEXT: 5 gpu.wait blocking after [4], inward after [2]
// CHECK-NEXT: 6 gpu.wait blocking after [5], inward after [3]
// CHECK-NEXT: 7 scf.if exit blocking after [1, 6]
func.func @common(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %d: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %q = gpu.memset async [%p] %b, %f : memref<4xf32>, f32
  %r = gpu.memset async [%p] %d, %f : memref<4xf32>, f32
  scf.if %c {
    gpu.wait [%q]
  } else {
    gpu.wait [%r]
  }
  return
}

// -----

// Without an else branch, or with a wait of it that may not run, nothing has.
// CHECK-LABEL: order of @not_all
// CHECK: 3 gpu.wait blocking after [2], inward after [1]
// CHECK-NEXT: 4 scf.if exit blocking after [3]
// CHECK-NEXT: 5 scf.if enter blocking after [4]
// CHECK: 8 gpu.wait blocking after [7], inward after [1]
// CHECK-NEXT: 9 scf.if exit blocking after [8]
// CHECK-NEXT: 10 scf.if exit blocking after [9]
func.func @not_all(%c: i1, %d: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  scf.if %c {
    gpu.wait [%p]
  }
  scf.if %c {
    gpu.wait [%p]
  } else {
    scf.if %d {
      gpu.wait [%p]
    }
  }
  return
}

// -----

// All cases of a switch in a branch: known there, not after the branch.
// CHECK-LABEL: order of @nested
// CHECK: 1 gpu.memset token after [0]
// CHECK: 3 scf.index_switch enter
// CHECK-NEXT: 4 gpu.wait blocking after [3], inward after [1]
// CHECK-NEXT: 5 gpu.wait blocking after [4], inward after [1]
// CHECK-NEXT: 6 scf.index_switch exit blocking after [5], inward after [1]
// CHECK-NEXT: 7 scf.if exit blocking after [6]
func.func @nested(%c: i1, %i: index, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  scf.if %c {
    scf.index_switch %i
    case 0 {
      gpu.wait [%p]
      scf.yield
    }
    default {
      gpu.wait [%p]
      scf.yield
    }
  }
  return
}

// -----

// Each iteration of a loop that may not run.
// CHECK-LABEL: order of @each_iteration
// CHECK: 1 gpu.memset token after [0]
// CHECK: 3 gpu.wait blocking after [2], inward after [1]
// CHECK-NEXT: 4 scf.for exit blocking after [3]
// CHECK-NEXT: 5 scf.for enter
// CHECK-NEXT: 6 scf.for join token after [5], inward after [1]
func.func @each_iteration(%n: index, %a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  scf.for %i = %c0 to %n step %c1 {
    gpu.wait [%p]
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %p) -> !gpu.async.token {
    %1 = gpu.memset async [%t] %a, %f : memref<4xf32>, f32
    scf.yield %1 : !gpu.async.token
  }
  return
}

// -----

// A token of a cycle of blocks is its last iteration's. It says nothing about
// the ones before.
// CHECK-LABEL: order of @last_iteration
// CHECK: 3 cf.cond_br exit blocking after
// CHECK-NEXT: 4 gpu.wait blocking after [3]{{$}}
func.func @last_iteration(%c: i1, %a: memref<4xf32>, %f: f32) {
  cf.br ^head
^head:
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  cf.cond_br %c, ^head, ^exit
^exit:
  gpu.wait [%p]
  return
}
