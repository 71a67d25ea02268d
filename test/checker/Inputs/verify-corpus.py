#!/usr/bin/env python3
# ===- verify-corpus.py - Programs that are right as they are ------------===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
# Runs transient-verify over every program of a corpus folder and fails on any
# error or race: the programs are correct and nothing in them was planned. What
# is undecided (a call that says nothing about itself) is counted and printed.
#
import pathlib
import subprocess
import sys


def main():
    tool, folder = sys.argv[1:]
    programs = sorted(
        path for name in ("memref", "gpu_dag_s2", "gpu_dag_s4")
        for path in pathlib.Path(folder).glob(f"*/{name}.mlir"))
    failed = undecided = 0
    for path in programs:
        run = subprocess.run([tool, path, "--transient-verify", "-o", "/dev/null"],
                             capture_output=True, text=True)
        undecided += run.stderr.count("transient-verify cannot decide")
        if run.returncode or "race in the program" in run.stderr:
            failed += 1
            print(f"{path}: exit code {run.returncode}\n{run.stderr[:2000]}")
    print(f"{len(programs)} programs, {failed} failed, {undecided} undecided")
    return 1 if failed or not programs else 0


sys.exit(main())
