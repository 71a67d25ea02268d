#!/usr/bin/env bash
#===- fuzz.sh - Runs every fuzzer in turn for a while ---------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fuzz.sh [--minutes=N] [--seed=N]: transient-fuzz and the fuzzers under
# test/checker and test/execution, one share of seeds after the other, until the
# time is up. Each share is one line for its command and one for its result. The
# first disagreement ends it, after its output and the command that repeats it. Without --seed, the day's number is the first seed. Needs a build in
# build/.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/bin
minutes=10
seed=$(($(date +%s) / 86400 * 1000000))
for argument in "$@"; do
  case $argument in
  --minutes=*) minutes=${argument#*=} ;;
  --seed=*) seed=${argument#*=} ;;
  *)
    echo "usage: fuzz.sh [--minutes=N] [--seed=N]" >&2
    exit 2
    ;;
  esac
done
for number in "$minutes" "$seed"; do
  if ! [[ $number =~ ^[0-9]+$ ]]; then
    echo "fuzz.sh: expects a whole number, got '$number'" >&2
    exit 2
  fi
done
if ! [[ -x $bin/transient-fuzz && -x $bin/transient-opt ]]; then
  echo "fuzz.sh: no tools in $bin: build first" >&2
  exit 2
fi

work=$(mktemp -d)
output=$work/output
trap 'rm -rf "$work"' EXIT
end=$((SECONDS + minutes * 60))
mkdir "$work/corpus-formats" "$work/corpus-solve"

# Runs one share; its last line says what it did.
share() {
  [[ $SECONDS -lt $end ]] || return 0
  if ! timeout "$((end - SECONDS + 60))" "$@" >"$output" 2>&1; then
    cat "$output"
    echo "fuzz.sh: FAILED, repeat with: $*"
    exit 1
  fi
  printf '%s\n  %s\n' "$*" "$(tail -n 1 "$output")"
}

# Programs of a generator, executed planned and unplanned.
execute() {
  local generator=$1 arguments=$2
  shift 2
  # shellcheck disable=SC2086
  python3 "$execution/$generator" $arguments >"$work/$generator.mlir"
  share python3 "$root/utils/execute.py" "$work/$generator.mlir" --opt "$opt" \
    --int-limit 1000 --poison=0xFF,0xA5 "$@"
}

checker=$root/test/checker/Inputs
execution=$root/test/execution/Inputs
opt=$bin/transient-opt
export PYTHONDONTWRITEBYTECODE=1
while [[ $SECONDS -lt $end ]]; do
  share "$bin/transient-fuzz" --programs=2000 --seed="$seed" --mutants=3
  share "$bin/transient-fuzz" --programs=500 --seed="$seed" --size=60 --mutants=3
  share python3 "$root/test/fuzz/on-device.py" --programs=200 --seed="$seed"
  for target in formats solve; do
    [[ ! -x $root/build-planner-fuzz/bin/planner-fuzz-$target ]] ||
      share "$root/build-planner-fuzz/bin/planner-fuzz-$target" -runs=50000 \
        -seed="$((seed % 2147483647 + 1))" -max_len=1000 -artifact_prefix="$root/build-planner-fuzz/" \
        "$work/corpus-$target" "$root/test/planner/fuzz/seeds/$target"
  done
  for flag in "" --convert-scf-to-cf; do
    share python3 "$checker/random-programs.py" "$opt" 300 "$seed" $flag
    share python3 "$checker/random-carried.py" "$opt" 300 "$seed" $flag
    share python3 "$execution/random-tokens.py" "$opt" 300 "$seed" $flag
    share python3 "$execution/random-tokens.py" "$opt" 300 "$seed" --waits $flag
  done
  execute random-flow.py "$seed 12 2" --entry all
  execute random-webs.py "$seed 16" --entry all
  execute random-in-place.py "$seed 60 --host" --pipeline=in-place
  seed=$((seed + 2000))
done
echo "fuzz.sh: no disagreement"
