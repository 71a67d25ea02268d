#!/usr/bin/env python3
#===- ptx.py - Takes the PTX texts out of a lowered program ---------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# gpu-module-to-binary{format=isa} embeds one text a gpu.module.
#===-----------------------------------------------------------------------===#
"""Assembles each embedded PTX text with ptxas: ptx.py PROGRAM FOLDER"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    program, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    texts = re.findall(r'assembly = "((?:[^"\\]|\\.)*)"',
                       program.read_text())
    for number, text in enumerate(texts):
        text = re.sub(r"\\([0-9A-F]{2})|\\(.)",
                      lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)
        source = folder / f"{number}.ptx"
        source.write_text(text.rstrip("\0"))
        # Relocatable: libdevice's functions are linked in later.
        subprocess.run(["ptxas", "-arch=sm_90", "-c", source, "-o",
                        source.with_suffix(".cubin")], check=True)
    print(f"{len(texts)} texts assembled")
    return 0 if texts else 1


if __name__ == "__main__":
    sys.exit(main())
