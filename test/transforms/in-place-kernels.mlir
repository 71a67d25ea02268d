// Kernels that could see, over one buffer, what they have written themselves.
// RUN: transient-opt %s -split-input-file --transient-in-place -verify-diagnostics | FileCheck %s
// CHECK-NOT: in_place

module attributes {gpu.container_module} {
  gpu.module @m {
    // The next element: another thread may have written it.
    gpu.func @neighbour(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %c63 = arith.constant 63 : index
      %i = gpu.thread_id x
      %j = arith.subi %c63, %i : index
      // expected-note @below {{here}}
      %v = memref.load %from[%j] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    // Read again after the store.
    gpu.func @reload(%from: memref<64xf32>, %to: memref<64xf32>, %other: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      // expected-note @below {{here}}
      %w = memref.load %from[%i] : memref<64xf32>
      memref.store %w, %other[%i] : memref<64xf32>
      gpu.return
    }
    // The second store of an element would have to wait for all loads.
    gpu.func @two_stores(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      // expected-note @below {{here}}
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    // Threads past the end repeat the last element. They all store the same.
    gpu.func @clamped(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %i = arith.minui %t, %c63 : index
      %v = memref.load %from[%i] : memref<64xf32>
      %r = arith.negf %v : f32
      // expected-note @below {{here}}
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    // Every block does all of it.
    gpu.func @repeated(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %r = arith.negf %v : f32
      // expected-note @below {{here}}
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    // How many blocks there are is not known.
    gpu.func @maybe_repeated(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %r = arith.negf %v : f32
      // expected-note @below {{here}}
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    // So does every round.
    gpu.func @rounds(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %i = gpu.thread_id x
      scf.for %j = %c0 to %c2 step %c1 {
        %v = memref.load %from[%i] : memref<64xf32>
        %r = arith.negf %v : f32
        // expected-note @below {{here}}
        memref.store %r, %to[%i] : memref<64xf32>
      }
      gpu.return
    }
    // Tiles that overlap: 8 threads, but steps of 4.
    gpu.func @overlapping(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %c4 = arith.constant 4 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %o = arith.muli %b, %c4 : index
      %i = arith.addi %o, %t : index
      %v = memref.load %from[%i] : memref<64xf32>
      %r = arith.negf %v : f32
      // expected-note @below {{here}}
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    // A view could name any element.
    gpu.func @view(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      // expected-note @below {{here}}
      %s = memref.subview %from[1] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 1>>
      %v = memref.load %s[%i] : memref<32xf32, strided<[1], offset: 1>>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    // The promise holds for two buffers, and not for one.
    // expected-note @below {{here}}
    gpu.func @promised(%from: memref<64xf32> {llvm.noalias}, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @twice(%from: memref<64xf32>, %again: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %w = memref.load %again[%i] : memref<64xf32>
      %r = arith.addf %v, %w : f32
      memref.store %r, %to[%i] : memref<64xf32>
      gpu.return
    }
    // An atomic update reads the result, which so has a value before.
    gpu.func @atomic(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      %old = memref.atomic_rmw addf %v, %to[%i] : (f32, memref<64xf32>) -> f32
      gpu.return
    }
    gpu.func @plain(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
    // The elements of the one do not lie where those of the other do.
    gpu.func @shapes(%from: memref<?xf32>, %to: memref<?xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<?xf32>
      memref.store %v, %to[%i] : memref<?xf32>
      gpu.return
    }
    func.func private @device(memref<64xf32>)
    gpu.func @unseen(%from: memref<64xf32>, %to: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      func.call @device(%from) : (memref<64xf32>) -> ()
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @neighbour(
  func.func @neighbour(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{the kernel loads the operand at other indices than it stores the result at}}
    gpu.launch_func @m::@neighbour blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @reload(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{the kernel may load the operand after it has stored the result}}
    gpu.launch_func @m::@reload blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>, %x : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @two_stores(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{the kernel uses the result by something else than one 'memref.store'}}
    gpu.launch_func @m::@two_stores blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @clamped(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{several threads or iterations of the kernel may store one element of the result}}
    gpu.launch_func @m::@clamped blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @repeated(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{several threads or iterations of the kernel may store one element of the result}}
    gpu.launch_func @m::@repeated blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @rounds(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{several threads or iterations of the kernel may store one element of the result}}
    gpu.launch_func @m::@rounds blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @overlapping(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{several threads or iterations of the kernel may store one element of the result}}
    gpu.launch_func @m::@overlapping blocks in (%c8, %c1, %c1) threads in (%c8, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @view(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{the kernel uses the operand by something else than 'memref.load'}}
    gpu.launch_func @m::@view blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @promised(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{the kernel's argument has attributes, which may not hold where two arguments are one buffer}}
    gpu.launch_func @m::@promised blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @twice(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{this op uses the operand or the result in another way, too}}
    // expected-note @below {{here}}
    gpu.launch_func @m::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  // Read and written: the result has a value before.
  func.func @atomic(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    gpu.launch_func @m::@atomic blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @sizes(%x: memref<64xf32>, %n: index, %f: f32) {
    %c1 = arith.constant 1 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    // expected-remark @below {{several threads or iterations of the kernel may store one element of the result}}
    gpu.launch_func @m::@maybe_repeated blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  func.func @shapes(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    %u = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
    %v = memref.cast %u : memref<32xf32, strided<[1]>> to memref<?xf32>
    %w = memref.cast %b : memref<64xf32> to memref<?xf32>
    // expected-remark @below {{this op sees the operand and the result in part only, or in two shapes}}
    gpu.launch_func @m::@shapes blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%v : memref<?xf32>, %w : memref<?xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  // Nobody knows what it does.
  func.func @unseen(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    gpu.launch_func @m::@unseen blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    return
  }

  // By its kernel and by a reader, too: there is nothing to be gained.
  func.func @both(%x: memref<64xf32>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %a = transient.alloc kind gpu : memref<64xf32>
    %b = transient.alloc kind gpu : memref<64xf32>
    gpu.memset %a, %f : memref<64xf32>, f32
    gpu.launch_func @m::@repeated blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.memcpy %x, %b : memref<64xf32>, memref<64xf32>
    gpu.memcpy %x, %a : memref<64xf32>, memref<64xf32>
    return
  }
}
