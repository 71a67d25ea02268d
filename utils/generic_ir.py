#===- generic_ir.py - Reads MLIR's generic textual form -------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Just enough of MLIR for the scripts here: ops with operands, result types and
# regions, and the sizes of static memref types. It asks the stock mlir-opt to
# parse and print, so that only the regular generic form has to be understood,
# and it shares nothing with Transient's own analyses.
#===-----------------------------------------------------------------------===#
"""A reader for generic-form MLIR text."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from math import prod


class IRError(Exception):
    """The text is not what this reader or mlir-opt understands."""


@dataclass
class Block:
    args: list = field(default_factory=list)  # (name, type) pairs
    ops: list = field(default_factory=list)


@dataclass
class Op:
    name: str
    results: list
    operands: list
    attrs: str
    operand_types: list
    result_types: list
    regions: list  # of lists of Block

    def walk(self):
        """This op and everything nested in it, in textual order."""
        yield self
        for region in self.regions:
            for block in region:
                for op in block.ops:
                    yield from op.walk()

    def symbol(self, key="sym_name"):
        """The symbol that attribute `key` holds, or None."""
        match = re.search(rf'\b{key} = (?:@)?(?:"([^"]*)"|([\w$.\-]+))',
                          self.attrs)
        return (match.group(1) or match.group(2)) if match else None


_SPACE = re.compile(r"(?:\s|//[^\n]*)*")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|->|>=|<=|[()\[\]{}<>,]')
_RESULTS = re.compile(r"(%[\w$.\-]+(?::\d+)?(?:\s*,\s*%[\w$.\-]+(?::\d+)?)*)"
                      r"\s*=\s*")
_NAME = re.compile(r'"([\w$.\-]+)"\s*\(')
_LABEL = re.compile(r"\^[\w$.\-]+")


def split_list(text):
    """The parts of a comma-separated list, brackets respected."""
    parts, depth, start = [], 0, 0
    for token in _BRACKET.finditer(text):
        symbol = token.group()
        if symbol in "([{<":
            depth += 1
        elif symbol in ")]}>":
            depth -= 1
        elif symbol == "," and depth == 0:
            parts.append(text[start:token.start()].strip())
            start = token.end()
    last = text[start:].strip()
    return parts + [last] if last else parts


class Reader:
    """Recursive descent over the generic form."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self):
        self.at = _SPACE.match(self.text, self.at).end()

    def peek(self, literal):
        self.skip()
        return self.text.startswith(literal, self.at)

    def take(self, literal):
        if not self.peek(literal):
            found = self.text[self.at:self.at + 40].split("\n")[0]
            raise IRError(f"expected '{literal}', got '{found}'")
        self.at += len(literal)

    def balanced(self):
        """The inside of the bracket that starts here; moves past it."""
        depth = 0
        for token in _BRACKET.finditer(self.text, self.at):
            symbol = token.group()
            depth += (symbol in "([{<") - (symbol in ")]}>")
            if depth == 0 and symbol != ",":
                inside = self.text[self.at + 1:token.start()]
                self.at = token.end()
                return inside
        raise IRError("unbalanced bracket")

    def block_ops(self):
        ops = []
        while not self.peek("}") and not self.peek("^") and (
                self.at < len(self.text)) and not self.peek("{-#"):
            ops.append(self.op())
        return ops

    def region(self):
        """`{ block* }` with the leading bracket still to come."""
        self.take("{")
        blocks = []
        if not self.peek("^"):
            blocks.append(Block(ops=self.block_ops()))
        while self.peek("^"):
            self.at = _LABEL.match(self.text, self.at).end()
            args = []
            if self.peek("("):
                args = [tuple(p.strip() for p in part.split(":", 1))
                        for part in split_list(self.balanced())]
            self.take(":")
            blocks.append(Block(args, self.block_ops()))
        self.take("}")
        return blocks

    def results(self):
        self.skip()
        match = _RESULTS.match(self.text, self.at)
        if not match:
            return []
        self.at = match.end()
        names = []
        for part in match.group(1).split(","):
            name, _, count = part.strip().partition(":")
            names += ([f"{name}#{i}" for i in range(int(count))] if count
                      else [name])
        return names

    def op(self):
        results = self.results()
        match = _NAME.match(self.text, self.at)
        if not match:
            found = self.text[self.at:self.at + 40].split("\n")[0]
            raise IRError(f"expected an op in generic form, got '{found}'")
        self.at = match.end() - 1
        operands = split_list(self.balanced())
        attrs, regions = "", []
        if self.peek("["):
            self.balanced()
        if self.peek("<{"):
            attrs += self.balanced()
        if self.peek("("):
            self.take("(")
            regions.append(self.region())
            while self.peek(","):
                self.take(",")
                regions.append(self.region())
            self.take(")")
        if self.peek("{"):
            attrs += " " + self.balanced()
        self.take(":")
        self.skip()
        operand_types = split_list(self.balanced())
        self.take("->")
        self.skip()
        if self.peek("("):
            result_types = split_list(self.balanced())
        else:
            result_types = [self.single_type()]
        return Op(match.group(1), results, operands, attrs, operand_types,
                  result_types, regions)

    def single_type(self):
        """A result type without parentheses, up to the end of the op."""
        start = self.at
        self.at = re.compile(r"!?[\w.$]*").match(self.text, self.at).end()
        if self.text.startswith("<", self.at):
            self.balanced()
        return self.text[start:self.at]


def mlir_opt():
    """The stock mlir-opt of LLVM 22: $MLIR_OPT, else where Debian puts it."""
    return (os.environ.get("MLIR_OPT") or shutil.which("mlir-opt-22")
            or "/usr/lib/llvm-22/bin/mlir-opt")


def first_error(stderr):
    """The first diagnostic of a tool, for one-line messages."""
    for line in stderr.splitlines():
        if "error" in line:
            return line.strip()
    return stderr.strip().split("\n")[0] or "no message"


def load(path, passes="", allow_unregistered=False):
    """The module in `path` after stock `passes`, as an Op."""
    command = [mlir_opt(), path, "--mlir-print-op-generic",
               "--mlir-print-local-scope",
               "--mlir-elide-elementsattrs-if-larger=4",
               "--mlir-elide-resource-strings-if-larger=4",
               f"--pass-pipeline=builtin.module({passes})"]
    if allow_unregistered:
        command.append("--allow-unregistered-dialect")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise IRError(first_error(run.stderr))
    return Reader(run.stdout).op()


# -- Functions --------------------------------------------------------------


def functions(module):
    """Top-level functions by name, with or without a body."""
    return {op.symbol(): op for op in module.regions[0][0].ops
            if op.name in ("func.func", "llvm.func")}


def has_body(function):
    return any(block.ops for region in function.regions for block in region)


def signature(function):
    """Argument and result types, from function_type."""
    key = "function_type = "
    reader = Reader(function.attrs)
    reader.at = function.attrs.index(key) + len(key)
    arguments = split_list(reader.balanced())
    reader.take("->")
    results = (split_list(reader.balanced()) if reader.peek("(")
               else [reader.single_type()])
    return arguments, results


def choose_entry(table, wanted=None):
    """The function that `wanted` names; by default the public one with the
    most ops, if possible one that takes arguments (a `main` usually does
    not). None if there is none."""
    if wanted:
        return wanted if wanted in table and has_body(table[wanted]) else None
    public = [name for name, op in table.items() if has_body(op)
              and op.name == "func.func"
              and op.symbol("sym_visibility") in (None, "public")]
    return max(public, default=None, key=lambda name: (
        bool(signature(table[name])[0]), sum(1 for _ in table[name].walk())))


# -- Types ------------------------------------------------------------------

_WIDTH = {"index": 8, "bf16": 2, "f16": 2, "f32": 4, "tf32": 4, "f64": 8}


def element_bytes(dtype):
    """The bytes that one element takes in a memref, or None if unknown."""
    if dtype in _WIDTH:
        return _WIDTH[dtype]
    if match := re.fullmatch(r"[su]?i(\d+)", dtype):
        width = (int(match.group(1)) + 7) // 8
        return 1 << (width - 1).bit_length() if width <= 8 else None
    if re.fullmatch(r"f[468]E\d+M\d+\w*", dtype):
        return 1
    if match := re.fullmatch(r"complex<(.*)>", dtype):
        part = element_bytes(match.group(1))
        return part and 2 * part
    if match := re.fullmatch(r"vector<([\dx]+)x(.*)>", dtype):
        part = element_bytes(match.group(2))
        count = prod(int(d) for d in match.group(1).split("x"))
        return part and count * part
    return None


@dataclass
class MemRef:
    """A ranked memref type; a dynamic extent is None."""

    shape: list
    dtype: str
    rest: list  # layout and memory space, as text

    def bytes(self, dynamic=None):
        """Size with `dynamic` for each unknown extent, None if not known."""
        extents = [dynamic if d is None else d for d in self.shape]
        width = element_bytes(self.dtype)
        return None if None in extents or not width else prod(extents) * width


def parse_memref(text):
    """The MemRef that `text` spells, or None for any other type."""
    if not (text.startswith("memref<") and text.endswith(">")):
        return None
    head, *rest = split_list(text[len("memref<"):-1])
    shape = []
    while match := re.match(r"(\d+|\?)x", head):
        shape.append(None if match.group(1) == "?" else int(match.group(1)))
        head = head[match.end():]
    return None if head.startswith("*x") else MemRef(shape, head, rest)
