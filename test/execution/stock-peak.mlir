// The other side of every comparison: bytes that the program holds at its peak
// after stock deallocation, computed without Transient.

// All deallocations land at the end of the block: the peak is the sum.
// RUN: %python %utils/stock_peak.py %s --entry chain | FileCheck %s --check-prefix=CHAIN
// CHAIN: "allocations": 3, "total_bytes": 224, "peak_bytes": 224, "unknown_sizes": 0, "unmatched": 0

// Moved up to the last use, two of the three are held together at most.
// RUN: %python %utils/stock_peak.py %s --entry chain --pipeline liveness | FileCheck %s --check-prefix=LIVENESS
// LIVENESS: "pipeline": "liveness", "allocations": 3, "total_bytes": 224, "peak_bytes": 192

// A callee's buffers come on top of its caller's; each call frees its own.
// RUN: %python %utils/stock_peak.py %s --entry caller | FileCheck %s --check-prefix=CALLER
// CALLER: "function": "caller", {{.*}}"total_bytes": 80, "peak_bytes": 48

// Freed through a view: still the same buffer.
// RUN: %python %utils/stock_peak.py %s --entry view --pipeline none | FileCheck %s --check-prefix=VIEW
// VIEW: "total_bytes": 32, "peak_bytes": 16, "unknown_sizes": 0, "unmatched": 0

// A size that is not known is counted, not guessed.
// RUN: %python %utils/stock_peak.py %s --entry dynamic --pipeline none | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: "peak_bytes": 4, "unknown_sizes": 1
// RUN: %python %utils/stock_peak.py %s --entry dynamic --pipeline none --dyn 8 | FileCheck %s --check-prefix=DYN
// DYN: "peak_bytes": 36, "unknown_sizes": 0

// RUN: not %python %utils/stock_peak.py %s --entry absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: stock_peak.py: error: {{.*}}: no public function with a body named @absent

func.func @chain(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<2x16xf32>
  linalg.broadcast ins(%a : memref<16xf32>) outs(%b : memref<2x16xf32>) dimensions = [0]
  %c = memref.alloc() : memref<8xf32>
  %s = memref.subview %b[0, 0] [1, 8] [1, 1] : memref<2x16xf32> to memref<8xf32, strided<[1]>>
  linalg.exp ins(%s : memref<8xf32, strided<[1]>>) outs(%c : memref<8xf32>)
  %o = memref.subview %out[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %c, %o : memref<8xf32> to memref<8xf32, strided<[1]>>
  return
}

func.func private @callee(%x: memref<4xf32>) {
  %t = memref.alloc() : memref<8xf32>
  %h = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %h : memref<4xf32> to memref<4xf32, strided<[1]>>
  return
}

func.func @caller(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  call @callee(%a) : (memref<4xf32>) -> ()
  call @callee(%a) : (memref<4xf32>) -> ()
  return
}

func.func @view() {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @dynamic(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<f32>
  return
}
