#!/usr/bin/env python3
# ===- forced.py - Buffers that must not share, put in one place ----------===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
# Gives all allocations of each program in a file one placement, by hand as it
# were, and fails if transient-verify accepts one: each has to be an error, or to
# be said to be undecided.
#
#   forced.py TOOL FILE
#
import re
import subprocess
import sys

PLACED = r"= transient.alloc placement <physical = 0, offset = 0, bytes = 64>\1"


def main():
    tool, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        programs = file.read().split("// -----\n")
    accepted = undecided = 0
    for program in programs:
        name = re.findall(r"func\.func @(\w+)\(", program)[-1]
        text, count = re.subn(r"= memref\.alloc\(\)( : memref<[^>]*>)", PLACED,
                              program)
        assert count > 1, name
        run = subprocess.run([tool, "--transient-verify", "-o", "/dev/null"],
                             input=text, capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        if ": error: " in run.stderr:
            continue
        if "cannot decide" in run.stderr:
            undecided += 1
            continue
        accepted += 1
        print(f"accepted, with all buffers in one place:\n{text}")
    print(f"{len(programs)} programs: {undecided} undecided, "
          f"{accepted} accepted")
    return 1 if accepted else 0


if __name__ == "__main__":
    sys.exit(main())
