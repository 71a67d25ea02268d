// Programs that a device may execute wrongly. Every one is caught in every
// schedule, whatever values it happens to compute.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,lifo,random:1,random:2,random:3,adversarial,threads

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
    gpu.func @add(%to: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %x = memref.load %a[%i] : memref<64xf32>
      %y = memref.load %b[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %to[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @store_at(%m: memref<64xf32>, %shift: index, %v: f32) kernel {
      %i = gpu.global_id x
      %j = arith.addi %i, %shift : index
      memref.store %v, %m[%j] : memref<64xf32>
      gpu.return
    }
    gpu.func @load_at(%to: memref<64xf32>, %m: memref<64xf32>, %shift: index) kernel {
      %i = gpu.global_id x
      %j = arith.addi %i, %shift : index
      %v = memref.load %m[%j] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @copy_all(%to: memref<?xf32>, %from: memref<?xf32>) kernel {
      memref.copy %from, %to : memref<?xf32> to memref<?xf32>
      gpu.return
    }
    gpu.func @count(%m: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %old = memref.atomic_rmw addf %one, %m[%c0] : (f32, memref<64xf32>) -> f32
      gpu.return
    }
    gpu.func @diverge(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      %c7 = arith.constant 7 : index
      %in = arith.cmpi slt, %i, %c7 : index
      scf.if %in {
        gpu.barrier
      }
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func private @transientSimTenant(!llvm.ptr, i64, i64, i64)
  memref.global "private" constant @constant : memref<64xf32> = dense<6.0>

  // -- Missing order ----------------------------------------------------------

  // VIOLATION: read-write race.*op #\d+ kernel @fill on stream \d+ writes.*op #\d+ kernel @add on stream \d+ reads.*must wait for op
  func.func @missing_join() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %s1 = gpu.wait async [%t3]
    %s2 = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    %j = gpu.wait async [%u1]
    %u3 = gpu.launch_func async [%j] @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>)
    gpu.wait [%u3]
    return
  }

  // The consumer's stream was forked before the producer was enqueued.
  // VIOLATION: read-write race.*kernel @fill.*writes.*kernel @copy.*reads
  func.func @missing_fork_edge() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %s = gpu.wait async [%t2]
    %u1 = gpu.launch_func async [%t2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: read-write race.*kernel @copy.*reads.*kernel @fill.*writes
  func.func @write_after_read() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%t3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // Both write the same value: no result shows it.
  // VIOLATION: write-write race.*kernel @fill.*writes.*kernel @fill.*writes
  func.func @write_after_write() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %s = gpu.wait async [%t1]
    %u1 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: write-write race.*fill on stream.*writes.*kernel @fill.*writes
  func.func @memset_against_kernel() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %s = gpu.wait async [%t1]
    %u1 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: read-write race.*copy on stream \d+ reads.*kernel @fill
  func.func @copy_against_kernel() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.memcpy async [%t3] %b, %a : memref<64xf32>, memref<64xf32>
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: read-write race.*kernel @count.*updates atomically.*kernel @copy.*reads
  func.func @atomic_against_plain() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%t3] @k::@count blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>)
    %u2 = gpu.launch_func async [%s] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%u1, %u2]
    return
  }

  // In a loop: each round's writer overtakes the former round's reader.
  // VIOLATION: read-write race
  func.func @loop_without_back_edge() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    gpu.wait [%t2]
    scf.for %i = %c0 to %c4 step %c1 {
      %s = gpu.wait async
      %u1 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
      %u2 = gpu.launch_func async [%u1] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    }
    return
  }

  // -- Allocation and release -------------------------------------------------

  // VIOLATION: use after free.*free on stream.*kernel @fill.*comes too late
  func.func @use_after_free() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.dealloc async [%t1] %a : memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%t3]
    return
  }

  // The free awaits one of two last users.
  // VIOLATION: free while in use.*kernel @copy.*free on stream.*must wait for op
  func.func @free_before_reader() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %t4 = gpu.memset async [%t3] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t4]
    %u1 = gpu.launch_func async [%t4] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    %u2 = gpu.launch_func async [%s] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c: memref<64xf32>, %a: memref<64xf32>)
    %u3 = gpu.dealloc async [%u2] %a : memref<64xf32>
    gpu.wait [%u1, %u3]
    return
  }

  // VIOLATION: free while in use.*copy on stream.*free on stream
  func.func @free_before_copy() {
    %c1 = arith.constant 1 : index
    %v = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t2]
    %u1 = gpu.memcpy async [%t2] %h, %a : memref<64xf32>, memref<64xf32>
    %u2 = gpu.dealloc async [%s] %a : memref<64xf32>
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: use before allocation.*allocation on stream.*kernel @fill
  func.func @allocation_not_awaited() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %s = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %u = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%t1, %u]
    return
  }

  // VIOLATION: double free
  func.func @double_free() {
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.dealloc async [%t1] %a : memref<64xf32>
    %t3 = gpu.dealloc async [%t2] %a : memref<64xf32>
    gpu.wait [%t3]
    return
  }

  // VIOLATION: free of what mgpuMemAlloc did not return
  func.func @free_of_host_memory() {
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.dealloc async [%t0] %h : memref<64xf32>
    gpu.wait [%t1]
    return
  }

  // -- Host memory ------------------------------------------------------------

  // VIOLATION: out of bounds on host allocation.*kernel @load_at on stream \d+ reads.*that is offset 256 of 256 bytes
  func.func @just_past_a_host_block() {
    %c1 = arith.constant 1 : index
    %shift = arith.constant 64 : index
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@load_at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<64xf32>, %h: memref<64xf32>, %shift: index)
    gpu.wait [%t2]
    memref.dealloc %h : memref<64xf32>
    return
  }

  // VIOLATION: out of bounds on host allocation.*kernel @load_at on stream \d+ reads.*that is offset 656 of 256 bytes
  func.func @far_past_a_host_block() {
    %c1 = arith.constant 1 : index
    %shift = arith.constant 164 : index
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@load_at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<64xf32>, %h: memref<64xf32>, %shift: index)
    gpu.wait [%t2]
    memref.dealloc %h : memref<64xf32>
    return
  }

  // VIOLATION: out of bounds on host allocation.*kernel @load_at on stream \d+ reads.*that is offset -8 of 256 bytes
  func.func @before_a_host_block() {
    %c1 = arith.constant 1 : index
    %shift = arith.constant -2 : index
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@load_at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<64xf32>, %h: memref<64xf32>, %shift: index)
    gpu.wait [%t2]
    memref.dealloc %h : memref<64xf32>
    return
  }

  // Read first, which makes it known.
  // VIOLATION: write to read-only memory.*kernel @store_at on stream \d+ writes
  func.func @write_of_a_constant() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant 1.0 : f32
    %h = memref.get_global @constant : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@load_at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<64xf32>, %h: memref<64xf32>, %c0: index)
    %t3 = gpu.launch_func async [%t2] @k::@store_at blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%h: memref<64xf32>, %c0: index, %v: f32)
    gpu.wait [%t3]
    return
  }

  // One stream copies into the host buffer that another copies out of.
  // VIOLATION: read-write race on host allocation.*copy on stream.*copy on stream
  func.func @host_buffer_between_streams() {
    %v = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.memcpy async [%t3] %h, %a : memref<64xf32>, memref<64xf32>
    %u2 = gpu.memcpy async [%s] %b, %h : memref<64xf32>, memref<64xf32>
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: free while in use on host allocation.*copy on stream.*free by the host.*host must wait for op
  func.func @host_free_before_copy() {
    %v = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    %t3 = gpu.memcpy async [%t2] %h, %a : memref<64xf32>, memref<64xf32>
    memref.dealloc %h : memref<64xf32>
    gpu.wait [%t3]
    return
  }

  // VIOLATION: host access to device memory on device allocation
  func.func @host_reads_device_memory() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
    gpu.wait [%t2]
    %x = memref.load %a[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // -- Bounds and content -----------------------------------------------------

  // VIOLATION: out of bounds on device allocation.*kernel @store_at.*writes 4 bytes.*offset 256 of 256 bytes
  func.func @store_out_of_bounds() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @k::@store_at blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %c1: index, %v: f32)
    gpu.wait [%t3]
    return
  }

  // VIOLATION: out of bounds.*kernel @load_at.*reads 4 bytes
  func.func @load_far_out_of_bounds() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %far = arith.constant 1000000000 : index
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @k::@load_at blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>, %far: index)
    gpu.wait [%t3]
    return
  }

  // VIOLATION: read of never-written bytes on device allocation.*kernel @copy.*reads
  func.func @uninitialised_read() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%t3]
    return
  }

  // VIOLATION: read of never-written bytes.*copy on stream
  func.func @uninitialised_copy_to_host() {
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %h, %a : memref<64xf32>, memref<64xf32>
    gpu.wait [%t2]
    return
  }

  // A copy between device buffers hands the missing content on.
  // VIOLATION: read of never-written bytes.*byte 128.*kernel @copy
  func.func @uninitialised_through_copy() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %t4 = gpu.launch_func async [%t3] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t5 = gpu.memcpy async [%t4] %b, %a : memref<64xf32>, memref<64xf32>
    %t6 = gpu.launch_func async [%t5] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c: memref<64xf32>, %b: memref<64xf32>)
    gpu.wait [%t6]
    return
  }

  // -- Arenas -----------------------------------------------------------------

  // Views that overlap by half, used side by side.
  // VIOLATION: write-write race.*byte 128,?
  func.func @views_overlap() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<384xi8>
    %a = memref.view %arena[%c0][] : memref<384xi8> to memref<64xf32>
    %b = memref.view %arena[%c128][] : memref<384xi8> to memref<64xf32>
    %s = gpu.wait async [%t1]
    %u1 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // The second tenant awaits one of the first one's two last users.
  // VIOLATION: read-write race.*kernel @copy.*reads.*kernel @fill.*writes
  func.func @reuse_misses_one_reader() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<256xi8>
    %x, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %y, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
    %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
    %t4 = gpu.launch_func async [%t3] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %s = gpu.wait async [%t4]
    %u1 = gpu.launch_func async [%t4] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x: memref<64xf32>, %a: memref<64xf32>)
    %u2 = gpu.launch_func async [%s] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y: memref<64xf32>, %a: memref<64xf32>)
    %u3 = gpu.launch_func async [%u1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    gpu.wait [%u2, %u3]
    return
  }

  // Perfectly ordered, but the first tenant is read after the second came.
  // VIOLATION: read of another tenant's bytes.*kernel @copy.*as tenant 1.*what tenant 2 left
  func.func @reads_other_tenant() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %at = arith.constant 0 : i64
    %n = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<256xi8>
    %x, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
    %i = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    func.call @transientSimTenant(%p, %at, %n, %two) : (!llvm.ptr, i64, i64, i64) -> ()
    %t4 = gpu.launch_func async [%t3] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t5 = gpu.launch_func async [%t4] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%t5]
    return
  }

  // VIOLATION: two tenants of one operation overlap on device allocation.*kernel @copy.*tenants 1 at byte 0 and 2 at byte 128
  func.func @tenants_overlap_in_one_op() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %v = arith.constant 1.0 : f32
    %at = arith.constant 0 : i64
    %at2 = arith.constant 128 : i64
    %n = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<384xi8>
    %a = memref.view %arena[%c0][] : memref<384xi8> to memref<64xf32>
    %b = memref.view %arena[%c128][] : memref<384xi8> to memref<64xf32>
    %i = memref.extract_aligned_pointer_as_index %arena : memref<384xi8> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t3 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    func.call @transientSimTenant(%p, %at2, %n, %two) : (!llvm.ptr, i64, i64, i64) -> ()
    %t4 = gpu.launch_func async [%t3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%t4]
    return
  }

  // Inside the arena, outside the view.
  // VIOLATION: out of bounds on device allocation.*kernel @store_at.*writes
  func.func @store_outside_view() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %at = arith.constant 0 : i64
    %n = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<512xi8>
    %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
    %i = memref.extract_aligned_pointer_as_index %arena : memref<512xi8> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t3 = gpu.launch_func async [%t1] @k::@store_at blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %c1: index, %v: f32)
    gpu.wait [%t3]
    return
  }

  // Both tenants unordered: the takeover itself is the race.
  // VIOLATION: write-write race.*kernel @fill.*writes.*kernel @fill.*writes
  func.func @takeover_without_order() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %at = arith.constant 0 : i64
    %n = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<256xi8>
    %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
    %i = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    %s = gpu.wait async [%t1]
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %u1 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    func.call @transientSimTenant(%p, %at, %n, %two) : (!llvm.ptr, i64, i64, i64) -> ()
    %u2 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // -- Handles and barriers ---------------------------------------------------

  // A token with two uses: the stock lowering destroys its stream twice.
  // VIOLATION: use of stream 1 after its destruction
  func.func @token_used_twice() {
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    gpu.wait [%t1]
    return
  }

  // VIOLATION: barrier that some work items of a group never reach.*kernel @diverge
  func.func @divergent_barrier() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@diverge blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%t2]
    return
  }

  // A copy in a kernel whose length nobody has memory for ends the run.
  // VIOLATION: out of bounds on device allocation.*kernel @copy_all on stream
  func.func @copy_of_a_nonsensical_length() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 1152921504606846975 : index
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %from = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<64xf32> to memref<?xf32>
    %to = memref.reinterpret_cast %b to offset: [0], sizes: [%n], strides: [1] : memref<64xf32> to memref<?xf32>
    %t3 = gpu.launch_func async [%t2] @k::@copy_all blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%to: memref<?xf32>, %from: memref<?xf32>)
    gpu.wait [%t3]
    return
  }
}
