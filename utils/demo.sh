#!/usr/bin/env bash
#===- demo.sh - One model from tensors to shared storage ------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare Debian 12 as root: installs, builds, runs a reduced model planned
# against unplanned on the CPU and, as kernels, on the simulated device with the
# checker on, takes it to PTX text, plans the models at full width and prints a
# table. Exits 0 only if every step did what it says.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
utils=$root/utils
out=$root/build/demo
opt=$root/build/bin/transient-opt
all_models=(mobilenet_v2 resnet50 bert_layer llama_layer)

usage() {
  cat <<EOF
usage: demo.sh [--chip sm_NN] [MODEL | all]
  MODEL   one of ${all_models[*]} (default mobilenet_v2):
          executed at reduced width, planned at full width
  --chip  GPU for the PTX text (default sm_90)
Leaves IR, JSON reports and SVG memory maps under build/demo.
EOF
}

fail() {
  echo "demo: error: $*" >&2
  exit 1
}

chip=sm_90
models=()
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --chip)
      [[ $# -ge 2 ]] || { usage >&2; exit 2; }
      chip=$2
      shift
      ;;
    all) models=("${all_models[@]}") ;;
    *)
      [[ " ${all_models[*]} " == *" $1 "* ]] || { usage >&2; exit 2; }
      models+=("$1")
      ;;
  esac
  shift
done
[[ ${#models[@]} -gt 0 ]] || models=(mobilenet_v2)

step() { printf '\n== [%4ds] %s\n' "$SECONDS" "$*"; }

# plan NAME: build/demo/NAME.memref.mlir to NAME.planned.mlir, JSON and SVG.
plan() {
  "$opt" "$out/$1.memref.mlir" -o "$out/$1.planned.mlir" \
    --transient-pipeline="lower=memref report=$out/$1.json memory-map=$out/$1.svg"
  local file
  for file in "$1.json" "$1.svg"; do
    [[ -s $out/$file ]] || fail "transient-opt left no $out/$file"
  done
}

# generate NAME MODEL [OPTION...]: the model as tensors, then as memrefs.
generate() {
  local name=$1
  shift
  python3 "$utils/models/generate.py" "$@" -o "$out/$name.mlir"
  "$utils/bufferize.sh" "$out/$name.mlir" "$out/$name.memref.mlir"
}

# to_ptx NAME: the planned program through the stock GPU lowering.
to_ptx() {
  local name=$1 kernels entries
  "$mlir_opt" "$out/$name.planned.mlir" -o "$out/$name.gpu.mlir" \
    --pass-pipeline='builtin.module(func.func(convert-linalg-to-parallel-loops,canonicalize,gpu-map-parallel-loops,convert-parallel-loops-to-gpu,canonicalize,cse),lower-affine,gpu-kernel-outlining,canonicalize)'
  "$mlir_opt" "$out/$name.gpu.mlir" -o "$out/$name.ptx.mlir" \
    --gpu-lower-to-nvvm-pipeline="cubin-format=isa cubin-chip=$chip cubin-features=+ptx80"
  kernels=$(grep -c 'gpu\.func @' "$out/$name.gpu.mlir" || true)
  entries=$(grep -o '\.visible \.entry' "$out/$name.ptx.mlir" | wc -l)
  [[ $kernels -gt 0 && $entries -eq $kernels ]] ||
    fail "$name: $kernels kernels, but $entries entries in the PTX text"
  echo "$name: $entries kernels as PTX text for $chip in $out/$name.ptx.mlir"
}

step "dependencies"
"$utils/install-deps.sh"
mlir_opt=${MLIR_OPT:-$(command -v mlir-opt-22 || echo /usr/lib/llvm-22/bin/mlir-opt)}

step "build transient-opt and transient-plan"
cd "$root"
[[ -f build/CMakeCache.txt ]] || cmake --preset release
cmake --build build --target transient-opt transient-plan TransientSimRuntime
mkdir -p "$out"

rows=()
for model in "${models[@]}"; do
  name=$model.reduced
  step "$model, reduced width: tensors, stock bufferization, Transient"
  generate "$name" "$model" --reduced
  plan "$name"

  step "$model: planned against unplanned on the CPU, two poisons"
  python3 "$utils/execute.py" "$out/$name.memref.mlir" --opt "$opt" \
    --poison=0xFF,0xA5 --keep "$out/$name.run"

  step "$model: planned for the GPU (lower=gpu), on the simulated device"
  echo "every access is checked against the order and the tenants of the arena"
  python3 "$utils/sim-compare.py" "$out/$name.memref.mlir" --opt "$opt" \
    --schedules=fifo,adversarial,random:1 --keep "$out/$name.sim"

  step "$model: planned program through the stock GPU lowering"
  to_ptx "$name"
  rows+=("$model, reduced" "$out/$name.json" "$out/$name.memref.mlir")
done

step "the models at full width: plans only"
for model in "${all_models[@]}"; do
  generate "$model" "$model"
  plan "$model"
  echo "$model: planned"
  rows+=("$model" "$out/$model.json" "$out/$model.memref.mlir")
done

step "memory"
python3 "$utils/memory_table.py" "${rows[@]}"
echo
echo "reports and memory maps: $out/*.json, $out/*.svg"
