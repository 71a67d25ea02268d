#===- layers.py - Layers that several architectures share -----------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Batch normalisation for the CNNs, softmax and residual sums for the
# transformers. Every one is written as the separate ops a framework exporter
# gives before fusion: that is the form in which memory planning matters.
#===-----------------------------------------------------------------------===#
"""Layers shared by the architectures."""

from math import sqrt


class BatchNorm:
    """Inference-time batch normalisation with its own statistics per layer.

    Unfused on purpose: (x - mean) * rsqrt(variance + eps) * scale + offset is
    four full-size results instead of none. The parameters are splats that
    differ from layer to layer. `variance` is what a convolution over inputs of
    unit power and weights uniform in [-1, 1] has, so activations neither
    vanish nor overflow, however deep the network is.
    """

    EPSILON = 1.0e-3

    def __init__(self):
        self.layer = 0

    def __call__(self, b, x, fan_in):
        self.layer += 1
        step = self.layer % 7
        param = (1, 1, 1, x.shape[3])
        mean = b.splat(0.015625 * step, *param)
        variance = b.splat(fan_in / 3.0 + 0.03125 * step, *param)
        scale = b.splat(1.0 + 0.0625 * (step - 3), *param)
        offset = b.splat(0.125 + 0.03125 * step, *param)
        epsilon = b.splat(self.EPSILON, *param)
        inverse = b.rsqrt(b.add(variance, epsilon))
        centred = b.sub(x, mean)
        return b.add(b.mul(b.mul(centred, inverse), scale), offset)


def classifier(b, x, classes):
    """Global average, then a fully connected layer: [n, classes]."""
    batch, channels = x.shape[0], x.shape[3]
    features = b.reshape(b.global_avg_pool(x), 1, batch, channels)
    weight = b.arg("classifier_weight", 1, channels, classes)
    bias = b.arg("classifier_bias", 1, 1, classes)
    return b.reshape(b.add(b.matmul(features, weight), bias), batch, classes)


def linear(b, x, weight, bias=None):
    """x[s, k] times weight[n, k] transposed, as frameworks store it."""
    y = b.contract("sk,nk->sn", x, weight)
    if bias is None:
        return y
    return b.elementwise("sn,n->sn", [y, bias],
                         ["%out = arith.addf %a, %b : f32"])


def residual(b, x, y):
    return b.elementwise("sn,sn->sn", [x, y],
                         ["%out = arith.addf %a, %b : f32"])


def scale_scores(b, scores, dims, head_size):
    """Attention scores times 1/sqrt(head size)."""
    factor = b.scalar(1.0 / sqrt(head_size))
    return b.elementwise(f"{dims}->{dims}", [scores],
                         [f"%out = arith.mulf %a, {factor} : f32"])


def softmax(b, x, dims):
    """Numerically stable softmax over the last of `dims`, as four ops."""
    outer = dims[:-1]
    top = b.reduce(f"{dims}->{outer}", x, "maximumf", -3.4028234e38)
    power = b.elementwise(f"{dims},{outer}->{dims}", [x, top],
                          ["%d = arith.subf %a, %b : f32",
                           "%out = math.exp %d : f32"])
    total = b.reduce(f"{dims}->{outer}", power, "addf", 0.0)
    return b.elementwise(f"{dims},{outer}->{dims}", [power, total],
                         ["%out = arith.divf %a, %b : f32"])
