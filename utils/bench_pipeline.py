#!/usr/bin/env python3
#===- bench_pipeline.py - The pipeline against the passes it replaces -----===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs transient-pipeline, transient-verify included, and the stock passes that
# it replaces (buffer-deallocation-pipeline and optimize-allocation-liveness) on
# the same programs, by turns, in the same tool, on one thread. Prints what the
# passes took, by -mlir-timing: without parsing, printing and start-up. Of
# several rounds the fastest counts. one-shot-bufferize, on the tensor form of a
# program where there is one, is there for comparison.
#===-----------------------------------------------------------------------===#
"""Times transient-pipeline against the stock passes that it replaces."""

import argparse
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = ["--transient-pipeline"]
STOCK = ["--buffer-deallocation-pipeline", "--optimize-allocation-liveness"]
BUFFERIZE = ["--one-shot-bufferize=bufferize-function-boundaries "
             "function-boundary-type-conversion=identity-layout-map"]
# A program with more buffers than this is to meet the target by itself.
LARGE = 500
TARGET = 0.25
LINE = re.compile(r"^ *(\d+\.\d+) \( *[\d.]+%\)  (\S.*)$", re.MULTILINE)


def seconds(tool, path, passes):
    """What the passes took, or None if they failed."""
    done = subprocess.run(
        [tool, path, *passes, "-o", os.devnull, "-mlir-timing",
         "-mlir-timing-display=tree", "--mlir-disable-threading"],
        capture_output=True, text=True)
    if done.returncode:
        return None
    # Nested lines, which are indented further, are part of the ones above.
    times = {name: float(value) for value, name in LINE.findall(done.stderr)}
    return times["Total"] - sum(times.get(name, 0.0)
                                for name in ("Parser", "Output", "Rest"))


def fastest(runs, rounds):
    """The least that each of `runs` took, by turns; None if it failed."""
    best = [None] * len(runs)
    for index in range(rounds):
        for which, run in enumerate(runs):
            took = seconds(*run)
            if index == 0:
                best[which] = took
            elif took is not None and best[which] is not None:
                best[which] = min(best[which], took)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default=os.path.join(
        os.path.dirname(ROOT), "shared", "corpus", "models"))
    parser.add_argument("--tool", default=os.path.join(
        ROOT, "build", "bin", "transient-opt"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true",
                        help="exit 1 if a target is missed")
    parser.add_argument("models", nargs="*", help="names; all by default")
    options = parser.parse_args()

    paths = sorted(glob.glob(os.path.join(options.corpus, "*", "memref.mlir")))
    names = [os.path.basename(os.path.dirname(path)) for path in paths]
    chosen = [(name, path) for name, path in zip(names, paths)
              if not options.models or name in options.models]
    if not chosen:
        sys.exit(f"no memref.mlir under {options.corpus}")

    def text(value, width=8):
        return f"{value * 1e3:{width}.1f}" if value is not None else (
            f"{'-':>{width}}")

    print(f"{'program':28} {'buffers':>7} {'ours ms':>8} {'stock ms':>8} "
          f"{'ratio':>6} {'bufferize ms':>12}")
    total, missed = [0.0, 0.0], []
    for name, path in chosen:
        with open(path, encoding="utf-8") as file:
            buffers = file.read().count("memref.alloc(")
        tensors = os.path.join(os.path.dirname(path), "input.mlir")
        runs = [(options.tool, path, OURS), (options.tool, path, STOCK)]
        if os.path.exists(tensors):
            runs.append((options.tool, tensors, BUFFERIZE))
        ours, stock, bufferize = (fastest(runs, options.rounds) + [None])[:3]
        if ours is None:
            sys.exit(f"transient-pipeline fails on {path}")
        ratio = "-"
        # What the stock passes refuse is in neither sum.
        if stock is not None:
            total[0] += ours
            total[1] += stock
            ratio = f"{ours / stock:.3f}"
            if buffers > LARGE and ours > TARGET * stock:
                missed.append(name)
        print(f"{name:28} {buffers:7} {text(ours)} {text(stock)} {ratio:>6} "
              f"{text(bufferize, 12)}", flush=True)
    if total[1]:
        ratio = total[0] / total[1]
        print(f"{'all that both accept':28} {'':7} {text(total[0])} "
              f"{text(total[1])} {ratio:.3f}")
        if ratio > TARGET:
            missed.append("the sum")
    if missed:
        print(f"more than {TARGET} of the stock passes: {', '.join(missed)}")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
