#!/usr/bin/env python3
#===- metamorphic.py - What must not change a number ----------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs transient-pipeline on real asynchronous programs as they are, and with
#   - asynchronous ops, allocations and other ops that block nobody in another
#     order that keeps every operand before its user,
#   - all values renamed,
#   - threading switched off.
# Fails if a number of bytes or of blocked buffers differs.
#===-----------------------------------------------------------------------===#
"""metamorphic.py TOOL SHARED PERMUTATIONS MODEL..."""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

VALUE = re.compile(r"%[A-Za-z0-9_]+")
#: An op on one line that may move: what it starts waits for its operands only.
MOVABLE = re.compile(r" *%[A-Za-z0-9_]+(?:, %[A-Za-z0-9_]+)* = (?:gpu\.\w+ async|"
                     r"arith\.constant|memref\.(?:alloc|get_global|subview|cast|"
                     r"collapse_shape|expand_shape|reinterpret_cast|view)\b)")


def shuffled(group, rng):
    """A random order of the lines in which values stand before their uses."""
    maker = {}
    for index, line in enumerate(group):
        for value in VALUE.findall(line.split(" = ")[0]):
            maker[value] = index
    waits, users = [0] * len(group), collections.defaultdict(list)
    for index, line in enumerate(group):
        makers = {maker[value] for value in VALUE.findall(line.split(" = ", 1)[1])
                  if value in maker}
        waits[index] = len(makers)
        for source in makers:
            users[source].append(index)
    ready = [i for i, count in enumerate(waits) if count == 0]
    order = []
    while ready:
        order.append(ready.pop(rng.randrange(len(ready))))
        for user in users[order[-1]]:
            waits[user] -= 1
            if waits[user] == 0:
                ready.append(user)
    assert len(order) == len(group)
    return [group[i] for i in order]


def permute(text, rng):
    lines, group, out = text.split("\n"), [], []
    for line in lines + [""]:
        if MOVABLE.match(line) and not line.rstrip().endswith("{"):
            group.append(line)
            continue
        out += shuffled(group, rng) + [line]
        group = []
    return "\n".join(out)


def rename(text):
    names = {}
    return VALUE.sub(lambda match: names.setdefault(
        match[0], f"%r{len(names)}"), text)


def numbers(tool, text, *flags):
    with tempfile.TemporaryDirectory() as work:
        path, report = os.path.join(work, "a.mlir"), os.path.join(work, "a.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [tool, path, f"--transient-pipeline=report={report}", *flags,
             "-o", os.devnull], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr[:2000])
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    return [(f["bytes"]["logical"], f["bytes"]["physical"],
             f["bytes"]["unplanned"], f["bytes"]["lower_bound"]["value"],
             f["bytes"].get("peak_upper", {}).get("value"), f["order"]["nodes"],
             sorted(fact["reason"] for fact in f["blocked"]))
            for f in functions]


def main():
    tool, shared, permutations, *models = sys.argv[1:]
    failed = 0
    for model in models:
        for form in ("gpu_dag_s2", "gpu_dag_s4"):
            path = os.path.join(shared, "corpus", "models", model, form + ".mlir")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            expected = numbers(tool, text)
            variants = {"renamed": rename(text)}
            for seed in range(int(permutations)):
                variants[f"permuted, seed {seed}"] = permute(
                    text, random.Random(seed))
            found = {name: numbers(tool, variant)
                     for name, variant in variants.items()}
            found["without threads"] = numbers(tool, text,
                                               "--mlir-disable-threading")
            print(f"{model}/{form}: {expected[0][1]} bytes")
            for name, value in found.items():
                if value != expected:
                    failed += 1
                    print(f"  {name}: {value} instead of {expected}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
