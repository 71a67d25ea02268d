#!/usr/bin/env bash
#===- host-waits.sh - How often the host waits, before and after planning -===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: host-waits.sh MEMREF.mlir...
# Takes each sequential program to gpu launches and through the stock
# gpu-async-region, as it stands and after Transient, and counts blocking
# gpu.wait ops. The stock pass must wait at every allocation; one arena leaves it
# little to wait for. Copies count as device copies (gpu.memcpy) in both.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
opt=${TRANSIENT_OPT:-$root/build/bin/transient-opt}
mlir_opt=${MLIR_OPT:-$(command -v mlir-opt-22 || echo /usr/lib/llvm-22/bin/mlir-opt)}
[[ $# -gt 0 ]] || { sed -n '8,13p' "$0" | cut -c3- >&2; exit 2; }

outline='builtin.module(func.func(convert-linalg-to-parallel-loops,canonicalize,gpu-map-parallel-loops,convert-parallel-loops-to-gpu,canonicalize,cse),lower-affine,gpu-kernel-outlining,canonicalize)'

# waits FILE: blocking waits after gpu-async-region.
waits() {
  sed -E 's/^( *)memref\.copy ([^,]+), ([^:]+) : (.*) to (.*)$/\1gpu.memcpy \3, \2 : \5, \4/' "$1" |
    "$mlir_opt" --pass-pipeline='builtin.module(func.func(gpu-async-region))' |
    grep -cE '^ *gpu\.wait( |$)' || true
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-40s %9s %9s %9s\n' program launches before after
for file in "$@"; do
  "$mlir_opt" "$file" --pass-pipeline="$outline" -o "$work/before.mlir"
  "$opt" "$file" --transient-pipeline -o "$work/planned.mlir" 2>/dev/null
  "$mlir_opt" "$work/planned.mlir" --pass-pipeline="$outline" -o "$work/after.mlir"
  printf '%-40s %9d %9d %9d\n' "$(basename "$(dirname "$file")")/$(basename "$file")" \
    "$(grep -c 'gpu\.launch_func' "$work/before.mlir")" \
    "$(waits "$work/before.mlir")" "$(waits "$work/after.mlir")"
done
