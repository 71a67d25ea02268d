// Legal programs: right results and silence in every schedule, on the streams
// that the stock lowering makes and with a stream for every operation.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --own-streams --schedules lifo,random:4,adversarial,threads
// RUN: env TRANSIENT_SIM_CHECK=0 %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,random:5,threads

module attributes {gpu.container_module} {
  memref.global "private" @table : memref<64xf32> = dense<6.0>
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %m[%i] : memref<64xf32>
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
    gpu.func @count(%m: memref<4xi32>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %old = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<4xi32>) -> i32
      gpu.return
    }
    // Writes every id of a 3-D grid to its own place.
    gpu.func @ids(%m: memref<2x3x4x4x3x2xi32>) kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %bz = gpu.block_id z
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %gx = gpu.global_id x
      %gy = gpu.global_id y
      %gz = gpu.global_id z
      %nx = gpu.grid_dim x
      %sy = gpu.block_dim y
      %s1 = arith.addi %gx, %gy : index
      %s2 = arith.addi %s1, %gz : index
      %s3 = arith.muli %nx, %sy : index
      %s4 = arith.addi %s2, %s3 : index
      %v = arith.index_cast %s4 : index to i32
      memref.store %v, %m[%bx, %by, %bz, %tx, %ty, %tz] : memref<2x3x4x4x3x2xi32>
      gpu.return
    }
    // Reverses a group through workgroup memory.
    gpu.func @reverse(%m: memref<64xf32>)
        workgroup(%w : memref<16xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.global_id x
      %l = gpu.thread_id x
      %c15 = arith.constant 15 : index
      %v = memref.load %m[%i] : memref<64xf32>
      memref.store %v, %w[%l] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c15, %l : index
      %u = memref.load %w[%r] : memref<16xf32, #gpu.address_space<workgroup>>
      memref.store %u, %m[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @iota(%m: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %j = arith.index_cast %i : index to i32
      %v = arith.sitofp %j : i32 to f32
      memref.store %v, %m[%i] : memref<64xf32>
      gpu.return
    }
    // Small types as arguments, in memory and in arithmetic.
    gpu.func @narrow(%h: memref<8xf16>, %b: memref<8xbf16>, %p: memref<8xi1>, %f: f16, %g: bf16, %q: i1) kernel {
      %i = gpu.global_id x
      %x = memref.load %h[%i] : memref<8xf16>
      %y = arith.addf %x, %f : f16
      memref.store %y, %h[%i] : memref<8xf16>
      %z = memref.load %b[%i] : memref<8xbf16>
      %w = arith.mulf %z, %g : bf16
      memref.store %w, %b[%i] : memref<8xbf16>
      %c3 = arith.constant 3 : index
      %lt = arith.cmpi slt, %i, %c3 : index
      %s = arith.xori %lt, %q : i1
      memref.store %s, %p[%i] : memref<8xi1>
      gpu.return
    }
    gpu.func @math(%m: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %m[%i] : memref<64xf32>
      %a = math.exp %v : f32
      %b = math.log %a : f32
      %c = math.tanh %b : f32
      %d = math.erf %c : f32
      %e = math.rsqrt %a : f32
      %f = math.fma %d, %e, %b : f32
      memref.store %f, %m[%i] : memref<64xf32>
      gpu.return
    }
  }

  func.func private @transientSimTenant(!llvm.ptr, i64, i64, i64)

  // CLEAN: ^7\n$
  func.func @fork_and_join() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %three = arith.constant 3.0 : f32
    %four = arith.constant 4.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<64xf32>
    %s1 = gpu.wait async [%t3]
    %s2 = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %three: f32)
    %u2 = gpu.launch_func async [%s2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %four: f32)
    %j = gpu.wait async [%u1, %u2]
    %u3 = gpu.launch_func async [%j] @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>)
    %u4 = gpu.memcpy async [%u3] %h, %c : memref<64xf32>, memref<64xf32>
    %d1 = gpu.dealloc async [%u4] %a : memref<64xf32>
    %d2 = gpu.dealloc async [%d1] %b : memref<64xf32>
    %d3 = gpu.dealloc async [%d2] %c : memref<64xf32>
    gpu.wait [%d3]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    memref.dealloc %h : memref<64xf32>
    return
  }

  // Atomics of unordered kernels are no race.
  // CLEAN: ^128\n$
  func.func @atomics_side_by_side() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %h = memref.alloc() : memref<4xi32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
    %t2 = gpu.memset async [%t1] %a, %zero : memref<4xi32>, i32
    %s1 = gpu.wait async [%t2]
    %s2 = gpu.wait async [%t2]
    %u1 = gpu.launch_func async [%s1] @k::@count blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<4xi32>)
    %u2 = gpu.launch_func async [%s2] @k::@count blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<4xi32>)
    %j = gpu.wait async [%u1, %u2]
    %u3 = gpu.memcpy async [%j] %h, %a : memref<4xi32>, memref<4xi32>
    %u4 = gpu.dealloc async [%u3] %a : memref<4xi32>
    gpu.wait [%u4]
    %x = memref.load %h[%c0] : memref<4xi32>
    vector.print %x : i32
    return
  }

  // Blocks (2, 3, 4) of (4, 3, 2) items: at the last, 7 + 8 + 7 + 2 * 3.
  // CLEAN: ^6\n28\n$
  func.func @grid_of_three_dimensions() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %a = gpu.alloc host_shared () : memref<2x3x4x4x3x2xi32>
    gpu.launch_func @k::@ids blocks in (%c2, %c3, %c4) threads in (%c4, %c3, %c2) args(%a: memref<2x3x4x4x3x2xi32>)
    %x = memref.load %a[%c0, %c0, %c0, %c0, %c0, %c0] : memref<2x3x4x4x3x2xi32>
    %y = memref.load %a[%c1, %c2, %c3, %c3, %c2, %c1] : memref<2x3x4x4x3x2xi32>
    vector.print %x : i32
    vector.print %y : i32
    return
  }

  // CLEAN: ^15\n63\n48\n$
  func.func @workgroup_memory_and_barrier() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %c63 = arith.constant 63 : index
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@iota blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<64xf32>)
    %t3 = gpu.launch_func async [%t2] @k::@reverse blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1) args(%a: memref<64xf32>)
    %t4 = gpu.memcpy async [%t3] %h, %a : memref<64xf32>, memref<64xf32>
    gpu.wait [%t4]
    %x = memref.load %h[%c0] : memref<64xf32>
    %y = memref.load %h[%c48] : memref<64xf32>
    %z = memref.load %h[%c63] : memref<64xf32>
    vector.print %x : f32
    vector.print %y : f32
    vector.print %z : f32
    return
  }

  // Host memory serves kernels directly.
  // CLEAN: ^2.5\n6\n0\n1\n$
  func.func @narrow_types_in_host_memory() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %true = arith.constant true
    %f = arith.constant 1.5 : f16
    %f1 = arith.constant 1.0 : f16
    %g = arith.constant 2.0 : bf16
    %g3 = arith.constant 3.0 : bf16
    %h = memref.alloc() : memref<8xf16>
    %b = memref.alloc() : memref<8xbf16>
    %p = memref.alloc() : memref<8xi1>
    linalg.fill ins(%f1 : f16) outs(%h : memref<8xf16>)
    linalg.fill ins(%g3 : bf16) outs(%b : memref<8xbf16>)
    gpu.launch_func @k::@narrow blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%h: memref<8xf16>, %b: memref<8xbf16>, %p: memref<8xi1>, %f: f16, %g: bf16, %true: i1)
    %x = memref.load %h[%c0] : memref<8xf16>
    %x32 = arith.extf %x : f16 to f32
    vector.print %x32 : f32
    %y = memref.load %b[%c7] : memref<8xbf16>
    %y32 = arith.extf %y : bf16 to f32
    vector.print %y32 : f32
    %z = memref.load %p[%c0] : memref<8xi1>
    vector.print %z : i1
    %w = memref.load %p[%c7] : memref<8xi1>
    vector.print %w : i1
    memref.dealloc %h : memref<8xf16>
    memref.dealloc %b : memref<8xbf16>
    memref.dealloc %p : memref<8xi1>
    return
  }

  // CLEAN: ^0\n$
  func.func @math_functions() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %h = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%h : memref<64xf32>)
    gpu.launch_func @k::@math blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%h: memref<64xf32>)
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // A global of the host, after a device allocation, and a stack buffer.
  // CLEAN: ^12\n$
  func.func @other_host_memory() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    gpu.wait [%t1]
    %g = memref.get_global @table : memref<64xf32>
    %s = memref.alloca() : memref<64xf32>
    gpu.launch_func @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%s: memref<64xf32>, %g: memref<64xf32>, %g: memref<64xf32>)
    %x = memref.load %s[%c0] : memref<64xf32>
    vector.print %x : f32
    %t2 = gpu.wait async
    %t3 = gpu.dealloc async [%t2] %a : memref<64xf32>
    gpu.wait [%t3]
    return
  }

  // Two tenants take turns, each ordered after all users of the other.
  // CLEAN: ^3\n$
  func.func @tenants_in_turn() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %w = arith.constant 2.0 : f32
    %at = arith.constant 0 : i64
    %n = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %arena, %t1 = gpu.alloc async [%t0] () : memref<256xi8>
    %x, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
    %i = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    func.call @transientSimTenant(%p, %at, %n, %one) : (!llvm.ptr, i64, i64, i64) -> ()
    %t4 = gpu.memcpy async [%t3] %x, %a : memref<64xf32>, memref<64xf32>
    func.call @transientSimTenant(%p, %at, %n, %two) : (!llvm.ptr, i64, i64, i64) -> ()
    %t5 = gpu.launch_func async [%t4] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %w: f32)
    func.call @transientSimTenant(%p, %at, %n, %two) : (!llvm.ptr, i64, i64, i64) -> ()
    %t6 = gpu.launch_func async [%t5] @k::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x: memref<64xf32>, %a: memref<64xf32>, %x: memref<64xf32>)
    %t7 = gpu.memcpy async [%t6] %h, %x : memref<64xf32>, memref<64xf32>
    %t8 = gpu.dealloc async [%t7] %arena : memref<256xi8>
    gpu.wait [%t8]
    %r = memref.load %h[%c0] : memref<64xf32>
    vector.print %r : f32
    return
  }

  // Waits of the host order what streams do not.
  // CLEAN: ^5\n$
  func.func @host_in_between() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %w = arith.constant 5.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    gpu.wait [%t2]
    %s = gpu.wait async
    %t3 = gpu.launch_func async [%s] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %w: f32)
    %t4 = gpu.memcpy async [%t3] %h, %a : memref<64xf32>, memref<64xf32>
    %t5 = gpu.dealloc async [%t4] %a : memref<64xf32>
    gpu.wait [%t5]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // Nobody waits: the work is still done, and its buffers are never reused.
  // CLEAN
  func.func @nobody_waits() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a: memref<64xf32>, %v: f32)
    return
  }
}
