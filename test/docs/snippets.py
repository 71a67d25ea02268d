#!/usr/bin/env python3
#===- snippets.py - Runs what the documents print -------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# snippets.py DOCUMENT.md --source DIR --build DIR --work DIR
#
# A fenced block follows one of these comments, on the line before it:
#   <!-- file: NAME -->   written to NAME
#   <!-- run -->          lines that start with "$ " are commands (a backslash
#                         continues one); the lines below each are its output,
#                         "..." standing for any lines. "# exit N" after the
#                         output is the expected exit code, else 0.
#   <!-- fragment -->     for reading only
# A block in one of the languages below needs one of them, so that nobody
# forgets. Blocks run in document order in one folder that looks like the root
# of the project: links to its files, and build/ is the build tree.
#===-----------------------------------------------------------------------===#
"""Writes and runs the tagged code blocks of one document."""

import argparse
import os
import re
import shutil
import subprocess
import sys

TAGGED = {"mlir", "console", "cpp", "csv", "json", "sh"}
MARKER = re.compile(r"\s*<!-- (run|fragment|file: (\S+)) -->\s*$")
FENCE = re.compile(r"(\s*)```(\w*)\s*$")


class Failure(Exception):
    pass


def blocks(path):
    """Yields (line number, language, marker, file name, lines)."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        if not fence:
            number += 1
            continue
        marker = MARKER.match(lines[number - 1]) if number else None
        start = number + 1
        end = start
        while end < len(lines) and lines[end].strip() != "```":
            end += 1
        if end == len(lines):
            raise Failure(f"{path}:{start}: block without an end")
        indent = len(fence.group(1))
        body = [line[indent:] if line[:indent].isspace() else line
                for line in lines[start:end]]
        kind = marker.group(1).split(":")[0] if marker else None
        yield start, fence.group(2), kind, marker and marker.group(2), body
        number = end + 1


def commands(lines):
    """Yields (command, expected output lines, expected exit code)."""
    index = 0
    while index < len(lines):
        if not lines[index].startswith("$ "):
            raise Failure(f"expected a line that starts with '$ ', got "
                          f"{lines[index]!r}")
        command = lines[index][2:]
        while command.endswith("\\"):
            index += 1
            command = command[:-1] + lines[index].lstrip("> ")
        index += 1
        output = []
        while index < len(lines) and not lines[index].startswith("$ "):
            output.append(lines[index])
            index += 1
        code = 0
        if output and (match := re.fullmatch(r"# exit (\d+)", output[-1])):
            code = int(match.group(1))
            output.pop()
        yield command, output, code


def matches(expected, actual):
    """Whether the output is the expected one; "..." is any lines."""
    pattern = []
    for line in expected:
        if line.strip() == "...":
            pattern.append(r"(?:.*\n)*?")
        else:
            # Within a line too, e.g. for a number that varies.
            pattern.append(".*".join(map(re.escape, line.rstrip().split("...")))
                           + r"\n")
    text = "".join(line.rstrip() + "\n" for line in actual)
    return re.fullmatch("".join(pattern), text) is not None


def run(command, expected, code, work):
    done = subprocess.run(["bash", "-c", command], cwd=work, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != code:
        raise Failure(f"exit {done.returncode}, expected {code}: {command}\n"
                      f"{done.stdout}")
    actual = done.stdout.rstrip("\n").split("\n") if done.stdout else []
    if not matches(expected, actual):
        raise Failure("the output of\n  " + command + "\nis not\n" +
                      "\n".join(expected) + "\nbut\n" + done.stdout)


def make_root(work, source, build):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    for name in os.listdir(source):
        if not name.startswith((".", "build")):
            os.symlink(os.path.join(source, name), os.path.join(work, name))
    os.symlink(build, os.path.join(work, "build"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document")
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    make_root(args.work, os.path.abspath(args.source),
              os.path.abspath(args.build))
    ran = 0
    for line, language, kind, name, body in blocks(args.document):
        try:
            if kind is None and language in TAGGED:
                raise Failure(f"a {language} block needs a <!-- run -->, "
                              "<!-- file: NAME --> or <!-- fragment -->")
            if kind == "file":
                path = os.path.join(args.work, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(body) + "\n")
            elif kind == "run":
                for command, output, code in commands(body):
                    run(command, output, code, args.work)
                    ran += 1
        except Failure as failure:
            print(f"{args.document}:{line}: {failure}", file=sys.stderr)
            return 1
    print(f"{args.document}: {ran} commands")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
