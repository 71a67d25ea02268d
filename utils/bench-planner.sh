#!/usr/bin/env bash
#===- bench-planner.sh - Measure the planner, regenerate its table --------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Solves and verifies every instance of the data folder with `transient-plan
# bench` and rewrites the table between the markers of docs/Planner.md. Ratios
# are the same on every machine; seconds are those of this one.
#
#   utils/bench-planner.sh [--check] [--data DIR] [--tool transient-plan]
#
# --check  writes nothing and fails when a ratio or a proof in the docs is not
#          what comes out; seconds are not compared.
# --data   folder with minimalloc/, tflite/, ... (default: ../shared/data, or
#          data/ of $TRANSIENT_SHARED)
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
data=${TRANSIENT_SHARED:-$root/../shared}/data
tool=$root/build-planner/bin/transient-plan
check=
while [[ $# -gt 0 ]]; do
  case $1 in
  --check) check=--check ;;
  --data) data=$2 && shift ;;
  --tool) tool=$2 && shift ;;
  *)
    echo "bench-planner: error: unknown argument '$1';" \
      "usage: bench-planner.sh [--check] [--data DIR] [--tool TOOL]" >&2
    exit 2
    ;;
  esac
  shift
done
if [[ ! -d $data ]]; then
  echo "bench-planner: error: no lifetime data at $data (use --data)" >&2
  exit 2
fi
if [[ ! -x $tool ]]; then
  echo "bench-planner: error: no $tool; build it with" \
    "'cmake --preset planner-only && cmake --build --preset planner-only'" >&2
  exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name | what the table says | arguments of bench
rows=(
  "capacity|MiniMalloc A-K, capacity 1048576|minimalloc --capacity=1048576"
  "minimise|MiniMalloc A-K|minimalloc"
  "fast|MiniMalloc A-K, \`--effort=fast\`|minimalloc --effort=fast"
  "tflite|TFLite networks|tflite"
  "iopddl|IOPDDL, to 59 063 buffers|iopddl"
  "idealloc|idealloc, to 61 915 buffers|idealloc"
  "traces|training and compiler traces|traces"
  "poset|networks as partial orders, against the antichain|poset"
  "slots-minimalloc|MiniMalloc A-K, slots|minimalloc --strategy=slots --algorithm=slots-search"
  "slots-tflite|TFLite networks, slots|tflite --strategy=slots --algorithm=slots-search"
  "slots-traces|traces, slots|traces --strategy=slots --algorithm=slots-search"
  "slots-poset|networks as partial orders, slots|poset --strategy=slots --algorithm=slots-search"
)
for row in "${rows[@]}"; do
  IFS='|' read -r name _ arguments <<<"$row"
  read -r folder options <<<"$arguments"
  echo "bench-planner: $name" >&2
  # shellcheck disable=SC2086 # Options are words.
  "$tool" bench "$data/$folder" $options --json >"$work/$name.json"
done
# Generated problems: the only ones that are there on every machine.
for sizes in heavy-tailed skewed uniform; do
  mkdir "$work/$sizes"
  for n in 1000 10000 100000; do
    "$tool" generate --sizes=$sizes --buffers=$n --width=200 --format=csv \
      -o "$work/$sizes/$n.csv"
  done
  echo "bench-planner: generated, $sizes" >&2
  "$tool" bench "$work/$sizes" --json >"$work/$sizes.json"
  rows+=("$sizes|generated, $sizes sizes, 10^3 to 10^5 buffers|generated")
done

printf '%s\n' "${rows[@]}" >"$work/rows"
python3 "$root/utils/planner_table.py" $check "$work" "$root/docs/Planner.md"
