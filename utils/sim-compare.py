#!/usr/bin/env python3
#===- sim-compare.py - Planned and unplanned on the simulated device ------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs each program as it stands and planned (lower=gpu, with tenant markers),
# on equal inputs, under many schedules. Every byte of every argument and result
# must be the same in all runs, the checker must stay silent, and the device must
# hold exactly the bytes that the report promises. Programs without kernels
# become kernel launches first, by stock passes.
#
# Exit codes: 0 all as it should be; 1 a difference, a violation or a wrong
# peak; 2 usage, or a program that cannot be lowered.
#===-----------------------------------------------------------------------===#
"""Compares planned with unplanned programs on the simulated device."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import scripts
from driver import FILES, MAIN, PRINT_FILES, Driver, Filling, Item, Unsupported
from execute import compare, extents, insert_driver, read_dump, Outcome
from generic_ir import (IRError, choose_entry, first_error, functions, load,
                        mlir_opt, signature)

UTILS = Path(__file__).resolve().parent
OUTLINE = ("func.func(convert-linalg-to-parallel-loops,canonicalize,"
           "gpu-map-parallel-loops,convert-parallel-loops-to-gpu,canonicalize,"
           "cse),lower-affine,gpu-kernel-outlining,canonicalize")
HOST_COPY = re.compile(r"^( *)memref\.copy ([^,]+), ([^:]+) : (.*) to (.*)$",
                       re.MULTILINE)
STATS = re.compile(r"^transient-sim: stats: (.*)$", re.MULTILINE)
VIOLATION = re.compile(r"^transient-sim: violation \d+: (.*)$", re.MULTILINE)
EXIT_WRONG, EXIT_USAGE = 1, 2
STEADY = ["fifo", "lifo", "adversarial"]
HEADINGS = ("program", "ops", "kernels", "width", "runs", "checked", "seconds",
            "races", "physical", "measured")
LEGEND = """\
ops       operations of one planned run, with those for streams and events
kernels   launches of one run
width     chains of ordered operations in the planned run; 1 is a total order
runs      schedules, each unplanned, planned, and planned with own streams
checked   runs with the checker on; the others compare results only
seconds   all runs, lowering and compiling included
races     violations of any kind that the checker found
physical  bytes of device storage in the report; measured: held at the peak"""


SIM_RUN = scripts.load("sim-run")


class Wrong(Exception):
    """A run that differs from what it should be."""


@dataclass
class Program:
    """One program in the form of kernel launches."""

    label: str
    path: Path
    entry: str
    types: tuple
    driver: Driver


@dataclass
class Totals:
    """What all runs of a program add up to."""

    runs: int = 0
    checked: int = 0
    violations: int = 0
    stats: list = field(default_factory=list)  # of the planned form's runs
    wrong: list = field(default_factory=list)


# -- Making the programs ------------------------------------------------------


def run_tool(command, limit):
    run = subprocess.run(command, capture_output=True, text=True, check=False,
                         errors="replace", timeout=limit)
    if run.returncode:
        raise IRError(first_error(run.stderr))
    return run.stdout


def to_launches(path, folder, args):
    """The program with kernels: as it is, or outlined by stock passes, with the
    host's copies as the device's."""
    text = run_tool([mlir_opt(), path], args.timeout)
    if "gpu.launch_func" not in text:
        passes = (SIM_RUN.OUTLINE if SIM_RUN.LAUNCH_BODY.search(text)
                  else OUTLINE)
        text = run_tool([mlir_opt(), path,
                         f"--pass-pipeline=builtin.module({passes})"],
                        args.timeout)
        text = HOST_COPY.sub(r"\1gpu.memcpy \3, \2 : \5, \4", text)
    result = folder / "launches.mlir"
    result.write_text(text)
    return result


def prepare(path, folder, args):
    launches = to_launches(path, folder, args)
    table = functions(load(launches))
    entry = choose_entry(table, args.entry)
    if entry is None:
        raise IRError(f"no function @{args.entry}" if args.entry else
                      "no public function with a body")
    types = signature(table[entry])
    filling = Filling(integers=args.int_limit, dynamic=args.dyn)
    label = f"{path.parent.name}/{path.stem}"
    return Program(label, launches, entry, types,
                   Driver(entry, *types, filling, 0xA5, append=True))


def make_plan(program, folder, args):
    """The planned module, and what its report says of the entry."""
    planned, report = folder / "planned.mlir", folder / "report.json"
    run_tool([args.opt, program.path, "-o", planned, "--transient-pipeline="
              f"lower=gpu mark-tenants report={report} {args.pipeline}"],
             args.timeout)
    with open(report, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    entries = [f for f in functions if f["name"].lstrip("@") == program.entry]
    if not entries:
        raise IRError(f"the report has no function @{program.entry}")
    # An allocation of unknown size, here or in a function that it calls.
    entries[0]["open"] = any(f["bytes"]["unknown_count"] for f in functions)
    return planned, entries[0]


# -- Running ------------------------------------------------------------------


def split_runs(values, count):
    """The values of each of `count` runs, which append to the same file."""
    size, rest = divmod(len(values), count)
    if rest or not values:
        raise Wrong(f"{len(values)} values from {count} schedules")
    return [values[i * size:(i + 1) * size] for i in range(count)]


def run_schedules(program, lowered, schedules, check, folder, totals, args):
    """Runs a lowered program once under each schedule: what each run left
    behind, and the statistics of each."""
    for file in (*FILES.values(), *PRINT_FILES.values()):
        (folder / file).unlink(missing_ok=True)
    run = subprocess.run(
        SIM_RUN.runner_command(args.runtime_path, MAIN), input=lowered,
        capture_output=True, text=True, check=False, errors="replace",
        timeout=args.timeout, cwd=folder,
        env=SIM_RUN.environment(schedules, TRANSIENT_SIM_STATS="1",
                                TRANSIENT_SIM_CHECK=str(int(check))))
    totals.runs += len(schedules)
    totals.checked += len(schedules) if check else 0
    totals.violations += len(VIOLATION.findall(run.stderr))
    if run.returncode:
        raise Wrong(f"exit status {run.returncode}\n{run.stderr.strip()}")
    stats = [dict(part.split("=") for part in line.split())
             for line in STATS.findall(run.stderr)]
    if len(stats) != len(schedules):
        raise Wrong(f"{len(stats)} of {len(schedules)} schedules came to an "
                    f"end\n{run.stderr.strip()}")
    items = list(program.driver.items)
    before = read_dump(folder / FILES["before"])
    after = split_runs(read_dump(folder / FILES["after"]), len(schedules))
    for dtype, file in PRINT_FILES.items():
        if not (folder / file).exists():
            continue
        prints = split_runs(read_dump(folder / file), len(schedules))
        items += [Item(f"print {i}", dtype) for i in range(len(prints[0]))]
        after = [a + p for a, p in zip(after, prints)]
    return [Outcome(items, before, values, 0.0) for values in after], stats


def run_form(program, module, own_streams, expected, folder, totals, args):
    """All schedules of one form of the program, compared with `expected` or, if
    that is None, with its own first; returns what they are compared with."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "driver.mlir"
    source.write_text(insert_driver(run_tool([mlir_opt(), module],
                                             args.timeout), program.driver))
    lowered = SIM_RUN.lower(source, own_streams,
                            SIM_RUN.find_plugin(args.runtime_path))
    totals.stats = []
    for schedules, check in ((args.schedules[:args.checked], True),
                             (args.schedules[args.checked:], False)):
        if not schedules:
            continue
        outcomes, stats = run_schedules(program, lowered, schedules, check,
                                        folder, totals, args)
        totals.stats += stats
        expected = expected or outcomes[0]
        for schedule, outcome in zip(schedules, outcomes):
            if messages := compare(expected, outcome):
                raise Wrong(f"{schedule}: outputs differ\n" +
                            "\n".join(messages))
    return expected


def check_peak(stats, report):
    """The device's bytes in the report; Wrong if the runs held others. Buffers
    that were left unplanned have allocations of their own; no report says how
    much those of unknown size take."""
    physical = sum(p["bytes"] for p in report["physical"]
                   if p["kind"] != "memref")
    for line in stats:
        peak = int(line["peak_bytes"])
        most = physical + report["bytes"]["unplanned"]
        if peak < physical or (peak > most and not report["open"]):
            raise Wrong(f"{line['schedule']}: the report promises {physical} "
                        f"bytes of device storage and "
                        f"{report['bytes']['unplanned']} unplanned, the device "
                        f"held {peak}")
    return physical


def run_program(path, folder, args):
    """Runs everything about one program: its row, and what is wrong with it."""
    start, totals = time.monotonic(), Totals()
    program = prepare(path, folder, args)
    planned, report = make_plan(program, folder, args)
    forms = (("unplanned", program.path, True), ("planned", planned, False),
             ("planned, own streams", planned, True))
    expected, physical, message = None, "-", None
    for what, module, own_streams in forms:
        try:
            expected = run_form(program, module, own_streams, expected,
                                folder / what.replace(", ", "-"), totals, args)
            if what != "unplanned" and not args.any_peak:
                physical = check_peak(totals.stats, report)
        except Wrong as reason:
            message = f"{program.label}: {what}: {reason}"
            break
    last = totals.stats[0] if totals.stats else {}
    return (program.label, last.get("ops", "-"), last.get("kernels", "-"),
            last.get("width", "-"), str(totals.runs), str(totals.checked),
            f"{time.monotonic() - start:.1f}", str(totals.violations),
            str(physical), last.get("peak_bytes", "-")), message


# -- Command line -------------------------------------------------------------


def layout(rows):
    widths = [max(len(r[i]) for r in rows) for i in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                  for i, (cell, width) in enumerate(zip(cells, widths)))
        for cells in rows)


def schedule_list(text):
    result = text.split(",")
    for name in result:
        if name not in (*STEADY, "threads") and not re.fullmatch(
                r"random:\d{1,19}", name):
            raise argparse.ArgumentTypeError(f"no schedule {name!r}")
    return result


def parse_arguments(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=LEGEND,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="memref-form or gpu-dialect programs")
    parser.add_argument("--entry", help="function to call (default: the "
                                        "public one with the most ops)")
    parser.add_argument("--opt", default=str(UTILS.parent /
                                             "build/bin/transient-opt"),
                        metavar="PATH", help="transient-opt (default: "
                                             "build/bin)")
    parser.add_argument("--runtime", help="libTransientSimRuntime.so to use")
    parser.add_argument("--beside",
                        help="use the runtime in this file's folder")
    parser.add_argument("--pipeline", default="", metavar="OPTIONS",
                        help="further options of --transient-pipeline")
    parser.add_argument("--any-peak", action="store_true",
                        help="do not compare the peak with the report: for "
                             "programs with instruments of their own")
    parser.add_argument("--schedules", type=schedule_list, metavar="S[,S...]",
                        default=[*STEADY, *(f"random:{i}"
                                            for i in range(1, 11))],
                        help="default: fifo, lifo, adversarial, random:1 to "
                             "random:10")
    parser.add_argument("--checked", type=int, metavar="N",
                        help="only the first N schedules run with the checker "
                             "on, which finds something in all or in none; the "
                             "others compare results (default: all)")
    parser.add_argument("--dyn", type=extents, default=(16,),
                        metavar="N[,N...]",
                        help="dynamic extents in order of appearance, the "
                             "last one repeated (default 16)")
    parser.add_argument("--int-limit", type=int, default=2, metavar="N",
                        help="integers of 32 bits and more are below N")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="S",
                        help="seconds that each tool may take (default 600)")
    parser.add_argument("--keep", metavar="DIR",
                        help="leave programs, reports and dumps in DIR")
    args = parser.parse_args(argv)
    if args.checked is None:
        args.checked = len(args.schedules)
    if args.checked < 1 or args.int_limit < 1:
        parser.error("--checked and --int-limit expect a positive number")
    return args


def main(argv=None):
    args = parse_arguments(argv)
    rows, wrong = [HEADINGS], []
    try:
        args.runtime_path = SIM_RUN.find_runtime(args)
        with tempfile.TemporaryDirectory(prefix="transient-") as scratch:
            base = Path(args.keep or scratch).resolve()
            for number, file in enumerate(args.files):
                folder = base / f"{number}"
                folder.mkdir(parents=True, exist_ok=True)
                row, message = run_program(Path(file).resolve(), folder, args)
                rows.append(row)
                if message:
                    wrong.append(message)
    except subprocess.TimeoutExpired as error:
        print(f"sim-compare: error: {file}: {Path(error.cmd[0]).name} took "
              f"longer than {error.timeout:g} s", file=sys.stderr)
        return EXIT_USAGE
    except (SIM_RUN.Failed, IRError, Unsupported, OSError) as error:
        print(f"sim-compare: error: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(layout(rows))
    for message in wrong:
        print(f"FAILED: {message}")
    if not wrong:
        print("outputs identical, no violation, the device held what the "
              "reports promise")
    return EXIT_WRONG if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
