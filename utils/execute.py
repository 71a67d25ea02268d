#!/usr/bin/env python3
#===- execute.py - Runs a program planned and unplanned, compares ---------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Both modules run on the CPU through the stock lowering and mlir-runner, on
# equal inputs, in memory that malloc has poisoned; every byte of every
# argument and result is compared. The planner's word is not taken for
# anything: a plan that overlaps two live buffers shows up as a difference.
#
# Exit codes: 0 identical; 1 different, or the planned program fails;
# 2 usage; 77 skipped, with the reason (the unplanned program cannot be run,
# or its own outputs depend on uninitialised memory).
#===-----------------------------------------------------------------------===#
"""Runs a memref-form module planned and unplanned and compares the bytes."""

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from array import array
from dataclasses import dataclass
from pathlib import Path

import generic_ir
from driver import (FILES, MAIN, PRINT_FILES, Driver, Filling, Item,
                    Unsupported, record_prints)
from generic_ir import (IRError, choose_entry, element_bytes, first_error,
                        functions, has_body, signature)

LOWERING = (f"symbol-privatize{{exclude={MAIN}}},symbol-dce,"
            "func.func(convert-linalg-to-loops,lower-affine,"
            "scf-forall-to-for,convert-vector-to-scf),"
            "math-expand-ops{ops=rsqrt},arith-expand{include-bf16=true},"
            "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
            "convert-vector-to-llvm,convert-math-to-libm,"
            # convert-to-llvm alone leaves memref.reshape behind.
            "finalize-memref-to-llvm,convert-to-llvm,"
            "reconcile-unrealized-casts")
# External functions that mlir-runner's own libraries provide.
PROVIDED = re.compile(r"print(Memref\w*|Newline|Open|Close|Comma|[FIU](32|64)|"
                      r"String|Flops)|rtclock|nanoTime|memrefCopy|malloc|free")
# Chunks from glibc's per-thread cache come back with their old content.
POISONABLE = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
EXIT_DIFFERENT, EXIT_USAGE, EXIT_SKIPPED = 1, 2, 77


class Skipped(Exception):
    """The unplanned program cannot serve as a reference."""


class Failed(Exception):
    """The planned program is wrong, or cannot be run."""


# -- Looking at the program ---------------------------------------------------


def check_runnable(table, entry):
    """Raises Skipped for code that has no CPU lowering or no definition."""
    todo, seen = [entry], {entry}
    while todo:
        for op in table[todo.pop()].walk():
            dialect = op.name.split(".")[0]
            if dialect in ("gpu", "async", "transient", "nvgpu", "rocdl"):
                raise Skipped(f"{op.name} does not run on the CPU")
            if op.name == "memref.cast" and "strided" in op.operand_types[0] \
                    and op.result_types[0].startswith("memref<*x"):
                raise Skipped("makes a strided memref unranked")
            if op.name not in ("func.call", "llvm.call", "func.constant"):
                continue
            callee = op.symbol("value" if op.name == "func.constant"
                               else "callee")
            if callee is None or callee in seen:
                continue
            seen.add(callee)
            if callee in table and has_body(table[callee]):
                todo.append(callee)
            elif not PROVIDED.fullmatch(callee):
                raise Skipped(f"calls the external function @{callee}")


# -- Building and running -----------------------------------------------------


class UsageError(Exception):
    """A wrong command line or an unreadable input."""


def insert_driver(text, driver):
    """The module's text with the driver before its closing bracket."""
    text = record_prints(text)
    end = text.find("\n{-#")
    end = text.rfind("}", 0, end if end >= 0 else len(text))
    return text[:end] + driver.text() + text[end:]


def tool(name):
    """An LLVM 22 tool by its Debian name or in Debian's prefix."""
    return (os.environ.get(name.upper().replace("-", "_"))
            or shutil.which(f"{name}-22") or f"/usr/lib/llvm-22/bin/{name}")


def run_tool(command, limit, **kwargs):
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              errors="replace", timeout=limit, check=False,
                              **kwargs)
    except subprocess.TimeoutExpired as error:
        raise IRError(f"{Path(command[0]).name} took longer than {limit:g} s"
                      ) from error


@dataclass
class Outcome:
    """What one run left behind, value by value."""

    items: list
    before: list
    after: list
    seconds: float


def run_module(module, driver, folder, args):
    """Lowers and runs the module: what its arguments hold before the call,
    what they, its results and its prints are afterwards, and the seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    printed = run_tool([generic_ir.mlir_opt(), module], args.timeout)
    if printed.returncode:
        raise IRError(first_error(printed.stderr))
    source = folder / "driver.mlir"
    source.write_text(insert_driver(printed.stdout, driver))
    lowered = folder / "lowered.mlir"
    run = run_tool([generic_ir.mlir_opt(), source, "-o", lowered,
                    f"--pass-pipeline=builtin.module({LOWERING})"],
                   args.timeout)
    if run.returncode:
        raise IRError(f"stock lowering: {first_error(run.stderr)}")
    prefix = Path(os.path.realpath(tool("mlir-runner"))).parents[1] / "lib"
    libraries = [prefix / f"libmlir_{name}.so"
                 for name in ("runner_utils", "c_runner_utils",
                              "float16_utils")]
    for file in (*FILES.values(), *PRINT_FILES.values()):
        (folder / file).unlink(missing_ok=True)
    start = time.monotonic()
    run = run_tool([tool("mlir-runner"), lowered.name, "-e", MAIN,
                    "--entry-point-result=void", f"-O{args.level}",
                    *(f"--shared-libs={lib}" for lib in libraries
                      if lib.exists())],
                   args.timeout, cwd=folder, env=POISONABLE)
    seconds = time.monotonic() - start
    if run.returncode:
        how = (f"signal {-run.returncode}" if run.returncode < 0
               else f"exit code {run.returncode}")
        raise IRError(f"mlir-runner: {how}: {first_error(run.stderr)}")
    before = read_dump(folder / FILES["before"])
    after = read_dump(folder / FILES["after"])
    if len(after) != len(driver.items):
        raise IRError(f"expected {len(driver.items)} dumped values, got "
                      f"{len(after)}")
    items = list(driver.items)
    for dtype, file in PRINT_FILES.items():
        prints = read_dump(folder / file) if (folder / file).exists() else []
        items += [Item(f"print {i}", dtype) for i in range(len(prints))]
        after += prints
    return Outcome(items, before, after, seconds)


def read_dump(path):
    """The values in a dump: for each, a byte count, then the bytes."""
    if not path.exists():
        raise IRError("ended before its outputs were complete")
    data, at, values = path.read_bytes(), 0, []
    while at < len(data):
        (size,) = struct.unpack_from("<q", data, at)
        values.append(data[at + 8:at + 8 + size])
        at += 8 + size
    return values


def make_plan(args, poison, folder):
    """Runs the transient pipeline on the input; the planned module's path."""
    if args.planned:
        return Path(args.planned)
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "planned.mlir"
    options = f"lower=memref poison-byte={poison} {args.pipeline}"
    run = run_tool([args.opt, args.input, "-o", output,
                    f"--transient-pipeline={options.strip()}"], args.timeout)
    if run.returncode:
        raise Failed(f"transient-opt: {first_error(run.stderr)}")
    return output


# -- Comparing ----------------------------------------------------------------


def differing_elements(left, right, width):
    """Indices of elements whose bytes differ."""
    return [i // width for i in range(0, len(left), width)
            if left[i:i + width] != right[i:i + width]]


def compare(expected, got):
    """Messages for every value that differs, none when all bytes agree."""
    if expected.items != got.items:
        return [f"expected {len(expected.items)} values with the prints, got "
                f"{len(got.items)}"]
    messages = []
    for item, a, b in zip(expected.items, expected.after, got.after):
        if a == b:
            continue
        if len(a) != len(b):
            messages.append(f"{item.name}: expected {len(a)} bytes, got "
                            f"{len(b)}")
            continue
        width = element_bytes(item.dtype)
        where = differing_elements(a, b, width)
        at = where[0] * width
        messages.append(
            f"{item.name}: element {where[0]} ({item.dtype}): expected "
            f"{describe(item.dtype, a[at:at + width])}, got "
            f"{describe(item.dtype, b[at:at + width])}; {len(where)} of "
            f"{len(a) // width} elements differ")
    return messages


def describe(dtype, raw):
    """An element as its bits and, where Python knows it, its value."""
    bits = f"0x{int.from_bytes(raw, 'little'):0{2 * len(raw)}x}"
    code = {"f16": "e", "f32": "f", "f64": "d"}.get(dtype)
    return f"{struct.unpack('<' + code, raw)[0]:g} ({bits})" if code else bits


def count_nans(dtype, raw):
    """How many elements of a float value are NaN (whatever their bits)."""
    layout = {"f16": ("H", 0x7c00), "bf16": ("H", 0x7f80),
              "f32": ("I", 0x7f800000), "f64": ("Q", 0x7ff0000000000000)}
    if dtype not in layout:
        return 0
    code, infinity = layout[dtype]
    magnitude = (1 << (8 * array(code).itemsize - 1)) - 1
    return sum(1 for bits in array(code, raw) if bits & magnitude > infinity)


def written(outcome):
    """What the program changed, as messages, and whether that tells much."""
    facts, telling, before = [], False, outcome.before
    for number, (item, data) in enumerate(zip(outcome.items, outcome.after)):
        if number < len(before) and before[number] == data:
            continue
        width = element_bytes(item.dtype)
        distinct = len({data[i:i + width]
                        for i in range(0, min(len(data), 1 << 20), width)})
        nans = count_nans(item.dtype, data)
        count = len(data) // width
        telling |= nans < count and (distinct > 1 or count == 1)
        facts.append(f"{item.name}: {count} x {item.dtype}, {distinct} "
                     f"distinct" + (f", {nans} NaN" if nans else ""))
    return facts, telling


# -- Command line -------------------------------------------------------------


def byte_list(text):
    values = [int(part, 0) for part in text.split(",")]
    for value in values:
        if not 0 <= value <= 255:
            raise argparse.ArgumentTypeError(f"expected a byte, got {value}")
    return values


def float_range(text):
    low, _, high = text.partition(",")
    return float(low), float(high)


def extents(text):
    values = tuple(int(part) for part in text.split(","))
    if min(values) < 1:
        raise argparse.ArgumentTypeError(f"expected positive extents, got "
                                         f"{text}")
    return values


def parse_arguments(argv):
    default_opt = Path(__file__).resolve().parents[1] / "build/bin/transient-opt"
    parser = argparse.ArgumentParser(
        description="Run a memref-form module planned and unplanned on the "
                    "CPU and compare all outputs bit by bit.")
    parser.add_argument("input", help="the unplanned module")
    parser.add_argument("--entry", help="function to call (default: the "
                                        "public one with the most ops)")
    parser.add_argument("--opt", default=str(default_opt), metavar="PATH",
                        help="transient-opt (default: build/bin)")
    parser.add_argument("--planned", metavar="FILE",
                        help="compare with this module instead of running "
                             "transient-opt")
    parser.add_argument("--pipeline", default="", metavar="OPTIONS",
                        help="further options of --transient-pipeline")
    parser.add_argument("--unplanned-only", action="store_true",
                        help="run the input alone, under two poisons")
    parser.add_argument("--poison", type=byte_list, default=[0xFF],
                        metavar="BYTE[,BYTE...]",
                        help="what fresh memory holds in the planned run, one "
                             "run each (default 0xFF); in the unplanned run "
                             "it holds the complement of the first")
    parser.add_argument("--dyn", type=extents, default=(16,),
                        metavar="N[,N...]",
                        help="dynamic extents in order of appearance, the "
                             "last one repeated (default 16)")
    parser.add_argument("--int-limit", type=int, default=2, metavar="N",
                        help="integers of 32 bits and more are below N")
    parser.add_argument("--float-range", type=float_range, default=(-1.0, 1.0),
                        metavar="LOW,HIGH", help="default: -1,1; write "
                        "--float-range=LOW,HIGH")
    parser.add_argument("--level", type=int, default=0, choices=range(4),
                        help="the JIT's optimisation level (default 0: "
                             "compiling costs more than it gains)")
    parser.add_argument("--timeout", type=float, default=300.0, metavar="S",
                        help="seconds that each tool may take (default 300)")
    parser.add_argument("--keep", metavar="DIR",
                        help="leave drivers, lowered IR and dumps in DIR")
    args = parser.parse_args(argv)
    if args.int_limit < 1:
        parser.error("--int-limit expects a positive number")
    return args


def load_table(path, what):
    if not Path(path).is_file():
        raise UsageError(f"cannot read {what} {path}")
    return functions(generic_ir.load(str(path)))


def reference_run(args, folder):
    """Driver maker and outputs of the unplanned program."""
    try:
        table = load_table(args.input, "input")
    except IRError as error:
        raise UsageError(f"{args.input}: {error}") from error
    entry = choose_entry(table, args.entry)
    if entry is None:
        raise UsageError(f"{args.input}: no public function with a body" +
                         (f" named @{args.entry}" if args.entry else ""))
    check_runnable(table, entry)
    types = signature(table[entry])
    filling = Filling(*args.float_range, args.int_limit, args.dyn)

    def driver(poison):
        return Driver(entry, *types, filling, poison)

    try:
        outcome = run_module(args.input, driver(args.poison[0] ^ 0xFF),
                             folder / "unplanned", args)
    except (IRError, Unsupported) as error:
        raise Skipped(str(error)) from error
    return entry, types, driver, outcome


def planned_run(args, entry, types, driver, poison, folder):
    """Plans and runs. Whatever goes wrong here is the plan's fault."""
    planned = make_plan(args, poison, folder)
    try:
        table = load_table(planned, "planned module")
        if entry not in table or signature(table[entry]) != types:
            raise Failed(f"the planned module has no @{entry} with the same "
                         "signature")
        return run_module(planned, driver(poison), folder, args)
    except IRError as error:
        raise Failed(f"planned program: {error}") from error


def execute(args, folder):
    planner_needed = not (args.planned or args.unplanned_only)
    if planner_needed and not os.access(args.opt, os.X_OK):
        raise UsageError(f"cannot run {args.opt}; build it or name it with "
                         "--opt")
    entry, types, driver, expected = reference_run(args, folder)
    facts, telling = written(expected)
    if not facts:
        raise Skipped(f"@{entry} writes no argument, returns and prints "
                      "nothing")
    size = sum(map(len, expected.after))
    for poison in args.poison:
        def again(poison=poison):
            return run_module(args.input, driver(poison), folder / "again",
                              args)

        got = again() if args.unplanned_only else planned_run(
            args, entry, types, driver, poison, folder / f"planned-{poison:02x}")
        messages = compare(expected, got)
        if messages:
            if args.unplanned_only or compare(expected, again()):
                raise Skipped("the unplanned program's outputs depend on "
                              f"uninitialised memory: {messages[0]}")
            raise Failed("outputs differ\n" + "\n".join(messages))
        print(f"outputs identical: @{entry}, {len(expected.items)} values, "
              f"{size} bytes, poison 0x{poison:02X}, unplanned "
              f"{expected.seconds:.1f} s, "
              f"{'again' if args.unplanned_only else 'planned'} "
              f"{got.seconds:.1f} s", flush=True)
    for fact in facts:
        print(f"  wrote {fact}")
    if not telling:
        print("  weak comparison: all that was written is NaN or one value")
    return 0


def main(argv=None):
    args = parse_arguments(argv)
    with tempfile.TemporaryDirectory(prefix="transient-") as scratch:
        folder = Path(args.keep or scratch)
        try:
            return execute(args, folder.resolve())
        except Skipped as reason:
            print(f"skipped: {args.input}: {reason}")
            return EXIT_SKIPPED
        except Failed as reason:
            print(f"FAILED: {args.input}: {reason}")
            return EXIT_DIFFERENT
        except IRError as reason:
            print(f"skipped: {args.input}: another poison: {reason}")
            return EXIT_SKIPPED
        except UsageError as reason:
            print(f"execute.py: error: {reason}", file=sys.stderr)
            return EXIT_USAGE


if __name__ == "__main__":
    sys.exit(main())
