#!/usr/bin/env python3
#===- large-programs.py - Programs beyond the checker's limits ------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# large-programs.py rotate N: a loop that hands N buffers around.
# large-programs.py accesses N: one buffer that N operations write in turn.
#===-----------------------------------------------------------------------===#
"""Prints a program that is too large for the checker."""

import sys


def rotate(count):
    arguments = ", ".join(f"%p{i} = %{'b' if i else 'a'}" for i in range(count))
    types = ", ".join(["memref<4xf32>"] * count)
    values = ", ".join(f"%p{(i + 1) % count}" for i in range(count))
    return f"""
func.func @f(%n: index, %a: memref<4xf32>, %b: memref<4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:{count} = scf.for %i = %c0 to %n step %c1 iter_args({arguments})
      -> ({types}) {{
    scf.yield {values} : {types}
  }}
  return
}}"""


def accesses(count):
    lines = "\n".join(f"  %t{i + 1} = gpu.memset async [%t{i}] %a, %v : "
                      "memref<4xf32>, f32" for i in range(count))
    return f"""
func.func @f(%v: f32) {{
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
{lines}
  gpu.wait [%t{count}]
  memref.dealloc %a : memref<4xf32>
  return
}}"""


print({"rotate": rotate, "accesses": accesses}[sys.argv[1]](int(sys.argv[2])))
