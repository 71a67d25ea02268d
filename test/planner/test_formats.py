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


    def test_csv_says_what_it_cannot_say(self):
        problem = {"schema": "transient.problem.v1", "buffers": [
            {"id": "B", "bytes": 8, "usage": ["uniform"], "first": 1,
             "last": 1, "usage_required": False}]}
        message = self.error("convert", self.file("p.json",
                                                  json.dumps(problem)))
        self.assertIn("usage of buffer 'B' is not required", message)
        del problem["buffers"][0]["usage_required"]
        problem["buffers"][0]["alignment_source"] = "abi"
        for name in ("\tB", " B", "B\t", "B"):
            problem["buffers"][0]["id"] = name
            csv = self.out("convert", self.file("p.json", json.dumps(problem)))
            back = json.loads(self.out("convert", self.file("q.csv", csv)))
            self.assertEqual(back["buffers"][0]["id"], name)
            self.assertEqual(back["buffers"][0]["alignment_source"], "abi")

    def test_ids_are_utf8(self):
        for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82",
                    b"\xf4\x90\x80\x80"):
            with open(self.path("p.csv"), "wb") as out:
                out.write(b"id,lower,upper,size\nA,0,4,8\n" + bad + b",0,4,8\n")
            message = self.error("solve", self.path("p.csv"))
            self.assertIn("p.csv:3: expected UTF-8", message)
        for good in ("\u00e4", "\u20ac", "\U0001f600", "\U0010ffff"):
            self.out("solve", self.file("p.csv", "id,lower,upper,size\n"
                                        f"{good},0,4,8\n"))


class Large(ToolTest):
    def test_many_columns_and_keys(self):
        names = [f"c{i}" for i in range(100000)]
        text = "id,lower,upper,size," + ",".join(names) + "\nA,0,1,8"
        self.out("solve", self.file("p.csv", text + "," * len(names) + "\n"))
        # Lines without a row take no room for one.
        self.out("solve", self.file("p.csv", text + "," * len(names) +
                                    "\n" * 1000000))
        keys = ", ".join(f'"{name}": 0' for name in names)
        self.assertIn("unknown key 'c0'", self.error(
            "solve", self.file("p.json", '{"schema": "transient.problem.v1", '
                               + keys + "}")))
        self.assertIn("repeated", self.error(
            "solve", self.file("p.json", "{" + keys + ', "c5": 1}')))

    def test_more_nodes_than_bytes(self):
        order = ('{"schema": "transient.problem.v1", '
                 '"order": {"nodes": %d, "edges": []}, "buffers": []}')
        self.out("solve", self.file("p.json", order % 1000000))
        for nodes in (3000000, 1 << 28):
            self.assertIn("expected at most 1048576", self.error(
                "solve", self.file("p.json", order % nodes)))


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
