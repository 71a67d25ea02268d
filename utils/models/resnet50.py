#===- resnet50.py - ResNet-50 image classifier ----------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Written from K. He et al., "Deep Residual Learning for Image Recognition",
# CVPR 2016, table 1, with the stride in the 3x3 convolution of a block as
# today's model zoos have it. Kernels are function arguments; batch norm is
# unfused (see layers.py).
#===-----------------------------------------------------------------------===#
"""ResNet-50 in TOSA."""

from builder import FunctionBuilder
from layers import BatchNorm, classifier

FULL = {"width": 1.0, "size": 224, "classes": 1000}
REDUCED = {"width": 0.125, "size": 64, "classes": 10}

# Bottleneck channels, blocks, stride of the first block.
STAGES = [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]
EXPANSION = 4


def conv_bn(b, norm, x, name, out, kernel, stride=1):
    weight = b.arg(f"{name}_weight", out, kernel, kernel, x.shape[3])
    y = b.conv2d(x, weight, stride, kernel // 2)
    return norm(b, y, kernel * kernel * x.shape[3])


def bottleneck(b, norm, x, name, inner, stride):
    """1x1 down, 3x3, 1x1 up, plus the (projected) input."""
    out = inner * EXPANSION
    y = b.relu(conv_bn(b, norm, x, f"{name}_conv1", inner, 1))
    y = b.relu(conv_bn(b, norm, y, f"{name}_conv2", inner, 3, stride))
    y = conv_bn(b, norm, y, f"{name}_conv3", out, 1)
    if stride != 1 or x.shape[3] != out:
        x = conv_bn(b, norm, x, f"{name}_shortcut", out, 1, stride)
    return b.relu(b.add(y, x))


def build(options):
    b, norm = FunctionBuilder("forward"), BatchNorm()

    def scaled(count):
        return max(1, int(count * options["width"]))

    x = b.arg("image", options["batch"], options["size"], options["size"], 3)
    x = b.relu(conv_bn(b, norm, x, "stem", scaled(64), 7, 2))
    x = b.max_pool2d(x, 3, 2, 1)
    for stage, (inner, blocks, first_stride) in enumerate(STAGES):
        for block in range(blocks):
            x = bottleneck(b, norm, x, f"stage{stage}_block{block}",
                           scaled(inner), first_stride if block == 0 else 1)
    return b, classifier(b, x, options["classes"])
