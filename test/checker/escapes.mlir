// An address that somebody keeps is in use for ever: what shares the bytes, or
// frees them, cannot be decided.
// RUN: transient-opt %s --transient-verify --allow-unregistered-dialect -split-input-file -verify-diagnostics -o /dev/null

// A tensor made of a buffer is that buffer.
func.func @tensor_of_tenant(%arena: memref<64xi8>, %z: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide when 'bufferization.to_tensor' ends: the address lives on in a tensor}}
  %t = bufferization.to_tensor %a restrict : memref<16xf32> to tensor<16xf32>
  // expected-note @below {{needed for: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  return %t : tensor<16xf32>
}

// -----

func.func @tensor_of_freed(%z: f32) -> tensor<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{used here: 'bufferization.to_tensor' reads bytes [0, 64) of this allocation}}
  %t = bufferization.to_tensor %a restrict : memref<16xf32> to tensor<16xf32>
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'bufferization.to_tensor': the address lives on in a tensor}}
  memref.dealloc %a : memref<16xf32>
  return %t : tensor<16xf32>
}

// -----

// A promise to keep nothing is no promise not to return it.
func.func private @wraps(memref<16xf32> {bufferization.access = "read"}) -> tensor<16xf32>
func.func @tensor_from_call(%z: f32) -> tensor<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{used here: 'func.call' reads bytes [0, 64) of this allocation}}
  %t = call @wraps(%a) : (memref<16xf32>) -> tensor<16xf32>
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the address lives on in a tensor}}
  memref.dealloc %a : memref<16xf32>
  return %t : tensor<16xf32>
}

// -----

// What is loaded is the content, not the address; so is a matrix fragment.
func.func @content_is_no_address(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %p = memref.alloc() : memref<4xmemref<16xf32>>
  %f = vector.load %a[%c0] : memref<16xf32>, vector<4xf32>
  %x = memref.load %p[%n] : memref<4xmemref<16xf32>>
  memref.store %z, %x[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// A kernel stores its argument's address where the next one finds it.
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @keep(%p: memref<16xf32>, %table: memref<1xmemref<16xf32>>) kernel {
      %c0 = arith.constant 0 : index
      memref.store %p, %table[%c0] : memref<1xmemref<16xf32>>
      gpu.return
    }
    gpu.func @use(%table: memref<1xmemref<16xf32>>, %o: memref<16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %p = memref.load %table[%c0] : memref<1xmemref<16xf32>>
      %v = memref.load %p[%c0] : memref<16xf32>
      memref.store %v, %o[%c0] : memref<16xf32>
      gpu.return
    }
  }
  func.func @kernel_stores_address(%arena: memref<64xi8>, %table: memref<1xmemref<16xf32>>, %o: memref<16xf32>, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
    %t0 = gpu.wait async
    // expected-warning @below {{transient-verify cannot decide when 'gpu.launch_func' ends: the kernel hands on the address of its argument}}
    %t1 = gpu.launch_func async [%t0] @k::@keep blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>, %table : memref<1xmemref<16xf32>>)
    // expected-note @below {{needed for: 'gpu.memset' writes bytes [0, 64) of tenant 1}}
    %t2 = gpu.memset async [%t1] %b, %z : memref<16xf32>, f32
    %t3 = gpu.launch_func async [%t2] @k::@use blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%table : memref<1xmemref<16xf32>>, %o : memref<16xf32>)
    gpu.wait [%t3]
    return
  }
}

// -----

// The same in a body that was not outlined.
func.func @launch_body_stores_address(%arena: memref<64xi8>, %table: memref<1xmemref<16xf32>>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-warning @below {{transient-verify cannot decide when 'gpu.launch' ends: the address of the buffer escapes there}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %a, %table[%c0] : memref<1xmemref<16xf32>>
    gpu.terminator
  }
  // expected-note @below {{needed for: 'gpu.memset' writes bytes [0, 64) of tenant 1}}
  gpu.memset %b, %z : memref<16xf32>, f32
  return
}

// -----

// Kernels are read through views, loops, pointers and device functions; none of
// that makes an address outlive the launch. Nor does a function without a body.
module attributes {gpu.container_module} {
  gpu.module @k {
    func.func private @unseen(memref<16xf32>)
    func.func private @even(%p: memref<16xf32>, %n: i32) {
      %zero = arith.constant 0 : i32
      %c = arith.cmpi eq, %n, %zero : i32
      scf.if %c {
        func.call @odd(%p, %n) : (memref<16xf32>, i32) -> ()
      }
      return
    }
    func.func private @odd(%p: memref<16xf32>, %n: i32) {
      func.call @even(%p, %n) : (memref<16xf32>, i32) -> ()
      func.call @unseen(%p) : (memref<16xf32>) -> ()
      return
    }
    gpu.func @loops(%p: memref<16xf32>, %n: index, %i: i32, %z: f32) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %q = scf.for %k = %c0 to %n step %c1 iter_args(%x = %p) -> memref<16xf32> {
        memref.store %z, %x[%k] : memref<16xf32>
        scf.yield %x : memref<16xf32>
      }
      %d = builtin.unrealized_conversion_cast %q : memref<16xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %r = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      llvm.store %z, %r : f32, !llvm.ptr
      func.call @even(%p, %i) : (memref<16xf32>, i32) -> ()
      gpu.return
    }
  }
  func.func @kernel_keeps_nothing(%arena: memref<64xi8>, %n: index, %i: i32, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
    %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@loops blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>, %n : index, %i : i32, %z : f32)
    %t2 = gpu.memset async [%t1] %b, %z : memref<16xf32>, f32
    gpu.wait [%t2]
    return
  }
}

// -----

// A pointer stored by a device function two calls down.
module attributes {gpu.container_module} {
  gpu.module @k {
    func.func private @keep(%p: memref<16xf32>, %table: memref<1xmemref<16xf32>>) {
      %c0 = arith.constant 0 : index
      memref.store %p, %table[%c0] : memref<1xmemref<16xf32>>
      return
    }
    gpu.func @calls(%p: memref<16xf32>, %table: memref<1xmemref<16xf32>>) kernel {
      func.call @keep(%p, %table) : (memref<16xf32>, memref<1xmemref<16xf32>>) -> ()
      gpu.return
    }
  }
  func.func @device_function_stores_address(%table: memref<1xmemref<16xf32>>) {
    %c1 = arith.constant 1 : index
    %a = gpu.alloc () : memref<16xf32>
    // expected-note @below {{used here: 'gpu.launch_func' reads and writes bytes [0, 64) of this allocation}}
    gpu.launch_func @k::@calls blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>, %table : memref<1xmemref<16xf32>>)
    // expected-warning @below {{transient-verify cannot decide whether 'gpu.dealloc' frees storage that is still in use by 'gpu.launch_func': the kernel hands on the address of its argument}}
    gpu.dealloc %a : memref<16xf32>
    return
  }
}

// -----

// To take the address of what is gone is no access, and neither is comparing
// addresses; the stock deallocation passes do both.
func.func @address_of_freed(%z: f32) -> index {
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  return %p : index
}

// -----

func.func @addresses_compared(%o: memref<16xf32>, %z: f32) -> i1 {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %o : memref<16xf32> -> index
  %c = arith.cmpi ne, %p, %q : index
  memref.dealloc %a : memref<16xf32>
  return %c : i1
}

// -----

func.func @address_taken_before_free(%z: f32) -> index {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{used here: 'memref.extract_aligned_pointer_as_index' takes the address of bytes [0, 64) of this allocation}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  // expected-warning @below {{transient-verify cannot decide whether 'memref.dealloc' frees storage that is still in use by 'memref.extract_aligned_pointer_as_index': the address of the buffer escapes there}}
  memref.dealloc %a : memref<16xf32>
  return %p : index
}

// -----

// It is a question, not a fault, what is done with the address of what lost its
// place.
func.func @address_of_displaced(%arena: memref<64xi8>, %z: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-note @below {{in use before by: 'linalg.fill' writes bytes [0, 64) of tenant 0}}
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by: 'linalg.fill' writes bytes [0, 64) of tenant 1}}
  linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
  // expected-warning @below {{transient-verify cannot decide whether the address that 'memref.extract_aligned_pointer_as_index' takes is used while another tenant has the bytes}}
  // expected-note @below {{needed here: 'memref.extract_aligned_pointer_as_index' takes the address of bytes [0, 64) of tenant 0}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  return %p : index
}
