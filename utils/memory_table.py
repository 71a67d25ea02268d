#!/usr/bin/env python3
#===- memory_table.py - Planned memory beside what stock MLIR holds -------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reads transient.report.v1 files and the unplanned programs they belong to.
# The stock figures come from stock_peak.py, never from the report.
#===-----------------------------------------------------------------------===#
"""Prints a table: memory_table.py LABEL REPORT.json UNPLANNED.mlir ..."""

import argparse
import json
import sys

import stock_peak
from generic_ir import IRError

HEADINGS = ("program", "buffers", "logical", "stock peak", "+ liveness",
            "physical", "lower bound", "saved")
LEGEND = """\
Sizes in MiB.
logical      sum of all requests
stock peak   held at once after buffer-deallocation-pipeline
+ liveness   held at once when optimize-allocation-liveness follows; counts
             live bytes, not the addresses that an allocator needs for them
physical     the planned storage, with what was left unplanned
lower bound  no plan in this order can be smaller (= exact, < a bound)
saved        stock peak less physical"""


def allocations(function):
    """How many allocations the program has: one that was split counts once."""
    return len({r.get("web_of", r["id"]) for r in function["resources"]})


def mib(value):
    return "unknown" if value is None else f"{value / 2**20:.2f}"


def entry_report(path, function):
    """The report's object for one function."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if report.get("schema") != "transient.report.v1":
        raise ValueError(f"{path}: expected schema transient.report.v1, got "
                         f"{report.get('schema')!r}")
    for candidate in report["functions"]:
        if candidate["name"].lstrip("@") == function:
            return candidate
    raise ValueError(f"{path}: no function {function}")


def stock_bytes(path, pipeline):
    """The stock peak, None when stock passes cannot tell."""
    try:
        figures = stock_peak.measure(path, None, pipeline, None)
    except IRError:
        return None
    return None if figures["unknown_sizes"] else figures["peak_bytes"]


def row(label, report_path, program):
    figures = stock_peak.measure(program, None, "none", None)
    report = entry_report(report_path, figures["function"])
    amounts = report["bytes"]
    bound = amounts["lower_bound"]
    physical = amounts["physical"] + amounts["unplanned"]
    stock = stock_bytes(program, "dealloc")
    saved = "unknown"
    if stock:
        saved = f"{100 * (stock - physical) / stock:.1f} %"
    return (label, str(allocations(report)), mib(amounts["logical"]),
            mib(stock), mib(stock_bytes(program, "liveness")), mib(physical),
            f"{'=' if bound['exact'] else '<'} "
            f"{mib(bound['value'] + amounts['unplanned'])}", saved)


def layout(rows):
    widths = [max(len(r[i]) for r in rows) for i in range(len(HEADINGS))]
    lines = []
    for number, cells in enumerate(rows):
        lines.append("  ".join(cell.ljust(width) if i == 0 else
                               cell.rjust(width) for i, (cell, width)
                               in enumerate(zip(cells, widths))).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)


def main(argv=None):
    parser = argparse.ArgumentParser(
        description="Compare planned memory with what stock MLIR holds.")
    parser.add_argument("rows", nargs="+", metavar="LABEL REPORT PROGRAM",
                        help="three arguments for each row")
    args = parser.parse_args(argv)
    if len(args.rows) % 3:
        parser.error("expected LABEL REPORT PROGRAM for each row")
    try:
        rows = [row(*args.rows[i:i + 3]) for i in range(0, len(args.rows), 3)]
    except (IRError, OSError, ValueError, KeyError) as error:
        print(f"memory_table.py: error: {error}", file=sys.stderr)
        return 1
    print(layout([HEADINGS, *rows]))
    print(LEGEND)
    return 0


if __name__ == "__main__":
    sys.exit(main())
