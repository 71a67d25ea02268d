#!/usr/bin/env bash
#===- sim-table.sh - The corpus on the simulated device, as a table -------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: sim-table.sh [--quick | --random N] [MODEL...]
# Runs the small programs of ../shared/corpus planned and unplanned, on one, two
# and four streams and after the stock cse, with sim-compare.py and the checker
# on, and prints its rows as one table: program, ops, kernels, seconds, races and
# so on. Schedules: fifo, lifo, adversarial, and N random ones (default 10);
# --quick: two, one of them with the checker on. Exits 1 if one program is not as
# it should be.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
opt=${TRANSIENT_OPT:-$root/build/bin/transient-opt}
models=$root/../shared/corpus/models
all=(sobel_iree softmax_dyn_iree lenet_buddy attention_loop_buddy mha_tpp
  bert_tiny_buddy attention_bs3_iree mobilenet_v2_tpp mobilenet_v2_iree mlp3_tpp
  mlp_torchdynamo_tpp)

schedules=fifo,lifo,adversarial
options=()
random=10
case ${1:-} in
  --quick)
    options=(--checked=1)
    schedules=adversarial
    random=1
    shift
    ;;
  --random)
    random=${2:-}
    [[ $random =~ ^[0-9]+$ ]] || { echo "sim-table.sh: error: --random expects a number" >&2; exit 2; }
    shift 2
    ;;
  -*)
    sed -n '7,14p' "$0" | cut -c3- >&2
    exit 2
    ;;
esac
for ((seed = 1; seed <= random; ++seed)); do
  schedules+=,random:$seed
done
[[ $# -gt 0 ]] || set -- "${all[@]}"

status=0
rows=$(
  for model in "$@"; do
    more=()
    [[ $model != softmax_dyn_iree ]] || more=(--dyn=12,128)
    python3 "$root/utils/sim-compare.py" "$models/$model"/{memref,memref_cse,gpu_dag_s2,gpu_dag_s4}.mlir \
      --opt "$opt" --runtime "$(dirname "$opt")/../lib/libTransientSimRuntime.so" \
      --schedules="$schedules" "${options[@]}" "${more[@]}" || exit
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
