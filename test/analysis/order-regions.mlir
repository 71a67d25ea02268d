// The order of events in branches, loops and other host paths (C12, design: regions).
// RUN: transient-opt %s -split-input-file --test-transient-order -o /dev/null | FileCheck %s

// What is inside comes after control enters, and before it leaves.
// CHECK-LABEL: order of @branch
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 scf.if enter blocking after [0]
// CHECK-NEXT: 2 linalg.fill blocking after [1]
// CHECK-NEXT: 3 scf.if exit blocking after [2]
// CHECK-NEXT: 4 func.return blocking after [3]
// CHECK-NEXT: chains: 1
func.func @branch(%c: i1, %a: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  }
  return
}

// -----

// Exclusive branches: the first counts as before the second.
// CHECK-LABEL: order of @exclusive
// CHECK: 1 linalg.fill blocking after [0]
// CHECK-NEXT: 2 linalg.fill blocking after [1]
// CHECK-NEXT: 3 linalg.fill blocking after [2]
// CHECK-NEXT: 4 scf.index_switch exit blocking after [3]
func.func @exclusive(%i: index, %a: memref<4xf32>, %f: f32) {
  scf.index_switch %i
  case 0 {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    scf.yield
  }
  case 1 {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    scf.yield
  }
  default {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    scf.yield
  }
  return
}

// -----

// Asynchronous work inside has not ended when control leaves.
// CHECK-LABEL: order of @leak
// CHECK: 2 gpu.memset token after [0, 1]
// CHECK-NEXT: 3 scf.if exit blocking after [0]
func.func @leak(%c: i1, %a: memref<4xf32>, %f: f32) {
  scf.if %c {
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  }
  return
}

// -----

// The conditional reader: the token that leaves proves what ran in the branch
// it comes from, and nothing about the work before.
// CHECK-LABEL: order of @conditional_reader
// CHECK-NEXT: 0 gpu.wait token after []
// CHECK-NEXT: 1 gpu.memset token after [0]
// CHECK-NEXT: 2 scf.if enter blocking after []
// CHECK-NEXT: 3 gpu.memcpy token after [2]
// CHECK-NEXT: 4 gpu.wait token after [2]
// CHECK-NEXT: 5 scf.if exit blocking after [2]
// CHECK-NEXT: 6 scf.if join token after [3, 4, 5]
// CHECK-NEXT: 7 gpu.memset token after [5, 6]
func.func @conditional_reader(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %1 = gpu.memcpy async [%p] %b, %a : memref<4xf32>, memref<4xf32>
    scf.yield %1 : !gpu.async.token
  } else {
    %1 = gpu.wait async
    scf.yield %1 : !gpu.async.token
  }
  %w = gpu.memset async [%t] %b, %f : memref<4xf32>, f32
  return
}

// -----

// A token from outside that every branch hands on proves what it proves.
// CHECK-LABEL: order of @handed_through
// CHECK: 1 gpu.memset token after [0]
// CHECK: 4 scf.if join token after [1, 3]
func.func @handed_through(%c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    scf.yield %p : !gpu.async.token
  } else {
    scf.yield %p : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// -----

// What every path proves in its own way is proved: one branch hands the token
// on, the other the token of work that waits for it.
// CHECK-LABEL: order of @proved_by_all
// CHECK: 1 gpu.memset token after [0]
// CHECK: 3 gpu.memcpy token after [2]
// CHECK: 5 scf.if join token after [1, 3, 4]
func.func @proved_by_all(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    %r = gpu.memcpy async [%p] %b, %a : memref<4xf32>, memref<4xf32>
    scf.yield %r : !gpu.async.token
  } else {
    scf.yield %p : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// -----

// Work that one branch alone waits for is not; what both wait for is.
// CHECK-LABEL: order of @proved_by_one
// CHECK: 1 gpu.memset token after [0]
// CHECK: 2 gpu.memset token after [0]
// CHECK: 8 scf.if join token after [0, 7]
func.func @proved_by_one(%c: i1, %d: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  %q = gpu.memset async [%0] %b, %f : memref<4xf32>, f32
  %t = scf.if %c -> !gpu.async.token {
    // A wait in a branch of the branch may not have run.
    scf.if %d {
      gpu.wait [%q]
    }
    scf.yield %p : !gpu.async.token
  } else {
    scf.yield %q : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// -----

// A token from outside orders work in a region that runs whenever the token is
// made, and what follows it outside. In a region that may not run the edge is an
// inward one: it says nothing about what is outside.
// CHECK-LABEL: order of @inward
// CHECK: 1 gpu.memset token after [0]
// CHECK: scf.execute_region enter
// CHECK-NEXT: 3 gpu.wait blocking after [1, 2]
// CHECK: scf.if enter
// CHECK-NEXT: 6 gpu.wait blocking after [5], inward after [1]
// CHECK-NEXT: 7 scf.if exit blocking after [6]
func.func @inward(%c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  scf.execute_region {
    gpu.wait [%p]
    scf.yield
  }
  scf.if %c {
    gpu.wait [%p]
  }
  return
}

// -----

// A chained token carries over iterations and out of the loop; another one
// proves nothing there.
// CHECK-LABEL: order of @chained
// CHECK: 1 scf.for enter
// CHECK-NEXT: 2 scf.for join token after [1]
// CHECK-NEXT: 3 scf.for join token after [1]
// CHECK-NEXT: 4 gpu.memset token after [1, 2]
// CHECK-NEXT: 5 gpu.wait token after [1]
// CHECK-NEXT: 6 gpu.memset token after [1, 5]
// CHECK-NEXT: 7 scf.for join token after [1, 4]
// CHECK-NEXT: 8 scf.for join token after [1, 6]
// CHECK-NEXT: 9 scf.for exit blocking after [1]
// CHECK-NEXT: 10 scf.for join token after [0, 7, 9]
// CHECK-NEXT: 11 scf.for join token after [9]
// CHECK: loop 1 to 9, hands on 7 after 2{{$}}
func.func @chained(%n: index, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = gpu.wait async
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0, %u = %0)
      -> (!gpu.async.token, !gpu.async.token) {
    %1 = gpu.memset async [%t] %a, %f : memref<4xf32>, f32
    %2 = gpu.wait async
    %3 = gpu.memset async [%2] %b, %f : memref<4xf32>, f32
    scf.yield %1, %3 : !gpu.async.token, !gpu.async.token
  }
  gpu.wait [%r#0, %r#1]
  return
}

// -----

// A loop that is known to run takes the token that it starts with.
// CHECK-LABEL: order of @runs
// CHECK: 2 scf.for join token after [0, 1]
func.func @runs(%a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = gpu.wait async
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> !gpu.async.token {
    %1 = gpu.memset async [%t] %a, %f : memref<4xf32>, f32
    scf.yield %1 : !gpu.async.token
  }
  gpu.wait [%r]
  return
}

// -----

// CHECK-LABEL: order of @while
// CHECK-NEXT: 0 scf.while enter blocking after []
// CHECK-NEXT: 1 linalg.fill blocking after [0]
// CHECK-NEXT: 2 linalg.fill blocking after [1]
// CHECK-NEXT: 3 scf.while exit blocking after [2]
// CHECK: loop 0 to 3
func.func @while(%c: i1, %a: memref<4xf32>, %f: f32) {
  scf.while : () -> () {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    scf.condition(%c)
  } do {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    scf.yield
  }
  return
}

// -----

// Iterations that run at the same time are one piece of work.
// CHECK-LABEL: order of @parallel
// CHECK-NEXT: 0 scf.parallel blocking after []
// CHECK-NEXT: 1 func.return blocking after [0]
func.func @parallel(%a: memref<4xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}

// -----

// An `async.execute` is another host path; only its token, or a value of it,
// proves its end.
// CHECK-LABEL: order of @execute
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 async.execute enter blocking after [0]
// CHECK-NEXT: 2 linalg.fill blocking after [1]
// CHECK-NEXT: 3 async.execute exit token after [2]
// CHECK-NEXT: 4 linalg.fill blocking after [0]
// CHECK-NEXT: 5 async.execute enter blocking after [3, 4]
// CHECK-NEXT: 6 linalg.fill blocking after [5]
// CHECK-NEXT: 7 async.execute exit token after [6]
// CHECK-NEXT: 8 async.await blocking after [4, 7]
// CHECK-NEXT: 9 func.return blocking after [8]
func.func @execute(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    async.yield
  }
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  %u = async.execute [%t] {
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    async.yield
  }
  async.await %u : !async.token
  return
}

// -----

// Blocks, in an order in which none leads back.
// CHECK-LABEL: order of @blocks
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 memref.copy blocking after [0]
// CHECK-NEXT: 2 func.return blocking after [1]
func.func @blocks(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  return
^bb1:
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.br ^bb3
}

// -----

// A wait in a block proves something only for blocks that it is always on the
// way of: here the one that every path takes, and not the one before.
// CHECK-LABEL: order of @waits
// CHECK: 1 gpu.memset token after [0]
// CHECK-NEXT: 2 gpu.wait blocking after []
// CHECK-NEXT: 3 gpu.wait blocking after [1, 2]
func.func @waits(%c: i1, %a: memref<4xf32>, %f: f32) {
  %0 = gpu.wait async
  %p = gpu.memset async [%0] %a, %f : memref<4xf32>, f32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  gpu.wait [%p]
  cf.br ^bb2
^bb2:
  gpu.wait [%p]
  return
}

// -----

// A cycle of blocks is a loop.
// CHECK-LABEL: order of @cycle
// CHECK-NEXT: 0 cf.cond_br enter blocking after []
// CHECK-NEXT: 1 linalg.fill blocking after [0]
// CHECK-NEXT: 2 memref.copy blocking after [1]
// CHECK-NEXT: 3 cf.cond_br exit blocking after [2]
// CHECK-NEXT: 4 func.return blocking after [3]
// CHECK-NEXT: loop 0 to 3
func.func @cycle(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  cf.br ^head
^head:
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^body, ^exit
^body:
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  cf.br ^head
^exit:
  return
}

// -----

// A cycle with two entries has no nodes.
// CHECK-LABEL: order of @irreducible
// CHECK-NEXT: 0 linalg.fill blocking after []
// CHECK-NEXT: 1 func.return blocking after [0]
func.func @irreducible(%c: i1, %a: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.br ^bb2
^bb2:
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^exit
^exit:
  return
}

// -----

// A function with a body shows when its work ends; given a token, it may order
// other work.
func.func private @callee(%a: memref<4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  return
}
func.func private @waits(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}
// CHECK-LABEL: order of @calls
// CHECK-NEXT: 0 func.call blocking after []
// CHECK-NEXT: 1 gpu.wait token after [0]
// CHECK-NEXT: 2 func.call unknown
func.func @calls(%a: memref<4xf32>, %f: f32) {
  call @callee(%a, %f) : (memref<4xf32>, f32) -> ()
  %0 = gpu.wait async
  call @waits(%0) : (!gpu.async.token) -> ()
  return
}
