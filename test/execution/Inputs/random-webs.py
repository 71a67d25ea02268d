#!/usr/bin/env python3
#===- random-webs.py - Programs whose buffers hold several values ---------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a module of random functions, and @all, which calls each. Buffers are
# filled, copied, updated in place and written in part, through views, in
# branches and in loops; no element is read before it is written. Results go to
# the arguments, so a value that is lost shows up there.
#===-----------------------------------------------------------------------===#
"""random-webs.py SEED FUNCTIONS > module.mlir"""

import random
import sys
from dataclasses import dataclass, field

FLAT, MATRIX = "memref<32xi32>", "memref<8x4xi32>"
TURNED = "memref<4x8xi32, strided<[1, 4]>>"
SIZE, CONSTANTS = 32, 8
MAPS = {1: "affine_map<(i) -> (i)>", 2: "affine_map<(i, j) -> (i, j)>"}
SIGNATURE = (f"%x0: {FLAT}, %x1: {FLAT}, %x2: {FLAT}, %row: memref<4xi32>, "
             "%three: memref<3xi32>")
TYPES = ", ".join(part.split(": ")[1] for part in SIGNATURE.split(", %"))


@dataclass(eq=False)
class Buffer:
    name: str
    type: str
    written: set = field(default_factory=set)
    #: Whole views made in the function's own block.
    views: list = field(default_factory=list)

    def is_full(self):
        return len(self.written) == SIZE


class Function:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.lines, self.count = [], 0
        #: Buffers that each enclosing block allocates, innermost last.
        self.scopes = [[Buffer(f"%x{i}", FLAT, set(range(SIZE)))
                        for i in range(3)]]

    # -- Writing --------------------------------------------------------------

    def emit(self, *lines):
        self.lines += ["  " * len(self.scopes) + line for line in lines]

    def fresh(self, prefix):
        self.count += 1
        return f"%{prefix}{self.count}"

    def index(self, value):
        return f"%i{value}"

    def constant(self):
        return f"%k{self.rng.randrange(CONSTANTS)}"

    # -- Buffers --------------------------------------------------------------

    def allocate(self):
        buffer = Buffer(self.fresh("a"), self.rng.choice([FLAT, MATRIX]))
        self.emit(f"{buffer.name} = memref.alloc() : {buffer.type}")
        self.scopes[-1].append(buffer)

    def any(self):
        return self.rng.choice([b for scope in self.scopes for b in scope])

    def full(self):
        return self.rng.choice([b for scope in self.scopes for b in scope
                                if b.is_full()])

    def wrote(self, buffer, elements):
        # In a branch or a loop, for certain only within the same block.
        if buffer in self.scopes[-1]:
            buffer.written |= elements

    def whole(self, buffer, kind=None):
        """A view of all of `buffer`: its name and type. `kind` is a type that
        it must have, up to its layout."""
        if buffer.views and kind is None and self.rng.random() < 0.4:
            return self.rng.choice(buffer.views)
        target = kind or self.rng.choice([FLAT, MATRIX, TURNED])
        source = f"{buffer.name} "
        if target == buffer.type:
            return buffer.name, buffer.type
        view = self.fresh("w")
        if target == MATRIX:
            self.emit(f"{view} = memref.expand_shape {source}[[0, 1]] "
                      f"output_shape [8, 4] : {FLAT} into {MATRIX}")
        elif target == FLAT:
            self.emit(f"{view} = memref.collapse_shape {source}[[0, 1]] : "
                      f"{MATRIX} into {FLAT}")
        else:
            self.emit(f"{view} = memref.reinterpret_cast {source}to offset: "
                      "[0], sizes: [4, 8], strides: [1, 4] : "
                      f"{buffer.type} to {TURNED}")
        if len(self.scopes) == 1:
            buffer.views.append((view, target))
        return view, target

    def part(self, buffer):
        """A view of some of `buffer`: name, type and elements."""
        name, rng = self.whole(buffer, FLAT)[0], self.rng
        length = rng.randrange(1, SIZE)
        offset = rng.randrange(0, SIZE + 1 - length)
        view = self.fresh("p")
        result = f"memref<{length}xi32, strided<[1], offset: {offset}>>"
        self.emit(f"{view} = memref.subview {name}[{offset}] [{length}] [1] : "
                  f"{FLAT} to {result}")
        return view, result, set(range(offset, offset + length))

    # -- Operations -----------------------------------------------------------

    def generic(self, inputs, output, body, maps=None, iterators=None):
        rank = 1 if output[1] == FLAT else 2
        maps = maps or [MAPS[rank]] * (len(inputs) + 1)
        iterators = iterators or ["parallel"] * rank
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(kind for _, kind in inputs)
        ins = f"ins({names} : {types}) " if inputs else ""
        quoted = ", ".join(f'"{kind}"' for kind in iterators)
        arguments = ", ".join(f"%e{i}: i32" for i in range(len(inputs)))
        self.emit(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                  f"iterator_types = [{quoted}]}} {ins}"
                  f"outs({output[0]} : {output[1]}) {{",
                  f"^bb0({arguments}{', ' if arguments else ''}%old: i32):",
                  *("  " + line for line in body), "  linalg.yield %new : i32",
                  "}")

    def fill(self):
        buffer = self.any()
        name, kind = self.whole(buffer)
        self.emit(f"linalg.fill ins({self.constant()} : i32) "
                  f"outs({name} : {kind})")
        self.wrote(buffer, set(range(SIZE)))

    def fill_part(self):
        buffer = self.any()
        name, kind, elements = self.part(buffer)
        self.emit(f"linalg.fill ins({self.constant()} : i32) "
                  f"outs({name} : {kind})")
        self.wrote(buffer, elements)

    def copy(self):
        source, target = self.full(), self.any()
        if source is not target:
            kind = self.rng.choice([FLAT, MATRIX, TURNED])
            a, b = self.whole(source, kind), self.whole(target, kind)
            self.emit(f"memref.copy {a[0]}, {b[0]} : {a[1]} to {b[1]}")
            self.wrote(target, set(range(SIZE)))

    def combine(self):
        """Target may be one of the sources: then it is updated in place."""
        kind = self.rng.choice([FLAT, MATRIX, TURNED])
        target = self.any()
        inputs = [self.whole(self.full(), kind) for _ in range(2)]
        self.generic(inputs, self.whole(target, kind),
                     [f"%m = arith.muli %e0, {self.constant()} : i32",
                      "%new = arith.addi %m, %e1 : i32"])
        self.wrote(target, set(range(SIZE)))

    def accumulate(self):
        target = self.full()
        self.generic([self.whole(self.full(), FLAT)], self.whole(target, FLAT),
                     [f"%m = arith.muli %old, {self.constant()} : i32",
                      "%new = arith.addi %m, %e0 : i32"])

    def broadcast(self):
        target = self.any()
        self.generic([("%row", "memref<4xi32>")], self.whole(target, MATRIX),
                     ["%new = arith.addi %e0, %k1 : i32"],
                     ["affine_map<(i, j) -> (j)>", MAPS[2]])
        self.wrote(target, set(range(SIZE)))

    def repeat(self):
        """A loop that the output leaves out: the last iteration stays."""
        source, target = self.full(), self.any()
        if source is not target:
            self.generic([self.whole(source, MATRIX), ("%three", "memref<3xi32>")],
                         self.whole(target, MATRIX),
                         ["%new = arith.addi %e0, %e1 : i32"],
                         ["affine_map<(i, j, k) -> (i, j)>",
                          "affine_map<(i, j, k) -> (k)>",
                          "affine_map<(i, j, k) -> (i, j)>"],
                         ["parallel", "parallel", "reduction"])
            self.wrote(target, set(range(SIZE)))

    def reverse(self):
        """The payload loads from a buffer, perhaps the one that it writes."""
        target = self.any()
        output = self.whole(target, FLAT)
        source = self.whole(self.full(), FLAT)
        self.generic([], output,
                     ["%i = linalg.index 0 : index",
                      "%j = arith.subi %i31, %i : index",
                      f"%new = memref.load {source[0]}[%j] : {source[1]}"])
        self.wrote(target, set(range(SIZE)))

    def vector(self):
        target, length = self.any(), self.rng.choice([SIZE, SIZE, SIZE - 1])
        name, value = self.whole(target, FLAT)[0], self.fresh("v")
        self.emit(f"{value} = vector.broadcast {self.constant()} : i32 to "
                  f"vector<{length}xi32>",
                  f"vector.transfer_write {value}, {name}[%i0] "
                  f"{{in_bounds = [true]}} : vector<{length}xi32>, {FLAT}")
        self.wrote(target, set(range(length)))

    def element(self):
        target, at = self.any(), self.rng.randrange(SIZE)
        name, source = self.whole(target, FLAT)[0], self.full()
        loaded = self.fresh("l")
        self.emit(f"{loaded} = memref.load {self.whole(source, FLAT)[0]}"
                  f"[{self.index(self.rng.randrange(SIZE))}] : {FLAT}",
                  f"memref.store {loaded}, {name}[{self.index(at)}] : {FLAT}")
        self.wrote(target, {at})

    def nest(self):
        """Two loops that store everything, or not quite."""
        target, rng = self.any(), self.rng
        name = self.whole(target, FLAT)[0]
        first, end, factor = rng.choice([(0, 8, 4)] * 3 + [
            (1, 8, 4), (0, 7, 4), (0, 8, 3)])
        value, tail = self.constant(), []
        if rng.random() < 0.3:
            value, source = self.fresh("l"), self.full()
            at = self.index(rng.randrange(SIZE))
            load = f"{value} = memref.load %s[{at}] : {FLAT}"
            tail = [load.replace("%s", self.whole(source, FLAT)[0])]
        i, j, row, at = (self.fresh("n") for _ in range(4))
        store = [f"memref.store {value}, {name}[{at}] : {FLAT}"]
        conditional = rng.random() < 0.2
        if conditional:
            test = self.fresh("c")
            tail.append(f"{test} = arith.cmpi ult, {i}, "
                        f"{self.index(rng.randrange(5, 9))} : index")
            store = [f"scf.if {test} {{", "  " + store[0], "}"]
        self.emit(f"scf.for {i} = {self.index(first)} to {self.index(end)} "
                  "step %i1 {",
                  f"  scf.for {j} = %i0 to %i4 step %i1 {{",
                  f"    {row} = arith.muli {i}, {self.index(factor)} : index",
                  f"    {at} = arith.addi {row}, {j} : index",
                  *("    " + line for line in tail + store), "  }", "}")
        if not conditional:
            self.wrote(target, {factor * a + b for a in range(first, end)
                                for b in range(4)})

    def branch(self):
        value, test = self.fresh("l"), self.fresh("c")
        self.emit(f"{value} = memref.load %x{self.rng.randrange(3)}"
                  f"[{self.index(self.rng.randrange(SIZE))}] : {FLAT}",
                  f"{test} = arith.cmpi sgt, {value}, {self.constant()} : i32",
                  f"scf.if {test} {{")
        self.body()
        if self.rng.random() < 0.4:
            self.emit("} else {")
            self.body()
        self.emit("}")

    def loop(self):
        value, masked, trips = (self.fresh("t") for _ in range(3))
        self.emit(f"{value} = memref.load %three[%i0] : memref<3xi32>",
                  f"{masked} = arith.andi {value}, %three_bits : i32",
                  f"{trips} = arith.index_cast {masked} : i32 to index",
                  f"scf.for {self.fresh('n')} = %i0 to {trips} step %i1 {{")
        self.body()
        self.emit("}")

    def body(self):
        self.scopes.append([])
        self.operations(self.rng.randrange(1, 7))
        self.scopes.pop()

    def operations(self, number):
        choices = [self.fill, self.fill, self.fill_part, self.fill_part,
                   self.copy, self.copy, self.combine, self.combine,
                   self.accumulate, self.broadcast, self.repeat, self.reverse,
                   self.vector, self.element, self.nest, self.nest]
        if len(self.scopes) < 3:
            choices += [self.branch, self.branch, self.loop, self.allocate]
        for _ in range(number):
            self.rng.choice(choices)()

    def text(self):
        for i in range(CONSTANTS):
            self.emit(f"%k{i} = arith.constant {37 * i + 5} : i32")
        for i in range(SIZE):
            self.emit(f"%i{i} = arith.constant {i} : index")
        self.emit("%three_bits = arith.constant 3 : i32")
        for _ in range(self.rng.randrange(1, 5)):
            self.allocate()
        self.operations(self.rng.randrange(10, 45))
        for buffer in self.scopes[0][3:]:
            if buffer.is_full() and self.rng.random() < 0.7:
                self.generic([self.whole(buffer, FLAT)], ("%x0", FLAT),
                             ["%m = arith.muli %old, %k0 : i32",
                              "%new = arith.addi %m, %e0 : i32"])
            if self.rng.random() < 0.3:
                self.emit(f"memref.dealloc {buffer.name} : {buffer.type}")
        return "\n".join([f"func.func private @{self.name}({SIGNATURE}) {{",
                          *self.lines, "  return", "}"])


def main(seed, functions):
    rng = random.Random(seed)
    print("module {")
    for i in range(functions):
        print(Function(rng, f"f{i}").text())
    print(f"func.func @all({SIGNATURE}) {{")
    for i in range(functions):
        print(f"  call @f{i}(%x0, %x1, %x2, %row, %three) : ({TYPES}) -> ()")
    print("  return\n}\n}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
