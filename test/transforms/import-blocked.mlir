// Each fact that blocks a buffer is named, and the allocation stays (N1).
// RUN: transient-opt %s -split-input-file --transient-import -verify-diagnostics | FileCheck %s

// CHECK-NOT: transient.alloc
// CHECK-LABEL: func.func @no_use
func.func @no_use() {
  // expected-remark @below {{not planned: the buffer is never accessed}}
  %a = memref.alloc() : memref<64xf32>
  // CHECK: memref.dealloc
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

func.func @dynamic_size(%n: index, %f: f32) {
  // expected-remark @below {{not planned: the buffer has a dynamic size without a bound}}
  // expected-note @below {{to plan it, give every dimension a static size}}
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  return
}

// -----

func.func @layout(%f: f32) {
  // expected-remark @below {{not planned: the buffer has a layout or element type whose size is not known}}
  // expected-note @below {{to plan it, use an identity layout and an element type with a fixed size}}
  %a = memref.alloc() : memref<4xf32, strided<[2]>>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32, strided<[2]>>)
  return
}

// -----

func.func @returned(%f: f32) -> memref<64xf32> {
  // expected-remark @below {{not planned: the buffer is returned}}
  // expected-note @below {{to plan it, return through an out-parameter}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{consumer: the buffer is returned}}
  return %a : memref<64xf32>
}

// -----

// A view that is returned takes its base along.
func.func @view_returned(%f: f32) -> memref<8xf32, strided<[1], offset: 8>> {
  // expected-remark @below {{not planned: the buffer is returned}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %v = memref.subview %a[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  // expected-note @below {{the buffer is returned}}
  return %v : memref<8xf32, strided<[1], offset: 8>>
}

// -----

func.func private @opaque(memref<64xf32>)
func.func @passed_to_call() {
  // expected-remark @below {{not planned: the buffer is passed to a call whose effects are not known}}
  // expected-note @below {{to plan it, declare what the consumer does with the buffer}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{consumer: the buffer is passed to a call}}
  call @opaque(%a) : (memref<64xf32>) -> ()
  return
}

// -----

func.func private @sink(index)
func.func @pointer(%f: f32) {
  // expected-remark @below {{not planned: the buffer has its address taken by 'memref.extract_aligned_pointer_as_index'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{address taken}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @sink(%p) : (index) -> ()
  return
}

// -----

func.func @stored(%table: memref<1xmemref<64xf32>>, %i: index) {
  // expected-remark @below {{not planned: the buffer is handed to 'memref.store', which does not say what it does with it}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{consumer: the buffer is handed to 'memref.store'}}
  memref.store %a, %table[%i] : memref<1xmemref<64xf32>>
  return
}

// -----

func.func @descriptor(%n: index) {
  %t = gpu.wait async
  // expected-remark @below {{not planned: the buffer is held by the descriptor of 'gpu.create_dn_tensor', whose end is not known}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf64>
  // expected-note @below {{consumer: the buffer is held by the descriptor of 'gpu.create_dn_tensor'}}
  %d, %t1 = gpu.create_dn_tensor async [%t] %a, %n : index into memref<64xf64>
  gpu.wait [%t1]
  return
}

// -----

// What a body hands out to somebody else is not followed.
func.func private @somebody(!async.value<memref<64xf32>>)
func.func @captured(%f: f32) {
  // expected-remark @below {{not planned: the buffer is captured by 'async.yield'}}
  // expected-note @below {{to plan it, declare what the consumer does with the buffer}}
  %a = memref.alloc() : memref<64xf32>
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    // expected-note @below {{consumer: the buffer is captured by 'async.yield'}}
    async.yield %a : memref<64xf32>
  }
  // expected-note @below {{consumer: the buffer is passed to a call whose effects are not known}}
  func.call @somebody(%v) : (!async.value<memref<64xf32>>) -> ()
  async.await %t : !async.token
  return
}

// -----

// Work of one iteration that may still run in the next.
func.func @leak(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{not planned: the buffer is accessed by asynchronous work that may still run in the next iteration}}
    // expected-note @below {{to plan it, await its token in the same iteration, or hand it on to the next}}
    %a = memref.alloc() : memref<64xf32>
    %0 = gpu.wait async
    // expected-note @below {{completion_edge: the buffer is accessed by asynchronous work that may still run in the next iteration}}
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
  }
  return
}

// -----

module attributes {gpu.container_module} {
func.func @explicit_stream(%s: !llvm.ptr) {
  // expected-remark @below {{not planned: the buffer is accessed by work of unknown completion: a launch on an explicit stream completes at a time that no token shows}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  %c1 = arith.constant 1 : index
  // expected-note @below {{completion_edge}}
  gpu.launch_func <%s : !llvm.ptr> @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
  return
}
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<64xf32>
    gpu.return
  }
}
}

// -----

// A cycle of blocks with two entries has no first block.
func.func @blocks(%c: i1, %f: f32) {
  // expected-remark @below {{not planned: the buffer is accessed by 'linalg.fill', which has no place in the order}}
  // expected-note @below {{to plan it, move the access out of a cycle of blocks with several entries}}
  %a = memref.alloc() : memref<64xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-remark @below {{not planned: the buffer is accessed by 'linalg.fill', which has no place in the order}}
  // expected-note @below {{placement: the buffer is allocated in a block that control may enter at several places of one cycle}}
  // expected-note @below {{to plan it}}
  %b = memref.alloc() : memref<64xf32>
  // expected-note @below {{completion_edge}}
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  // expected-note @below {{completion_edge}}
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  cf.br ^bb2
^bb2:
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}

// -----

func.func @parallel(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{placement: the buffer is allocated inside 'scf.parallel', whose body may run several times at once}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-remark @below {{not planned: the buffer is allocated inside 'scf.parallel'}}
    // expected-note @below {{to plan it, allocate it outside}}
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.dealloc %a : memref<64xf32>
  }
  return
}

// -----

func.func @loop_carried(%init: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{placement: the buffer is allocated inside 'scf.for' and may be seen by another iteration}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %init) -> memref<64xf32> {
    // expected-remark @below {{not planned: the buffer is allocated inside 'scf.for'}}
    // expected-note @below {{to plan it, allocate it outside the loop}}
    %a = memref.alloc() : memref<64xf32>
    memref.copy %m, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  return
}

// -----

// One free of two buffers: it stays if one of them does.
func.func @freed_with_another(%c: i1, %f: f32, %n: index) {
  // expected-remark @below {{not planned: the buffer is freed by an op that may free a buffer which is not planned}}
  // expected-note @below {{to plan it, free each buffer by itself}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @below {{not planned: the buffer has a dynamic size without a bound}}
  // expected-note @below {{to plan it}}
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  %v = memref.cast %a : memref<64xf32> to memref<?xf32>
  %s = arith.select %c, %v, %b : memref<?xf32>
  // expected-note @below {{consumer: the buffer is freed by an op that may free a buffer which is not planned}}
  memref.dealloc %s : memref<?xf32>
  return
}

// -----

func.func @freed_twice(%f: f32) {
  // expected-remark @below {{not planned: the buffer is freed more than once}}
  // expected-note @below {{to plan it, free it once}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  // expected-note @below {{freed more than once}}
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

func.func @reallocated(%f: f32) {
  // expected-remark @below {{not planned: the buffer is freed and reused by 'memref.realloc'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{freed and reused}}
  %b = memref.realloc %a : memref<64xf32> to memref<128xf32>
  memref.dealloc %b : memref<128xf32>
  return
}

// -----

// A cycle of blocks is a loop like any other; this one carries the buffer.
func.func @blocks_in_region(%x: memref<64xf32>, %f: f32, %c: i1) {
  scf.execute_region {
    cf.br ^loop(%x : memref<64xf32>)
  ^loop(%m: memref<64xf32>):
    // expected-remark @below {{not planned: the buffer is allocated in a cycle of blocks and may be seen by another iteration}}
    // expected-note @below {{to plan it, allocate it outside the loop}}
    %a = memref.alloc() : memref<64xf32>
    memref.copy %m, %a : memref<64xf32> to memref<64xf32>
    // expected-note @below {{placement: the buffer is allocated in a cycle of blocks}}
    cf.cond_br %c, ^loop(%a : memref<64xf32>), ^exit
  ^exit:
    scf.yield
  }
  return
}

// -----

// A tensor is its buffer until it is bufferized.
func.func @tensor(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{not planned: the buffer lives on in the result of 'bufferization.to_tensor'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{lives on}}
  %t = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  bufferization.materialize_in_destination %t in restrict writable %x : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A clone may be its source.
func.func @clone(%x: memref<64xf32>, %f: f32) {
  // expected-remark @below {{not planned: the buffer lives on in the result of 'bufferization.clone'}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{lives on}}
  %c = bufferization.clone %a : memref<64xf32> to memref<64xf32>
  memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return
}

// -----

// A kernel that stores its argument's address.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @table(%p: memref<64xf32>, %table: memref<1xmemref<64xf32>>) kernel {
      %c0 = arith.constant 0 : index
      memref.store %p, %table[%c0] : memref<1xmemref<64xf32>>
      gpu.return
    }
  }
  func.func @kernel_stores_address(%table: memref<1xmemref<64xf32>>) {
    %c1 = arith.constant 1 : index
    // expected-remark @below {{not planned: the buffer is handed to 'memref.store', which does not say what it does with it, in the kernel it is passed to}}
    // expected-note @below {{to plan it}}
    %a = gpu.alloc () : memref<64xf32>
    // expected-note @below {{consumer}}
    gpu.launch_func @m::@table blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %table : memref<1xmemref<64xf32>>)
    return
  }
}

// -----

// Order that may lie in tokens that are not followed, or in calls, is no error.
func.func @free_after_selected_token(%c: i1, %f: f32) {
  %t0 = gpu.wait async
  // expected-remark @below {{not planned: the buffer is freed after accesses whose end may be awaited in a way that is not followed}}
  // expected-note @below {{to plan it, pass tokens from op to op and wait for them in the same block}}
  %a = memref.alloc() : memref<64xf32>
  %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
  %t2 = arith.select %c, %t1, %t1 : !gpu.async.token
  gpu.wait [%t2]
  // expected-note @below {{completion_edge}}
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

func.func private @device_synchronize()
func.func @free_after_call(%f: f32) {
  %t0 = gpu.wait async
  // expected-remark @below {{not planned: the buffer is freed after accesses}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
  call @device_synchronize() : () -> ()
  // expected-note @below {{completion_edge}}
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// A buffer that is kept apart for what a loop does with it keeps its share of
// such a free, too.
func.func @freed_with_a_leak(%c: i1, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{not planned: the buffer is freed by an op that may free a buffer which is not planned}}
    // expected-note @below {{to plan it, free each buffer by itself}}
    %a = memref.alloc() : memref<64xf32>
    // expected-remark @below {{not planned: the buffer is accessed by asynchronous work that may still run in the next iteration}}
    // expected-note @below {{to plan it}}
    %b = gpu.alloc () : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    %0 = gpu.wait async
    // expected-note @below {{completion_edge}}
    %1 = gpu.memset async [%0] %b, %f : memref<64xf32>, f32
    %s = arith.select %c, %a, %b : memref<64xf32>
    scf.if %c {
      // expected-note @below {{consumer}}
      memref.dealloc %s : memref<64xf32>
    }
  }
  return
}

// -----

// A free and an access in two branches: their conditions may exclude each other.
func.func @freed_or_read(%c: i1, %d: i1, %o: memref<64xf32>, %f: f32) {
  // expected-remark @below {{not planned: the buffer is freed in one branch and accessed in another, of which only one may run}}
  // expected-note @below {{to plan it, free it where all accesses have ended on every path}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    // expected-note @below {{completion_edge}}
    memref.dealloc %a : memref<64xf32>
  }
  scf.if %d {
    memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// The same with blocks.
func.func @freed_or_read_in_blocks(%c: i1, %o: memref<64xf32>, %f: f32) {
  // expected-remark @below {{not planned: the buffer is freed in one branch and accessed in another, of which only one may run}}
  // expected-note @below {{to plan it}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^free, ^join
^free:
  // expected-note @below {{completion_edge}}
  memref.dealloc %a : memref<64xf32>
  cf.br ^join
^join:
  cf.cond_br %c, ^exit, ^use
^use:
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  cf.br ^exit
^exit:
  return
}
