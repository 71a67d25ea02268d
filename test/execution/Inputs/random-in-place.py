#!/usr/bin/env python3
#===- random-in-place.py - Programs with operands that may die ------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a module with one function, @layers. Each of its buffers is written by
# one operation, and read by later ones that wait for it. Often they wait for
# the other readers of the buffer, too, and may then write in its place. Kernels
# work element for element, but for one that also looks at another element. All
# that is not read goes into the arguments, so a value that is lost shows up
# there. With --host the operations are of linalg, one after the other.
#===-----------------------------------------------------------------------===#
"""random-in-place.py SEED OPERATIONS [--host] > module.mlir"""

import random
import sys

TYPE, ARGUMENTS = "memref<16xi32>", 4
# Name, number of operands, body; %e0 and %e1 are the operands' elements at %i.
KERNELS = [
    ("neg", 1, ["%r = arith.subi %k, %e0 : i32"]),
    ("add", 2, ["%r = arith.addi %e0, %e1 : i32"]),
    ("mix", 2, ["%s = arith.muli %e0, %k : i32",
                "%r = arith.subi %s, %e1 : i32"]),
    ("flip", 1, ["%j = arith.subi %last, %i : index",
                 f"%n = memref.load %a0[%j] : {TYPE}",
                 "%r = arith.subi %n, %e0 : i32"]),
]
INTO = f"""\
    gpu.func @into(%from: {TYPE}, %to: {TYPE}) kernel {{
      %k = arith.constant 5 : i32
      %i = gpu.global_id x
      %new = memref.load %from[%i] : {TYPE}
      %old = memref.load %to[%i] : {TYPE}
      %s = arith.muli %old, %k : i32
      %r = arith.addi %s, %new : i32
      memref.store %r, %to[%i] : {TYPE}
      gpu.return
    }}"""


def kernel(name, operands, body):
    arguments = [f"%a{i}: {TYPE}" for i in range(operands)] + [f"%to: {TYPE}"]
    yield f"    gpu.func @{name}({', '.join(arguments)}) kernel {{"
    yield "      %k = arith.constant 3 : i32"
    yield "      %last = arith.constant 15 : index"
    yield "      %i = gpu.global_id x"
    for i in range(operands):
        yield f"      %e{i} = memref.load %a{i}[%i] : {TYPE}"
    yield from ("      " + line for line in body)
    yield f"      memref.store %r, %to[%i] : {TYPE}"
    yield "      gpu.return"
    yield "    }"


def launch(token, waits, name, buffers):
    passed = ", ".join(f"{buffer} : {TYPE}" for buffer in buffers)
    return (f"    {token} = gpu.launch_func async [{', '.join(sorted(waits))}] "
            f"@k::@{name} blocks in (%c2, %c1, %c1) threads in (%c8, %c1, %c1) "
            f"args({passed})")


def generic(name, operands, target):
    """The kernel of that name as a linalg op."""
    body = next(lines for known, _, lines in KERNELS if known == name)
    same = "affine_map<(i) -> (i)>"
    yield (f"    linalg.generic {{indexing_maps = "
           f"[{', '.join([same] * (len(operands) + 1))}], "
           f'iterator_types = ["parallel"]}} '
           f"ins({', '.join(operands)} : {', '.join([TYPE] * len(operands))}) "
           f"outs({target} : {TYPE}) {{")
    elements = "".join(f"%e{i}: i32, " for i in range(len(operands)))
    yield f"    ^bb0({elements}%old: i32):"
    yield "      %i = linalg.index 0 : index"
    for line in body:
        yield "      " + line.replace("%a0", operands[0])
    yield "      linalg.yield %r : i32"
    yield "    }"


def host(rng, count):
    arguments = ", ".join(f"%x{i}: {TYPE}" for i in range(ARGUMENTS))
    yield f"  func.func @layers({arguments}) {{"
    yield "    %k = arith.constant 3 : i32"
    yield "    %last = arith.constant 15 : index"
    for index in rng.sample(range(count), count):
        yield f"    %b{index} = memref.alloc() : {TYPE}"
    unread = set()
    for index in range(count):
        recent = range(max(0, index - 3), index)
        unread.add(index)
        if len(recent) < 2 or rng.random() < 0.1:
            yield (f"    memref.copy %x{rng.randrange(ARGUMENTS)}, %b{index} "
                   f": {TYPE} to {TYPE}")
            continue
        name, number, _ = rng.choice(KERNELS)
        operands = rng.sample(recent, number)
        unread.difference_update(operands)
        yield from generic(name, [f"%b{i}" for i in operands], f"%b{index}")
    for index in sorted(unread):
        target = f"%x{index % ARGUMENTS}"
        yield from generic("mix", [f"%b{index}", target], target)
    yield "    return"
    yield "  }"


def function(rng, count):
    arguments = ", ".join(f"%x{i}: {TYPE}" for i in range(ARGUMENTS))
    yield f"  func.func @layers({arguments}) {{"
    for value in (1, 2, 8):
        yield f"    %c{value} = arith.constant {value} : index"
    # Requests stand in another order than that in which they are used.
    for index in rng.sample(range(count), count):
        yield f"    %b{index} = gpu.alloc () : {TYPE}"
    yield "    %t0 = gpu.wait async"
    readers = [[] for _ in range(count)]
    for index in range(count):
        recent = range(max(0, index - 4), index)
        if len(recent) < 2 or rng.random() < 0.1:
            yield (f"    %w{index} = gpu.memcpy async [%t0] %b{index}, "
                   f"%x{rng.randrange(ARGUMENTS)} : {TYPE}, {TYPE}")
            continue
        name, number, _ = rng.choice(KERNELS)
        operands = rng.sample(recent, number)
        waits = {f"%w{i}" for i in operands}
        for i in operands:
            if rng.random() < 0.7:
                waits.update(readers[i])
            readers[i].append(f"%w{index}")
        yield launch(f"%w{index}", waits, name,
                     [f"%b{i}" for i in [*operands, index]])
    # The copies above read the arguments, which are written only now.
    last = "%done"
    yield f"    {last} = gpu.wait async " \
          f"[{', '.join(f'%w{i}' for i in range(count))}]"
    for index in range(count):
        if not readers[index]:
            yield launch(f"%o{index}", [last], "into",
                         [f"%b{index}", f"%x{index % ARGUMENTS}"])
            last = f"%o{index}"
    yield f"    gpu.wait [{last}]"
    yield "    return"
    yield "  }"


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    if "--host" in sys.argv:
        print("\n".join(["module {", *host(rng, count), "}"]))
        return
    print("module attributes {gpu.container_module} {\n  gpu.module @k {")
    for entry in KERNELS:
        print("\n".join(kernel(*entry)))
    print(INTO + "\n  }")
    print("\n".join(function(rng, count)))
    print("}")


if __name__ == "__main__":
    main()
