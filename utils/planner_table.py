#!/usr/bin/env python3
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/Planner.md, from what `transient-plan bench` said.

    planner_table.py [--check] FOLDER DOC

FOLDER holds `rows` (name|title|...) and NAME.json for each of them. Replaces
the lines between `<!-- bench: begin -->` and `<!-- bench: end -->` of DOC, or
with --check compares all columns but the seconds.
"""
import json
import os
import re
import sys

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.1f} s"


def table(folder):
    lines = ["| instances | solved | proved | geomean | worst | slowest | all "
             "| bytes a buffer |", "|---|---|---|---|---|---|---|---|"]
    single = []
    with open(os.path.join(folder, "rows"), encoding="utf-8") as rows:
        for row in rows:
            name, title = row.rstrip("\n").split("|")[:2]
            with open(os.path.join(folder, name + ".json"),
                      encoding="utf-8") as file:
                report = json.load(file)
            good = [i for i in report["instances"] if "error" not in i]
            # Of small instances the fixed part would be measured.
            memory = [i["heap_bytes"] / i["buffers"] for i in good
                      if i["buffers"] >= 1000]
            lines.append(
                f"| {title} | {report['solved']} | {report['proven']} | "
                f"{report['geomean']:.4f} | {report['worst']:.4f} | "
                f"{seconds(max(i['cpu_seconds'] for i in good))} | "
                f"{seconds(sum(i['cpu_seconds'] for i in good))} | "
                f"{round(max(memory)) if memory else '-'} |")
            if name in ("capacity", "minimise"):
                single.append((name, good))
    lines += ["", "| MiniMalloc | buffers | LOAD | minimised | proved | "
              "seconds | within 1048576, seconds |", "|---|---|---|---|---|---|---|"]
    fits = {i["instance"]: i for name, good in single if name == "capacity"
            for i in good}
    for name, good in single:
        if name != "minimise":
            continue
        for i in good:
            instance = i["instance"]
            if instance not in fits or not instance.endswith("1048576.csv"):
                continue
            lines.append(
                f"| {instance[0]} | {i['buffers']} | "
                f"{i['lower_bound_bytes']} | {i['physical_bytes']} | "
                f"{'yes' if i['optimal'] else 'no'} | "
                f"{i['cpu_seconds']:.2f} | "
                f"{fits[instance]['cpu_seconds']:.2f} |")
    return lines


def without_seconds(lines):
    kept = []
    for line in lines:
        cells = line.split("|")
        # Times end the table of MiniMalloc; times and memory the other.
        end = -4 if len(cells) == 10 else -3
        kept.append("|".join(cells[:end]) if len(cells) > 4 else line)
    return kept


def main():
    check = sys.argv[1] == "--check"
    folder, doc = sys.argv[1 + check:3 + check]
    with open(doc, encoding="utf-8") as file:
        text = file.read()
    match = re.search(f"{re.escape(BEGIN)}\n(.*?){re.escape(END)}", text, re.S)
    if not match:
        sys.exit(f"planner_table: error: {doc}: no '{BEGIN}' and '{END}'")
    lines = table(folder)
    print("\n".join(lines))
    if check:
        if without_seconds(lines) != without_seconds(
                match.group(1).rstrip("\n").split("\n")):
            sys.exit(f"planner_table: error: {doc}: the table is not what "
                     "comes out; run utils/bench-planner.sh")
        return
    with open(doc, "w", encoding="utf-8") as file:
        file.write(text[:match.start(1)] + "\n".join(lines) + "\n" +
                   text[match.end(1):])


if __name__ == "__main__":
    main()
