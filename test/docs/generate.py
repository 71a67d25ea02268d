#!/usr/bin/env python3
#===- generate.py - References from TableGen ------------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes docs/generated/ with mlir-tblgen, or checks that it is up to date.
#===-----------------------------------------------------------------------===#
"""Generates docs/generated/*.md from the .td files."""

import argparse
import difflib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
# In the order of the stages.
PASSES = ("Transforms", "Conversion", "Checker")


def tablegen(tool, include, generator, *arguments):
    command = [tool, generator, *arguments,
               "-I", os.path.join(ROOT, "include"), "-I", include]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"generate.py: error: {' '.join(command)}\n{done.stderr}")
    # GitHub does not know the marker of a table of contents.
    lines = [line.rstrip() for line in done.stdout.split("\n")
             if line.strip() != "[TOC]"]
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n") + "\n"


def documents(tool, include):
    source = os.path.join(ROOT, "include", "transient")
    yield "TransientDialect.md", LICENCE + tablegen(
        tool, include, "-gen-dialect-doc", "-dialect=transient",
        os.path.join(source, "IR", "TransientOps.td"))
    text = LICENCE
    for layer in PASSES:
        part = tablegen(tool, include, "-gen-pass-doc",
                        os.path.join(source, layer, "Passes.td"))
        comment, _, rest = part.partition("\n\n")
        if layer == PASSES[0]:
            text += comment + "\n\n# Passes\n"
        text += f"\n## {layer}\n\n{rest}"
    yield "TransientPasses.md", text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit 1 if a file is out of date")
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt",
                        help="mlir-opt whose neighbour mlir-tblgen is used")
    args = parser.parse_args()
    bin_dir = os.path.dirname(os.path.realpath(args.mlir_opt))
    tool = os.path.join(bin_dir, "mlir-tblgen")
    include = os.path.join(os.path.dirname(bin_dir), "include")
    folder = os.path.join(ROOT, "docs", "generated")
    right = True
    for name, text in documents(tool, include):
        path = os.path.join(folder, name)
        old = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if old == text:
            continue
        right = False
        if args.check:
            sys.stderr.writelines(difflib.unified_diff(
                old.splitlines(True), text.splitlines(True), name,
                name + " (generated)"))
        else:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            print(f"wrote docs/generated/{name}")
    if args.check and not right:
        print("generate.py: error: run test/docs/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
