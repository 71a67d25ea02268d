#!/usr/bin/env python3
# ===- random-programs.py - Random planned programs against execution ----===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
# Makes random programs whose buffers share an arena at random: asynchronous
# sets and copies on random tokens, blocking ops, waits, joins, branches and
# loops with carried tokens, and a free. Runs each many times with random
# branches and trip counts, keeping for every op *instance* the set of instances
# that have ended when it starts. Fails if transient-verify accepts a program of
# which some run has a race between buffers, a read of another buffer's bytes,
# or a free under a user; prints how many it rejected without such a run.
#
#   random-programs.py TOOL COUNT SEED [FLAGS BEFORE --transient-verify...]
#
import bisect
import random
import re
import subprocess
import sys
import tempfile

ARENA = 64
RANGES = [(0, 64), (0, 32), (32, 64), (16, 48), (0, 64), (0, 16)]
MAX_BRANCHES = 15
RUNS = 40


class Program:
    """A random program as a list of statements, and its text."""

    def __init__(self, seed, name):
        self.random = random.Random(seed)
        self.tenants = [self.random.choice(RANGES)
                        for _ in range(self.random.randint(2, 3))]
        self.accesses_left = self.random.randint(4, 10)
        self.values = self.branches = 0
        self.text = []
        self.body = self.make_block(["%e"], 0)[:-1]
        self.print_function(name)

    def fresh(self):
        self.values += 1
        return f"%v{self.values}"

    def some(self, tokens, low, high):
        recent = tokens[-4:]
        return self.random.sample(
            recent, min(len(recent), self.random.randint(low, high)))

    def make_block(self, tokens, depth):
        """Statements that may use `tokens`; the last one yields a token."""
        tokens = list(tokens)
        block = []
        for _ in range(self.random.randint(1, 4 if depth else 7)):
            if not self.accesses_left:
                break
            kind = self.random.random()
            if kind < 0.62:
                self.accesses_left -= 1
                tenant = self.random.randrange(len(self.tenants))
                effect = self.random.choice(["set", "set", "read", "store"])
                if effect == "store" or self.random.random() < 0.25:
                    block.append(("access", tenant, effect, None, None))
                    continue
                block.append(("access", tenant, effect,
                              self.some(tokens, 1, 2), self.fresh()))
                tokens.append(block[-1][-1])
            elif kind < 0.72:
                block.append(("wait", self.some(tokens, 1, 2)))
            elif kind < 0.82 or depth == 2:
                block.append(("join", self.some(tokens, 0, 3), self.fresh()))
                tokens.append(block[-1][-1])
            elif kind < 0.91 and self.branches < MAX_BRANCHES:
                self.branches += 1
                condition = self.branches
                block.append(("if", condition,
                              self.make_block(tokens, depth + 1),
                              self.make_block(tokens, depth + 1),
                              self.fresh()))
                tokens.append(block[-1][-1])
            else:
                argument = self.fresh()
                block.append(("for", argument, self.random.choice(tokens),
                              self.make_block(tokens + [argument], depth + 1),
                              self.fresh()))
                tokens.append(block[-1][-1])
        block.append(("yield", self.random.choice(tokens[-3:])))
        return block

    def print_block(self, block, indent):
        pad = " " * indent
        types = [f"memref<{(hi - lo) // 4}xf32>" for lo, hi in self.tenants]
        token = "!gpu.async.token"
        for statement in block:
            kind, *rest = statement
            if kind == "access":
                tenant, effect, dependencies, result = rest
                type_ = types[tenant]
                left, async_ = "", ""
                if result:
                    left = f"{result} = "
                    async_ = f"async [{', '.join(dependencies)}] "
                self.text.append(pad + {
                    "store": f"memref.store %z, %t{tenant}[%c0] : {type_}",
                    "set": f"{left}gpu.memset {async_}%t{tenant}, %z"
                           f" : {type_}, f32",
                    "read": f"{left}gpu.memcpy {async_}%o{tenant}, %t{tenant}"
                            f" : {type_}, {type_}"}[effect])
            elif kind == "wait":
                self.text.append(f"{pad}gpu.wait [{', '.join(rest[0])}]")
            elif kind == "join":
                self.text.append(
                    f"{pad}{rest[1]} = gpu.wait async [{', '.join(rest[0])}]")
            elif kind == "if":
                condition, then, otherwise, result = rest
                self.text.append(
                    f"{pad}{result} = scf.if %cond{condition} -> {token} {{")
                self.print_block(then, indent + 2)
                self.text.append(f"{pad}}} else {{")
                self.print_block(otherwise, indent + 2)
                self.text.append(f"{pad}}}")
            elif kind == "for":
                argument, init, body, result = rest
                self.text.append(
                    f"{pad}{result} = scf.for %i{argument[2:]} = %c0 to %n step"
                    f" %c1 iter_args({argument} = {init}) -> {token} {{")
                self.print_block(body, indent + 2)
                self.text.append(f"{pad}}}")
            elif kind == "yield":
                self.text.append(f"{pad}scf.yield {rest[0]} : {token}")
            else:
                self.text.append(
                    f"{pad}memref.dealloc %arena : memref<{ARENA}xi8>")

    def print_function(self, name):
        if self.random.random() < 0.6:
            tokens = [s[-1] for s in self.body
                      if s[0] in ("join", "if", "for") or
                      (s[0] == "access" and s[-1])]
            tokens = [t for t in tokens if self.random.random() < 0.9]
            if tokens:
                self.body.append(("wait", tokens))
            self.body.append(("free",))
        types = [f"memref<{(hi - lo) // 4}xf32>" for lo, hi in self.tenants]
        arguments = [f"%o{i}: {t}" for i, t in enumerate(types)]
        arguments += [f"%cond{i}: i1" for i in range(1, MAX_BRANCHES + 1)]
        self.text.append(f"func.func @{name}({', '.join(arguments)},"
                         " %n: index, %z: f32) {")
        for value in (0, 1, 16, 32):
            self.text.append(f"  %c{value} = arith.constant {value} : index")
        self.text.append("  %arena = memref.alloc() {alignment = 64 : i64}"
                         f" : memref<{ARENA}xi8>")
        for i, (lo, _) in enumerate(self.tenants):
            self.text.append(f"  %t{i} = memref.view %arena[%c{lo}][]"
                             f" {{tenant = {i} : i64}}"
                             f" : memref<{ARENA}xi8> to {types[i]}")
        self.text.append("  %e = gpu.wait async")
        self.print_block(self.body, 2)
        self.text += ["  return", "}"]


class Run:
    """One execution: instances, each with those ended when it starts."""

    def __init__(self, program, seed):
        self.tenants = program.tenants
        self.random = random.Random(seed)
        self.host = frozenset()
        self.tokens = {"%e": frozenset()}
        self.instances = []
        self.freed = None
        self.execute(program.body)

    def execute(self, block):
        for kind, *rest in block:
            if kind == "access":
                tenant, effect, dependencies, result = rest
                started = self.host.union(
                    *(self.tokens[d] for d in dependencies or []))
                ended = started | {len(self.instances)}
                self.instances.append((self.note(tenant), effect, started))
                if result:
                    self.tokens[result] = ended
                else:
                    self.host = ended
            elif kind == "wait":
                self.host = self.host.union(*(self.tokens[d] for d in rest[0]))
            elif kind == "join":
                self.tokens[rest[1]] = self.host.union(
                    *(self.tokens[d] for d in rest[0]))
            elif kind == "if":
                taken = rest[1] if self.random.random() < 0.5 else rest[2]
                self.tokens[rest[3]] = self.tokens[self.execute(taken)]
            elif kind == "for":
                argument, init, body, result = rest
                token = self.tokens[init]
                for _ in range(self.random.choice([0, 1, 2, 2, 3])):
                    self.tokens[argument] = token
                    token = self.tokens[self.execute(body)]
                self.tokens[result] = token
            elif kind == "free":
                self.freed = self.host
            else:
                return rest[0]
        return None

    def note(self, tenant):
        """What an instance records of the buffer that it accesses."""
        return tenant

    def overlap(self, a, b):
        return (self.tenants[a][0] < self.tenants[b][1] and
                self.tenants[b][0] < self.tenants[a][1])

    def corrupts(self):
        for j, (tenant, effect, started) in enumerate(self.instances):
            for i, (other, before, _) in enumerate(self.instances[:j]):
                if (tenant != other and self.overlap(tenant, other) and
                        i not in started and
                        not effect == before == "read"):
                    return f"instances {i} and {j} race"
        # The order of issue is one legal order; follow the bytes through it.
        owner = [None] * (ARENA // 4)
        written = [set() for _ in self.tenants]
        for tenant, effect, _ in self.instances:
            lo, hi = (bound // 4 for bound in self.tenants[tenant])
            for word in [lo] if effect == "store" else range(lo, hi):
                if effect != "read":
                    owner[word] = tenant
                    written[tenant].add(word)
                elif word in written[tenant] and owner[word] != tenant:
                    return f"tenant {tenant} reads what {owner[word]} wrote"
        if self.freed is not None and len(self.freed) < len(self.instances):
            return "freed under a user"
        return None

    def breaks_rules(self):
        """Beyond corruption: unordered or interleaved use of any kind (V2)."""
        for j, (tenant, _, started) in enumerate(self.instances):
            for i, (other, _, _) in enumerate(self.instances[:j]):
                if (tenant != other and self.overlap(tenant, other) and
                        i not in started):
                    return True
        for a in range(len(self.tenants)):
            for b in range(a):
                turns = [t for t, _, _ in self.instances if t in (a, b)]
                if self.overlap(a, b) and sum(
                        x != y for x, y in zip(turns, turns[1:])) > 1:
                    return True
        return False


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
        runs = [Run(program, j) for j in range(RUNS)]
        if i in rejected:
            strict += not any(r.corrupts() or r.breaks_rules() for r in runs)
            continue
        if i in undecided:
            continue
        reason = next(filter(None, (r.corrupts() for r in runs)), None)
        if reason:
            unsafe += 1
            print(f"accepted, but {reason} (seed {int(seed) + i}):")
            print("\n".join(program.text))
    accepted = len(programs) - len(rejected) - len(undecided)
    print(f"{len(programs)} programs: {accepted} accepted, {len(rejected)}"
          f" rejected ({strict} without a witness), {len(undecided)} undecided,"
          f" {unsafe} accepted wrongly")
    return 1 if unsafe or not accepted or not rejected else 0


if __name__ == "__main__":
    sys.exit(main())
