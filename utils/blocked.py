#!/usr/bin/env python3
#===- blocked.py - Which buffers are not planned, and why -----------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs transient-pipeline on programs, transient-verify included, and counts the
# buffers that it leaves alone by the fact that blocks them, and what the checker
# cannot decide. Fails if the pipeline does, or if a blocked fact has no location.
#===-----------------------------------------------------------------------===#
"""Counts blocked buffers of programs by reason."""

import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
UNDECIDED = re.compile(r"warning: transient-verify cannot decide (.*)$",
                       re.MULTILINE)


def find(corpus):
    """Every program of the corpus, but for those that are not bufferized."""
    paths = glob.glob(os.path.join(corpus, "**", "*.mlir"), recursive=True)
    return sorted(path for path in paths
                  if os.path.basename(path) != "input.mlir")


def examine(tool, path, options):
    """Buffers, planned ones, reasons with counts, what is not decided."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run(
            [tool, path, f"--transient-pipeline=report={report.name} {options}",
             "--mlir-print-op-on-diagnostic=false", "-o", os.devnull],
            capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{path}: exit {done.returncode}\n"
                             f"{done.stderr[:2000]}")
        functions = json.load(report)["functions"]
    reasons, buffers, blocked = collections.Counter(), 0, 0
    for function in functions:
        buffers += len(function["resources"])
        blocked += len({fact["resource"] for fact in function["blocked"]})
        for fact in function["blocked"]:
            if not fact["loc"] or fact["loc"] == "unknown":
                raise SystemExit(f"{path}: a fact without location: {fact}")
            reasons[fact["reason"]] += 1
    return buffers, buffers - blocked, reasons, UNDECIDED.findall(done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default=os.path.join(
        ROOT, "build", "bin", "transient-opt"))
    parser.add_argument("--corpus", default=CORPUS)
    parser.add_argument("--options", default="", help="of the pipeline")
    parser.add_argument("programs", nargs="*", help="all of the corpus by default")
    options = parser.parse_args()
    paths = options.programs or find(options.corpus)
    if not paths:
        sys.exit(f"no programs under {options.corpus}")
    for path in paths:
        buffers, planned, reasons, undecided = examine(options.tool, path,
                                                       options.options)
        name = (path if options.programs else
                os.path.relpath(path, options.corpus))
        print(f"{name}: {planned} of {buffers} buffers planned", flush=True)
        for reason, count in sorted(reasons.items()):
            print(f"  {count:5} {reason}")
        for text, count in sorted(collections.Counter(undecided).items()):
            print(f"  {count:5} not decided: {text[:160]}")


if __name__ == "__main__":
    main()
