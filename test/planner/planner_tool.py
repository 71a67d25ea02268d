#===- planner_tool.py - Running transient-plan in tests ------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# What the suites share: the path of the tool, a scratch folder, one way to run
# a command line. Standard library only.
#
#===-----------------------------------------------------------------------===#

import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = None


class ToolTest(unittest.TestCase):
    def setUp(self):
        self._dir = tempfile.TemporaryDirectory()
        self.addCleanup(self._dir.cleanup)
        self.dir = self._dir.name

    def path(self, name):
        return os.path.join(self.dir, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as text:
            return text.read()

    def run_tool(self, *args, code=0, stdin=None):
        """Runs the tool, checks its exit code and that errors are one line."""
        done = subprocess.run([TOOL, *args], input=stdin, text=True,
                              capture_output=True, timeout=300)
        self.assertEqual(done.returncode, code,
                         f"{args}: {done.stdout}\n{done.stderr}")
        if code == 0:
            self.assertEqual(done.stderr, "")
        return done

    def out(self, *args, code=0, stdin=None):
        return self.run_tool(*args, code=code, stdin=stdin).stdout

    def error(self, *args, code=2, stdin=None):
        """The single error that a failing command prints."""
        done = self.run_tool(*args, code=code, stdin=stdin)
        lines = [line for line in done.stderr.splitlines()
                 if line.startswith("transient-plan: error: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return lines[0][len("transient-plan: error: "):]

    def json(self, *args, **kwargs):
        return json.loads(self.out(*args, **kwargs))


def main():
    global TOOL
    TOOL = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
