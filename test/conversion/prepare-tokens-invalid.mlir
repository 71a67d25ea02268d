// Tokens that control flow hands on: the stock lowering takes their streams for
// events without a complaint.
//
// RUN: transient-opt %s -split-input-file -verify-diagnostics --transient-prepare-tokens

func.func @loop(%n: index, %a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  // Twice, once for each error.
  // expected-note@+1 {{handed on here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (!gpu.async.token) {
    // expected-error@+1 {{takes a token that a block of 'scf.for' hands on}}
    %1 = gpu.memset async [%t] %a, %f : memref<4xf32>, f32
    scf.yield %1 : !gpu.async.token
  }
  // expected-error@+1 {{'gpu.wait' op takes a token that 'scf.for' hands on: gpu-to-llvm lowers only tokens used where a gpu operation made them}}
  gpu.wait [%r]
  return
}

// -----

func.func @branch(%c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  // expected-note@+1 {{handed on here}}
  %r = scf.if %c -> (!gpu.async.token) {
    %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
    scf.yield %1 : !gpu.async.token
  } else {
    scf.yield %0 : !gpu.async.token
  }
  // expected-error@+1 {{'gpu.memset' op takes a token that 'scf.if' hands on}}
  %2 = gpu.memset async [%r] %a, %f : memref<4xf32>, f32
  return
}

// -----

// expected-note@+1 {{handed on here}}
func.func @argument_of_function(%t: !gpu.async.token) {
  // expected-error@+1 {{takes a token that a block of 'func.func' hands on}}
  gpu.wait [%t]
  return
}

// -----

// expected-note@+1 {{handed on here}}
func.func @blocks(%c: i1) {
  %0 = gpu.wait async
  %1 = gpu.wait async
  cf.cond_br %c, ^join(%0 : !gpu.async.token), ^join(%1 : !gpu.async.token)
^join(%t: !gpu.async.token):
  // expected-error@+1 {{takes a token that a block of 'func.func' hands on}}
  gpu.wait [%t]
  return
}

// -----

func.func private @start() -> !gpu.async.token
func.func @call(%c: i1) {
  %0 = gpu.wait async
  // expected-note@+1 {{handed on here}}
  %1 = call @start() : () -> !gpu.async.token
  // expected-note@+1 {{handed on here}}
  %2 = arith.select %c, %0, %1 : !gpu.async.token
  // expected-error@+1 {{takes a token that 'func.call' hands on}}
  %3 = gpu.wait async [%0, %1]
  // expected-error@+1 {{takes a token that 'arith.select' hands on}}
  gpu.wait [%2]
  return
}

// -----

// Carried, but taken by nothing.
func.func @unused(%n: index, %a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (!gpu.async.token) {
    %1 = gpu.wait async
    gpu.wait [%1]
    scf.yield %t : !gpu.async.token
  }
  return
}

// -----

// The event behind a token is destroyed where it is first waited for.
func.func @token_from_before_a_loop(%a: memref<16xf32>, %b: memref<16xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{made here}}
  %t = gpu.memset async %a, %v : memref<16xf32>, f32
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{'gpu.memcpy' op takes in each iteration a token from before the loop: gpu-to-llvm destroys in the first one what is behind it}}
    %u = gpu.memcpy async [%t] %b, %a : memref<16xf32>, memref<16xf32>
    gpu.wait [%u]
  }
  return
}

// -----

func.func @token_from_before_a_branch_in_a_loop(%a: memref<16xf32>, %n: index, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{made here}}
  %t = gpu.memset async %a, %v : memref<16xf32>, f32
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      // expected-error@+1 {{'gpu.wait' op takes in each iteration a token from before the loop}}
      gpu.wait [%t]
    }
  }
  return
}

// -----

func.func @token_from_before_a_cycle(%a: memref<16xf32>, %c: i1, %v: f32) {
  // expected-note@+1 {{made here}}
  %t = gpu.memset async %a, %v : memref<16xf32>, f32
  cf.br ^loop
^loop:
  // expected-error@+1 {{'gpu.wait' op takes in each iteration a token from before the loop}}
  gpu.wait [%t]
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// -----

// Each iteration makes the token anew, or at most one branch takes it.
func.func @token_of_the_iteration(%a: memref<16xf32>, %n: index, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = gpu.memset async %a, %v : memref<16xf32>, f32
    scf.if %c {
      gpu.wait [%t]
    }
  }
  cf.br ^loop
^loop:
  %t = gpu.memset async %a, %v : memref<16xf32>, f32
  cf.cond_br %c, ^next, ^end
^next:
  gpu.wait [%t]
  cf.cond_br %c, ^loop, ^end
^end:
  return
}
