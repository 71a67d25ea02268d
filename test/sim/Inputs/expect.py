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
# The program is lowered once by utils/sim-run.py. All schedules run in one
# process, save where a pattern has to be found in the output of each.
#===-----------------------------------------------------------------------===#
"""Runs the functions of a test file and compares what happens."""

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "utils"))
sys.dont_write_bytecode = True
import scripts  # noqa: E402

EXPECTATION = re.compile(
    r"^\s*// (CLEAN|VIOLATION|ERROR)(?:: (.*))?$|func\.func @(\w+)\(\)")
ENDED = r"transient-sim: schedule \S+: exit status (\d+)\n"
STATUS = {"CLEAN": 0, "VIOLATION": 86, "ERROR": 2}


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
    schedules = args.schedules.split(",")
    sim_run = scripts.load("sim-run")
    text = Path(args.file).read_text()
    cases = [case for case in expectations(text)
             if args.only in (None, case[0])]
    if not cases:
        print("no function with an expectation", file=sys.stderr)
        return 1
    runtime = sim_run.find_runtime(args)
    lowered = sim_run.lower(args.file, args.own_streams,
                            sim_run.find_plugin(runtime))

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
            (function, kind, pattern), schedules = case
            with open(files[function], encoding="utf-8") as program:
                outcome = subprocess.run(
                    sim_run.runner_command(runtime, function), stdin=program,
                    env=sim_run.environment(schedules), check=False,
                    capture_output=True, text=True, timeout=300)
            right = outcome.returncode == STATUS[kind]
            if kind == "CLEAN":
                right &= "violation" not in outcome.stderr
                right &= bool(re.search(pattern, outcome.stdout, re.S))
            else:
                # What each schedule said ends with how it ended.
                parts = re.split(ENDED, outcome.stderr)
                if len(schedules) == 1:
                    parts = [outcome.stderr, STATUS[kind], ""]
                right &= len(parts) == 2 * len(schedules) + 1
                right &= all(re.search(pattern, part, re.S)
                             for part in parts[:-1:2])
                right &= {int(s) for s in parts[1::2]} == {STATUS[kind]}
            if right:
                return len(schedules)
            print(f"@{function} with {','.join(schedules)}: expected {kind} "
                  f"{pattern}, got exit {outcome.returncode}\n"
                  f"{outcome.stdout}{outcome.stderr}", file=sys.stderr)
            return 0

        todo = []
        for case in cases:
            each = case[1] == "CLEAN" and case[2]
            todo += [(case, [s]) for s in schedules] if each else [
                (case, schedules)]
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(run, todo))
    runs = len(cases) * len(schedules)
    print(f"{sum(results)} of {runs} runs as expected")
    return 0 if sum(results) == runs else 1


if __name__ == "__main__":
    sys.exit(main())
