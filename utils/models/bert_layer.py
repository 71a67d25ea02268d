#===- bert_layer.py - One encoder layer of BERT-base ----------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Written from J. Devlin et al., "BERT", NAACL 2019 (base: hidden 768, 12
# heads, feed-forward 3072), post-norm, exact GELU. Weights are function
# arguments, the norms' scale and offset splats.
#===-----------------------------------------------------------------------===#
"""A BERT encoder layer in linalg."""

from builder import FunctionBuilder
from layers import linear, residual, scale_scores, softmax

FULL = {"width": 1.0, "size": 128}
REDUCED = {"width": 1.0 / 6.0, "size": 16}

HEADS, HEAD_SIZE, FEED_FORWARD = 12, 64, 4
EPSILON = 1.0e-12


def layer_norm(b, x, scale, offset):
    """Mean and variance as reductions of their own, then the affine map."""
    count = b.scalar(x.shape[-1])
    mean = b.elementwise("s->s", [b.reduce("sn->s", x, "addf", 0.0)],
                         [f"%out = arith.divf %a, {count} : f32"])
    centred = b.elementwise("sn,s->sn", [x, mean],
                            ["%out = arith.subf %a, %b : f32"])
    square = b.elementwise("sn->sn", [centred],
                           ["%out = arith.mulf %a, %a : f32"])
    epsilon = b.scalar(EPSILON)
    inverse = b.elementwise("s->s", [b.reduce("sn->s", square, "addf", 0.0)],
                            [f"%v = arith.divf %a, {count} : f32",
                             f"%e = arith.addf %v, {epsilon} : f32",
                             "%out = math.rsqrt %e : f32"])
    scale, offset = b.scalar(scale), b.scalar(offset)
    return b.elementwise("sn,s->sn", [centred, inverse],
                         ["%n = arith.mulf %a, %b : f32",
                          f"%m = arith.mulf %n, {scale} : f32",
                          f"%out = arith.addf %m, {offset} : f32"])


def gelu(b, x):
    half, one, root = b.scalar(0.5), b.scalar(1.0), b.scalar(0.5 ** 0.5)
    return b.elementwise("sn->sn", [x],
                         [f"%r = arith.mulf %a, {root} : f32",
                          "%e = math.erf %r : f32",
                          f"%p = arith.addf %e, {one} : f32",
                          f"%h = arith.mulf %a, {half} : f32",
                          "%out = arith.mulf %h, %p : f32"])


def attention(b, x, mask, hidden, heads):
    """Multi-head self-attention with an additive mask over the keys."""
    def project(name):
        weight = b.arg(f"{name}_weight", hidden, hidden)
        bias = b.arg(f"{name}_bias", hidden)
        return b.split_dim(linear(b, x, weight, bias), 1, heads, HEAD_SIZE)

    query, key, value = project("query"), project("key"), project("value")
    scores = b.contract("shd,thd->hst", query, key)
    scores = scale_scores(b, scores, "hst", HEAD_SIZE)
    scores = b.elementwise("hst,t->hst", [scores, mask],
                           ["%out = arith.addf %a, %b : f32"])
    probabilities = softmax(b, scores, "hst")
    context = b.contract("hst,thd->shd", probabilities, value)
    return linear(b, b.merge_dims(context, 1, 2),
                  b.arg("output_weight", hidden, hidden),
                  b.arg("output_bias", hidden))


def build(options):
    if options["batch"] != 1:
        raise ValueError("bert_layer has no batch dimension")
    b = FunctionBuilder("forward")
    heads = max(1, round(HEADS * options["width"]))
    hidden = heads * HEAD_SIZE
    inner = FEED_FORWARD * hidden
    x = b.arg("tokens", options["size"], hidden)
    mask = b.arg("mask", options["size"])
    x = layer_norm(b, residual(b, x, attention(b, x, mask, hidden, heads)),
                   1.125, 0.0625)
    y = linear(b, x, b.arg("inner_weight", inner, hidden),
               b.arg("inner_bias", inner))
    y = linear(b, gelu(b, y), b.arg("outer_weight", hidden, inner),
               b.arg("outer_bias", hidden))
    return b, layer_norm(b, residual(b, x, y), 0.9375, -0.03125)
