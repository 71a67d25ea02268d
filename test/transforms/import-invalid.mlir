// Programs that free too early, and sizes that are no numbers.
// RUN: transient-opt %s -split-input-file --transient-import -verify-diagnostics

// A free that waits for one of two readers.
func.func @free_before_second_reader(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %0 = gpu.wait async
  // expected-note @below {{allocated here}}
  %a, %1 = gpu.alloc async [%0] () : memref<64xf32>
  %2 = gpu.memset async [%1] %a, %f : memref<64xf32>, f32
  %r1 = gpu.memcpy async [%2] %x, %a : memref<64xf32>, memref<64xf32>
  %fork = gpu.wait async [%2]
  // expected-note @below {{this access may still run, or start, when the free starts}}
  %r2 = gpu.memcpy async [%fork] %y, %a : memref<64xf32>, memref<64xf32>
  // expected-error @below {{frees buffer 0 of type 'memref<64xf32>' before every access to it is proved to have ended}}
  %d = gpu.dealloc async [%r1] %a : memref<64xf32>
  gpu.wait [%d]
  gpu.wait [%r2]
  return
}

// -----

// The position of the free says nothing: the copy is still running.
func.func @free_above_wait(%x: memref<64xf32>, %f: f32) {
  // expected-note @below {{allocated here}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %0 = gpu.wait async
  // expected-note @below {{this access may still run}}
  %1 = gpu.memcpy async [%0] %x, %a : memref<64xf32>, memref<64xf32>
  // expected-error @below {{before every access to it is proved to have ended}}
  memref.dealloc %a : memref<64xf32>
  gpu.wait [%1]
  return
}

// -----

func.func @use_after_free(%f: f32) {
  // expected-note @below {{allocated here}}
  %a = memref.alloc() : memref<64xf32>
  // expected-error @below {{before every access to it is proved to have ended}}
  memref.dealloc %a : memref<64xf32>
  // expected-note @below {{this access may still run, or start, when the free starts}}
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}

// -----

func.func @overflow(%f: f32) {
  // expected-error @below {{overflow: the size of buffer 0 of type 'memref<2147483648x1073741824xf32>' does not fit 64 bits}}
  %a = memref.alloc() : memref<2147483648x1073741824xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<2147483648x1073741824xf32>)
  return
}

// -----

// A free between two values is held against the users of both: it frees the
// allocation, whatever becomes of the values.
func.func @free_between_values(%f: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-note @below {{allocated here}}
  %a = gpu.alloc () : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
  %t2 = gpu.memcpy async [%t1] %x, %a : memref<64xf32>, memref<64xf32>
  %t3 = gpu.memset async [%t2] %a, %f : memref<64xf32>, f32
  // expected-note @below {{this access may still run, or start, when the free starts}}
  %t4 = gpu.memcpy async [%t3] %y, %a : memref<64xf32>, memref<64xf32>
  // expected-error @below {{frees buffer 0 of type 'memref<64xf32>' before every access to it is proved to have ended}}
  %t5 = gpu.dealloc async [%t2] %a : memref<64xf32>
  gpu.wait [%t4, %t5]
  return
}
