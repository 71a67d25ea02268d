// Which ops are proved to overwrite a whole buffer. Every other op stays without
// a remark.
// RUN: transient-opt %s -split-input-file --test-transient-overwrite --verify-diagnostics -o /dev/null

// Through views that name every element.
func.func @whole_views(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x4xf32>
  %cast = memref.cast %a : memref<8x4xf32> to memref<?x4xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%cast : memref<?x4xf32>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<8x4xf32> into memref<32xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%flat : memref<32xf32>)
  %full = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x4xf32> to memref<8x4xf32, strided<[4, 1]>>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%full : memref<8x4xf32, strided<[4, 1]>>)
  %turned = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [1, 4] : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%turned : memref<4x8xf32, strided<[1, 4]>>)
  // The base is what counts, not the part from which it is reached.
  %row = memref.subview %a[2, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  %back = memref.reinterpret_cast %row to offset: [0], sizes: [32], strides: [1] : memref<4xf32, strided<[1], offset: 8>> to memref<32xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%back : memref<32xf32>)
  return
}

// -----

func.func @no_partial_views(%f: f32, %n: index) {
  %a = memref.alloc() : memref<8x4xf32>
  %row = memref.subview %a[2, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  linalg.fill ins(%f : f32) outs(%row : memref<4xf32, strided<[1], offset: 8>>)
  %dynamic = memref.subview %a[0, 0] [%n, 4] [1, 1] : memref<8x4xf32> to memref<?x4xf32, strided<[4, 1]>>
  linalg.fill ins(%f : f32) outs(%dynamic : memref<?x4xf32, strided<[4, 1]>>)
  // As many elements, but the first is not among them.
  %shifted = memref.reinterpret_cast %a to offset: [1], sizes: [31], strides: [1] : memref<8x4xf32> to memref<31xf32, strided<[1], offset: 1>>
  linalg.fill ins(%f : f32) outs(%shifted : memref<31xf32, strided<[1], offset: 1>>)
  // The same four elements eight times.
  %repeated = memref.reinterpret_cast %a to offset: [0], sizes: [8, 4], strides: [0, 1] : memref<8x4xf32> to memref<8x4xf32, strided<[0, 1]>>
  linalg.fill ins(%f : f32) outs(%repeated : memref<8x4xf32, strided<[0, 1]>>)
  %every_second = memref.reinterpret_cast %a to offset: [0], sizes: [16], strides: [2] : memref<8x4xf32> to memref<16xf32, strided<[2]>>
  linalg.fill ins(%f : f32) outs(%every_second : memref<16xf32, strided<[2]>>)
  return
}

// -----

// An element type of another width: all bytes, or not those between elements.
func.func @views_of_bytes(%f: f32, %b: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.fill ins(%f : f32) outs(%v : memref<16xf32>)
  %tail = memref.view %a[%c4][] : memref<64xi8> to memref<15xf32>
  linalg.fill ins(%f : f32) outs(%tail : memref<15xf32>)
  %unknown = memref.view %a[%n][] : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%unknown : memref<16xf32>)
  %bits = memref.view %a[%c0][] : memref<64xi8> to memref<64xi1>
  linalg.fill ins(%b : i1) outs(%bits : memref<64xi1>)
  return
}

// -----

func.func @linalg_ops(%f: f32, %m: memref<4x4xf32>, %v: memref<4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.copy ins(%m : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // expected-remark @below {{overwrites all of it}}
  linalg.transpose ins(%m : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
  // expected-remark @below {{overwrites all of it}}
  linalg.broadcast ins(%v : memref<4xf32>) outs(%a : memref<4x4xf32>) dimensions = [0]
  // expected-remark @below {{overwrites all of it}}
  linalg.add ins(%m, %m : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.add ins(%m, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%m, %m : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // An input counts as read, whether or not the payload uses it.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %f : f32
  }
  return
}

// -----

// The iteration space misses elements, or is empty.
func.func @no_linalg_coverage(%f: f32, %v: memref<4xf32>, %e: memref<0xf32>, %n: memref<?xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4xf32>
  // The diagonal.
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%v : memref<4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // A row.
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0, i)>], iterator_types = ["parallel"]}
      ins(%v : memref<4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // A reduction over nothing, or over who knows how much.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<0xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%n : memref<?xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// A dimension of size 1 may be indexed by a constant.
func.func @unit_dimension(%v: memref<4xf32>) {
  %a = memref.alloc() : memref<1x4xf32>
  // expected-remark @below {{overwrites all of it}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0, i)>], iterator_types = ["parallel"]}
      ins(%v : memref<4xf32>) outs(%a : memref<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

func.func @copies(%f: f32, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  gpu.memcpy %a, %x : memref<16xf32>, memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  gpu.memset %a, %f : memref<16xf32>, f32
  memref.copy %a, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @elements_and_vectors(%f: f32, %v: vector<16xf32>, %w: vector<15xf32>, %m: vector<16xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  // expected-remark @below {{overwrites all of it}}
  vector.store %v, %a[%c0] : memref<16xf32>, vector<16xf32>
  vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<15xf32>, memref<16xf32>
  vector.transfer_write %v, %a[%c1] : vector<16xf32>, memref<16xf32>
  vector.transfer_write %v, %a[%c0], %m {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  vector.store %w, %a[%c0] : memref<16xf32>, vector<15xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  %s = memref.alloc() : memref<f32>
  // expected-remark @below {{overwrites all of it}}
  memref.store %f, %s[] : memref<f32>
  %o = memref.alloc() : memref<1x1xf32>
  // expected-remark @below {{overwrites all of it}}
  affine.store %f, %o[0, 0] : memref<1x1xf32>
  return
}

// -----

// What may be another buffer is not this one.
func.func @no_choice(%c: i1, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %s = arith.select %c, %a, %b : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<16xf32>)
  return
}

// -----

// Bytes between the rows are no element of the buffer, but a view may show them.
func.func @no_padded_layout(%f: f32) {
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  linalg.fill ins(%f : f32) outs(%a : memref<4x4xf32, strided<[8, 1]>>)
  return
}
