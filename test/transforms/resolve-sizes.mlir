// Sizes become numbers: size functions are evaluated, and allocations with
// constant sizes get a static type (D2).
// RUN: transient-opt %s -split-input-file -transient-resolve-sizes -verify-diagnostics | FileCheck %s
// RUN: transient-opt %s -split-input-file -transient-resolve-sizes -transient-resolve-sizes -verify-diagnostics | FileCheck %s

// CHECK-NOT: transient.size
module {
  transient.size_function @gemm dims ["m", "n"] cases [
    #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (0)>>,
    #transient.size_case<algorithm = "split_k", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (m * n * 4 * at_once)>>,
    #transient.size_case<algorithm = "split_k", mode = "f16", bytes = affine_map<()[m, n, at_once] -> ((m * n * 2 * at_once) ceildiv 256 * 256)>>]

  // One operation, two algorithms, two modes: different sizes.
  // CHECK-LABEL: func.func @constants
  func.func @constants() -> (index, index, index, index) {
    %m = arith.constant 64 : index
    %n = arith.constant 10 : index
    // CHECK: %[[SPLIT:.*]] = arith.constant 2560 : index
    %0 = transient.size @gemm(%m, %n) algorithm "split_k" mode "f32"
    // CHECK: %[[TWO:.*]] = arith.constant 5120 : index
    %1 = transient.size @gemm(%m, %n) algorithm "split_k" mode "f32" at_once 2
    // CHECK: %[[HALF:.*]] = arith.constant 1280 : index
    %2 = transient.size @gemm(%m, %n) algorithm "split_k" mode "f16"
    // CHECK: %[[NONE:.*]] = arith.constant 0 : index
    %3 = transient.size @gemm(%m, %n) algorithm "direct" mode "f32"
    // CHECK: return %[[SPLIT]], %[[TWO]], %[[HALF]], %[[NONE]]
    return %0, %1, %2, %3 : index, index, index, index
  }

  // CHECK-LABEL: func.func @arithmetic
  func.func @arithmetic(%m: index) -> index {
    %n = arith.constant 10 : index
    // CHECK: arith.muli
    // CHECK-NOT: transient.size
    %0 = transient.size @gemm(%m, %n) algorithm "split_k" mode "f32" at_once 2
    return %0 : index
  }

  // CHECK-LABEL: func.func @allocations
  // CHECK-SAME: (%[[M:.*]]: index)
  func.func @allocations(%m: index) {
    %n = arith.constant 10 : index
    %s = transient.size @gemm(%n, %n) algorithm "split_k" mode "f32"
    // CHECK: %[[W:.*]] = gpu.alloc () : memref<400xi8>
    // CHECK-NEXT: %[[C:.*]] = memref.cast %[[W]] : memref<400xi8> to memref<?xi8>
    %w = gpu.alloc (%s) : memref<?xi8>
    // CHECK-NEXT: gpu.dealloc %[[C]] : memref<?xi8>
    gpu.dealloc %w : memref<?xi8>
    // CHECK: memref.alloc(%[[M]]) {alignment = 64 : i64} : memref<?x10xf32>
    %a = memref.alloc(%m, %n) {alignment = 64 : i64} : memref<?x?xf32>
    memref.dealloc %a : memref<?x?xf32>
    // CHECK: transient.alloc kind gpu class workspace : memref<10xi8>
    %t = transient.alloc(%n) kind gpu class workspace : memref<?xi8>
    // CHECK: memref.alloc(%[[M]]) : memref<?xi8>
    %d = memref.alloc(%m) : memref<?xi8>
    memref.dealloc %d : memref<?xi8>
    return
  }
}

// -----

// Somebody else may still ask.
// CHECK: transient.size_function @nobody
transient.size_function @nobody dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m)>>] {used_by = @nobody}

// -----

transient.size_function @cube dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m * 2147483647 * 2147483647)>>]
func.func @overflow() -> index {
  %m = arith.constant 8 : index
  // expected-error@+1 {{overflow: the size of algorithm 'direct' in mode 'f32' is negative or does not fit 64 bits}}
  %0 = transient.size @cube(%m) algorithm "direct" mode "f32"
  return %0 : index
}

// -----

transient.size_function @rest dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m - 100)>>]
func.func @negative() -> index {
  %m = arith.constant 8 : index
  // expected-error@+1 {{overflow: the size of algorithm 'direct' in mode 'f32' is negative or does not fit 64 bits}}
  %0 = transient.size @rest(%m) algorithm "direct" mode "f32"
  return %0 : index
}

// -----

transient.size_function @tiles dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m floordiv -4)>>]
func.func @divisor() -> index {
  %m = arith.constant 64 : index
  // expected-error@+1 {{overflow: the size of algorithm 'direct' in mode 'f32' is negative or does not fit 64 bits}}
  %0 = transient.size @tiles(%m) algorithm "direct" mode "f32"
  return %0 : index
}

// -----

transient.size_function @tiles dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m floordiv -4)>>]
func.func @unknown_divided(%m: index) -> index {
  // expected-error@+1 {{division by non-positive value is not supported}}
  %0 = transient.size @tiles(%m) algorithm "direct" mode "f32"
  return %0 : index
}
