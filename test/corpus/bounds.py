#!/usr/bin/env python3
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans networks of an open batch size within a bound on it.

    bounds.py --shared DIR --opt transient-opt --work DIR

Bounds the batch of each architecture with an open one, by `transient.bound`, at
three sizes. Within the bound every buffer must be planned, in at most 1.05 of the
lower bound, and transient-verify must prove all of it. Prints a line for each.
"""
import argparse
import json
import os
import re
import subprocess
import sys

BATCHES = (1, 4, 16)
MAX_RATIO = 1.05
ARGUMENT = re.compile(r"%\w+: memref<(\?[^>]*)>")


def bounded(text, batch):
    """`text` with a bound on the open first dimension of each argument."""

    def bound(argument):
        dims = argument.group(1).split(",")[0].split("x")[:-1]
        bounds = [str(batch) if dim == "?" else "-1" for dim in dims]
        return (f"{argument.group(0)} "
                f"{{transient.bound = array<i64: {', '.join(bounds)}>}}")

    start = text.index("func.func @")
    end = text.index("{\n", start)
    return text[:start] + ARGUMENT.sub(bound, text[start:end]) + text[end:]


def check(args, name, text, batch):
    path = os.path.join(args.work, f"{name}-{batch}.mlir")
    with open(path, "w") as file:
        file.write(bounded(text, batch))
    report = path + ".json"
    subprocess.run(
        [args.opt, path, f"--transient-pipeline=report={report}", "-o",
         path + ".out"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([args.opt, path + ".out", "--transient-verify=strict=true",
                    "-o", os.devnull], check=True)
    with open(report) as file:
        functions = {entry["name"]: entry["bytes"]
                     for entry in json.load(file)["functions"]}
    entry = next(iter(functions))
    storage, within = functions[entry], functions[entry + "_within_bounds"]
    unplanned = within["unplanned"] + within["unknown_count"]
    ratio = storage["physical"] / storage["lower_bound"]["value"]
    print(f"{name:20} {batch:5} {within['logical']:12} "
          f"{storage['physical']:12} {ratio:.4f}")
    return unplanned == 0 and ratio <= MAX_RATIO


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--shared", "--opt", "--work"):
        parser.add_argument(option, required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    root = os.path.join(args.shared, "corpus", "architectures")
    names = [name for name in sorted(os.listdir(root))
             if name.endswith("_dyn")]
    failed = []
    for name in names:
        with open(os.path.join(root, name, "memref.mlir")) as file:
            text = file.read()
        for batch in BATCHES:
            if not check(args, name, text, batch):
                failed.append(f"{name} at {batch}")
    if failed or not names:
        sys.exit("not as they should be: " + (", ".join(failed) or "no program"))


if __name__ == "__main__":
    main()
