#!/usr/bin/env python3
#===- random-flow.py - Programs with buffers in all kinds of control flow -===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a module of random functions, and @all, which calls each. Branches,
# loops, blocks (also cycles with two entries), calls, and buffers that pass
# through all of these as results, arguments, or by selection. No element is
# read before it is written. Results go to the arguments, so a value that is
# lost shows up there.
#===-----------------------------------------------------------------------===#
"""random-flow.py SEED FUNCTIONS [DEPTH] > module.mlir"""

import random
import sys

T = "memref<16xi32>"
ARGUMENTS = ["%x0", "%x1", "%x2"]
SIGNATURE = ", ".join(f"{name}: {T}" for name in ARGUMENTS)
GENERIC = ('linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, '
           'affine_map<(i) -> (i)>], iterator_types = ["parallel"]}')


class Function:
    def __init__(self, rng, name, callees, nesting):
        self.rng, self.name, self.callees = rng, name, callees
        self.nesting = nesting
        self.lines, self.count = [], 0
        #: Buffers of each enclosing scope, innermost last; those that every
        #: path has filled; those that each scope has allocated.
        self.scopes, self.filled = [list(ARGUMENTS)], set(ARGUMENTS)
        self.own = [[]]
        self.returns_buffer, self.depth = False, 0

    # -- Writing --------------------------------------------------------------

    def emit(self, *lines):
        self.lines += ["  " + line for line in lines]

    def fresh(self, prefix):
        self.count += 1
        return f"%{prefix}{self.count}"

    def label(self):
        self.count += 1
        return f"^b{self.count}"

    def any(self):
        return self.rng.choice([b for scope in self.scopes for b in scope])

    def full(self):
        return self.rng.choice([b for scope in self.scopes for b in scope
                                if b in self.filled])

    def fill_first(self, buffer):
        if buffer not in self.filled:
            self.emit(f"linalg.fill ins(%k{self.rng.randrange(4)} : i32) "
                      f"outs({buffer} : {T})")
            self.filled.add(buffer)
        return buffer

    def add(self, buffer, filled):
        self.scopes[-1].append(buffer)
        if filled:
            self.filled.add(buffer)

    def open(self, arguments=()):
        self.scopes.append([])
        self.own.append([])
        saved = set(self.filled)
        for argument in arguments:
            self.add(argument, True)
        return saved

    def close(self, saved, frees=True):
        for buffer in self.own.pop():
            if frees and self.rng.random() < 0.4:
                self.emit(f"memref.dealloc {buffer} : {T}")
        self.scopes.pop()
        self.filled = saved

    def condition(self):
        value, test = self.fresh("l"), self.fresh("c")
        self.emit(f"{value} = memref.load {self.full()}"
                  f"[%i{self.rng.randrange(16)}] : {T}",
                  f"{test} = arith.cmpi sgt, {value}, %k1 : i32")
        return test

    def trips(self):
        value, masked, trips = (self.fresh("t") for _ in range(3))
        self.emit(f"{value} = memref.load {self.full()}"
                  f"[%i{self.rng.randrange(16)}] : {T}",
                  f"{masked} = arith.andi {value}, %three : i32",
                  f"{trips} = arith.index_cast {masked} : i32 to index")
        return trips

    # -- Straight-line code ---------------------------------------------------

    def allocate(self):
        buffer = self.fresh("a")
        self.emit(f"{buffer} = memref.alloc() : {T}")
        self.add(buffer, False)
        self.own[-1].append(buffer)
        if self.rng.random() < 0.6:
            self.fill_first(buffer)

    def fill(self):
        buffer, value = self.any(), self.rng.randrange(4)
        if self.rng.random() < 0.5:
            self.emit(f"linalg.fill ins(%k{value} : i32) outs({buffer} : {T})")
        else:
            self.emit("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>"
                      '], iterator_types = ["parallel"]} '
                      f"outs({buffer} : {T}) {{", "^bb0(%old: i32):",
                      "  %i = linalg.index 0 : index",
                      "  %n = arith.index_cast %i : index to i32",
                      f"  %m = arith.muli %n, %k{value} : i32",
                      f"  %e = arith.addi %m, %k{3 - value} : i32",
                      "  linalg.yield %e : i32", "}")
        self.filled.add(buffer)

    def copy(self):
        source, target = self.full(), self.any()
        if source != target:
            self.emit(f"memref.copy {source}, {target} : {T} to {T}")
            self.filled.add(target)

    def accumulate(self):
        self.emit(f"{GENERIC} ins({self.full()} : {T}) "
                  f"outs({self.full()} : {T}) {{",
                  "^bb0(%e: i32, %old: i32):",
                  f"  %m = arith.muli %old, %k{self.rng.randrange(4)} : i32",
                  "  %n = arith.addi %m, %e : i32",
                  "  linalg.yield %n : i32", "}")

    def element(self):
        value = self.fresh("l")
        at, to = (self.rng.randrange(16) for _ in range(2))
        self.emit(f"{value} = memref.load {self.full()}[%i{at}] : {T}",
                  f"memref.store {value}, {self.full()}[%i{to}] : {T}")

    def select(self):
        test, result = self.condition(), self.fresh("s")
        self.emit(f"{result} = arith.select {test}, {self.full()}, "
                  f"{self.full()} : {T}")
        self.add(result, True)

    def call(self):
        if not self.callees:
            return
        callee = self.rng.choice(self.callees)
        self.depth = max(self.depth, callee.depth + 1)
        name, returns = callee.name, callee.returns_buffer
        arguments = [self.fill_first(self.any()) for _ in range(3)]
        result = self.fresh("r") if returns else ""
        self.emit(f"{result + ' = ' if returns else ''}func.call @{name}"
                  f"({', '.join(arguments)}) : ({T}, {T}, {T}) -> "
                  f"{T if returns else '()'}")
        if returns:
            self.add(result, True)

    # -- Regions --------------------------------------------------------------

    def branch(self):
        test, yields = self.condition(), self.rng.random() < 0.4
        result = self.fresh("r") if yields else ""
        self.emit(f"{result + ' = ' if yields else ''}scf.if {test}"
                  f"{' -> (' + T + ')' if yields else ''} {{")
        for side in range(2 if yields or self.rng.random() < 0.5 else 1):
            if side:
                self.emit("} else {")
            saved = self.open()
            self.operations(self.rng.randrange(1, 5))
            if yields:
                self.emit(f"scf.yield {self.full()} : {T}")
            self.close(saved, frees=not yields)
        self.emit("}")
        if yields:
            self.add(result, True)

    def switch(self):
        trips = self.trips()
        self.emit(f"scf.index_switch {trips}")
        for case in ["case 0", "case 2", "default"]:
            self.emit(case + " {")
            saved = self.open()
            self.operations(self.rng.randrange(1, 4))
            self.close(saved)
            self.emit("scf.yield", "}")

    def loop(self):
        carried = self.rng.choice([0, 0, 1, 2])
        inits = [self.full() for _ in range(carried)]
        arguments = [self.fresh("p") for _ in range(carried)]
        results, trips = self.fresh("r"), self.trips()
        head = f"scf.for {self.fresh('n')} = %i0 to {trips} step %i1"
        if carried:
            pairs = ", ".join(f"{a} = {b}" for a, b in zip(arguments, inits))
            head = (f"{results}:{carried} = {head} iter_args({pairs}) -> "
                    f"({', '.join([T] * carried)})")
        self.emit(head + " {")
        saved = self.open(arguments)
        self.operations(self.rng.randrange(1, 6))
        if carried:
            values = [self.full() for _ in range(carried)]
            self.emit(f"scf.yield {', '.join(values)} : "
                      f"{', '.join([T] * carried)}")
        self.close(saved, frees=not carried)
        self.emit("}")
        for i in range(carried):
            self.add(f"{results}#{i}", True)

    def while_loop(self):
        trips, result = self.trips(), self.fresh("r")
        i, j, more, nxt = (self.fresh("w") for _ in range(4))
        p, q = self.fresh("p"), self.fresh("p")
        self.emit(f"{result}:2 = scf.while ({i} = %i0, {p} = {self.full()}) : "
                  f"(index, {T}) -> (index, {T}) {{")
        saved = self.open([p])
        self.operations(self.rng.randrange(0, 4))
        self.emit(f"{more} = arith.cmpi ult, {i}, {trips} : index",
                  f"scf.condition({more}) {i}, {self.full()} : index, {T}")
        self.close(saved, frees=False)
        self.emit("} do {", f"^bb0({j}: index, {q}: {T}):")
        saved = self.open([q])
        self.operations(self.rng.randrange(1, 5))
        self.emit(f"{nxt} = arith.addi {j}, %i1 : index",
                  f"scf.yield {nxt}, {self.full()} : index, {T}", "}")
        self.close(saved, frees=False)
        self.add(f"{result}#1", True)

    def region(self):
        result = self.fresh("r")
        self.emit(f"{result} = scf.execute_region -> {T} {{")
        saved = self.open()
        self.block_operations(self.rng.randrange(1, 4))
        self.emit(f"scf.yield {self.full()} : {T}")
        self.close(saved, frees=False)
        self.emit("}")
        self.add(result, True)

    # -- Blocks ---------------------------------------------------------------

    def diamond(self):
        test, argument = self.condition(), self.fresh("p")
        sides, join = [self.label(), self.label()], self.label()
        self.emit(f"cf.cond_br {test}, {sides[0]}, {sides[1]}")
        for side in sides:
            self.emit(side + ":")
            saved = self.open()
            self.operations(self.rng.randrange(1, 5))
            passed = self.full()
            self.close(saved, frees=False)
            self.emit(f"cf.br {join}({passed} : {T})")
        self.emit(f"{join}({argument}: {T}):")
        self.add(argument, True)

    def cycle(self):
        """What the header defines is there after the cycle, too."""
        trips, i, nxt, p = (self.trips(), self.fresh("n"), self.fresh("n"),
                            self.fresh("p"))
        more = self.fresh("c")
        header, body, out = self.label(), self.label(), self.label()
        self.emit(f"cf.br {header}(%i0, {self.full()} : index, {T})",
                  f"{header}({i}: index, {p}: {T}):")
        self.add(p, True)
        self.operations(self.rng.randrange(0, 4))
        self.emit(f"{more} = arith.cmpi ult, {i}, {trips} : index",
                  f"cf.cond_br {more}, {body}, {out}", f"{body}:")
        saved = self.open()
        self.operations(self.rng.randrange(1, 5))
        self.emit(f"{nxt} = arith.addi {i}, %i1 : index")
        passed = self.full()
        self.close(saved, frees=False)
        self.emit(f"cf.br {header}({nxt}, {passed} : index, {T})", f"{out}:")

    def two_entries(self):
        trips, test = self.trips(), self.condition()
        i, j, nxt, more = (self.fresh("n") for _ in range(4))
        first, second, out = self.label(), self.label(), self.label()
        self.emit(f"cf.cond_br {test}, {first}(%i0 : index), "
                  f"{second}(%i0 : index)", f"{first}({i}: index):")
        saved = self.open()
        self.operations(self.rng.randrange(1, 4))
        self.close(saved)
        self.emit(f"cf.br {second}({i} : index)", f"{second}({j}: index):")
        saved = self.open()
        self.operations(self.rng.randrange(1, 4))
        self.emit(f"{nxt} = arith.addi {j}, %i1 : index",
                  f"{more} = arith.cmpi ult, {j}, {trips} : index")
        self.close(saved)
        self.emit(f"cf.cond_br {more}, {first}({nxt} : index), {out}",
                  f"{out}:")

    # -- Programs -------------------------------------------------------------

    def operations(self, number):
        choices = [self.fill, self.fill, self.copy, self.copy, self.accumulate,
                   self.accumulate, self.element, self.allocate]
        if len(self.scopes) <= self.nesting:
            choices += [self.branch, self.loop, self.switch, self.while_loop,
                        self.region, self.select, self.call, self.allocate]
        for _ in range(number):
            self.rng.choice(choices)()

    def block_operations(self, number):
        for _ in range(number):
            if self.rng.random() < 0.5:
                # Cycles with two entries put an end to most plans.
                two_entries = self.rng.random() < 0.07
                (self.two_entries if two_entries else
                 self.rng.choice([self.diamond, self.cycle]))()
            else:
                self.operations(self.rng.randrange(1, 5))

    def text(self):
        for i in range(4):
            self.emit(f"%k{i} = arith.constant {36 * i + 5} : i32")
        for i in range(16):
            self.emit(f"%i{i} = arith.constant {i} : index")
        self.emit("%three = arith.constant 3 : i32")
        for _ in range(self.rng.randrange(2, 6)):
            self.allocate()
        if self.rng.random() < 0.5:
            self.block_operations(self.rng.randrange(1, 2 * self.nesting + 1))
        else:
            self.operations(self.rng.randrange(4, 8 * self.nesting))
        for buffer in self.scopes[0][3:]:
            if buffer in self.filled and self.rng.random() < 0.7:
                self.emit(f"{GENERIC} ins({buffer} : {T}) outs(%x0 : {T}) {{",
                          "^bb0(%e: i32, %old: i32):",
                          "  %m = arith.muli %old, %k0 : i32",
                          "  %n = arith.addi %m, %e : i32",
                          "  linalg.yield %n : i32", "}")
        self.returns_buffer = self.rng.random() < 0.15
        if self.returns_buffer:
            self.emit(f"return {self.full()} : {T}")
        else:
            for buffer in self.own[0]:
                if self.rng.random() < 0.3:
                    self.emit(f"memref.dealloc {buffer} : {T}")
            self.emit("return")
        result = f" -> {T}" if self.returns_buffer else ""
        return "\n".join([f"func.func private @{self.name}({SIGNATURE})"
                          f"{result} {{", *self.lines, "}"])


def main(seed, functions, nesting=3):
    rng = random.Random(seed)
    print("module {")
    made = []
    for i in range(functions):
        # Calls in loops multiply.
        callees = [function for function in made if function.depth < 2]
        made.append(Function(rng, f"f{i}", callees[-4:],
                             nesting))
        print(made[-1].text())
    print(f"func.func @all({SIGNATURE}) {{")
    for i, function in enumerate(made):
        returns = function.returns_buffer
        print(f"  {f'%r{i} = ' if returns else ''}call @{function.name}"
              f"(%x0, %x1, %x2) : ({T}, {T}, {T}) -> "
              f"{T if returns else '()'}")
    print("  return\n}\n}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
