// Loops and kernels that overwrite a buffer: what linalg ops become in the stock
// lowerings. A buffer is in two pieces or in one.
// RUN: transient-opt %s -split-input-file --transient-import | FileCheck %s
// RUN: transient-opt %s -split-input-file --transient-pipeline -o /dev/null

// CHECK-LABEL: func.func @loops(
func.func @loops(%f: f32, %x: memref<8x4xf32>) {
  // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x4xf32>
  memref.copy %x, %a : memref<8x4xf32> to memref<8x4xf32>
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %f, %a[%i, %j] : memref<8x4xf32>
    }
  }
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  return
}

// -----

// The tile and what is in it count as the digits of a number do.
// CHECK-LABEL: func.func @tiled(
func.func @tiled(%f: f32, %x: memref<32xf32>) {
  // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  memref.copy %x, %a : memref<32xf32> to memref<32xf32>
  memref.copy %a, %x : memref<32xf32> to memref<32xf32>
  scf.for %i = %c0 to %c32 step %c8 {
    scf.for %j = %c0 to %c8 step %c1 {
      %k = arith.addi %i, %j : index
      memref.store %f, %a[%k] : memref<32xf32>
    }
  }
  memref.copy %a, %x : memref<32xf32> to memref<32xf32>
  return
}

// -----

// CHECK-LABEL: func.func @affine(
func.func @affine(%f: f32, %x: memref<8x4xf32>) {
  // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
  %a = memref.alloc() : memref<8x4xf32>
  memref.copy %x, %a : memref<8x4xf32> to memref<8x4xf32>
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  affine.for %i = 1 to 9 {
    affine.for %j = 0 to 4 {
      affine.store %f, %a[%i - 1, %j] : memref<8x4xf32>
    }
  }
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  return
}

// -----

// The last column is not written.
// CHECK-LABEL: func.func @no_loop_too_short(
func.func @no_loop_too_short(%f: f32, %x: memref<8x4xf32>) {
  // CHECK-NOT: web_of
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x4xf32>
  memref.copy %x, %a : memref<8x4xf32> to memref<8x4xf32>
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      memref.store %f, %a[%i, %j] : memref<8x4xf32>
    }
  }
  memref.copy %a, %x : memref<8x4xf32> to memref<8x4xf32>
  return
}

// -----

// One variable in both dimensions reaches the diagonal only.
// CHECK-LABEL: func.func @no_diagonal(
func.func @no_diagonal(%f: f32, %x: memref<4x4xf32>) {
  // CHECK-NOT: web_of
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  memref.copy %a, %x : memref<4x4xf32> to memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %f, %a[%i, %i] : memref<4x4xf32>
    }
  }
  memref.copy %a, %x : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// The loop around may not run at all.
// CHECK-LABEL: func.func @no_trip(
func.func @no_trip(%n: index, %f: f32, %x: memref<4xf32>) {
  // CHECK-NOT: web_of
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %f, %a[%j] : memref<4xf32>
    }
  }
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @no_condition_inside(
func.func @no_condition_inside(%c: i1, %f: f32, %x: memref<4xf32>) {
  // CHECK-NOT: web_of
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    scf.if %c {
      memref.store %f, %a[%j] : memref<4xf32>
    }
  }
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// An element is read when others have been written.
// CHECK-LABEL: func.func @no_read_inside(
func.func @no_read_inside(%f: f32, %x: memref<4xf32>) {
  // CHECK-NOT: web_of
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %k = arith.subi %c3, %j : index
    %v = memref.load %a[%k] : memref<4xf32>
    memref.store %v, %a[%j] : memref<4xf32>
  }
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @rows(%a: memref<8x1x4xf32>, %f: f32, %zero: index) kernel {
      %i = gpu.block_id x
      %j = gpu.block_id y
      memref.store %f, %a[%i, %zero, %j] : memref<8x1x4xf32>
      gpu.return
    }
    gpu.func @flat(%a: memref<32xf32>, %f: f32) kernel {
      %b = gpu.block_id x
      %s = gpu.block_dim x
      %t = gpu.thread_id x
      %o = arith.muli %b, %s : index
      %i = arith.addi %o, %t : index
      memref.store %f, %a[%i] : memref<32xf32>
      gpu.return
    }
    gpu.func @loop(%a: memref<8x4xf32>, %f: f32, %lo: index, %hi: index, %by: index) kernel {
      %i = gpu.block_id x
      scf.for %j = %lo to %hi step %by {
        memref.store %f, %a[%i, %j] : memref<8x4xf32>
      }
      gpu.return
    }
    gpu.func @some(%a: memref<32xf32>, %f: f32, %c: i1) kernel {
      %i = gpu.global_id x
      scf.if %c {
        memref.store %f, %a[%i] : memref<32xf32>
      }
      gpu.return
    }
    gpu.func @update(%a: memref<32xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %a[%i] : memref<32xf32>
      memref.store %v, %a[%i] : memref<32xf32>
      gpu.return
    }
    gpu.func @map(%a: memref<32xf32>, %b: memref<32xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %a[%i] : memref<32xf32>
      memref.store %v, %b[%i] : memref<32xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @kernel_rows(
  func.func @kernel_rows(%f: f32, %x: memref<8x1x4xf32>) {
    // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<8x1x4xf32>
    gpu.memcpy %a, %x : memref<8x1x4xf32>, memref<8x1x4xf32>
    gpu.memcpy %x, %a : memref<8x1x4xf32>, memref<8x1x4xf32>
    gpu.launch_func @m::@rows blocks in (%c8, %c4, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8x1x4xf32>, %f : f32, %c0 : index)
    gpu.memcpy %x, %a : memref<8x1x4xf32>, memref<8x1x4xf32>
    return
  }

  // CHECK-LABEL: func.func @kernel_flat(
  func.func @kernel_flat(%f: f32, %x: memref<32xf32>) {
    // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@flat blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>, %f : f32)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // CHECK-LABEL: func.func @kernel_loop(
  func.func @kernel_loop(%f: f32, %x: memref<8x4xf32>) {
    // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<8x4xf32>
    gpu.memcpy %a, %x : memref<8x4xf32>, memref<8x4xf32>
    gpu.memcpy %x, %a : memref<8x4xf32>, memref<8x4xf32>
    gpu.launch_func @m::@loop blocks in (%c8, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8x4xf32>, %f : f32, %c0 : index, %c4 : index, %c1 : index)
    gpu.memcpy %x, %a : memref<8x4xf32>, memref<8x4xf32>
    return
  }

  // CHECK-LABEL: func.func @no_kernel_grid_too_small(
  func.func @no_kernel_grid_too_small(%f: f32, %x: memref<32xf32>) {
    // CHECK-NOT: web_of
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@flat blocks in (%c7, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>, %f : f32)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // CHECK-LABEL: func.func @no_kernel_dynamic_grid(
  func.func @no_kernel_dynamic_grid(%n: index, %f: f32, %x: memref<32xf32>) {
    // CHECK-NOT: web_of
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@flat blocks in (%c8, %n, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>, %f : f32)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // CHECK-LABEL: func.func @no_kernel_condition(
  func.func @no_kernel_condition(%c: i1, %f: f32, %x: memref<32xf32>) {
    // CHECK-NOT: web_of
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@some blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>, %f : f32, %c : i1)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // CHECK-LABEL: func.func @no_kernel_update(
  func.func @no_kernel_update(%x: memref<32xf32>) {
    // CHECK-NOT: web_of
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@update blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // The kernel reads one argument and writes another; here both are the buffer.
  // CHECK-LABEL: func.func @no_kernel_same_buffer_twice(
  func.func @no_kernel_same_buffer_twice(%x: memref<32xf32>) {
    // CHECK-NOT: web_of
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@map blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<32xf32>, %a : memref<32xf32>)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }

  // Here only the argument that it writes is.
  // CHECK-LABEL: func.func @kernel_map(
  func.func @kernel_map(%x: memref<32xf32>) {
    // CHECK-COUNT-2: transient.alloc {{.*}}web_of 0
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a = gpu.alloc () : memref<32xf32>
    gpu.memcpy %a, %x : memref<32xf32>, memref<32xf32>
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    gpu.launch_func @m::@map blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<32xf32>, %a : memref<32xf32>)
    gpu.memcpy %x, %a : memref<32xf32>, memref<32xf32>
    return
  }
}
