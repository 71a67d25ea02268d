#!/usr/bin/env python3
# ===- select-chain.py - A kernel in which few values have many uses -----===//
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===//
#
#   select-chain.py LENGTH           a kernel's argument, selected again and again
#   select-chain.py LENGTH buffers   one of as many buffers
#
import sys

if len(sys.argv) > 2:
    print("func.func @selects(%c: i1) {\n  %s0 = memref.alloc() : memref<4xf32>")
    for n in range(int(sys.argv[1])):
        print(f"  %a{n} = memref.alloc() : memref<4xf32>")
        print(f"  %s{n + 1} = arith.select %c, %s{n}, %a{n} : memref<4xf32>")
    print(f"  memref.dealloc %s{n + 1} : memref<4xf32>\n  return\n}}")
    sys.exit()

print("""module attributes {gpu.container_module} {
gpu.module @k {
gpu.func @kernel(%s0: memref<4xf32>, %c: i1, %i: index, %z: f32) kernel {""")
length = int(sys.argv[1])
for n in range(length):
    print(f"  %s{n + 1} = arith.select %c, %s{n}, %s{n} : memref<4xf32>")
print(f"""  memref.store %z, %s{length}[%i] : memref<4xf32>
  gpu.return
}}
}}
func.func @launches(%c: i1, %i: index, %z: f32) {{
  %a = gpu.alloc () : memref<4xf32>
  %c1 = arith.constant 1 : index
  gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4xf32>, %c : i1, %i : index, %z : f32)
  gpu.dealloc %a : memref<4xf32>
  return
}}
}}""")
