#!/usr/bin/env python3
#===- links.py - Links in the documents lead somewhere --------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Relative links and anchors in README.md, CHANGELOG.md and docs/, with GitHub's
# rule for anchors. Looks nothing up on the network.
#===-----------------------------------------------------------------------===#
"""Checks relative links and anchors of all documents."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def prose(path):
    return re.sub(r"^\s*```.*?^\s*```", "", read(path),
                  flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    result = set()
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number, unique = 0, slug
        while unique in result:
            number += 1
            unique = f"{slug}-{number}"
        result.add(unique)
    return result


def main():
    documents = [os.path.join(ROOT, "README.md"),
                 os.path.join(ROOT, "CHANGELOG.md"),
                 *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]
    wrong = links = 0
    for document in documents:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            name, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(
                os.path.dirname(document), name)) if name else document
            problem = None
            if not os.path.exists(path):
                problem = "there is no such file"
            elif anchor and anchor not in anchors(path):
                problem = "there is no such heading"
            if problem:
                wrong += 1
                print(f"{os.path.relpath(document, ROOT)}: {target}: {problem}",
                      file=sys.stderr)
    print(f"{links - wrong} of {links} links lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
