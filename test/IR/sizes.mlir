// Size functions and their rules (D2).
// RUN: transient-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: #[[SPLIT:.*]] = affine_map<()[s0, s1, s2] -> (((s0 * s1) * s2) * 4)>
// CHECK: transient.size_function @gemm dims ["m", "n"] cases [#transient.size_case<algorithm = "direct", mode = "f32", bytes = #{{.*}}>, #transient.size_case<algorithm = "split_k", mode = "f32", bytes = #[[SPLIT]]>]
transient.size_function @gemm dims ["m", "n"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (0)>>,
  #transient.size_case<algorithm = "split_k", mode = "f32", bytes = affine_map<()[m, n, at_once] -> (m * n * 4 * at_once)>>]
// CHECK-LABEL: func.func @ask
func.func @ask(%m: index, %n: index) -> (index, index) {
  // CHECK: transient.size @gemm(%{{.*}}, %{{.*}}) algorithm "split_k" mode "f32" at_once 2
  %0 = transient.size @gemm(%m, %n) algorithm "split_k" mode "f32" at_once 2
  // CHECK: transient.size @gemm(%{{.*}}, %{{.*}}) algorithm "direct" mode "f32"{{$}}
  %1 = transient.size @gemm(%m, %n) algorithm "direct" mode "f32"
  return %0, %1 : index, index
}

// -----

// expected-error@+1 {{'transient.size_function' op expects a map of 3 symbols to one result for algorithm 'direct', got affine_map<()[s0, s1] -> (s0)>}}
transient.size_function @size_function_R1 dims ["m", "n"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m)>>]

// -----

// expected-error@+1 {{'transient.size_function' op has two cases for algorithm 'direct' in mode 'f32'}}
transient.size_function @size_function_R2 dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m)>>,
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m * 2)>>]

// -----

func.func @size_R1_symbol(%m: index) {
  // expected-error@+1 {{'transient.size' op expects @nowhere to be a transient.size_function}}
  %0 = transient.size @nowhere(%m) algorithm "direct" mode "f32"
  return
}

// -----

transient.size_function @gemm dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m)>>]
func.func @size_R1_dims(%m: index) {
  // expected-error@+1 {{'transient.size' op expects 1 dimensions, as @gemm has, got 2}}
  %0 = transient.size @gemm(%m, %m) algorithm "direct" mode "f32"
  return
}

// -----

// Never 0, never a guess.
transient.size_function @gemm dims ["m"] cases [
  #transient.size_case<algorithm = "direct", mode = "f32", bytes = affine_map<()[m, at_once] -> (m)>>]
func.func @size_R2(%m: index) {
  // expected-error@+1 {{'transient.size' op has no size: @gemm says nothing of algorithm 'winograd' in mode 'f32'}}
  %0 = transient.size @gemm(%m) algorithm "winograd" mode "f32"
  return
}
