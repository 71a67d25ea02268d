#!/usr/bin/env python3
#===- expect.py - Runs the functions of a file on the simulated device ----===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each function to run follows a comment that says what must happen, in every
# schedule:
#   // CLEAN                 exit 0, no violation
#   // CLEAN: REGEX          the same, and the output matches
#   // VIOLATION: REGEX      exit 86, and the messages match
#   // ERROR: REGEX          exit 2, and the messages match
# The program is lowered once by utils/sim-run.py.
#===-----------------------------------------------------------------------===#
"""Runs the functions of a test file and compares what happens."""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXPECTATION = re.compile(
    r"^\s*// (CLEAN|VIOLATION|ERROR)(?:: (.*))?$|func\.func @(\w+)\(\)")
STATUS = {"CLEAN": 0, "VIOLATION": 86, "ERROR": 2}


def load_sim_run():
    path = Path(__file__).resolve().parents[3] / "utils" / "sim-run.py"
    spec = importlib.util.spec_from_file_location("sim_run", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def expectations(text):
    """(function, kind, pattern) for every function with a comment."""
    pending, result = None, []
    for line in text.splitlines():
        match = EXPECTATION.search(line)
        if not match:
            continue
        if match.group(1):
            pending = match.group(1), (match.group(2) or "").strip()
        elif pending:
            result.append((match.group(3), *pending))
            pending = None
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--beside")
    parser.add_argument("--runtime")
    parser.add_argument("--own-streams", action="store_true")
    parser.add_argument("--only", help="run this function only")
    parser.add_argument(
        "--schedules",
        default="fifo,lifo,random:1,random:2,random:3,adversarial")
    args = parser.parse_args()
    sim_run = load_sim_run()
    text = Path(args.file).read_text()
    cases = [case for case in expectations(text)
             if args.only in (None, case[0])]
    if not cases:
        print("no function with an expectation", file=sys.stderr)
        return 1
    runtime = sim_run.find_runtime(args)
    runner = os.path.realpath(sim_run.tool("mlir-runner"))
    libs = Path(runner).parents[1] / "lib"
    lowered = sim_run.lower(args.file, args.own_streams)

    def alone(function):
        """The program without the other functions: most of a run is spent on
        compiling what it does not call."""
        others = "|".join(case[0] for case in cases if case[0] != function)
        return re.sub(rf"^  llvm\.func @({others})\(.*?^  }}\n", "", lowered,
                      flags=re.S | re.M) if others else lowered

    with tempfile.TemporaryDirectory() as folder:
        files = {case[0]: Path(folder) / f"{case[0]}.mlir" for case in cases}
        for function, file in files.items():
            file.write_text(alone(function))

        def run(case):
            (function, kind, pattern), schedule = case
            outcome = subprocess.run(
                [runner, files[function], "-e", function,
                 "--entry-point-result=void",
                 f"--shared-libs={runtime},{libs}/libmlir_runner_utils.so,"
                 f"{libs}/libmlir_c_runner_utils.so,"
                 f"{libs}/libmlir_float16_utils.so"],
                env={**os.environ, "TRANSIENT_SIM": schedule}, check=False,
                capture_output=True, text=True, timeout=120)
            output = outcome.stdout if kind == "CLEAN" else outcome.stderr
            right = (outcome.returncode == STATUS[kind]
                     and re.search(pattern, output, re.S)
                     and (kind != "CLEAN" or "violation" not in outcome.stderr))
            if right:
                return True
            print(f"@{function} with {schedule}: expected {kind} {pattern}, "
                  f"got exit {outcome.returncode}\n{outcome.stdout}"
                  f"{outcome.stderr}", file=sys.stderr)
            return False

        todo = [(case, schedule) for case in cases
                for schedule in args.schedules.split(",")]
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(run, todo))
    print(f"{sum(results)} of {len(results)} runs as expected")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
