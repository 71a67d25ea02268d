// V10: a library op's workspace has the size that was asked for with the op's own
// arguments (D6).
// RUN: transient-opt %s -split-input-file -transient-verify -verify-diagnostics -o /dev/null

func.func @own_arguments(%a: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %t0 = gpu.wait async
  %size, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %w, %t2 = gpu.alloc async [%t1] (%size) : memref<?xi8>
  %t3 = gpu.spmv async [%t2] %a, %x, %y, %w : memref<?xi8> into f32
  %t4 = gpu.dealloc async [%t3] %w : memref<?xi8>
  gpu.wait [%t4]
  return
}

// -----

func.func @other_matrix(%a: !gpu.sparse.spmat_handle, %b: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %t0 = gpu.wait async
  // expected-note @below {{this query gave the size}}
  %size, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %w, %t2 = gpu.alloc async [%t1] (%size) : memref<?xi8>
  // expected-error @below {{the workspace of 'gpu.spmv' has a size that was asked for with other arguments (V10)}}
  %t3 = gpu.spmv async [%t2] %b, %x, %y, %w : memref<?xi8> into f32
  %t4 = gpu.dealloc async [%t3] %w : memref<?xi8>
  gpu.wait [%t4]
  return
}

// -----

func.func @other_mode(%a: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %t0 = gpu.wait async
  // expected-note @below {{this query gave the size}}
  %size, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %w, %t2 = gpu.alloc async [%t1] (%size) : memref<?xi8>
  // expected-error @below {{the workspace of 'gpu.spmv' has a size that was asked for with other arguments (V10)}}
  %t3 = gpu.spmv async [%t2] %a{TRANSPOSE}, %x, %y, %w : memref<?xi8> into f32
  %t4 = gpu.dealloc async [%t3] %w : memref<?xi8>
  gpu.wait [%t4]
  return
}

// -----

func.func @other_type(%a: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %t0 = gpu.wait async
  // expected-note @below {{this query gave the size}}
  %size, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %w, %t2 = gpu.alloc async [%t1] (%size) : memref<?xi8>
  // expected-error @below {{the workspace of 'gpu.spmv' has a size that was asked for with other arguments (V10)}}
  %t3 = gpu.spmv async [%t2] %a, %x, %y, %w : memref<?xi8> into f64
  %t4 = gpu.dealloc async [%t3] %w : memref<?xi8>
  gpu.wait [%t4]
  return
}

// -----

func.func @other_op(%a: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle) {
  %t0 = gpu.wait async
  // expected-note @below {{this query gave the size}}
  %size, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %w, %t2 = gpu.alloc async [%t1] (%size) : memref<?xi8>
  // expected-error @below {{the workspace of 'gpu.spmm' has a size that was asked for with other arguments (V10)}}
  %t3 = gpu.spmm async [%t2] %a, %x, %y, %w : memref<?xi8> into f32
  %t4 = gpu.dealloc async [%t3] %w : memref<?xi8>
  gpu.wait [%t4]
  return
}

// -----

// A larger one of two sizes, and a size from elsewhere: nothing is claimed.
func.func @not_judged(%a: !gpu.sparse.spmat_handle, %b: !gpu.sparse.spmat_handle, %x: !gpu.sparse.dntensor_handle, %y: !gpu.sparse.dntensor_handle, %n: index) {
  %t0 = gpu.wait async
  %size0, %t1 = gpu.spmv_buffer_size async [%t0] %a, %x, %y into f32
  %size1, %t2 = gpu.spmv_buffer_size async [%t1] %b, %x, %y into f32
  %size = arith.maxui %size0, %size1 : index
  %w, %t3 = gpu.alloc async [%t2] (%size) : memref<?xi8>
  %t4 = gpu.spmv async [%t3] %a, %x, %y, %w : memref<?xi8> into f32
  %t5 = gpu.spmv async [%t4] %b, %x, %y, %w : memref<?xi8> into f32
  %v, %t6 = gpu.alloc async [%t5] (%n) : memref<?xi8>
  %t7 = gpu.spmv async [%t6] %b, %x, %y, %v : memref<?xi8> into f32
  %t8 = gpu.dealloc async [%t7] %w : memref<?xi8>
  %t9 = gpu.dealloc async [%t8] %v : memref<?xi8>
  gpu.wait [%t9]
  return
}
