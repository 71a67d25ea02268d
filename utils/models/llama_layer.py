#===- llama_layer.py - One decoder layer of LLaMA -------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Written from H. Touvron et al., "LLaMA" (2023): RMSNorm before each half,
# rotary positions (J. Su et al., "RoFormer"), SwiGLU (N. Shazeer, 2020); with
# grouped queries (J. Ainslie et al., "GQA", 2023) in the sizes of the 8 B
# model of the third generation. Prefill of `size` tokens under a causal mask.
# Weights are function arguments; positions and mask are computed.
#===-----------------------------------------------------------------------===#
"""A LLaMA decoder layer in linalg."""

from math import log

from builder import FunctionBuilder
from layers import linear, residual, scale_scores, softmax

FULL = {"width": 1.0, "size": 128, "kv_heads": 8, "head_size": 128}
REDUCED = {"width": 0.125, "size": 16, "kv_heads": 2, "head_size": 32}

HEADS = 32
FEED_FORWARD = 3.5
THETA, EPSILON = 500000.0, 1.0e-5


def rms_norm(b, x, weight):
    square = b.elementwise("sn->sn", [x], ["%out = arith.mulf %a, %a : f32"])
    total = b.reduce("sn->s", square, "addf", 0.0)
    count, epsilon = b.scalar(x.shape[-1]), b.scalar(EPSILON)
    inverse = b.elementwise("s->s", [total],
                            [f"%m = arith.divf %a, {count} : f32",
                             f"%e = arith.addf %m, {epsilon} : f32",
                             "%out = math.rsqrt %e : f32"])
    return b.elementwise("sn,s,n->sn", [x, inverse, weight],
                         ["%n = arith.mulf %a, %b : f32",
                          "%out = arith.mulf %n, %c : f32"])


def rotary_table(b, function, tokens, half):
    """function(position * theta^(-i / half)) for every token and pair."""
    step = b.scalar(-log(THETA) / half)
    return b.elementwise("->sd", [],
                         ["%p = linalg.index 0 : index",
                          "%i = linalg.index 1 : index",
                          "%pi = arith.index_cast %p : index to i32",
                          "%ii = arith.index_cast %i : index to i32",
                          "%pf = arith.sitofp %pi : i32 to f32",
                          "%if = arith.sitofp %ii : i32 to f32",
                          f"%e = arith.mulf %if, {step} : f32",
                          "%f = math.exp %e : f32",
                          "%t = arith.mulf %pf, %f : f32",
                          f"%out = math.{function} %t : f32"],
                         shape=(tokens, half))


def rotate(b, x, cosine, sine):
    """x[s, h, d]: each pair (x[i], x[i + d/2]) turned by its token's angle."""
    half = x.shape[-1] // 2
    low, high = b.slice_last(x, 0, half), b.slice_last(x, half, half)

    def combine(left, op, right):
        return b.elementwise("shd,shd,sd,sd->shd",
                             [left, right, cosine, sine],
                             ["%u = arith.mulf %a, %c : f32",
                              "%v = arith.mulf %b, %d : f32",
                              f"%out = arith.{op} %u, %v : f32"])

    return b.concat_last(combine(low, "subf", high),
                         combine(high, "addf", low))


def causal(b, scores):
    """Keys after the query's own position get a score that exp makes 0."""
    never = b.scalar(-1.0e9)
    return b.elementwise("kgst->kgst", [scores],
                         ["%s = linalg.index 2 : index",
                          "%t = linalg.index 3 : index",
                          "%seen = arith.cmpi ule, %t, %s : index",
                          f"%out = arith.select %seen, %a, {never} : f32"])


def attention(b, x, heads, kv_heads, head_size):
    """Grouped-query attention: heads / kv_heads queries share a key."""
    tokens, hidden = x.shape

    def project(name, count):
        weight = b.arg(f"{name}_weight", count * head_size, hidden)
        return b.split_dim(linear(b, x, weight), 1, count, head_size)

    query, key = project("query", heads), project("key", kv_heads)
    value = project("value", kv_heads)
    cosine = rotary_table(b, "cos", tokens, head_size // 2)
    sine = rotary_table(b, "sin", tokens, head_size // 2)
    query, key = (rotate(b, y, cosine, sine) for y in (query, key))
    query = b.split_dim(query, 1, kv_heads, heads // kv_heads)
    scores = b.contract("skgd,tkd->kgst", query, key)
    scores = causal(b, scale_scores(b, scores, "kgst", head_size))
    context = b.contract("kgst,tkd->skgd", softmax(b, scores, "kgst"), value)
    weight = b.arg("output_weight", hidden, heads * head_size)
    return linear(b, b.merge_dims(context, 1, 3), weight)


def swiglu(b, x, inner):
    """silu(x gate) * (x up), projected back."""
    hidden = x.shape[1]
    gate = linear(b, x, b.arg("gate_weight", inner, hidden))
    up = linear(b, x, b.arg("up_weight", inner, hidden))
    one = b.scalar(1.0)
    gate = b.elementwise("sn->sn", [gate],
                         ["%m = arith.negf %a : f32",
                          "%e = math.exp %m : f32",
                          f"%p = arith.addf %e, {one} : f32",
                          "%out = arith.divf %a, %p : f32"])
    product = b.elementwise("sn,sn->sn", [gate, up],
                            ["%out = arith.mulf %a, %b : f32"])
    return linear(b, product, b.arg("down_weight", hidden, inner))


def build(options):
    if options["batch"] != 1:
        raise ValueError("llama_layer has no batch dimension")
    heads = max(1, round(HEADS * options["width"]))
    kv_heads, head_size = options["kv_heads"], options["head_size"]
    if kv_heads < 1 or heads % kv_heads:
        raise ValueError(f"{heads} heads do not divide into {kv_heads} groups "
                         "of keys; choose another --kv-heads")
    b = FunctionBuilder("forward")
    hidden = heads * head_size
    x = b.arg("tokens", options["size"], hidden)
    y = rms_norm(b, x, b.arg("attention_norm", hidden))
    x = residual(b, x, attention(b, y, heads, kv_heads, head_size))
    y = rms_norm(b, x, b.arg("feed_forward_norm", hidden))
    return b, residual(b, x, swiglu(b, y, int(FEED_FORWARD * hidden)))
