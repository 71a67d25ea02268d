#!/usr/bin/env bash
#===- sim-table.sh - The corpus on the simulated device, as a table -------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: sim-table.sh [--quick] [MODEL...]
# Runs the small programs of ../shared/corpus planned and unplanned, on one, two
# and four streams, with sim-compare.py, and prints its rows as one table:
# program, ops, kernels, seconds, races and so on. --quick: two schedules each, one
# of them with the checker on. Exits 1 if one program is not as it should be.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
opt=${TRANSIENT_OPT:-$root/build/bin/transient-opt}
models=$root/../shared/corpus/models
all=(sobel_iree softmax_dyn_iree lenet_buddy attention_loop_buddy mha_tpp
  bert_tiny_buddy attention_bs3_iree mobilenet_v2_tpp mlp3_tpp
  mlp_torchdynamo_tpp)

# As many runs as are worth their time; the tests of these models do the same.
options() {
  case $1 in
    softmax_dyn_iree) echo --dyn=12,128 ;;
    attention_bs3_iree) echo --checked=3 ;;
    mobilenet_v2_tpp) echo --checked=1 ;;
    mlp3_tpp | mlp_torchdynamo_tpp) echo --schedules=adversarial,random:1 --checked=1 ;;
  esac
}

quick=()
if [[ ${1:-} == --quick ]]; then
  quick=(--schedules=adversarial,random:1 --checked=1)
  shift
fi
if [[ ${1:-} == -* ]]; then
  sed -n '7,11p' "$0" | cut -c3- >&2
  exit 2
fi
[[ $# -gt 0 ]] || set -- "${all[@]}"

status=0
rows=$(
  for model in "$@"; do
    read -ra more < <(options "$model"; echo)
    python3 "$root/utils/sim-compare.py" "$models/$model"/{memref,gpu_dag_s2,gpu_dag_s4}.mlir \
      --opt "$opt" --runtime "$(dirname "$opt")/../lib/libTransientSimRuntime.so" \
      "${more[@]}" "${quick[@]}" || exit
  done
) || status=$?
# One heading, columns of one width; what is wrong, as it is.
awk '/^outputs identical/ || (/^program / && seen++) { next }
     /^[a-z0-9_]+( |\/)/ && NF == 10 {
       printf "%-30s", $1
       for (i = 2; i <= NF; ++i) printf "%11s", $i
       print ""
       next
     }
     { print }' <<<"$rows"
exit "$status"
