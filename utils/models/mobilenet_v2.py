#===- mobilenet_v2.py - MobileNetV2 image classifier ----------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Written from M. Sandler et al., "MobileNetV2: Inverted Residuals and Linear
# Bottlenecks", CVPR 2018, table 2. Kernels are function arguments; batch norm
# is unfused (see layers.py).
#===-----------------------------------------------------------------------===#
"""MobileNetV2 in TOSA."""

from builder import FunctionBuilder
from layers import BatchNorm, classifier

FULL = {"width": 1.0, "size": 224, "classes": 1000}
REDUCED = {"width": 0.25, "size": 64, "classes": 10}

# Expansion, output channels, repeats, stride of the first repeat.
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
          (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def channels(count, width):
    """The paper's rounding: to a multiple of 8, never below 90 %."""
    scaled = count * width
    rounded = max(8, int(scaled + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * scaled else rounded


def conv_bn(b, norm, x, name, out, kernel, stride=1):
    weight = b.arg(f"{name}_weight", out, kernel, kernel, x.shape[3])
    y = b.conv2d(x, weight, stride, kernel // 2)
    return norm(b, y, kernel * kernel * x.shape[3])


def depthwise_bn(b, norm, x, name, stride):
    weight = b.arg(f"{name}_weight", 3, 3, x.shape[3], 1)
    return norm(b, b.depthwise_conv2d(x, weight, stride, 1), 9)


def inverted_residual(b, norm, x, name, expansion, out, stride):
    """Expand (1x1), filter (3x3 per channel), project (1x1, linear)."""
    y = x
    if expansion != 1:
        y = b.relu6(conv_bn(b, norm, y, f"{name}_expand",
                            x.shape[3] * expansion, 1))
    y = b.relu6(depthwise_bn(b, norm, y, f"{name}_depthwise", stride))
    y = conv_bn(b, norm, y, f"{name}_project", out, 1)
    return b.add(x, y) if stride == 1 and out == x.shape[3] else y


def build(options):
    b, norm, width = FunctionBuilder("forward"), BatchNorm(), options["width"]
    x = b.arg("image", options["batch"], options["size"], options["size"], 3)
    x = b.relu6(conv_bn(b, norm, x, "stem", channels(32, width), 3, 2))
    block = 0
    for expansion, out, repeats, first_stride in STAGES:
        for repeat in range(repeats):
            x = inverted_residual(b, norm, x, f"block{block}", expansion,
                                  channels(out, width),
                                  first_stride if repeat == 0 else 1)
            block += 1
    x = b.relu6(conv_bn(b, norm, x, "head", channels(1280, max(1.0, width)),
                        1))
    return b, classifier(b, x, options["classes"])
