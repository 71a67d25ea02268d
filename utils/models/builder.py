#===- builder.py - Writing tosa and linalg functions as text --------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the model generators share: SSA naming, types, and one method per kind
# of op. It knows the textual form that LLVM 22's mlir-opt accepts and nothing
# about any architecture. Deterministic: the same calls give the same text.
#===-----------------------------------------------------------------------===#
"""A small text builder for one function on tensors."""

from dataclasses import dataclass
from math import prod
from string import ascii_lowercase


@dataclass(frozen=True)
class Value:
    """An SSA value: its name, static shape and element type."""

    name: str
    shape: tuple
    dtype: str = "f32"

    @property
    def type(self):
        dims = "".join(f"{d}x" for d in self.shape)
        return f"tensor<{dims}{self.dtype}>"


def number(value):
    """A float as MLIR reads it back without loss (always with a point)."""
    text = f"{float(value):.9e}"
    mantissa, exponent = text.split("e")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}0e{exponent}" if mantissa.endswith(".") else (
        f"{mantissa}e{exponent}")


def conv_output(size, kernel, stride, pad):
    """(windows, padding after, elements cropped) along one dimension.

    Frameworks round the number of windows down; tosa wants the extent to
    divide exactly, so what no window covers is left out: first of the padding
    after, then of the input itself.
    """
    rest = (size + 2 * pad - kernel) % stride
    windows = (size + 2 * pad - kernel) // stride + 1
    if windows < 1:
        raise ValueError(f"a window of {kernel} does not fit into an extent of "
                         f"{size}; choose another --size")
    return windows, max(pad - rest, 0), max(rest - pad, 0)


class FunctionBuilder:
    """Collects the arguments and body of one public function."""

    def __init__(self, name):
        self.name = name
        self.args = []
        self.lines = []
        self.constants = {}
        self.count = 0

    # -- Arguments, constants, raw text -----------------------------------

    def arg(self, name, *shape, dtype="f32"):
        """Declares the next function argument."""
        value = Value(f"%{name}", tuple(shape), dtype)
        self.args.append(value)
        return value

    def fresh(self, shape, dtype="f32"):
        """A new SSA value; the caller emits the op that defines it."""
        self.count += 1
        return Value(f"%{self.count - 1}", tuple(shape), dtype)

    def emit(self, text):
        self.lines.append(f"    {text}")

    def scalar(self, value, dtype="f32"):
        """An arith.constant, shared by equal requests."""
        text = number(value) if dtype.startswith("f") else str(int(value))
        key = (text, dtype)
        if key not in self.constants:
            name = f"%cst_{len(self.constants)}"
            self.constants[key] = name
            self.emit(f"{name} = arith.constant {text} : {dtype}")
        return self.constants[key]

    def splat(self, value, *shape, dtype="f32"):
        """A tosa.const with the same value everywhere."""
        result = self.fresh(shape, dtype)
        text = number(value) if dtype.startswith("f") else str(int(value))
        self.emit(f'{result.name} = "tosa.const"() <{{values = dense<{text}> : '
                  f"{result.type}}}> : () -> {result.type}")
        return result

    # -- TOSA: convolutional networks (NHWC) --------------------------------

    def _tosa(self, op, operands, shape, attrs=""):
        result = self.fresh(shape, operands[0].dtype)
        names = ", ".join(v.name for v in operands)
        types = ", ".join(v.type for v in operands)
        attrs = f" {{{attrs}}}" if attrs else ""
        self.emit(f"{result.name} = tosa.{op} {names}{attrs} : ({types}) -> "
                  f"{result.type}")
        return result

    def _broadcast(self, op, a, b, extra=()):
        shape = tuple(max(x, y) for x, y in zip(a.shape, b.shape))
        return self._tosa(op, [a, b, *extra], shape)

    def add(self, a, b):
        return self._broadcast("add", a, b)

    def sub(self, a, b):
        return self._broadcast("sub", a, b)

    def mul(self, a, b):
        return self._broadcast("mul", a, b, [self.splat(0, 1, dtype="i8")])

    def rsqrt(self, a):
        return self._tosa("rsqrt", [a], a.shape)

    def clamp(self, a, low, high):
        return self._tosa("clamp", [a], a.shape,
                          f"min_val = {number(low)} : f32, "
                          f"max_val = {number(high)} : f32")

    def relu(self, a):
        return self.clamp(a, 0.0, 3.4028234e38)

    def relu6(self, a):
        return self.clamp(a, 0.0, 6.0)

    def _windows(self, x, kernel, stride, pad):
        """The input as far as square windows cover it, the output's height
        and width, and the pad and stride attributes."""
        n, height, width, channels = x.shape
        h, bottom, crop_h = conv_output(height, kernel, stride, pad)
        w, right, crop_w = conv_output(width, kernel, stride, pad)
        if crop_h or crop_w:
            x = self.crop(x, n, height - crop_h, width - crop_w, channels)
        return x, h, w, (f"pad = array<i64: {pad}, {bottom}, {pad}, {right}>, "
                         f"stride = array<i64: {stride}, {stride}>")

    def conv2d(self, x, weight, stride=1, pad=0):
        """Convolution without bias; weight is [out, k, k, in]."""
        out, kernel = weight.shape[0], weight.shape[1]
        x, h, w, attrs = self._windows(x, kernel, stride, pad)
        bias, zero = self.splat(0, out), self.splat(0, 1)
        return self._tosa("conv2d", [x, weight, bias, zero, zero],
                          (x.shape[0], h, w, out),
                          f"acc_type = f32, {attrs}, "
                          "dilation = array<i64: 1, 1>")

    def depthwise_conv2d(self, x, weight, stride=1, pad=0):
        """One filter per channel; weight is [k, k, channels, 1]."""
        kernel, channels = weight.shape[0], weight.shape[2]
        x, h, w, attrs = self._windows(x, kernel, stride, pad)
        bias, zero = self.splat(0, channels), self.splat(0, 1)
        return self._tosa("depthwise_conv2d", [x, weight, bias, zero, zero],
                          (x.shape[0], h, w, channels),
                          f"acc_type = f32, {attrs}, "
                          "dilation = array<i64: 1, 1>")

    def max_pool2d(self, x, kernel, stride, pad):
        x, h, w, attrs = self._windows(x, kernel, stride, pad)
        return self._tosa("max_pool2d", [x], (x.shape[0], h, w, x.shape[3]),
                          f"kernel = array<i64: {kernel}, {kernel}>, {attrs}")

    def global_avg_pool(self, x):
        """[n, h, w, c] to [n, 1, 1, c]."""
        n, h, w, c = x.shape
        zero = self.splat(0, 1)
        return self._tosa("avg_pool2d", [x, zero, zero], (n, 1, 1, c),
                          f"acc_type = f32, kernel = array<i64: {h}, {w}>, "
                          "pad = array<i64: 0, 0, 0, 0>, "
                          "stride = array<i64: 1, 1>")

    def matmul(self, a, b):
        """Batched product of [n, i, k] and [n, k, j]."""
        zero = self.splat(0, 1)
        return self._tosa("matmul", [a, b, zero, zero],
                          (a.shape[0], a.shape[1], b.shape[2]))

    def _shape(self, dims):
        """A !tosa.shape constant and its type."""
        name, kind = f"%shape_{self.count}", f"!tosa.shape<{len(dims)}>"
        self.count += 1
        self.emit(f"{name} = tosa.const_shape {{values = dense<{list(dims)}> : "
                  f"tensor<{len(dims)}xindex>}} : () -> {kind}")
        return name, kind

    def reshape(self, x, *shape):
        assert prod(shape) == prod(x.shape), (shape, x.shape)
        target, kind = self._shape(shape)
        result = self.fresh(shape, x.dtype)
        self.emit(f"{result.name} = tosa.reshape {x.name}, {target} : "
                  f"({x.type}, {kind}) -> {result.type}")
        return result

    def crop(self, x, *size):
        """The leading part of every dimension."""
        start, kind = self._shape([0] * len(size))
        extent, _ = self._shape(size)
        result = self.fresh(size, x.dtype)
        self.emit(f"{result.name} = tosa.slice {x.name}, {start}, {extent} : "
                  f"({x.type}, {kind}, {kind}) -> {result.type}")
        return result

    # -- linalg: transformers, one letter per dimension ---------------------

    def empty(self, shape):
        result = self.fresh(shape)
        self.emit(f"{result.name} = tensor.empty() : {result.type}")
        return result

    def filled(self, value, shape):
        """A fresh tensor that linalg.fill sets to one value."""
        scalar, out = self.scalar(value), self.empty(shape)
        result = self.fresh(shape)
        self.emit(f"{result.name} = linalg.fill ins({scalar} : f32) "
                  f"outs({out.name} : {out.type}) -> {result.type}")
        return result

    @staticmethod
    def _maps(spec):
        """'sk,nk->sn' as indexing maps; the output's letters come first."""
        inputs, output = spec.split("->")
        terms = [t for t in inputs.split(",") if t] + [output]
        letters = list(dict.fromkeys(output + "".join(terms)))
        dims = ", ".join(letters)
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(t)})>"
                         for t in terms)
        return letters, terms, f"[{maps}]"

    def _extents(self, terms, operands):
        return {letter: extent for term, v in zip(terms, operands)
                for letter, extent in zip(term, v.shape)}

    def contract(self, spec, a, b):
        """An einsum of two operands, e.g. 'sk,nk->sn', summed from zero."""
        _, terms, maps = self._maps(spec)
        extents = self._extents(terms, (a, b))
        init = self.filled(0.0, [extents[letter] for letter in terms[-1]])
        result = self.fresh(init.shape)
        self.emit(f"{result.name} = linalg.contract indexing_maps = {maps} "
                  f"ins({a.name}, {b.name} : {a.type}, {b.type}) "
                  f"outs({init.name} : {init.type}) -> {result.type}")
        return result

    def _generic(self, spec, inputs, init, body, operands):
        letters, terms, maps = self._maps(spec)
        kinds = ", ".join('"parallel"' if letter in terms[-1] else
                          '"reduction"' for letter in letters)
        result = self.fresh(init.shape)
        ins = ""
        if inputs:
            ins = (f"ins({', '.join(v.name for v in inputs)} : "
                   f"{', '.join(v.type for v in inputs)}) ")
        self.emit(f"{result.name} = linalg.generic {{indexing_maps = {maps}, "
                  f"iterator_types = [{kinds}]}} {ins}"
                  f"outs({init.name} : {init.type}) {{")
        block = ", ".join(f"{name}: f32" for name in operands)
        self.emit(f"^bb0({block}):")
        for line in body:
            self.emit(f"  {line}")
        self.emit(f"}} -> {result.type}")
        return result

    def elementwise(self, spec, inputs, body, shape=None):
        """A parallel generic. `body` is a list of lines over %a, %b, … (the
        inputs, in order); the last line must define %out."""
        _, terms, _ = self._maps(spec)
        if shape is None:
            extents = self._extents(terms, inputs)
            shape = [extents[letter] for letter in terms[-1]]
        names = [f"%{ascii_lowercase[i]}" for i in range(len(inputs))]
        return self._generic(spec, inputs, self.empty(shape),
                             [*body, "linalg.yield %out : f32"],
                             [*names, "%init"])

    def reduce(self, spec, x, op, start):
        """A reduction of one operand with the arith op `op`."""
        _, terms, _ = self._maps(spec)
        extents = self._extents(terms, (x,))
        init = self.filled(start, [extents[letter] for letter in terms[-1]])
        return self._generic(spec, [x], init,
                             [f"%out = arith.{op} %acc, %a : f32",
                              "linalg.yield %out : f32"], ["%a", "%acc"])

    @staticmethod
    def _groups(rank, axis, count):
        """Reassociation in which `count` dimensions from `axis` are one."""
        groups = [[i] for i in range(axis)]
        groups.append(list(range(axis, axis + count)))
        return groups + [[i] for i in range(axis + count, rank)]

    def split_dim(self, x, axis, *parts):
        """Dimension `axis` becomes `parts`: a view, no data moves."""
        assert prod(parts) == x.shape[axis], (parts, x.shape)
        result = self.fresh((*x.shape[:axis], *parts, *x.shape[axis + 1:]))
        groups = self._groups(len(result.shape), axis, len(parts))
        self.emit(f"{result.name} = tensor.expand_shape {x.name} {groups} "
                  f"output_shape {list(result.shape)} : {x.type} into "
                  f"{result.type}")
        return result

    def merge_dims(self, x, axis, count):
        """`count` dimensions from `axis` become one: a view."""
        groups = self._groups(len(x.shape), axis, count)
        merged = prod(x.shape[axis:axis + count])
        result = self.fresh((*x.shape[:axis], merged,
                             *x.shape[axis + count:]))
        self.emit(f"{result.name} = tensor.collapse_shape {x.name} {groups} : "
                  f"{x.type} into {result.type}")
        return result

    @staticmethod
    def _window(x, offset, size):
        """The textual offsets, sizes and strides of a slice of the last dim."""
        rank = len(x.shape)
        return (f"{[0] * (rank - 1) + [offset]} {[*x.shape[:-1], size]} "
                f"{[1] * rank}")

    def slice_last(self, x, offset, size):
        """Elements [offset, offset + size) of the last dimension."""
        result = self.fresh((*x.shape[:-1], size))
        self.emit(f"{result.name} = tensor.extract_slice {x.name}"
                  f"{self._window(x, offset, size)} : {x.type} to "
                  f"{result.type}")
        return result

    def concat_last(self, *parts):
        """Side by side along the last dimension: one partial write each."""
        width = sum(p.shape[-1] for p in parts)
        whole = self.empty((*parts[0].shape[:-1], width))
        offset = 0
        for part in parts:
            result = self.fresh(whole.shape)
            window = self._window(whole, offset, part.shape[-1])
            self.emit(f"{result.name} = tensor.insert_slice {part.name} into "
                      f"{whole.name}{window} : {part.type} into {result.type}")
            whole, offset = result, offset + part.shape[-1]
        return whole

    # -- The finished module ------------------------------------------------

    def module(self, result, comment):
        """The module's text, with `result` as the function's only result."""
        args = ", ".join(f"{v.name}: {v.type}" for v in self.args)
        head = "".join(f"// {line}\n" for line in comment)
        body = "\n".join(self.lines)
        return (f"{head}module {{\n"
                f"  func.func @{self.name}({args}) -> {result.type} {{\n"
                f"{body}\n"
                f"    return {result.name} : {result.type}\n"
                f"  }}\n}}\n")
