#!/usr/bin/env python3
#===- random-tokens.py - Plans of asynchronous programs against execution -===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plans the random programs of ../../checker/Inputs/random-programs.py, with a
# buffer of its own for each tenant, some of them allocated in loops. Runs each
# plan many times with random branches and trip counts. Fails if some run has a
# race between buffers that share bytes, or reads another buffer's bytes; and if
# the checker refuses a plan. Prints how much was saved, for a planner that
# shares nothing is never wrong.
#===-----------------------------------------------------------------------===#
"""random-tokens.py TOOL COUNT SEED [--waits] [PASSES...]

--waits: most branches and iterations begin with a wait for work outside of them.
PASSES run before the pipeline."""

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "checker" / "Inputs"
spec = importlib.util.spec_from_file_location(
    "random_programs", CHECKER / "random-programs.py")
programs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(programs)


class Program(programs.Program):
    #: How likely a branch or an iteration begins with a wait.
    waits = 0.0

    def make_block(self, tokens, depth):
        block = super().make_block(tokens, depth)
        if depth and self.random.random() < self.waits:
            block.insert(0, ("wait", self.some(tokens, 1, 2)))
        return block

    def print_function(self, name):
        self.name = name
        # A size for each, so that a type tells which buffer it is.
        self.tenants = [(0, 64 + 16 * i) for i in range(len(self.tenants))]
        self.types = [f"memref<{hi // 4}xf32>" for _, hi in self.tenants]
        #: The loop body that a buffer is allocated in.
        self.homes = {}
        for tenant in range(len(self.tenants)):
            home = self.find_home(self.body, tenant)
            if home is not self.body and self.random.random() < 0.7:
                self.homes[tenant] = home
                # What the last iteration left there is not to be read.
                home.insert(0, ("access", tenant, "set", None, None))
        arguments = [f"%o{i}: {t}" for i, t in enumerate(self.types)]
        arguments += [f"%cond{i}: i1"
                      for i in range(1, programs.MAX_BRANCHES + 1)]
        self.text.append(f"func.func @{name}({', '.join(arguments)},"
                         " %n: index, %z: f32) {")
        for value in (0, 1):
            self.text.append(f"  %c{value} = arith.constant {value} : index")
        for tenant, type_ in enumerate(self.types):
            if tenant not in self.homes:
                self.text.append(f"  %t{tenant} = memref.alloc() : {type_}")
        self.text.append("  %e = gpu.wait async")
        self.print_block(self.body, 2)
        self.text += ["  return", "}"]

    def uses(self, block, tenant):
        for statement in block:
            if statement[0] == "access" and statement[1] == tenant:
                return True
            if any(isinstance(part, list) and part and
                   isinstance(part[0], tuple) and self.uses(part, tenant)
                   for part in statement):
                return True
        return False

    def find_home(self, block, tenant):
        """The innermost loop body that holds all accesses."""
        users = [s for s in block if self.uses([s], tenant)]
        if len(users) == 1 and users[0][0] == "for":
            return self.find_home(users[0][3], tenant)
        return block

    def print_block(self, block, indent):
        for tenant, home in self.homes.items():
            if home is block:
                self.text.append(f"{' ' * indent}%t{tenant} = memref.alloc()"
                                 f" : {self.types[tenant]}")
        super().print_block(block, indent)


class Run(programs.Run):
    """A buffer of each iteration is one of its own."""

    def __init__(self, program, seed, places):
        self.program, self.places, self.count = program, places, 0
        self.current = [(tenant, 0) for tenant in range(len(program.tenants))]
        super().__init__(program, seed)

    def execute(self, block):
        for tenant, home in self.program.homes.items():
            if home is block:
                self.count += 1
                self.current[tenant] = (tenant, self.count)
        return super().execute(block)

    def note(self, tenant):
        return self.current[tenant]

    def corrupts(self):
        for j, (tenant, effect, started) in enumerate(self.instances):
            for i, (other, before, _) in enumerate(self.instances[:j]):
                a, b = self.places[tenant[0]], self.places[other[0]]
                if (tenant != other and overlap(a, b) and
                        i not in started and
                        not effect == before == "read"):
                    return (f"{before} of {other} (instance {i}) and {effect} "
                            f"of {tenant} (instance {j}) race")
        owner, written = {}, {}
        for tenant, effect, _ in self.instances:
            if not self.places[tenant[0]]:
                continue
            lo, hi = self.places[tenant[0]]
            mine = written.setdefault(tenant, set())
            for byte in (range(lo, lo + 4) if effect == "store"
                         else range(lo, hi)):
                if effect != "read":
                    owner[byte] = tenant
                    mine.add(byte)
                elif byte in mine and owner[byte] != tenant:
                    return f"{tenant} reads what {owner[byte]} wrote"
        return None


def overlap(a, b):
    return a and b and a[0] < b[1] and b[0] < a[1]


def get_places(program, text):
    """Byte ranges; None for buffers that are not planned."""
    places = []
    for tenant, type_ in enumerate(program.types):
        match = re.search(r"transient\.view %\S+?\[(\d+)\] tenant \d+ : "
                          rf"\S+ to {re.escape(type_)}\n", text)
        offset, size = int(match[1]) if match else 0, program.tenants[tenant][1]
        places.append((offset, offset + size) if match else None)
    return places


def main():
    tool, count, seed, *passes = sys.argv[1:]
    if passes[:1] == ["--waits"]:
        del passes[0]
        Program.waits = 0.8
    made = [Program(int(seed) + i, f"f{i}") for i in range(int(count))]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        for program in made:
            file.write("\n".join(program.text) + "\n")
        file.flush()
        run = subprocess.run(
            [tool, file.name, *passes,
             "--transient-pipeline=lower=none split-webs=false"],
            capture_output=True, text=True)
    if run.returncode != 0:
        print("\n".join(line for line in run.stderr.split("\n")
                        if ": error: " in line) or run.stderr[-4000:])
        return 1
    undecided = run.stderr.count("cannot decide")
    functions = run.stdout.split("func.func @")[1:]
    unsafe = planned = shared = 0
    for i, (program, text) in enumerate(zip(made, functions)):
        places = get_places(program, text)
        planned += sum(place is not None for place in places)
        shared += any(overlap(a, b)
                      for j, a in enumerate(places) for b in places[:j])
        runs = (Run(program, j, places) for j in range(programs.RUNS))
        reason = next(filter(None, (r.corrupts() for r in runs)), None)
        if reason:
            unsafe += 1
            print(f"{reason}, at {places} (seed {int(seed) + i}):")
            print("\n".join(program.text))
    print(f"{len(made)} programs: {planned} buffers planned, {shared} programs "
          f"share bytes, {undecided} undecided, {unsafe} planned wrongly")
    return 1 if unsafe or not shared else 0


if __name__ == "__main__":
    sys.exit(main())
