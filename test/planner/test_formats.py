#===- test_formats.py - Conversion between formats -----------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# CSV to JSON and back, posets, and damaged files through the whole tool: one
# error, exit code 2, never a crash.
#
#===-----------------------------------------------------------------------===#

import json
import random
import subprocess

import planner_tool
from planner_tool import ToolTest

CSV = ("id,lower,upper,size,alignment\n"
       "a,0,18446744073709551615,9007199254740993,256\n"
       "\"b,c\",3,4,1,1\n")


class Convert(ToolTest):
    def test_there_and_back(self):
        source = self.file("p.csv", CSV)
        self.out("convert", source, "-o", self.path("p.json"))
        problem = json.loads(self.read("p.json"))
        # 2^53 + 1: a double would have lost it.
        self.assertEqual(problem["buffers"][0]["bytes"], 9007199254740993)
        self.assertEqual(problem["buffers"][0]["last"], [18446744073709551614])
        self.assertEqual(self.out("convert", self.path("p.json")), CSV)
        self.assertEqual(self.out("convert", source, "--to=csv"), CSV)

    def test_csv_cannot_say_everything(self):
        poset = self.file("p.json", json.dumps(
            {"ops": 3, "edges": [[0, 1], [0, 2]],
             "buffers": [{"create": 0, "users": [1, 2], "size": 4}]}))
        self.assertIn("partial order", self.error("convert", poset))
        problem = json.loads(self.out("convert", poset, "--to=json"))
        self.assertEqual(problem["buffers"][0]["last"], [1, 2])
        self.assertEqual(problem["order"]["edges"], [[0, 1], [0, 2]])

    def test_content_decides_not_the_name(self):
        self.out("convert", self.file("really.json", CSV))
        self.assertTrue(self.out("convert", "-", stdin=CSV).startswith("{"))


class Damage(ToolTest):
    def test_damaged_files_are_refused_politely(self):
        lcg = random.Random(1)
        good = [CSV, self.out("generate", "--buffers=6", "--kind=dag")]
        for k in range(120):
            text = bytearray(good[k % 2].encode())
            for _ in range(lcg.randrange(1, 4)):
                text[lcg.randrange(len(text))] = lcg.randrange(256)
            with open(self.path("d"), "wb") as out:
                out.write(text)
            done = subprocess.run([planner_tool.TOOL, "solve", self.path("d")],
                                  capture_output=True, timeout=60)
            self.assertIn(done.returncode, (0, 2), bytes(text))
            if done.returncode == 2:
                self.assertEqual(done.stderr.count(b"transient-plan: error: "),
                                 1)
                self.assertIn(b"/d:", done.stderr)


if __name__ == "__main__":
    planner_tool.main()
