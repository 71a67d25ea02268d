#===- driver.py - A main function around a memref-form program ------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the IR that execute.py appends to a module: allocate the entry's
# arguments, fill them as a function of (argument, element) alone, call the
# entry, and write the raw bytes of every argument and result to a file. It
# knows signatures only, so planned and unplanned modules get the same text.
#===-----------------------------------------------------------------------===#
"""Writes the driver function around an entry."""

import re
from dataclasses import dataclass
from math import prod

from generic_ir import MemRef, element_bytes, parse_memref

PREFIX = "__transient_run_"
MAIN = PREFIX + "main"
FILES = {"before": "before.bin", "after": "after.bin"}

FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
SCALARS = {*FLOATS, "index", "i1", "i8", "i16", "i32", "i64"}


class Unsupported(Exception):
    """A program that this driver cannot call; the text says why."""


# mlir-runner's printing functions and the element type each takes.
PRINTERS = {"printMemrefF32": "f32", "printMemrefF64": "f64",
            "printMemrefI8": "i8", "printMemrefI16": "i16",
            "printMemrefI32": "i32", "printMemrefI64": "i64",
            "printMemrefInd": "index", "printMemrefF16": "f16",
            "printMemrefBF16": "bf16"}
PRINT_FILES = {dtype: f"prints-{dtype}.bin" for dtype in PRINTERS.values()}


def record_prints(text):
    """The module's text with the declarations of PRINTERS given a body that
    appends the bytes to a file: printed digits would be rounded, and come
    with addresses."""
    def body(match):
        name, kind = match.group(1), f"memref<*x{match.group(2)}>"
        if PRINTERS.get(name) != match.group(2):
            return match.group(0)
        dtype = match.group(2)
        return f"""func.func private @{name}(%m: {kind}) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rank = memref.rank %m : {kind}
    %n = scf.for %i = %c0 to %rank step %c1 iter_args(%p = %c1) -> (index) {{
      %d = memref.dim %m, %i : {kind}
      %q = arith.muli %p, %d : index
      scf.yield %q : index
    }}
    %shape = memref.alloc() : memref<1xindex>
    memref.store %n, %shape[%c0] : memref<1xindex>
    %flat = memref.reshape %m(%shape) : ({kind}, memref<1xindex>) -> memref<?x{dtype}>
    %width = arith.constant {element_bytes(dtype)} : index
    %size = arith.muli %n, %width : index
    %data = memref.extract_aligned_pointer_as_index %flat : memref<?x{dtype}> -> index
    %path = llvm.mlir.addressof @{PREFIX}prints_{dtype} : !llvm.ptr
    %mode = llvm.mlir.addressof @{PREFIX}append : !llvm.ptr
    %stream = llvm.call @fopen(%path, %mode) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    func.call @{PREFIX}dump(%stream, %data, %size) : (!llvm.ptr, index, index) -> ()
    %done = llvm.call @fclose(%stream) : (!llvm.ptr) -> i32
    return
  }}"""
    return re.sub(r"func\.func private @(\w+)\(memref<\*x(\w+)>\)"
                  r"(?: attributes \{[^}\n]*\})?(?=\n)", body, text)


@dataclass
class Filling:
    """How arguments get their values.

    Floats are low + (high - low) * k / 128, exact in bf16 for the default
    range; i8 and i16, which are data, are below 16; wider integers, which are
    often indices, are below `integers`; dynamic extents take the values of
    `dynamic` in order of appearance, the last one again and again.
    """

    low: float = -1.0
    high: float = 1.0
    integers: int = 2
    dynamic: tuple = (16,)


@dataclass
class Item:
    """One dumped value: what to call it, its element type, its bytes."""

    name: str
    dtype: str


def check_type(kind, role, number, returned=False):
    """The MemRef of a supported type, None for a scalar; else Unsupported."""
    if kind in SCALARS:
        return None
    memref = parse_memref(kind)
    if memref is None:
        raise Unsupported(f"{role} {number} has type {kind}")
    if memref.dtype not in SCALARS:
        raise Unsupported(f"{role} {number} has element type {memref.dtype}")
    if memref.rest and not returned:
        flexible = re.fullmatch(r"strided<\[(\?(, \?)*)?\], offset: \?>",
                                memref.rest[0])
        if len(memref.rest) > 1 or not flexible:
            raise Unsupported(f"{role} {number} has layout or memory space "
                              f"{', '.join(memref.rest)}")
    return memref


class Driver:
    """The text of the driver for one signature."""

    def __init__(self, entry, argument_types, result_types, filling, poison,
                 append=False):
        self.entry, self.filling, self.append = entry, filling, append
        self.argument_types, self.result_types = argument_types, result_types
        self.poison = poison
        self.lines, self.count, self.items = [], 0, []
        self.filled_types = set()
        self.extents = list(filling.dynamic)
        self._main()

    def emit(self, text):
        self.lines.append(f"    {text}")

    def fresh(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.emit(f"{name} = {text}")
        return name

    def index(self, value):
        return self.fresh(f"arith.constant {value} : index")

    def _extent(self):
        """The next dynamic extent."""
        return self.extents.pop(0) if len(self.extents) > 1 else (
            self.extents[0])

    # -- Arguments ----------------------------------------------------------

    def _memref(self, number, kind, memref):
        """A filled argument; also its flat form for dumping."""
        shape = [self._extent() if d is None else d for d in memref.shape]
        dtype, size = memref.dtype, self.index(prod(shape))
        flat_type = f"memref<?x{dtype}>"
        flat = self.fresh(f"memref.alloc({size}) {{alignment = 64 : i64}} : "
                          f"{flat_type}")
        seed = self.fresh(f"arith.constant {number + 1} : i64")
        self.filled_types.add(dtype)
        self.emit(f"func.call @{PREFIX}fill_{dtype}({flat}, {seed}) : "
                  f"({flat_type}, i64) -> ()")
        strides = [prod(shape[i + 1:]) for i in range(len(shape))]
        dims = "".join(f"{d}x" for d in shape)
        value_type = f"memref<{dims}{dtype}>"
        value = self.fresh(f"memref.reinterpret_cast {flat} to offset: [0], "
                           f"sizes: {shape}, strides: {strides} : {flat_type} "
                           f"to {value_type}")
        if kind != value_type:
            value = self.fresh(f"memref.cast {value} : {value_type} to {kind}")
        return value, (flat, flat_type, size)

    def _scalar(self, number, kind):
        """A constant: small, positive, different for each argument."""
        if kind in FLOATS:
            return self.fresh(f"arith.constant {1.0 + (number % 8) / 8} : "
                              f"{kind}")
        if kind == "i1":
            return self.fresh("arith.constant true")
        if kind == "index":
            return self.index(self._extent())
        return self.fresh(f"arith.constant {1 + number % 4} : {kind}")

    # -- Dumping ------------------------------------------------------------

    def _open(self, which):
        path = self.fresh(f"llvm.mlir.addressof @{PREFIX}{which} : !llvm.ptr")
        mode = self.fresh(f"llvm.mlir.addressof @{PREFIX}mode : !llvm.ptr")
        return self.fresh(f"llvm.call @fopen({path}, {mode}) : "
                          "(!llvm.ptr, !llvm.ptr) -> !llvm.ptr")

    def _dump(self, stream, value, kind, elements, dtype):
        """Byte count, then bytes, of an identity-layout memref."""
        width = self.index(element_bytes(dtype))
        size = self.fresh(f"arith.muli {elements}, {width} : index")
        pointer = self.fresh("memref.extract_aligned_pointer_as_index "
                             f"{value} : {kind} -> index")
        self.emit(f"func.call @{PREFIX}dump({stream}, {pointer}, {size}) : "
                  "(!llvm.ptr, index, index) -> ()")

    def _close(self, stream):
        self.fresh(f"llvm.call @fclose({stream}) : (!llvm.ptr) -> i32")

    def _dump_result(self, stream, number, kind, value):
        memref = check_type(kind, "result", number, returned=True)
        if memref is None:
            cell = self.fresh(f"memref.alloc() : memref<1x{kind}>")
            zero = self.index(0)
            self.emit(f"memref.store {value}, {cell}[{zero}] : "
                      f"memref<1x{kind}>")
            self._dump(stream, cell, f"memref<1x{kind}>", self.index(1), kind)
            self.items.append(Item(f"result {number}", kind))
            return
        dims = []
        for axis, extent in enumerate(memref.shape):
            dims.append(self.fresh(f"memref.dim {value}, {self.index(axis)} : "
                                   f"{kind}"))
        unknown = [v for v, extent in zip(dims, memref.shape)
                   if extent is None]
        text = "".join("?x" if d is None else f"{d}x" for d in memref.shape)
        copy_type = f"memref<{text}{memref.dtype}>"
        copy = self.fresh(f"memref.alloc({', '.join(unknown)}) : {copy_type}")
        self.emit(f"memref.copy {value}, {copy} : {kind} to {copy_type}")
        size = self.index(1)
        for extent in dims:
            size = self.fresh(f"arith.muli {size}, {extent} : index")
        self._dump(stream, copy, copy_type, size, memref.dtype)
        self.items.append(Item(f"result {number}", memref.dtype))

    # -- The functions --------------------------------------------------------

    def _main(self):
        # M_PERTURB (-6): malloc fills with the complement of the low byte.
        # Beyond a byte on purpose: 0 would switch the filling off.
        code = self.fresh("arith.constant -6 : i32")
        byte = self.fresh(f"arith.constant {256 + (self.poison ^ 0xff)} : i32")
        self.fresh(f"llvm.call @mallopt({code}, {byte}) : (i32, i32) -> i32")
        values, flats = [], []
        for number, kind in enumerate(self.argument_types):
            memref = check_type(kind, "argument", number)
            if memref is None:
                values.append(self._scalar(number, kind))
                continue
            value, flat = self._memref(number, kind, memref)
            values.append(value)
            flats.append((number, memref.dtype, flat))
        before = self._open("before")
        for number, dtype, (flat, kind, size) in flats:
            self._dump(before, flat, kind, size, dtype)
            self.items.append(Item(f"argument {number}", dtype))
        self._close(before)
        call = (f"func.call @{self.entry}({', '.join(values)}) : "
                f"({', '.join(self.argument_types)}) -> "
                f"({', '.join(self.result_types)})")
        results = []
        if self.result_types:
            self.emit(f"%r:{len(self.result_types)} = {call}")
            results = [f"%r#{i}" for i in range(len(self.result_types))]
        else:
            self.emit(call)
        after = self._open("after")
        for _, dtype, (flat, kind, size) in flats:
            self._dump(after, flat, kind, size, dtype)
        for number, kind in enumerate(self.result_types):
            self._dump_result(after, number, kind, results[number])
        self._close(after)

    def _fill(self, dtype):
        """Element i gets a value from 7 well-mixed bits of (i, seed)."""
        fill = self.filling
        if dtype in FLOATS:
            convert = [
                "%k = arith.andi %h3, %c127 : i64",
                "%f = arith.uitofp %k : i64 to f64",
                f"%s = arith.constant {(fill.high - fill.low) / 128:e} : f64",
                f"%b = arith.constant {fill.low:e} : f64",
                "%m = arith.mulf %f, %s : f64",
                "%x = arith.addf %m, %b : f64"]
            convert.append("%r = arith.addf %x, %zero : f64"
                           if dtype == "f64" else
                           f"%r = arith.truncf %x : f64 to {dtype}")
        else:
            limit = {"i1": 2, "i8": 16, "i16": 16}.get(dtype, fill.integers)
            convert = [f"%l = arith.constant {limit} : i64",
                       "%k = arith.andi %h3, %c127 : i64",
                       "%x = arith.remui %k, %l : i64"]
            convert.append(
                "%r = arith.index_cast %x : i64 to index" if dtype == "index"
                else "%r = arith.addi %x, %none : i64" if dtype == "i64"
                else f"%r = arith.trunci %x : i64 to {dtype}")
        body = "\n".join(f"      {line}" for line in convert)
        return f"""
  func.func private @{PREFIX}fill_{dtype}(%flat: memref<?x{dtype}>, %seed: i64) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : i64
    %zero = arith.constant 0.0 : f64
    %c29 = arith.constant 29 : i64
    %c127 = arith.constant 127 : i64
    %p1 = arith.constant 2654435761 : i64
    %p2 = arith.constant 805459861 : i64
    %p3 = arith.constant 668265263 : i64
    %s1 = arith.muli %seed, %p2 : i64
    %n = memref.dim %flat, %c0 : memref<?x{dtype}>
    scf.for %i = %c0 to %n step %c1 {{
      %j = arith.index_cast %i : index to i64
      %h0 = arith.muli %j, %p1 : i64
      %h1 = arith.addi %h0, %s1 : i64
      %t1 = arith.shrui %h1, %c29 : i64
      %h2 = arith.xori %h1, %t1 : i64
      %h4 = arith.muli %h2, %p3 : i64
      %h3 = arith.shrui %h4, %c29 : i64
{body}
      memref.store %r, %flat[%i] : memref<?x{dtype}>
    }}
    return
  }}"""

    def text(self):
        """Everything to append inside the module."""
        fills = "".join(self._fill(d) for d in sorted(self.filled_types))
        names = {**FILES, "mode": "ab" if self.append else "wb",
                 "append": "ab",
                 **{f"prints_{d}": file for d, file in PRINT_FILES.items()}}
        strings = "\n".join(
            f'  llvm.mlir.global internal constant @{PREFIX}{name}'
            f'("{value}\\00") {{addr_space = 0 : i32}}'
            for name, value in names.items())
        main = "\n".join(self.lines)
        return f"""{strings}
  llvm.func @mallopt(i32, i32) -> i32
  llvm.func @fopen(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.func @fwrite(!llvm.ptr, i64, i64, !llvm.ptr) -> i64
  llvm.func @fclose(!llvm.ptr) -> i32
  func.func private @{PREFIX}dump(%stream: !llvm.ptr, %data: index, %size: index) {{
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i64
    %eight = arith.constant 8 : i64
    %count = arith.index_cast %size : index to i64
    %cell = memref.alloc() : memref<1xi64>
    memref.store %count, %cell[%c0] : memref<1xi64>
    %head = memref.extract_aligned_pointer_as_index %cell : memref<1xi64> -> index
    %head_int = arith.index_cast %head : index to i64
    %head_ptr = llvm.inttoptr %head_int : i64 to !llvm.ptr
    %w0 = llvm.call @fwrite(%head_ptr, %one, %eight, %stream) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i64
    %data_int = arith.index_cast %data : index to i64
    %data_ptr = llvm.inttoptr %data_int : i64 to !llvm.ptr
    %w1 = llvm.call @fwrite(%data_ptr, %one, %count, %stream) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i64
    memref.dealloc %cell : memref<1xi64>
    return
  }}{fills}
  func.func @{MAIN}() attributes {{llvm.emit_c_interface}} {{
{main}
    return
  }}
"""
