#!/usr/bin/env python3
#===- mutate.py - Damaged plans before two judges --------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plans a program, then damages the plan in many ways, one at a time: a tenant
# moves to the place of another, or an operation forgets a token. Each is judged by
# transient-verify, which sees the program, and by the simulated device, which
# runs it with a stream for every operation. What the device sees, the checker must
# have seen as well; and the device must see a good part of it (X6).
#===-----------------------------------------------------------------------===#
"""Compares what the checker and the simulated device say of damaged plans."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

UTILS = Path(__file__).resolve().parents[3] / "utils"
sys.path.insert(0, str(UTILS))
sys.dont_write_bytecode = True
import scripts  # noqa: E402

VIEW = re.compile(r"(transient\.view %\w+\[)(\d+)(\] tenant \d+ )")
DEPENDENCIES = re.compile(r"async \[((?:%\w+(?:, )?)+)\]")
SIM = scripts.load("sim-compare")


def moved_tenants(text):
    """Each tenant in turn at the offset of the next one that lies lower."""
    views = list(VIEW.finditer(text))
    for number, view in enumerate(views):
        others = [v.group(2) for v in views[number + 1:] + views[:number]
                  if int(v.group(2)) < int(view.group(2))]
        if others:
            start, end = view.span(2)
            yield (f"tenant {number} at {others[0]}",
                   text[:start] + others[0] + text[end:])


def lost_tokens(text):
    """Each list of tokens without its last one."""
    for match in DEPENDENCIES.finditer(text):
        tokens = match.group(1).split(", ")
        rest = ", ".join(tokens[:-1])
        line = text.count("\n", 0, match.start()) + 1
        yield (f"line {line} without {tokens[-1]}",
               text[:match.start()] + (f"async [{rest}]" if rest else "async")
               + text[match.end():])


def spread(mutants, count):
    mutants = list(mutants)
    step = max(1, len(mutants) // count)
    return mutants[::step][:count]


def checker_objects(opt, file, limit):
    run = subprocess.run([opt, file, "--transient-verify", "-o", "/dev/null"],
                         capture_output=True, text=True, check=False,
                         timeout=limit)
    return run.returncode != 0 or "warning:" in run.stderr


def device_objects(program, file, folder, args):
    lowered = folder / "lowered.mlir"
    lowered.write_text(SIM.run_tool(
        [args.opt, file, "--convert-transient-to-gpu",
         "--transient-mark-tenants"], args.timeout))
    source = folder / "driver.mlir"
    source.write_text(SIM.insert_driver(
        SIM.run_tool([SIM.mlir_opt(), lowered], args.timeout), program.driver))
    run = subprocess.run(
        SIM.SIM_RUN.runner_command(args.runtime_path, SIM.MAIN),
        input=SIM.SIM_RUN.lower(source, True,
                                SIM.SIM_RUN.find_plugin(args.runtime_path)),
        capture_output=True, text=True,
        check=False, errors="replace", timeout=args.timeout, cwd=folder,
        env=SIM.SIM_RUN.environment([args.schedule]))
    if run.returncode not in (0, 86):
        raise SIM.Wrong(f"exit status {run.returncode}\n{run.stderr}")
    return run.returncode == 86


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--opt", required=True)
    parser.add_argument("--beside", required=True)
    parser.add_argument("--count", type=int, default=12,
                        help="mutants of each kind")
    parser.add_argument("--schedule", default="fifo")
    parser.set_defaults(runtime=None, timeout=600.0, int_limit=2, dyn=(16,),
                        entry=None)
    args = parser.parse_args()
    args.runtime_path = SIM.SIM_RUN.find_runtime(args)
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        program = SIM.prepare(Path(args.file).resolve(), folder, args)
        planned = SIM.run_tool(
            [args.opt, program.path, "--transient-import=allocations=gpu",
             "--transient-liveness", "--transient-plan",
             "--transient-materialize"], args.timeout)
        for kind, make in (("moved tenant", moved_tenants),
                           ("lost token", lost_tokens)):
            refused = seen = 0
            mutants = spread(make(planned), args.count)
            for what, text in mutants:
                file = folder / "mutant.mlir"
                file.write_text(text)
                checker = checker_objects(args.opt, file, args.timeout)
                device = device_objects(program, file, folder, args)
                refused += checker
                seen += device
                if device and not checker:
                    failed = True
                    print(f"FAILED: {what}: seen on the device only")
            print(f"{kind}: {len(mutants)} mutants, {refused} refused, "
                  f"{seen} seen on the device")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
