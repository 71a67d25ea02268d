#!/usr/bin/env python3
#===- rules.py - Rules that are cited are written down --------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sources, tests and documents cite rules such as `C3` or `alloc-R2`. Each needs
# a row in docs/Rules.md, and every path and test in a row must exist. Citations
# are looked for in prose: comments, op documentation, documents, messages.
#===-----------------------------------------------------------------------===#
"""Compares the rules that are cited with docs/Rules.md.

usage: rules.py [ROOT]
"""

import os
import re
import sys

FOLDERS = ("include", "lib", "tools", "utils", "test", "docs")
DOCUMENT = "docs/Rules.md"
#: This test holds wrong citations of its own.
SKIPPED = {DOCUMENT, "test/docs/rules.py", "test/docs/rules.test"}

LETTERS = "A-IK-NPQRVX"
NOT_AFTER, NOT_BEFORE = r"(?<![\w%$\[<{.-])", r"(?![\w>-])"
RULE = re.compile(rf"{NOT_AFTER}[{LETTERS}]\d{{1,2}}[ab]?{NOT_BEFORE}")
RANGE = re.compile(rf"{NOT_AFTER}([{LETTERS}])(\d+)-\1(\d+){NOT_BEFORE}")
OP_RULE = re.compile(r"(?<![\w-])[a-z]+-R\d+\b")
#: Element types and language versions, not rules; foo-R1 shows how to name one.
NOT_RULES = {"F16", "F32", "F64", "I8", "I16", "I32", "I64", "C17", "C99",
             "foo-R1"}

# Prose by the ending of a file's name.
LINE_COMMENT = {".mlir": re.compile(r"(?:^|\s)//.*"),
                ".test": re.compile(r"(?:^|\s)(?://|#).*"),
                ".sh": re.compile(r"(?:^|\s)#.*"),
                ".txt": re.compile(r"(?:^|\s)#.*"),
                ".cmake": re.compile(r"(?:^|\s)#.*")}
CPP = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TD = re.compile(r"//[^\n]*|description = \[\{.*?\}\];", re.DOTALL)
PYTHON = re.compile(r'#[^\n]*|""".*?"""', re.DOTALL)
MARKDOWN_FENCE = re.compile(r"^\s*```.*?^\s*```", re.MULTILINE | re.DOTALL)
#: The checker's messages end with their rule.
MESSAGE = re.compile(r'"[^"\n]*"')
#: RUN and CHECK lines: at least two letters in a row, unlike `V1: …`.
DIRECTIVE = re.compile(r"^\s*(?://|#)\s*[A-Z0-9_-]*[A-Z]{2}[A-Z0-9_-]*:")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def keep(text, spans):
    """`text` with everything blank but `spans`; lines stay where they are."""
    result = ["\n" if c == "\n" else " " for c in text]
    for begin, end in spans:
        result[begin:end] = text[begin:end]
    return "".join(result)


def prose(name, text):
    """The parts of a file that may cite a rule, each on its own line."""
    ending = os.path.splitext(name)[1]
    if ending == ".md":
        return MARKDOWN_FENCE.sub(
            lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    if ending in LINE_COMMENT:
        lines = []
        for line in text.split("\n"):
            match = LINE_COMMENT[ending].search(line)
            lines.append(match.group() if match and
                         not DIRECTIVE.match(line) else "")
        return "\n".join(lines)
    pattern = {".h": CPP, ".cpp": CPP, ".td": TD, ".py": PYTHON}.get(ending)
    if pattern is None:
        return ""
    spans = [m.span() for m in pattern.finditer(text)]
    if name.startswith("lib/Checker/"):
        spans += [m.span() for m in MESSAGE.finditer(text)]
    return keep(text, spans)


def citations(name, text):
    """Pairs of a line number and a rule."""
    # A rule of an op is one wherever it stands.
    for number, line in enumerate(text.split("\n"), 1):
        for match in OP_RULE.finditer(line):
            yield number, match.group()
    for number, line in enumerate(prose(name, text).split("\n"), 1):
        for letter, begin, end in RANGE.findall(line):
            for i in range(int(begin), int(end) + 1):
                yield number, f"{letter}{i}"
        for rule in RULE.findall(RANGE.sub(" ", line)):
            yield number, rule


def files(root):
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = sorted(f for f in folders
                                if f not in ("__pycache__", "Output"))
            for name in sorted(names):
                if os.path.splitext(name)[1] in (
                        ".h", ".cpp", ".td", ".py", ".md", *LINE_COMMENT):
                    yield os.path.relpath(os.path.join(path, name), root)
    for name in ("README.md", "CHANGELOG.md"):
        if os.path.exists(os.path.join(root, name)):
            yield name


def check_row(root, rule, kept, tests):
    """What is wrong with one row of the document."""
    for cell, missing in ((kept, "not yet"), (tests, "none yet")):
        path = None
        for name in re.findall(r"`([^`]+)`", cell):
            if "/" in name:
                path = os.path.join(root, name)
                if not os.path.isfile(path):
                    yield f"{rule}: there is no {name}"
                    path = ""
            elif path is None:
                yield f"{rule}: '{name}' follows no path"
            elif path and not re.search(rf"\b{re.escape(name)}\b", read(path)):
                yield f"{rule}: {os.path.relpath(path, root)} has no '{name}'"
        if path is None and cell != missing:
            what = "test" if cell is tests else "file"
            yield f"{rule}: names no {what}; expects '{missing}'"


def main():
    root = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else \
        os.path.dirname(os.path.dirname(os.path.dirname(
            os.path.abspath(__file__))))
    rows = re.findall(
        rf"^\| ((?:[{LETTERS}]\d+[ab]?|[a-z]+-R\d+)) \| .+ \| (.+) \| (.+) \|$",
        read(os.path.join(root, DOCUMENT)), re.MULTILINE)
    wrong, known = [], set()
    for rule, kept, tests in rows:
        if rule in known:
            wrong.append(f"{DOCUMENT}: {rule}: has a second row")
        known.add(rule)
        wrong += [f"{DOCUMENT}: {it}"
                  for it in check_row(root, rule, kept, tests)]
    cited = set()
    for name in files(root):
        if os.path.join(root, name) != os.path.abspath(__file__) and \
                name not in SKIPPED:
            for number, rule in citations(name, read(os.path.join(root, name))):
                if rule not in NOT_RULES:
                    cited.add(rule)
                    if rule not in known:
                        wrong.append(f"{name}:{number}: {rule} has no row in "
                                     f"{DOCUMENT}")
    for message in wrong:
        print(message, file=sys.stderr)
    print(f"{len(rows)} rules, {len(cited)} of them cited, "
          f"{sum(tests == 'none yet' for _, _, tests in rows)} without a test, "
          f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
