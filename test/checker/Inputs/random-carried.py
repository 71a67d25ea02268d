#!/usr/bin/env python3
# ===- random-carried.py - Random loop-carried buffers against execution -===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
# Makes random host programs in which placed requests are handed around loops,
# selected and returned from branches, and runs each many times: every execution
# of a request is a new buffer. Fails if transient-verify accepts a program of
# which some run reads a buffer that was written and then lost its place.
#
#   random-carried.py TOOL COUNT SEED [FLAGS BEFORE --transient-verify...]
#
import bisect
import random
import re
import subprocess
import sys
import tempfile

PLACES = 3
RUNS = 30
TYPE = "memref<16xf32>"


class Program:
    def __init__(self, seed, name):
        self.random = random.Random(seed)
        self.values = 0
        self.left = self.random.randint(5, 12)
        self.text = []
        self.body = [("alloc", self.fresh(), 0)]
        first = self.body[0][1]
        self.body.append(("fill", first))
        self.body += self.make_block([first], 0, 0)
        self.text.append(f"func.func @{name}(%o: {TYPE}, %c: memref<?xi1>,"
                         " %n: index, %z: f32) {")
        for value in (0, 1):
            self.text.append(f"  %c{value} = arith.constant {value} : index")
        self.print_block(self.body, 2)
        self.text += ["  return", "}"]

    def fresh(self):
        self.values += 1
        return f"%v{self.values}"

    def make_block(self, values, depth, yields):
        """Statements that may use `values`; yields that many of them."""
        values = list(values)
        block = []
        for _ in range(self.random.randint(2, 6)):
            if not self.left:
                break
            self.left -= 1
            kind = self.random.random()
            recent = values[-4:]
            if kind < 0.25:
                block.append(("alloc", self.fresh(),
                              self.random.randrange(PLACES)))
                values.append(block[-1][1])
                if self.random.random() < 0.8:
                    block.append(("fill", values[-1]))
            elif kind < 0.4:
                block.append(("fill", self.random.choice(recent)))
            elif kind < 0.65 or depth == 2:
                block.append(("read", self.random.choice(recent)))
            elif kind < 0.75:
                block.append(("select", self.fresh(),
                              self.random.choice(recent),
                              self.random.choice(recent)))
                values.append(block[-1][1])
            elif kind < 0.82:
                block.append(("if", self.fresh(),
                              self.make_block(values, depth + 1, 1),
                              self.make_block(values, depth + 1, 1)))
                values.append(block[-1][1])
            else:
                count = self.random.choice([0, 1, 1, 2])
                inits = [self.random.choice(recent) for _ in range(count)]
                arguments = [self.fresh() for _ in range(count)]
                results = [self.fresh() for _ in range(count)]
                block.append(("for", results, arguments, inits,
                              self.make_block(values + arguments, depth + 1,
                                              count)))
                values += results
        if yields or depth:
            block.append(("yield", [self.random.choice(values[-4:])
                                    for _ in range(yields)]))
        return block

    def print_block(self, block, indent):
        pad = " " * indent
        for kind, *rest in block:
            if kind == "alloc":
                self.text.append(
                    f"{pad}{rest[0]} = transient.alloc placement <physical = 0,"
                    f" offset = {64 * rest[1]}, bytes = 64> : {TYPE}")
            elif kind == "fill":
                self.text.append(f"{pad}linalg.fill ins(%z : f32)"
                                 f" outs({rest[0]} : {TYPE})")
            elif kind == "read":
                self.text.append(
                    f"{pad}memref.copy {rest[0]}, %o : {TYPE} to {TYPE}")
            elif kind in ("select", "if"):
                condition = self.fresh()
                self.text.append(f"{pad}{condition} = memref.load %c[%c0]"
                                 " : memref<?xi1>")
                if kind == "select":
                    self.text.append(f"{pad}{rest[0]} = arith.select {condition}"
                                     f", {rest[1]}, {rest[2]} : {TYPE}")
                    continue
                self.text.append(
                    f"{pad}{rest[0]} = scf.if {condition} -> {TYPE} {{")
                self.print_block(rest[1], indent + 2)
                self.text.append(f"{pad}}} else {{")
                self.print_block(rest[2], indent + 2)
                self.text.append(f"{pad}}}")
            elif kind == "for":
                results, arguments, inits, body = rest
                left = around = ""
                if results:
                    types = ", ".join([TYPE] * len(results))
                    pairs = ", ".join(
                        f"{a} = {i}" for a, i in zip(arguments, inits))
                    left = f"{', '.join(results)} = "
                    around = f" iter_args({pairs}) -> ({types})"
                self.text.append(f"{pad}{left}scf.for {self.fresh()} = %c0 to %n"
                                 f" step %c1{around} {{")
                self.print_block(body, indent + 2)
                self.text.append(f"{pad}}}")
            elif rest[0]:
                types = ", ".join([TYPE] * len(rest[0]))
                self.text.append(f"{pad}scf.yield {', '.join(rest[0])} : {types}")


class Run:
    """One execution; a buffer is a list of its place and whether it is written."""

    def __init__(self, program, seed):
        self.random = random.Random(seed)
        self.owner = [None] * PLACES
        self.values = {}
        self.corrupt = False
        self.execute(program.body)

    def execute(self, block):
        for kind, *rest in block:
            if kind == "alloc":
                self.values[rest[0]] = [rest[1], False]
            elif kind == "fill":
                buffer = self.values[rest[0]]
                self.owner[buffer[0]] = buffer
                buffer[1] = True
            elif kind == "read":
                buffer = self.values[rest[0]]
                if buffer[1] and self.owner[buffer[0]] is not buffer:
                    self.corrupt = True
            elif kind == "select":
                self.values[rest[0]] = self.values[self.random.choice(rest[1:])]
            elif kind == "if":
                taken = self.random.choice(rest[1:])
                self.values[rest[0]] = self.execute(taken)[0]
            elif kind == "for":
                results, arguments, inits, body = rest
                carried = [self.values[i] for i in inits]
                for _ in range(self.random.choice([0, 1, 2, 3, 3])):
                    self.values.update(zip(arguments, carried))
                    carried = self.execute(body)
                self.values.update(zip(results, carried))
            else:
                return [self.values[value] for value in rest[0]]
        return []


def main():
    tool, count, seed, *flags = sys.argv[1:]
    programs = [Program(int(seed) + i, f"f{i}") for i in range(int(count))]
    starts, line = [], 1
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        for program in programs:
            starts.append(line)
            line += len(program.text)
            file.write("\n".join(program.text) + "\n")
        file.flush()
        run = subprocess.run(
            [tool, file.name, *flags, "--transient-verify", "-o", "/dev/null"],
            capture_output=True, text=True)
        messages = re.findall(
            r"^" + re.escape(file.name) + r":(\d+):\d+: (error|warning): (.*)$",
            run.stderr, re.MULTILINE)
    if run.returncode not in (0, 1):
        print(run.stderr[-4000:])
        return 1
    rejected, undecided = set(), set()
    for line, kind, text in messages:
        program = bisect.bisect_right(starts, int(line)) - 1
        if kind == "error":
            rejected.add(program)
        elif "cannot decide" in text:
            undecided.add(program)
    undecided -= rejected
    unsafe = strict = 0
    for i, program in enumerate(programs):
        corrupt = any(Run(program, j).corrupt for j in range(RUNS))
        if i in rejected:
            strict += not corrupt
        elif i not in undecided and corrupt:
            unsafe += 1
            print(f"accepted, but a buffer loses its place while it is needed"
                  f" (seed {int(seed) + i}):")
            print("\n".join(program.text))
    accepted = len(programs) - len(rejected) - len(undecided)
    print(f"{len(programs)} programs: {accepted} accepted, {len(rejected)}"
          f" rejected ({strict} without a witness), {len(undecided)} undecided,"
          f" {unsafe} accepted wrongly")
    return 1 if unsafe or not accepted or not rejected else 0


sys.exit(main())
