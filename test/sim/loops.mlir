// Loops are checked at once where the checker has nothing to say about any of
// their accesses, and access by access otherwise: what is found is the same.
// All kernels have 32 items, and the mistakes are not in the first of them.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,lifo,random:1,adversarial,threads
// RUN: env TRANSIENT_SIM_STATS=1 %python %utils/sim-run.py %s --beside %plugin --entry matrix_product 2>&1 | FileCheck %s --check-prefix=SETTLED
// RUN: env TRANSIENT_SIM_STATS=1 %python %utils/sim-run.py %s --beside %plugin --entry window 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: env TRANSIENT_SIM_STATS=1 %python %utils/sim-run.py %s --beside %plugin --entry shift_in_place 2>&1 | FileCheck %s --check-prefix=NEVER
// SETTLED: settled_loops={{[1-9][0-9]*}} violations=0
// NEVER: settled_loops=0 violations=0

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<32x32xf32>, %v: f32, %to: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %j = %c0 to %to step %c1 {
        memref.store %v, %m[%i, %j] : memref<32x32xf32>
      }
      gpu.return
    }
    // The number of rows that are filled comes from outside.
    gpu.func @fill_rows(%m: memref<32x32xf32>, %v: f32, %rows: index, %to: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %in = arith.cmpi ult, %i, %rows : index
      scf.if %in {
        scf.for %j = %c0 to %to step %c1 {
          memref.store %v, %m[%i, %j] : memref<32x32xf32>
        }
      }
      gpu.return
    }
    // Bounds and steps as stock outlining passes them.
    gpu.func @matmul(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>, %from: index, %to: index, %step: index) kernel {
      %i = gpu.global_id x
      scf.for %j = %from to %to step %step {
        scf.for %n = %from to %to step %step {
          %x = memref.load %a[%i, %n] : memref<32x32xf32>
          %y = memref.load %b[%n, %j] : memref<32x32xf32>
          %z = memref.load %c[%i, %j] : memref<32x32xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          memref.store %s, %c[%i, %j] : memref<32x32xf32>
        }
      }
      gpu.return
    }
    gpu.func @sum_row(%m: memref<32x32xf32>, %to: memref<32xf32>, %end: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %s = scf.for %j = %c0 to %end step %c1 iter_args(%sum = %zero) -> f32 {
        %x = memref.load %m[%i, %j] : memref<32x32xf32>
        %next = arith.addf %sum, %x : f32
        scf.yield %next : f32
      }
      memref.store %s, %to[%i] : memref<32xf32>
      gpu.return
    }
    // Sums what is inside of a window of 33 values around each place.
    gpu.func @window_sum(%m: memref<32xf32>, %to: memref<32xf32>, %end: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %to[%i] : memref<32xf32>
      scf.for %n = %c0 to %end step %c1 {
        %at = arith.addi %i, %n : index
        %j = arith.subi %at, %c16 : index
        %in = arith.cmpi ult, %j, %c32 : index
        scf.if %in {
          %x = memref.load %m[%j] : memref<32xf32>
          %old = memref.load %to[%i] : memref<32xf32>
          %s = arith.addf %old, %x : f32
          memref.store %s, %to[%i] : memref<32xf32>
        }
      }
      gpu.return
    }
    // Writes one row, each value from its neighbour: not disjoint.
    gpu.func @shift(%m: memref<32x32xf32>, %to: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %j = %c0 to %to step %c1 {
        %next = arith.addi %j, %c1 : index
        %x = memref.load %m[%i, %next] : memref<32x32xf32>
        memref.store %x, %m[%i, %j] : memref<32x32xf32>
      }
      gpu.return
    }
    // Copies a row from column `shift` on, with a step from outside.
    gpu.func @copy_from(%m: memref<32x32xf32>, %to: memref<32x32xf32>, %shift: index, %step: index, %end: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      scf.for %j = %c0 to %end step %step {
        %at = arith.addi %j, %shift : index
        %x = memref.load %m[%i, %at] : memref<32x32xf32>
        memref.store %x, %to[%i, %j] : memref<32x32xf32>
      }
      gpu.return
    }
    // Adds to what nobody wrote: the store comes after the load.
    gpu.func @accumulate(%m: memref<32x32xf32>, %to: memref<32xf32>, %end: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %j = %c0 to %end step %c1 {
        %old = memref.load %to[%i] : memref<32xf32>
        %x = memref.load %m[%i, %j] : memref<32x32xf32>
        %s = arith.addf %old, %x : f32
        memref.store %s, %to[%i] : memref<32xf32>
      }
      gpu.return
    }
    // Sums the columns before `%column`; the loop goes over all.
    gpu.func @sum_before(%m: memref<32x32xf32>, %to: memref<32xf32>, %column: index, %end: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %to[%i] : memref<32xf32>
      scf.for %j = %c0 to %end step %c1 {
        %in = arith.cmpi ult, %j, %column : index
        scf.if %in {
          %x = memref.load %m[%i, %j] : memref<32x32xf32>
          %old = memref.load %to[%i] : memref<32xf32>
          %s = arith.addf %old, %x : f32
          memref.store %s, %to[%i] : memref<32xf32>
        }
      }
      gpu.return
    }
    gpu.func @fill_from(%m: memref<32x32xf32>, %v: f32, %column: index, %to: index) kernel {
      %i = gpu.global_id x
      %c1 = arith.constant 1 : index
      scf.for %j = %column to %to step %c1 {
        memref.store %v, %m[%i, %j] : memref<32x32xf32>
      }
      gpu.return
    }
    // Fills the second half of each row.
    gpu.func @fill_half(%m: memref<32x64xf32>, %v: f32, %to: index) kernel {
      %i = gpu.global_id x
      %c32 = arith.constant 32 : index
      %c1 = arith.constant 1 : index
      scf.for %j = %c32 to %to step %c1 {
        memref.store %v, %m[%i, %j] : memref<32x64xf32>
      }
      gpu.return
    }
    // Writes the first half of a row. Item 0 reads the second half, item 1 what
    // it has just written, and item 2 in round j what round j + 1 writes.
    gpu.func @read_ahead(%m: memref<32x64xf32>, %to: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      %first = arith.cmpi eq, %i, %c0 : index
      %third = arith.cmpi eq, %i, %c2 : index
      %ahead = arith.select %third, %c1, %c0 : index
      %shift = arith.select %first, %c32, %ahead : index
      scf.for %j = %c0 to %to step %c1 {
        memref.store %zero, %m[%i, %j] : memref<32x64xf32>
        %from = arith.addi %j, %shift : index
        %x = memref.load %m[%i, %from] : memref<32x64xf32>
        memref.store %x, %m[%i, %j] : memref<32x64xf32>
      }
      gpu.return
    }
    // In round i reads w at multiples of 3 up to the first that is not below n, and
    // writes m at that one only: an address that the inner loop leaves behind.
    gpu.func @write_last(%m: memref<4x64x16xf32>, %w: memref<16xf32>, %v: f32, %narg: index) kernel {
      %c15 = arith.constant 15 : index
      %n = arith.andi %narg, %c15 : index
      %g = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        %last, %sum = scf.while (%x = %c0, %s = %v) : (index, f32) -> (index, f32) {
          %nx = arith.addi %x, %c3 : index
          %l = memref.load %w[%x] : memref<16xf32>
          %ns = arith.addf %s, %l : f32
          %cond = arith.cmpi slt, %nx, %n : index
          scf.condition(%cond) %nx, %ns : index, f32
        } do {
        ^bb0(%x: index, %s: f32):
          scf.yield %x, %s : index, f32
        }
        memref.store %sum, %m[%g, %i, %last] : memref<4x64x16xf32>
      }
      gpu.return
    }
    gpu.func @fill_row(%w: memref<16xf32>, %v: f32) kernel {
      %i = gpu.global_id x
      memref.store %v, %w[%i] : memref<16xf32>
      gpu.return
    }
    gpu.func @write_column(%m: memref<4x64x16xf32>, %v: f32, %col: index) kernel {
      %i = gpu.global_id x
      %c3 = arith.constant 3 : index
      memref.store %v, %m[%c3, %i, %col] : memref<4x64x16xf32>
      gpu.return
    }
    gpu.func @read_column(%m: memref<4x64x16xf32>, %to: memref<64xf32>, %col: index) kernel {
      %i = gpu.global_id x
      %c3 = arith.constant 3 : index
      %v = memref.load %m[%c3, %i, %col] : memref<4x64x16xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>)

  // CLEAN: 64, +64
  func.func @matrix_product() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %host = memref.alloc() : memref<32x32xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32x32xf32>
    %c, %t3 = gpu.alloc async [%t2] () : memref<32x32xf32>
    %t4 = gpu.launch_func async [%t3] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %t5 = gpu.launch_func async [%t4] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%b: memref<32x32xf32>, %two: f32, %c32: index)
    %t6 = gpu.launch_func async [%t5] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%c: memref<32x32xf32>, %zero: f32, %c32: index)
    %t7 = gpu.launch_func async [%t6] @k::@matmul blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>, %c0: index, %c32: index, %c1: index)
    %t8 = gpu.memcpy async [%t7] %host, %c : memref<32x32xf32>, memref<32x32xf32>
    %t9 = gpu.dealloc async [%t8] %a : memref<32x32xf32>
    %t10 = gpu.dealloc async [%t9] %b : memref<32x32xf32>
    %t11 = gpu.dealloc async [%t10] %c : memref<32x32xf32>
    gpu.wait [%t11]
    %any = memref.cast %host : memref<32x32xf32> to memref<*xf32>
    call @printMemrefF32(%any) : (memref<*xf32>) -> ()
    memref.dealloc %host : memref<32x32xf32>
    return
  }

  // CLEAN: \[17, +18,
  func.func @window() {
    %c33 = arith.constant 33 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %host = memref.alloc() : memref<32xf32>
    linalg.fill ins(%one : f32) outs(%host : memref<32xf32>)
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32xf32>
    %t3 = gpu.memcpy async [%t2] %a, %host : memref<32xf32>, memref<32xf32>
    %t4 = gpu.launch_func async [%t3] @k::@window_sum blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32xf32>, %b: memref<32xf32>, %c33: index)
    %t5 = gpu.memcpy async [%t4] %host, %b : memref<32xf32>, memref<32xf32>
    %t6 = gpu.dealloc async [%t5] %a : memref<32xf32>
    %t7 = gpu.dealloc async [%t6] %b : memref<32xf32>
    gpu.wait [%t7]
    %any = memref.cast %host : memref<32xf32> to memref<*xf32>
    call @printMemrefF32(%any) : (memref<*xf32>) -> ()
    memref.dealloc %host : memref<32xf32>
    return
  }

  // CLEAN
  func.func @shift_in_place() {
    %c31 = arith.constant 31 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %host = memref.alloc() : memref<32x32xf32>
    %one = arith.constant 1.0 : f32
    linalg.fill ins(%one : f32) outs(%host : memref<32x32xf32>)
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %t2 = gpu.memcpy async [%t1] %a, %host : memref<32x32xf32>, memref<32x32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@shift blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %c31: index)
    %t4 = gpu.dealloc async [%t3] %a : memref<32x32xf32>
    gpu.wait [%t4]
    memref.dealloc %host : memref<32x32xf32>
    return
  }

  // Two streams, and columns that one reads and the other writes.
  // CLEAN
  func.func @columns_apart() {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %s1 = gpu.wait async [%t3]
    %s2 = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%s1] @k::@sum_before blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32xf32>, %c20: index, %c32: index)
    %u2 = gpu.launch_func async [%s2] @k::@fill_from blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c20: index, %c32: index)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: read of never-written bytes.*byte 2560.*kernel @sum_row on stream \d+ reads
  func.func @rows_that_nobody_wrote() {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill_rows blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c20: index, %c32: index)
    %t4 = gpu.launch_func async [%t3] @k::@sum_row blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32xf32>, %c32: index)
    gpu.wait [%t4]
    return
  }

  // VIOLATION: read-write race.*kernel @fill_rows on stream \d+ writes.*kernel @sum_row on stream \d+ reads
  func.func @rows_that_another_stream_writes() {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %s1 = gpu.wait async [%t3]
    %s2 = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%s1] @k::@fill_rows blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c20: index, %c32: index)
    %u2 = gpu.launch_func async [%s2] @k::@sum_row blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32xf32>, %c32: index)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: write-write race.*kernel @fill_rows on stream \d+ writes
  func.func @rows_that_two_streams_write() {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %s1 = gpu.wait async [%t1]
    %s2 = gpu.wait async [%t1]
    %u1 = gpu.launch_func async [%s1] @k::@fill_rows blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c20: index, %c32: index)
    %u2 = gpu.launch_func async [%s2] @k::@fill_rows blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c20: index, %c32: index)
    gpu.wait [%u1, %u2]
    return
  }

  // VIOLATION: out of bounds.*kernel @copy_from on stream \d+ reads 4 bytes
  func.func @past_the_end() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32x32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %t4 = gpu.launch_func async [%t3] @k::@copy_from blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c1: index, %c1: index, %c32: index)
    gpu.wait [%t4]
    return
  }

  // The same with a step of 2, for which trip counts are not known.
  // VIOLATION: out of bounds.*kernel @copy_from on stream \d+ reads 4 bytes
  func.func @past_the_end_in_steps() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32x32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %t4 = gpu.launch_func async [%t3] @k::@copy_from blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c2: index, %c2: index, %c32: index)
    gpu.wait [%t4]
    return
  }

  // VIOLATION: read of never-written bytes.*kernel @accumulate on stream \d+ reads
  func.func @sum_into_garbage() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x32xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<32xf32>
    %t3 = gpu.launch_func async [%t2] @k::@fill blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %one: f32, %c32: index)
    %t4 = gpu.launch_func async [%t3] @k::@accumulate blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x32xf32>, %b: memref<32xf32>, %c32: index)
    gpu.wait [%t4]
    return
  }

  // VIOLATION: read of never-written bytes.*byte 516.*kernel @read_ahead on stream \d+ reads
  func.func @value_of_a_later_round() {
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<32x64xf32>
    %t2 = gpu.launch_func async [%t1] @k::@fill_half blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x64xf32>, %one: f32, %c64: index)
    %t3 = gpu.launch_func async [%t2] @k::@read_ahead blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<32x64xf32>, %c32: index)
    gpu.wait [%t3]
    return
  }

  // VIOLATION: read of never-written bytes.*kernel @read_column on stream \d+ reads
  func.func @column_passed_by() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4x64x16xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %w, %t21 = gpu.alloc async [%t2] () : memref<16xf32>
    %t22 = gpu.launch_func async [%t21] @k::@fill_row blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%w: memref<16xf32>, %v: f32)
    %t3 = gpu.launch_func async [%t22] @k::@write_last blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<4x64x16xf32>, %w: memref<16xf32>, %v: f32, %c10: index)
    %t4 = gpu.launch_func async [%t3] @k::@read_column blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<4x64x16xf32>, %b: memref<64xf32>, %c6: index)
    gpu.wait [%t4]
    return
  }

  // CLEAN
  func.func @columns_of_two_streams() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4x64x16xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %w, %t21 = gpu.alloc async [%t2] () : memref<16xf32>
    %t22 = gpu.launch_func async [%t21] @k::@fill_row blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%w: memref<16xf32>, %v: f32)
    %s1 = gpu.wait async [%t22]
    %s2 = gpu.wait async [%t22]
    %u1 = gpu.launch_func async [%s1] @k::@write_last blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<4x64x16xf32>, %w: memref<16xf32>, %v: f32, %c10: index)
    %u2 = gpu.launch_func async [%s2] @k::@write_column blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a: memref<4x64x16xf32>, %v: f32, %c6: index)
    gpu.wait [%u1, %u2]
    return
  }
}
