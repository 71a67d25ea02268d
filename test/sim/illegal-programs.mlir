// More programs that a device may execute wrongly: loops, branches, host
// memory, several arenas, workgroups. Each is caught in every schedule.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,lifo,random:1,random:2,adversarial,threads

module attributes {gpu.container_module} {
  memref.global "private" @table : memref<64xf32> = dense<1.0> {alignment = 64 : i64}
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @fill_part(%m: memref<32xf32, strided<[1], offset: ?>>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %m[%i] : memref<32xf32, strided<[1], offset: ?>>
      gpu.return
    }
    gpu.func @copy(%to: memref<64xf32>, %from: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    // Only the last work item of the last group touches the second buffer.
    gpu.func @rarely(%a: memref<64xf32>, %b: memref<64xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      %c63 = arith.constant 63 : index
      memref.store %v, %a[%i] : memref<64xf32>
      %last = arith.cmpi eq, %i, %c63 : index
      scf.if %last {
        memref.store %v, %b[%i] : memref<64xf32>
      }
      gpu.return
    }
    gpu.func @bytes(%m: memref<64xi8>, %at: index) kernel {
      %v = arith.constant 7 : i8
      memref.store %v, %m[%at] : memref<64xi8>
      gpu.return
    }
    gpu.func @read_half(%to: memref<64xf32>, %from: memref<64xf16>) kernel {
      %i = gpu.global_id x
      %v = memref.load %from[%i] : memref<64xf16>
      %w = arith.extf %v : f16 to f32
      memref.store %w, %to[%i] : memref<64xf32>
      gpu.return
    }
    // Through workgroup memory and a barrier.
    gpu.func @reverse(%m: memref<64xf32>, %from: memref<64xf32>) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %c63 = arith.constant 63 : index
      %j = arith.subi %c63, %i : index
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %w[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %u, %m[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @exchange(%m: memref<64xi32>) kernel {
      %i = gpu.global_id x
      %one = arith.constant 1 : i32
      %old = memref.atomic_rmw maxs %one, %m[%i] : (i32, memref<64xi32>) -> i32
      gpu.return
    }
    gpu.func @vectors(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      %c4 = arith.constant 4 : index
      %at = arith.muli %i, %c4 : index
      %four = vector.broadcast %v : f32 to vector<4xf32>
      vector.store %four, %m[%at] : memref<64xf32>, vector<4xf32>
      gpu.return
    }
  }

  // A join of three where two are named.
  // VIOLATION: read-write race.*kernel @fill.*writes.*kernel @copy.*reads.*must wait for op
  func.func @two_of_three() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    gpu.wait [%t3]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %s3 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    %u3 = gpu.launch_func async [%s3] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c: memref<64xf32>, %v: f32)
    %j = gpu.wait async [%u1, %u3]
    %u4 = gpu.launch_func async [%j] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %b: memref<64xf32>)
    gpu.wait [%u4]
    return
  }

  // The host waits for the wrong one of two.
  // VIOLATION: read-write race.*kernel @fill.*writes.*kernel @copy.*reads
  func.func @host_waits_for_other() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    gpu.wait [%t2]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    gpu.wait [%u2]
    gpu.launch_func @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%u1]
    return
  }

  // A blocking launch waits for itself only.
  // VIOLATION: write-write race.*kernel @fill.*kernel @fill
  func.func @blocking_launch_is_no_barrier() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    %s = gpu.wait async
    %u1 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.launch_func @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u1]
    return
  }

  // One branch waits, the other, which is taken, does not.
  // VIOLATION: read-write race.*kernel @fill.*writes.*kernel @copy.*reads
  func.func @wait_in_other_branch() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %no = arith.constant false
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    gpu.wait [%t2]
    %s = gpu.wait async
    %u1 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    scf.if %no {
      gpu.wait [%u1]
    }
    gpu.launch_func @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    return
  }

  // Double buffering with one buffer too few: the third round overwrites what
  // the first still reads.
  // VIOLATION: read-write race.*kernel @copy.*reads.*kernel @fill.*writes
  func.func @double_buffer() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %x, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    gpu.wait [%t3]
    %s = gpu.wait async
    %w1 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %f1 = gpu.wait async [%w1]
    %w2 = gpu.launch_func async [%w1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    %r1 = gpu.launch_func async [%f1] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x: memref<64xf32>, %a: memref<64xf32>)
    %f2 = gpu.wait async [%w2, %r1]
    %w3 = gpu.launch_func async [%w2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %r2 = gpu.launch_func async [%f2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x: memref<64xf32>, %b: memref<64xf32>)
    gpu.wait [%w3, %r2]
    return
  }

  // Two views of one buffer that overlap in 16 floats.
  // VIOLATION: write-write race.*byte 128.*kernel @fill_part.*kernel @fill
  func.func @overlapping_parts() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    %p = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
    %q = memref.subview %a[16] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 16>>
    %pc = memref.cast %p : memref<32xf32, strided<[1], offset: 32>> to memref<32xf32, strided<[1], offset: ?>>
    %qc = memref.cast %q : memref<32xf32, strided<[1], offset: 16>> to memref<32xf32, strided<[1], offset: ?>>
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill_part blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%pc: memref<32xf32, strided<[1], offset: ?>>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill_part blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%qc: memref<32xf32, strided<[1], offset: ?>>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // One byte by one work item, against a fill of all of them.
  // VIOLATION: write-write race on device allocation #1 \(64 bytes at 0x[0-9a-f]+\), byte 61.*fill on stream.*kernel @bytes
  func.func @one_byte() {
    %c1 = arith.constant 1 : index
    %c61 = arith.constant 61 : index
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %t0 = gpu.wait async
    %raw, %t1 = gpu.alloc async [%t0] () : memref<64xi8>
    %a = memref.view %raw[%c0][] : memref<64xi8> to memref<16xi32>
    gpu.wait [%t1]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.memset async [%s1] %a, %z : memref<16xi32>, i32
    %u2 = gpu.launch_func async [%s2] @k::@bytes blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%raw: memref<64xi8>, %c61: index)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: write-write race.*byte 252.*kernel @rarely
  func.func @one_item_of_many() {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    gpu.wait [%t2]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@rarely blocks in (%c8, %c1, %c1) threads in (%c8, %c1, %c1) args(%a: memref<64xf32>, %b: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // Two kernels with barriers, unordered.
  // VIOLATION: read-write race.*kernel @reverse.*kernel @reverse
  func.func @barrier_kernels() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    %t4 = gpu.memset async [%t3] %b, %v : memref<64xf32>, f32
    gpu.wait [%t4]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@reverse blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %b: memref<64xf32>)
    %u2 = gpu.launch_func async [%s2] @k::@reverse blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%u1, %u2]
    return
  }

  // Vector stores against scalar loads.
  // VIOLATION: read-write race.*kernel @vectors.*writes.*kernel @copy.*reads
  func.func @vector_store() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %v : memref<64xf32>, f32
    gpu.wait [%t3]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@vectors blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%u1, %u2]
    return
  }

  // The last store leaves the buffer by twelve bytes.
  // VIOLATION: out of bounds on device allocation.*kernel @vectors.*writes 16 bytes
  func.func @vector_beyond() {
    %c1 = arith.constant 1 : index
    %c17 = arith.constant 17 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %u = gpu.launch_func async [%t1] @k::@vectors blocks in (%c1, %c1, %c1) threads in (%c17, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%u]
    return
  }

  // Half of the buffer was written.
  // VIOLATION: read of never-written bytes.*byte 128.*kernel @copy.*reads
  func.func @half_written() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t4 = gpu.launch_func async [%t3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    gpu.wait [%t4]
    return
  }

  // Never written, twice copied, then read by a kernel.
  // VIOLATION: read of never-written bytes.*kernel @copy.*reads
  func.func @never_written_copied() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %t4 = gpu.memcpy async [%t3] %b, %a : memref<64xf32>, memref<64xf32>
    %t5 = gpu.memcpy async [%t4] %c, %b : memref<64xf32>, memref<64xf32>
    %t6 = gpu.launch_func async [%t5] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %c: memref<64xf32>)
    gpu.wait [%t6]
    return
  }

  // f16: two bytes each, written half as far as they are read.
  // VIOLATION: read of never-written bytes.*byte 64.*kernel @read_half.*reads
  func.func @half_precision() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0 : i32
    %t0 = gpu.wait async
    %raw, %t1 = gpu.alloc async [%t0] () : memref<128xi8>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %a = memref.view %raw[%c0][] : memref<128xi8> to memref<64xf16>
    %half = memref.view %raw[%c0][] : memref<128xi8> to memref<16xi32>
    %t3 = gpu.memset async [%t2] %half, %z : memref<16xi32>, i32
    %t4 = gpu.launch_func async [%t3] @k::@read_half blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf16>)
    gpu.wait [%t4]
    return
  }

  // A host buffer that two kernels write.
  // VIOLATION: write-write race on host allocation.*kernel @fill.*kernel @fill
  func.func @kernels_on_host_buffer() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%h: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%h: memref<64xf32>, %v: f32)
    gpu.wait [%u1, %u2]
    return
  }

  // The host frees what no operation has touched yet; then a copy reads it.
  // VIOLATION: use after free on host allocation.*free by the host frees it.*copy on stream \d+ reads
  func.func @host_buffer_after_free() {
    %v = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%h : memref<64xf32>)
    memref.dealloc %h : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %a, %h : memref<64xf32>, memref<64xf32>
    gpu.wait [%t2]
    return
  }

  // A global that one stream writes while another reads it.
  // VIOLATION: read-write race on host memory.*kernel @fill.*kernel @copy
  func.func @global_table() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %g = memref.get_global @table : memref<64xf32>
    %h = memref.alloc() : memref<64xf32>
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%g: memref<64xf32>, %v: f32)
    %u2 = gpu.launch_func async [%s2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%h: memref<64xf32>, %g: memref<64xf32>)
    gpu.wait [%u1, %u2]
    return
  }

  // host_shared memory knows races too.
  // VIOLATION: read-write race on shared allocation.*kernel @fill.*copy on stream
  func.func @shared_memory() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %m = gpu.alloc host_shared () : memref<64xf32>
    %h = memref.alloc() : memref<64xf32>
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m: memref<64xf32>, %v: f32)
    %u2 = gpu.memcpy async [%s2] %h, %m : memref<64xf32>, memref<64xf32>
    gpu.wait [%u1, %u2]
    return
  }

  // Atomics are not ordered by being atomic: a free must wait for them.
  // VIOLATION: free while in use.*kernel @exchange.*free
  func.func @free_before_atomics() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0 : i32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xi32>
    %t2 = gpu.memset async [%t1] %a, %z : memref<64xi32>, i32
    gpu.wait [%t2]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.launch_func async [%s1] @k::@exchange blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xi32>)
    %u2 = gpu.dealloc async [%s2] %a : memref<64xi32>
    gpu.wait [%u1, %u2]
    return
  }

  // An address that outlives its buffer, while a new one takes its place.
  // VIOLATION: use after free on device allocation #1.*free.*kernel @fill
  func.func @stale_address() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.dealloc async [%t1] %a : memref<64xf32>
    %b, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %t4 = gpu.launch_func async [%t3] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    %t5 = gpu.dealloc async [%t4] %b : memref<64xf32>
    gpu.wait [%t5]
    return
  }

  // A copy between allocations while another stream writes its source.
  // VIOLATION: read-write race.*copy on stream.*fill on stream
  func.func @copy_between_arenas() {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %z = arith.constant 0 : i32
    %t0 = gpu.wait async
    %m, %t1 = gpu.alloc async [%t0] () : memref<512xi8>
    %n, %t2 = gpu.alloc async [%t1] () : memref<256xi8>
    %a = memref.view %m[%c256][] : memref<512xi8> to memref<64xi32>
    %b = memref.view %n[%c0][] : memref<256xi8> to memref<64xi32>
    %t3 = gpu.memset async [%t2] %a, %z : memref<64xi32>, i32
    gpu.wait [%t3]
    %s1 = gpu.wait async
    %s2 = gpu.wait async
    %u1 = gpu.memcpy async [%s1] %b, %a : memref<64xi32>, memref<64xi32>
    %u2 = gpu.memset async [%s2] %a, %z : memref<64xi32>, i32
    gpu.wait [%u1, %u2]
    return
  }

  // Every other round is awaited.
  // VIOLATION: write-write race.*kernel @fill.*writes.*kernel @fill.*writes
  func.func @every_other_round() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    scf.for %i = %c0 to %c4 step %c1 {
      %s = gpu.wait async
      %u = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
      %rest = arith.remui %i, %c2 : index
      %odd = arith.cmpi eq, %rest, %c1 : index
      scf.if %odd {
        gpu.wait [%u]
      }
    }
    return
  }

  // A token that a loop carries: the stock lowering hands a stream on where an
  // event is taken for it.
  // VIOLATION: use of stream \d+ as an event
  func.func @carried_token() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    %first = gpu.wait async
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %first) -> (!gpu.async.token) {
      %s = gpu.wait async [%t]
      %u = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
      scf.yield %u : !gpu.async.token
    }
    return
  }
}
