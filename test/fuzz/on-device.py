#!/usr/bin/env python3
#===- on-device.py - Random programs on the simulated device --------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lets transient-fuzz write random programs, their plans and damaged plans,
# compiles them with stock passes and runs them with libTransientSimRuntime.so:
# every program as it stands, planned, and planned with own streams, all on equal
# inputs under several schedules. Every byte of every argument must be the same,
# and the runtime's checker silent. Of a damaged plan that the interpreter of
# transient-fuzz finds unordered the runtime must find something, and nothing in
# one that transient-verify accepts without a warning.
#
# Exit codes: 0 all as it should be; 1 the judges disagree; 2 usage, or a
# program that cannot be run.
#===-----------------------------------------------------------------------===#
"""Runs random programs, planned and unplanned, on the simulated device."""

import argparse
import csv
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils"))
sys.dont_write_bytecode = True
import scripts  # noqa: E402
from driver import FILES, MAIN, PRINT_FILES, Driver, Filling  # noqa: E402
from execute import insert_driver, read_dump  # noqa: E402

VIOLATION = re.compile(r"^transient-sim: violation \d+: (.*)$", re.MULTILINE)
FOUND = 86
# Functions that the runtime or the driver has, one for all programs.
SHARED = re.compile(r"^ *func\.func private @(printMemref\w+|transientSimTenant)"
                    r"\(.*\n", re.MULTILINE)


SIM_RUN = scripts.load("sim-run")


class Disagreement(Exception):
    """Judges that do not say the same."""


def rename(text, suffix):
    """The ops of a module with a suffix at its symbols, and the declarations
    that programs share."""
    declarations = {match.group(0).strip() for match in SHARED.finditer(text)}
    text = SHARED.sub("", text)
    shared = r"(?:printMemref|transientSimTenant)"
    text = re.sub(rf"@(?!{shared})(\w+)", rf"@\1_{suffix}", text)
    body = text[text.index("{\n", text.index("module")) + 2:text.rindex("}")]
    return body, declarations


def batch(files):
    """One module whose `@run_all` runs all programs."""
    bodies, declarations = [], set()
    for number, file in enumerate(files):
        body, own = rename(file.read_text(), number)
        bodies.append(body)
        declarations |= own
    calls = "".join(f"    func.call @run_{i}() : () -> ()\n"
                    for i in range(len(files)))
    return ("module attributes {gpu.container_module} {\n" + "".join(bodies) +
            "".join(f"  {line}\n" for line in sorted(declarations)) +
            "  func.func @run_all() {\n" + calls + "    return\n  }\n}\n")


class Device:
    """Compiles and runs modules in a scratch folder."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.runtime = SIM_RUN.find_runtime(args)
        self.plugin = SIM_RUN.find_plugin(self.runtime)
        self.driver = Driver("run_all", [], [], Filling(), 0xA5, append=True)

    def run(self, files, own_streams, schedules):
        """The bytes that all schedules print, and the violations."""
        source = self.folder / "batch.mlir"
        source.write_text(insert_driver(batch(files), self.driver))
        lowered = SIM_RUN.lower(source, own_streams, self.plugin)
        for file in (*FILES.values(), *PRINT_FILES.values()):
            (self.folder / file).unlink(missing_ok=True)
        run = subprocess.run(
            SIM_RUN.runner_command(self.runtime, MAIN), input=lowered,
            capture_output=True, text=True, check=False, errors="replace",
            timeout=600, cwd=self.folder, env=SIM_RUN.environment(schedules))
        # Host code that goes astray may leave the process's memory.
        if run.returncode in (-signal.SIGSEGV, -signal.SIGBUS):
            return None, ["the program crashes"]
        if run.returncode not in (0, FOUND):
            raise SIM_RUN.Failed(f"exit status {run.returncode}\n"
                                 f"{run.stderr[-3000:]}")
        found = VIOLATION.findall(run.stderr)
        if (run.returncode == FOUND) != bool(found):
            raise SIM_RUN.Failed(run.stderr[-3000:])
        printed = []
        for file in PRINT_FILES.values():
            path = self.folder / file
            values = read_dump(path) if path.exists() else []
            size, rest = divmod(len(values), len(schedules))
            if rest and not found:
                raise SIM_RUN.Failed(f"{len(values)} values of "
                                     f"{len(schedules)} schedules")
            printed.append([values[i * size:(i + 1) * size]
                            for i in range(len(schedules))])
        return printed, found


def schedules_of(seed):
    return ["fifo", "adversarial", f"random:{seed}"]


def judge_programs(device, rows):
    """Raises Disagreement if a plan of these programs goes wrong."""
    seed = int(rows[0]["source"]["seed"])
    forms = (("as it stands", "source", True), ("planned", "planned", False),
             ("planned, own streams", "planned", True))
    expected = None
    for what, key, own_streams in forms:
        printed, found = device.run([row[key]["path"] for row in rows],
                                    own_streams, schedules_of(seed))
        if found:
            raise Disagreement(f"{what}: {found[0]}")
        for values in printed:
            if any(value != values[0] for value in values):
                raise Disagreement(f"{what}: results depend on the schedule")
        first = [values[0] for values in printed]
        expected = expected or first
        if first != expected:
            raise Disagreement(f"{what}: other results")


def judge_fault(device, row, expected, tally):
    """Counts what the runtime and a look at the results find in a damaged plan.
    `expected` runs the undamaged one."""
    unsafe, order = row["unsafe"] == "1", row["order"] == "1"
    printed, found = device.run([row["path"]], True, ["fifo"])
    tally[row["what"], "made"] += 1
    if unsafe:
        tally[row["what"], "unsafe"] += 1
        tally[row["what"], "runtime"] += bool(found)
        tally[row["what"], "results"] += printed != expected()
    # The processor takes any address, and the runtime does not see buffers of no
    # bytes.
    if (order and not found and row["what"] != "misalign a view" and
            "memref<0xf32>" not in row["path"].read_text()):
        raise Disagreement(f"{row['what']}: the runtime finds nothing")
    if found and row["verdict"] == "accepted" and row["settled"] == "1":
        raise Disagreement(f"{row['what']}, accepted: {found[0]}")


def read_index(folder):
    """Programs, each with its two forms, and faults."""
    programs, faults = {}, []
    with open(folder / "index.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["path"] = folder / row["file"]
            if row["what"] in ("source", "planned"):
                programs.setdefault(row["seed"], {})[row["what"]] = row
            else:
                faults.append(row)
    return [row for row in programs.values() if len(row) == 2], faults


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzz", default=str(ROOT / "build/bin/transient-fuzz"),
                        metavar="PATH", help="transient-fuzz (default: "
                                             "build/bin)")
    parser.add_argument("--runtime", help="libTransientSimRuntime.so to use")
    parser.add_argument("--beside",
                        help="use the runtime in this file's folder")
    parser.add_argument("--programs", type=int, default=100,
                        help="seeds to try; about a quarter of the programs "
                             "can be lowered by stock passes (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=40,
                        help="about the most steps of a program (default 40)")
    parser.add_argument("--mutants", type=int, default=0,
                        help="faults for each plan")
    parser.add_argument("--unsafe-only", action="store_true",
                        help="run only the faults that the interpreter sees go "
                             "wrong")
    parser.add_argument("--batch", type=int, default=25,
                        help="programs that are compiled as one (default 25)")
    parser.add_argument("--table", action="store_true",
                        help="print what was found of each kind of fault")
    return parser.parse_args()


def main():
    args = parse_arguments()
    tally, disagreements, count = Counter(), [], 0
    with tempfile.TemporaryDirectory(prefix="transient-") as scratch:
        folder = Path(scratch)
        run = subprocess.run(
            [args.fuzz, f"--programs={args.programs}", f"--seed={args.seed}",
             f"--size={args.size}", f"--mutants={args.mutants}",
             f"--export={folder / 'programs'}"],
            capture_output=True, text=True, check=False)
        if run.returncode:
            print(run.stdout + run.stderr, end="")
            return 1
        try:
            device = Device(args, folder)
            programs, faults = read_index(folder / "programs")
            for start in range(0, len(programs), args.batch):
                rows = programs[start:start + args.batch]
                count += len(rows)
                try:
                    judge_programs(device, rows)
                except Disagreement as all_of_them:
                    # Which one it is.
                    for row in rows:
                        try:
                            judge_programs(device, [row])
                        except Disagreement as one:
                            disagreements.append(
                                f"seed {row['source']['seed']}: {one}")
                            break
                    else:
                        disagreements.append(f"together: {all_of_them}")
            planned = {row["planned"]["seed"]: row["planned"]["path"]
                       for row in programs}
            for row in faults:
                if args.unsafe_only and row["unsafe"] != "1":
                    continue
                try:
                    judge_fault(
                        device, row, lambda path=planned[row["seed"]]:
                        device.run([path], True, ["fifo"])[0], tally)
                except Disagreement as one:
                    disagreements.append(f"seed {row['seed']}, {row['file']}: "
                                         f"{one}")
        except SIM_RUN.Failed as error:
            print(f"on-device: error: {error}", file=sys.stderr)
            return 2
    if args.table:
        print("fault,made,unsafe,runtime,results")
        for kind in sorted({kind for kind, _ in tally}):
            print(",".join([kind] + [str(tally[kind, key]) for key in
                                     ("made", "unsafe", "runtime",
                                      "results")]))
    for message in disagreements:
        print(f"DISAGREEMENT {message}")
    print(f"{count} programs of {args.programs} seeds from {args.seed}, "
          f"{3 * len(schedules_of(0))} runs each; "
          f"{sum(v for (_, key), v in tally.items() if key == 'made')} faults, "
          f"{sum(v for (_, key), v in tally.items() if key == 'unsafe')} "
          f"unsafe, "
          f"{sum(v for (_, key), v in tally.items() if key == 'runtime')} "
          f"of them found at run time; {len(disagreements)} disagreements")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
