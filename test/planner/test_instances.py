#===- test_instances.py - Plans of public lifetime data ------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Solves and verifies every instance of the data folder, which is not part of
# the project: TRANSIENT_SHARED names its parent, else ../shared beside the
# checkout. Without it the suite says that it was skipped. Quality is asserted,
# time is printed and never asserted.
#
#===-----------------------------------------------------------------------===#

import glob
import os
import sys

import planner_tool
from planner_tool import ToolTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.environ.get("TRANSIENT_SHARED",
                        os.path.join(ROOT, "..", "shared"))
DATA = os.path.join(SHARED, "data")

# Largest ratio to the lower bound, by folder. minimalloc's instances are made
# to be hard; all others are programs.
LIMIT = {"tflite": 1.0, "traces": 1.0, "idealloc": 1.004, "iopddl": 1.002,
         "minimalloc": 1.036, "poset": 1.0}


class Instances(ToolTest):
    def solve_and_verify(self, path, *options):
        done = self.json("solve", path, "--json", "-o", self.path("plan"),
                         *options)
        self.out("verify", path, self.path("plan"))
        ratio = done["physical_bytes"] / max(1, done["lower_bound_bytes"])
        print(f"{os.path.relpath(path, DATA):58} {done['buffers']:6} "
              f"{ratio:8.4f} {done['algorithm']:24} "
              f"{done['wall_seconds']:8.3f} s", flush=True)
        return done, ratio

    def test_arena(self):
        for folder, limit in LIMIT.items():
            for path in sorted(glob.glob(f"{DATA}/{folder}/*.csv") +
                               glob.glob(f"{DATA}/poset/*.json")
                               if folder == "poset" else
                               glob.glob(f"{DATA}/{folder}/*.csv")):
                with self.subTest(path):
                    done, ratio = self.solve_and_verify(path)
                    self.assertIs(done["lower_bound_exact"], True)
                    self.assertLessEqual(ratio, limit)

    def test_slots(self):
        for path in sorted(glob.glob(f"{DATA}/tflite/*.csv") +
                           glob.glob(f"{DATA}/poset/*.json")):
            with self.subTest(path):
                self.solve_and_verify(path, "--strategy=slots")


if __name__ == "__main__":
    if not os.path.isdir(DATA):
        print(f"skipped: no lifetime data at {os.path.normpath(DATA)} "
              "(set TRANSIENT_SHARED)")
        sys.exit(77)
    planner_tool.main()
