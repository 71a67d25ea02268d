// Without the checker only results can tell. In the order of enqueueing these
// programs compute what their author meant; the adversarial schedule finds an
// order in which they do not.
//
// REQUIRES: mlir-runner
// RUN: env TRANSIENT_SIM_CHECK=0 %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo
// RUN: sed 's/CLEAN: .*/CLEAN: ^(?!1\\n$)/' %s > %t.mlir
// RUN: env TRANSIENT_SIM_CHECK=0 %python %S/Inputs/expect.py %t.mlir --beside %plugin --schedules adversarial

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @copy(%to: memref<64xf32>, %from: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }

  // CLEAN: ^1\n$
  func.func @read_after_write() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %s = gpu.wait async [%t2]
    %u1 = gpu.memset async [%t2] %a, %one : memref<64xf32>, f32
    %u2 = gpu.launch_func async [%s] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    %j = gpu.wait async [%u1, %u2]
    %u3 = gpu.memcpy async [%j] %h, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%u3]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // CLEAN: ^1\n$
  func.func @write_after_read() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %one : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.launch_func async [%t3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b: memref<64xf32>, %a: memref<64xf32>)
    %u2 = gpu.memset async [%s] %a, %two : memref<64xf32>, f32
    %j = gpu.wait async [%u1, %u2]
    %u3 = gpu.memcpy async [%j] %h, %b : memref<64xf32>, memref<64xf32>
    gpu.wait [%u3]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // CLEAN: ^1\n$
  func.func @free_before_reader() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.memset async [%t1] %a, %one : memref<64xf32>, f32
    %s = gpu.wait async [%t2]
    %u1 = gpu.memcpy async [%t2] %h, %a : memref<64xf32>, memref<64xf32>
    %u2 = gpu.dealloc async [%s] %a : memref<64xf32>
    gpu.wait [%u1, %u2]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }

  // The host awaits an unrelated operation before it reads the copy.
  // CLEAN: ^1\n$
  func.func @host_read_without_wait() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %h = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<64xf32>
    %t3 = gpu.memset async [%t2] %a, %one : memref<64xf32>, f32
    %s = gpu.wait async [%t3]
    %u1 = gpu.memcpy async [%t3] %h, %a : memref<64xf32>, memref<64xf32>
    %u2 = gpu.memset async [%s] %b, %one : memref<64xf32>, f32
    gpu.wait [%u2]
    %x = memref.load %h[%c0] : memref<64xf32>
    vector.print %x : f32
    return
  }
}
