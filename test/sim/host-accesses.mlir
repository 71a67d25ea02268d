// What host code reads and writes while work is pending is judged like the work.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,lifo,random:1,random:2,adversarial,threads

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @copy(%to: memref<64xf32>, %from: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @count(%m: memref<64xi32>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %r = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<64xi32>) -> i32
      gpu.return
    }
  }
  memref.global "private" @global : memref<64xf32> = uninitialized
  func.func private @printF32(f32)
  func.func @read(%m: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %x = memref.load %m[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    return
  }

  // VIOLATION: read-write race on host allocation.*copy on stream \d+ writes.*access by the host reads.*the host must wait for op
  func.func @read_of_a_pending_copy() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    %x = memref.load %host[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    gpu.wait [%t3]
    memref.dealloc %host : memref<64xf32>
    return
  }

  // VIOLATION: read-write race on host allocation.*copy on stream \d+ reads.*access by the host writes
  func.func @write_of_a_pending_source() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%host : memref<64xf32>)
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %a, %host : memref<64xf32>, memref<64xf32>
    memref.store %v, %host[%c0] : memref<64xf32>
    gpu.wait [%t2]
    memref.dealloc %host : memref<64xf32>
    return
  }

  // VIOLATION: race on shared allocation.*kernel @fill on stream \d+ writes.*access by the host reads
  func.func @read_under_a_kernel() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%shared: memref<64xf32>, %v: f32)
    %x = memref.load %shared[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    gpu.wait [%t1]
    return
  }

  // An access before the copy, while other work is pending, is not one after it.
  // VIOLATION: read-write race on host allocation.*copy on stream \d+ writes.*access by the host reads
  func.func @read_before_and_after() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%host : memref<64xf32>)
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %x = memref.load %host[%c0] : memref<64xf32>
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    %y = memref.load %host[%c0] : memref<64xf32>
    %z = arith.addf %x, %y : f32
    call @printF32(%z) : (f32) -> ()
    gpu.wait [%t3]
    memref.dealloc %host : memref<64xf32>
    return
  }

  // Waited for another stream only.
  // VIOLATION: read-write race on host allocation.*copy on stream \d+ writes.*access by the host reads
  func.func @waited_for_another() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async
    %b, %s1 = gpu.alloc async [%s] () : memref<64xf32>
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    gpu.wait [%s1]
    %x = memref.load %host[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    gpu.wait [%t3]
    memref.dealloc %host : memref<64xf32>
    return
  }

  // Both only read, the other buffer, the other half, and after a wait.
  // CLEAN: ^1121$
  func.func @allowed() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %w = arith.constant 2.0 : f32
    %host = memref.alloc() : memref<64xf32>
    %other = memref.alloc() : memref<128xf32>
    linalg.fill ins(%v : f32) outs(%host : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%other : memref<128xf32>)
    %half = memref.subview %other[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %a, %host : memref<64xf32>, memref<64xf32>
    %x0 = memref.load %host[%c0] : memref<64xf32>
    call @printF32(%x0) : (f32) -> ()
    %t3 = gpu.memcpy async [%t2] %half, %a : memref<64xf32, strided<[1], offset: 64>>, memref<64xf32>
    %x1 = memref.load %other[%c1] : memref<128xf32>
    call @printF32(%x1) : (f32) -> ()
    memref.store %w, %other[%c1] : memref<128xf32>
    %x2 = memref.load %other[%c1] : memref<128xf32>
    call @printF32(%x2) : (f32) -> ()
    gpu.wait [%t3]
    %x3 = memref.load %other[%c64] : memref<128xf32>
    call @printF32(%x3) : (f32) -> ()
    memref.dealloc %host : memref<64xf32>
    memref.dealloc %other : memref<128xf32>
    return
  }

  // Of memory that no operation has touched so far.
  // VIOLATION: read-write race on host memory.*copy on stream \d+ writes.*access by the host reads
  func.func @global_target() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.get_global @global : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    %x = memref.load %host[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    gpu.wait [%t3]
    return
  }

  // The stack, where the device knows of it.
  // VIOLATION: read-write race on host memory.*copy on stream \d+ writes.*access by the host reads
  func.func @stack_target() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloca() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    %x = memref.load %host[%c0] : memref<64xf32>
    call @printF32(%x) : (f32) -> ()
    gpu.wait [%t3]
    return
  }

  // In another function.
  // VIOLATION: read-write race on host memory.*copy on stream \d+ writes.*access by the host reads
  func.func @stack_target_in_callee() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloca() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %t3 = gpu.memcpy async [%t2] %host, %a : memref<64xf32>, memref<64xf32>
    call @read(%host) : (memref<64xf32>) -> ()
    gpu.wait [%t3]
    return
  }

  // VIOLATION: read-write race on shared allocation.*access by the host reads
  func.func @masked_load() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1) args(%shared: memref<64xf32>, %v: f32)
    %mask = arith.constant dense<[false, false, true, true]> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %x = vector.maskedload %shared[%c0], %mask, %z : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %y = vector.extract %x[3] : f32 from vector<4xf32>
    call @printF32(%y) : (f32) -> ()
    gpu.wait [%t1]
    return
  }

  // VIOLATION: write-write race on shared allocation.*access by the host writes
  func.func @masked_store() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1) args(%shared: memref<64xf32>, %v: f32)
    %mask = arith.constant dense<[false, false, true, true]> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    vector.maskedstore %shared[%c0], %mask, %z : memref<64xf32>, vector<4xi1>, vector<4xf32>
    gpu.wait [%t1]
    return
  }

  // The lanes that are set, from the first byte on.
  // VIOLATION: write-write race on shared allocation.*byte 0\n.*access by the host writes
  func.func @compressed_store() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%shared: memref<64xf32>, %v: f32)
    %mask = arith.constant dense<[false, false, true, true]> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    vector.compressstore %shared[%c0], %mask, %z : memref<64xf32>, vector<4xi1>, vector<4xf32>
    gpu.wait [%t1]
    return
  }

  // The kernel writes what the mask leaves out.
  // CLEAN
  func.func @masked_lanes() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1) args(%shared: memref<64xf32>, %v: f32)
    %mask = arith.constant dense<[false, false, false, true]> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %x = vector.maskedload %shared[%c0], %mask, %z : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %y = vector.extract %x[3] : f32 from vector<4xf32>
    call @printF32(%y) : (f32) -> ()
    vector.maskedstore %shared[%c0], %mask, %z : memref<64xf32>, vector<4xi1>, vector<4xf32>
    gpu.wait [%t1]
    return
  }

  // Atomics of the host and of a kernel.
  // CLEAN
  func.func @atomics() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %shared = gpu.alloc host_shared () : memref<64xi32>
    memref.store %one, %shared[%c0] : memref<64xi32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@count blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%shared: memref<64xi32>)
    %x = memref.atomic_rmw addi %one, %shared[%c0] : (i32, memref<64xi32>) -> i32
    gpu.wait [%t1]
    return
  }

  // VIOLATION: write-write race on shared allocation.*kernel @count.*updates atomically.*access by the host writes
  func.func @store_beside_atomics() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %shared = gpu.alloc host_shared () : memref<64xi32>
    memref.store %one, %shared[%c0] : memref<64xi32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@count blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%shared: memref<64xi32>)
    memref.store %one, %shared[%c0] : memref<64xi32>
    gpu.wait [%t1]
    return
  }

  // Nothing is pending any more.
  // VIOLATION: use after free on shared allocation.*access by the host reads
  func.func @read_after_release() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %shared = gpu.alloc host_shared () : memref<64xf32>
    memref.store %v, %shared[%c0] : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.dealloc async [%t0] %shared : memref<64xf32>
    gpu.wait [%t1]
    call @read(%shared) : (memref<64xf32>) -> ()
    return
  }

  // VIOLATION: out of bounds on host allocation.*access by the host writes 4 bytes.*offset 256 of 256 bytes
  func.func @past_the_end() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<64xf32>
    %long = memref.reinterpret_cast %host to offset: [0], sizes: [65], strides: [1] : memref<64xf32> to memref<65xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%host: memref<64xf32>, %v: f32)
    memref.store %v, %long[%c64] : memref<65xf32>
    gpu.wait [%t1]
    memref.dealloc %host : memref<64xf32>
    return
  }

  // The lowering makes the block of an aligned allocation larger.
  // VIOLATION: out of bounds on host allocation.*kernel @fill.*offset 252 of 252 bytes
  func.func @past_the_end_of_aligned() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation} : memref<63xf32>
    %long = memref.reinterpret_cast %host to offset: [0], sizes: [64], strides: [1] : memref<63xf32> to memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%long: memref<64xf32>, %v: f32)
    gpu.wait [%t1]
    memref.dealloc %host : memref<63xf32>
    return
  }

  // VIOLATION: out of bounds on host allocation.*kernel @fill.*offset 0 of 0 bytes
  func.func @block_without_bytes() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %host = memref.alloc(%c0) : memref<?xf32>
    %long = memref.reinterpret_cast %host to offset: [0], sizes: [64], strides: [1] : memref<?xf32> to memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%long: memref<64xf32>, %v: f32)
    gpu.wait [%t1]
    memref.dealloc %host : memref<?xf32>
    return
  }

  // Blocks without bytes, and stacks of which the device does not know.
  // CLEAN: ^2$
  func.func @also_allowed() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %w = arith.constant 2.0 : f32
    %none = memref.alloc(%c0) {alignment = 64 : i64} : memref<?xf32>
    %mine = memref.alloca() : memref<64xf32>
    %theirs = memref.alloca() : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%theirs: memref<64xf32>, %v: f32)
    memref.store %w, %mine[%c0] : memref<64xf32>
    call @read(%mine) : (memref<64xf32>) -> ()
    memref.dealloc %none : memref<?xf32>
    gpu.wait [%t1]
    memref.store %w, %theirs[%c0] : memref<64xf32>
    return
  }
}
