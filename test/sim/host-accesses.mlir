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
  }
  func.func private @printF32(f32)

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
}
