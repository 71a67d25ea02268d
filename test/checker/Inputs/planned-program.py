#!/usr/bin/env python3
# ===- planned-program.py - A big planned program ------------------------===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
# Prints a function with TENANTS buffers in one arena, each written and read by
# asynchronous work on STREAMS token chains. Buffers of different chains lie in
# different bytes; buffers of one chain take turns in two places. With --fault,
# the last buffer of the second chain is put on the bytes of the first chain.
#
import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenants", type=int)
    parser.add_argument("streams", type=int)
    parser.add_argument("--fault", action="store_true")
    options = parser.parse_args()
    size = 256
    arena = size * 2 * options.streams
    out = []
    out.append("func.func @planned(%o: memref<64xf32>, %z: f32) {")
    for place in range(2 * options.streams):
        out.append(f"  %c{place} = arith.constant {place * size} : index")
    out.append("  %arena = memref.alloc() {alignment = 64 : i64}"
               f" : memref<{arena}xi8>")
    out.append("  %e = gpu.wait async")
    token = ["%e"] * options.streams
    for i in range(options.tenants):
        stream = i % options.streams
        place = 2 * stream + (i // options.streams) % 2
        if options.fault and stream == 1 and i + options.streams >= options.tenants:
            place = 0
        out.append(f"  %b{i} = memref.view %arena[%c{place}][]"
                   f" {{tenant = {i} : i64}}"
                   f" : memref<{arena}xi8> to memref<64xf32>")
        out.append(f"  %w{i} = gpu.memset async [{token[stream]}] %b{i}, %z"
                   " : memref<64xf32>, f32")
        # Reads the buffer before, too, so that two are in use at a time.
        before = i - options.streams
        out.append(f"  %r{i} = gpu.memcpy async [%w{i}] %b{i},"
                   f" %b{before if before >= 0 else i}"
                   " : memref<64xf32>, memref<64xf32>")
        token[stream] = f"%r{i}"
    out.append(f"  gpu.wait [{', '.join(token)}]")
    out.append(f"  memref.dealloc %arena : memref<{arena}xi8>")
    out.append("  return")
    out.append("}")
    print("\n".join(out))


main()
