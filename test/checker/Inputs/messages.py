#!/usr/bin/env python3
#===- messages.py - Every message of the checker has a test ---------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each piece of text in lib/Checker must be expected by some test in
# test/checker: in an expected-error, -warning or -note, or in a line for
# FileCheck. Pieces are what stands between the parts that are put in at run time.
#===-----------------------------------------------------------------------===#
"""Looks for texts of lib/Checker that no test expects."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
COMMENT = re.compile(r"//.*|#include.*")
PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
EXPECTED = re.compile(r"expected-(?:error|warning|note)|^\s*(?://|#) [A-Z-]+: ")
# Not texts, or not to be reached.
EXCEPTIONS = {
    # Names of dialects, attributes, and a part of names of operations.
    "affine", "complex", "sparse_tensor", "operandSegmentSizes",
    "resultSegmentSizes", "bufferization.access", "_buffer_size",
    # The op's own verifier is first.
    "bytes is smaller than the buffer's",
    # No rule names an allocation as an access so far.
    "allocates"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pieces(path):
    for match in PIECE.finditer(COMMENT.sub("", read(path))):
        text = "".join(STRING.findall(match.group(0)))
        text = text.replace("\\'", "'").replace('\\"', '"').strip(" ,:;()")
        if len(text) > 5:
            yield text


def main():
    sources = sorted(glob.glob(os.path.join(ROOT, "lib", "Checker", "*.cpp")))
    expected = "\n".join(
        line for path in sorted(glob.glob(os.path.join(
            ROOT, "test", "checker", "*.*"))) for line in
        read(path).splitlines() if EXPECTED.search(line))
    count, wrong = 0, []
    for path in sources:
        for text in pieces(path):
            count += 1
            if text not in expected and text not in EXCEPTIONS:
                wrong.append(f"{os.path.relpath(path, ROOT)}: no test expects: "
                             f"{text}")
    if count < 100:
        wrong.append(f"found only {count} texts")
    print("\n".join([*wrong, f"{count} texts, {len(wrong)} without a test"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
