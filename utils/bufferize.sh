#!/usr/bin/env bash
#===- bufferize.sh - Tensors to memrefs with stock passes only ------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bufferize.sh [--cse] INPUT.mlir [OUTPUT.mlir]
#
# What an MLIR user has before Transient runs: one buffer for every tensor that
# needs one, results as out-parameters, no deallocations. With --cse equal
# tensor.empty ops are merged first, as most drivers do: fewer buffers, each of
# which then carries several values. Knows nothing of Transient.
#===-----------------------------------------------------------------------===#
set -euo pipefail

usage() {
  echo "usage: bufferize.sh [--cse] INPUT.mlir [OUTPUT.mlir]" >&2
  exit 2
}

cse=0
if [[ ${1:-} == --cse ]]; then
  cse=1
  shift
fi
[[ $# -ge 1 && $# -le 2 && ${1:0:1} != - ]] || usage
input=$1
output=${2:--}

mlir_opt=${MLIR_OPT:-$(command -v mlir-opt-22 || echo /usr/lib/llvm-22/bin/mlir-opt)}

to_linalg='func.func(tosa-optional-decompositions,tosa-make-broadcastable,tosa-to-linalg-named,canonicalize,tosa-to-linalg,tosa-to-tensor,tosa-to-arith,tosa-to-scf)'
tidy='inline,canonicalize,symbol-dce,func.func(convert-elementwise-to-linalg)'
bufferize='one-shot-bufferize{bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 function-boundary-type-conversion=identity-layout-map}'
out_params='buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1}'

if [[ $cse == 1 ]]; then
  passes="$to_linalg,$tidy,cse,eliminate-empty-tensors,$bufferize,canonicalize,cse,$out_params,canonicalize,cse"
else
  passes="$to_linalg,$tidy,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,$bufferize,canonicalize,$out_params,canonicalize"
fi

exec "$mlir_opt" "$input" --pass-pipeline="builtin.module($passes)" -o "$output"
