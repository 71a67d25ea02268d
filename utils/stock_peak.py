#!/usr/bin/env python3
#===- stock_peak.py - What stock MLIR holds at its peak -------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lets stock mlir-opt insert the deallocations, then adds every allocation and
# subtracts every deallocation in program order. Independent of Transient: the
# comparison's other side must not come from the tool under comparison.
#===-----------------------------------------------------------------------===#
"""Peak bytes of a memref-form function after the stock deallocation passes.

Approximations, all in favour of the stock pipeline: the body of a loop and
both branches of a conditional run once, and a conditional deallocation counts
as one. A deallocation of a buffer that cannot be named (chosen at run time)
is counted in "unmatched" and frees nothing.
"""

import argparse
import json
import sys

import generic_ir
from generic_ir import IRError, choose_entry, functions, parse_memref

PIPELINES = {
    "none": "",
    "dealloc": "buffer-deallocation-pipeline,canonicalize",
    "liveness": "buffer-deallocation-pipeline,canonicalize,"
                "func.func(optimize-allocation-liveness)",
}
ALLOCATIONS = {"memref.alloc", "gpu.alloc", "bufferization.clone"}
DEALLOCATIONS = {"memref.dealloc", "gpu.dealloc"}
# Results that are the buffer of the first operand.
VIEWS = {"memref.subview", "memref.cast", "memref.view", "memref.transpose",
         "memref.expand_shape", "memref.collapse_shape", "memref.reshape",
         "memref.reinterpret_cast", "memref.memory_space_cast",
         "memref.assume_alignment", "memref.extract_strided_metadata"}


class Simulation:
    """Bytes held over one pass through a function, callees included."""

    def __init__(self, table, dynamic):
        self.table, self.dynamic = table, dynamic
        self.held = self.peak = self.total = 0
        self.count = self.unknown = self.unmatched = 0
        self.sizes, self.root = {}, {}
        self.active = []

    def allocate(self, value, kind):
        memref = parse_memref(kind)
        size = memref.bytes(self.dynamic) if memref else None
        if size is None:
            self.unknown += 1
            return
        key = (len(self.sizes), value)
        self.sizes[key] = size
        self.root[value] = key
        self.count += 1
        self.total += size
        self.held += size
        self.peak = max(self.peak, self.held)

    def deallocate(self, value):
        size = self.sizes.get(self.root.get(value))
        if size is None:
            self.unmatched += 1
            return
        self.sizes[self.root[value]] = 0
        self.held -= size

    def run_op(self, op):
        if op.name in ALLOCATIONS:
            memrefs = [(v, t) for v, t in zip(op.results, op.result_types)
                       if t.startswith("memref")]
            self.allocate(*memrefs[0])
        elif op.name in DEALLOCATIONS:
            buffers = [v for v, t in zip(op.operands, op.operand_types)
                       if t.startswith("memref")]
            self.deallocate(buffers[0])
        elif op.name in VIEWS:
            if op.operands[0] in self.root:
                self.root[op.results[0]] = self.root[op.operands[0]]
        elif op.name == "func.call":
            self.run_function(op.symbol("callee"))
        self.run_regions(op)

    def run_regions(self, op):
        for region in op.regions:
            for block in region:
                for nested in block.ops:
                    self.run_op(nested)

    def run_function(self, name):
        """A callee's buffers come on top of what is held at the call."""
        if name in self.active or name not in self.table:
            return
        self.active.append(name)
        saved, self.root = self.root, {}
        self.run_regions(self.table[name])
        self.root = saved
        self.active.pop()


def measure(path, entry, pipeline, dynamic):
    """A dictionary of figures for one function of the file."""
    module = generic_ir.load(path, PIPELINES[pipeline])
    table = functions(module)
    name = choose_entry(table, entry)
    if name is None:
        raise IRError("no public function with a body" +
                      (f" named @{entry}" if entry else ""))
    simulation = Simulation(table, dynamic)
    simulation.run_function(name)
    return {"function": name, "pipeline": pipeline,
            "allocations": simulation.count, "total_bytes": simulation.total,
            "peak_bytes": simulation.peak,
            "unknown_sizes": simulation.unknown,
            "unmatched": simulation.unmatched}


def main(argv=None):
    parser = argparse.ArgumentParser(
        description="Peak bytes that the stock deallocation passes leave.")
    parser.add_argument("input")
    parser.add_argument("--entry", help="function (default: the largest "
                                        "public one)")
    parser.add_argument("--pipeline", choices=PIPELINES, default="dealloc",
                        help="dealloc: buffer-deallocation-pipeline (default); "
                             "liveness: then optimize-allocation-liveness; "
                             "none: the input as it is")
    parser.add_argument("--dyn", type=int, metavar="N",
                        help="value of every dynamic extent (default: such "
                             "buffers are counted as unknown)")
    args = parser.parse_args(argv)
    try:
        print(json.dumps(measure(args.input, args.entry, args.pipeline,
                                 args.dyn)))
    except (IRError, OSError) as error:
        print(f"stock_peak.py: error: {args.input}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
