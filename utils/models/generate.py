#!/usr/bin/env python3
#===- generate.py - Writes a model as tosa or linalg on tensors -----------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The command line of the model generators. Output is deterministic text that
# stock mlir-opt 22 accepts: one public function @forward, kernels and matrices
# as arguments, small parameters as splats, one result.
#===-----------------------------------------------------------------------===#
"""Writes a model as MLIR: generate.py MODEL [--reduced] [options] -o OUT."""

import argparse
import importlib
import sys

MODELS = ("mobilenet_v2", "resnet50", "bert_layer", "llama_layer")
# Options that a model's FULL and REDUCED tables may set, with their types.
OPTIONS = {"width": float, "size": int, "classes": int, "kv_heads": int,
           "head_size": int}


def positive(kind):
    """An argparse type: a number of `kind` greater than zero."""
    def parse(text):
        value = kind(text)
        if not 0 < value < 1e9:
            raise argparse.ArgumentTypeError(
                f"expected a positive {kind.__name__}, got {text}")
        return value
    parse.__name__ = kind.__name__
    return parse


def parse_arguments(argv):
    parser = argparse.ArgumentParser(
        description="Write a model as tosa or linalg on tensors.")
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--reduced", action="store_true",
                        help="start from sizes that execute in seconds on a "
                             "CPU instead of the published ones")
    parser.add_argument("--width", type=positive(float), metavar="F",
                        help="multiplier of the channels or heads")
    parser.add_argument("--size", type=positive(int), metavar="N",
                        help="image height and width, or number of tokens")
    parser.add_argument("--batch", type=positive(int), default=1, metavar="N",
                        help="images at once (CNNs only; default 1)")
    parser.add_argument("--classes", type=positive(int), metavar="N",
                        help="outputs of a classifier")
    parser.add_argument("--kv-heads", type=positive(int), metavar="N",
                        help="key and value heads (llama_layer)")
    parser.add_argument("--head-size", type=positive(int), metavar="N",
                        help="elements per head (llama_layer)")
    parser.add_argument("-o", "--output", default="-", metavar="OUT.mlir")
    return parser, parser.parse_args(argv)


def main(argv=None):
    parser, args = parse_arguments(argv)
    model = importlib.import_module(args.model)
    options = dict(model.REDUCED if args.reduced else model.FULL)
    for name in OPTIONS:
        value = getattr(args, name)
        if value is None:
            continue
        if name not in options:
            parser.error(f"--{name.replace('_', '-')} does not apply to "
                         f"{args.model}")
        options[name] = value
    options["batch"] = args.batch
    try:
        builder, result = model.build(options)
    except ValueError as error:
        parser.error(str(error))
    settings = ", ".join(f"{k} {v:g}" for k, v in options.items())
    text = builder.module(result, [f"{args.model}: {settings}"])
    if args.output == "-":
        sys.stdout.write(text)
    else:
        with open(args.output, "w", encoding="utf-8") as out:
            out.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
