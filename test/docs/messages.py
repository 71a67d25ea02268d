#!/usr/bin/env python3
#===- messages.py - The catalogue of messages is complete -----------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# docs/Pipeline.md lists why buffers are not planned, or not written in place.
# Every reason in the sources must be there, and every one there must be in the
# sources.
#===-----------------------------------------------------------------------===#
"""Compares the reasons in lib/ with the catalogue in docs/Pipeline.md."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SOURCES = ("BufferInventory", "BufferUses", "Elementwise", "ExecutionOrder",
           "InPlace")
# Calls whose first literal is a reason, and assignments of one.
REASON = re.compile(r'(?:\b(?:block|escape|unknown|obstacle|makeObstacle)\([^";{}]*?|'
                    r'\bunsupported = )"((?:[^"\\]|\\.)*)"')
# ... and the literals that are added to the first.
ADDED = re.compile(r'\s*\+[^",;]*"((?:[^"\\]|\\.)*)"')
# Not in the catalogue: they cannot reach a user of the passes.
INTERNAL = {"the function has no body",
            # transient-import turns these into the error `overflow: ...`.
            "has a size that does not fit 64 bits (overflow)"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def join_literals(text):
    """Adjacent string literals are one, as for the compiler."""
    return re.sub(r'"\s*\n\s*"', "", text)


def plain(text):
    return text.replace("'", "").strip(" ,")


def main():
    document = read(os.path.join(ROOT, "docs", "Pipeline.md"))
    begin = document.index("## Messages and what to do")
    end = document.index("\n## ", begin + 1)
    catalogue = plain(document[begin:end])
    rows = re.findall(r"^\| `([^`]*)` \|", document[begin:end], re.MULTILINE)
    analysis = "".join(
        join_literals(read(os.path.join(ROOT, "lib", "Analysis", name + ".cpp")))
        for name in SOURCES)
    # Messages are put together at run time; where a source has only parts,
    # the test of the message has the whole.
    everything = "".join(join_literals(read(path)) for path in sorted(
        glob.glob(os.path.join(ROOT, "lib", "*", "*.cpp")) +
        glob.glob(os.path.join(ROOT, "test", "*", "*.mlir"))))
    wrong = []
    reasons = set()
    for match in REASON.finditer(analysis):
        while match:
            reasons.add(match.group(1))
            match = ADDED.match(analysis, match.end())
    if len(reasons) < 20:
        wrong.append(f"found only {len(reasons)} parts of reasons in the sources")
    for reason in sorted(reasons - INTERNAL):
        if len(plain(reason)) > 2 and plain(reason) not in catalogue:
            wrong.append(f"docs/Pipeline.md does not list: {reason}")
    for row in rows:
        for fragment in re.split("…", row):
            if len(plain(fragment)) > 2 and \
                    plain(fragment) not in everything.replace("'", ""):
                wrong.append(f"no source or test says: {plain(fragment)}")
    for message in wrong:
        print(message, file=sys.stderr)
    print(f"{len(reasons)} parts of reasons, {len(rows)} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
