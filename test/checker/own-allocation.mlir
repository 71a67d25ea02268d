// A buffer and its token are results of one gpu.alloc: a use that waits for that
// token follows that allocation, in a cycle of blocks too (V9).
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

func.func @in_cycle_of_blocks(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %a, %t = gpu.alloc async () : memref<8xf32>
  %u = gpu.memset async [%t] %a, %z : memref<8xf32>, f32
  %next = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %next, %n : index
  cf.cond_br %c, ^loop(%next : index), ^done
^done:
  return
}

// -----

func.func @token_not_awaited(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  // expected-note @below {{allocated here}}
  %a, %t = gpu.alloc async () : memref<8xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 32) of this allocation before its allocation has completed (V9)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  %u = gpu.memset async %a, %z : memref<8xf32>, f32
  %next = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %next, %n : index
  cf.cond_br %c, ^loop(%next : index), ^done
^done:
  return
}

// -----

// Another allocation's token.
func.func @other_token(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %b, %s = gpu.alloc async () : memref<8xf32>
  // expected-note @below {{allocated here}}
  %a, %t = gpu.alloc async () : memref<8xf32>
  // expected-error @below {{'gpu.memset' writes bytes [0, 32) of this allocation before its allocation has completed (V9)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  %u = gpu.memset async [%s] %a, %z : memref<8xf32>, f32
  %next = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %next, %n : index
  cf.cond_br %c, ^loop(%next : index), ^done
^done:
  return
}
