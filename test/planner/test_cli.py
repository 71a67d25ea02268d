#===- test_cli.py - The verbs of transient-plan --------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Exit codes, output and messages of every verb and option, as design and
# docs/Planner.md promise them.
#
#===-----------------------------------------------------------------------===#

import json
import re

import planner_tool
from planner_tool import ToolTest

# The example of seed S0, in bytes and half-open lifetimes.
SEED = "id,lower,upper,size\nA,0,4,8388608\nB,5,9,6291456\nC,2,8,4194304\n"

# A fork: A is read by nodes 1 and 2, B begins after 1 only.
FORK = """{"schema": "transient.problem.v1",
 "order": {"nodes": 4, "edges": [[0, 1], [0, 2], [1, 3]]},
 "buffers": [
  {"id": "A", "bytes": 1024, "first": 0, "last": [1, 2]},
  {"id": "B", "bytes": 1024, "first": 3, "last": 3}]}
"""


class Solve(ToolTest):
    def test_json_has_the_contracts_keys(self):
        problem = self.file("p.csv", SEED)
        done = self.json("solve", problem, "--json")
        self.assertEqual(done["physical_bytes"], 12 << 20)
        self.assertEqual(done["logical_bytes"], 18 << 20)
        self.assertEqual(done["saved_bytes"], 6 << 20)
        self.assertEqual(done["lower_bound_bytes"], 12 << 20)
        self.assertIs(done["lower_bound_exact"], True)
        self.assertIs(done["optimal"], True)
        self.assertEqual(done["buffers"], 3)
        self.assertIsInstance(done["wall_seconds"], float)
        self.assertTrue(done["algorithm"].startswith("arena-"))

    def test_slots_are_seed_s0(self):
        problem = self.file("p.csv", SEED)
        done = self.json("solve", problem, "--strategy=slots", "--json",
                         "-o", self.path("plan.csv"))
        self.assertEqual(done["algorithm"], "slots-best-fit")
        self.assertEqual(done["physical_bytes"], 12 << 20)
        self.assertEqual(self.read("plan.csv"),
                         "id,lower,upper,size,offset,physical\n"
                         "A,0,4,8388608,0,0\nB,5,9,6291456,0,0\n"
                         "C,2,8,4194304,0,1\n")

    def test_plan_comes_in_the_problems_format(self):
        self.out("solve", self.file("p.csv", SEED), "-o", self.path("a"))
        self.assertTrue(self.read("a").startswith("id,lower,upper,size,offset"))
        self.out("solve", self.file("p.json", FORK), "-o", self.path("b"))
        self.assertEqual(json.loads(self.read("b"))["schema"],
                         "transient.plan.v1")

    def test_standard_streams(self):
        plan = self.out("solve", "-", "-o", "-", stdin=SEED)
        self.assertTrue(plan.startswith("id,lower,upper,size,offset\n"))
        problem = self.file("p.csv", SEED)
        self.out("verify", problem, "-", stdin=plan)
        self.out("verify", "-", self.file("plan.csv", plan), stdin=SEED)

    def test_summary(self):
        text = self.out("solve", self.file("p.csv", SEED))
        self.assertIn("physical     12582912 bytes in 1 physical buffer\n", text)
        self.assertIn("ratio        1.0000, proved optimal", text)

    def test_every_algorithm_gives_a_verified_plan(self):
        problem = self.file("p.csv", SEED)
        text = self.out("solve", "--help")
        names = [w.strip(",") for w in text.split() if w.startswith("arena-")]
        self.assertGreaterEqual(len(names), 9)
        for name in names:
            if name in ("arena-align",):
                continue
            self.out("solve", problem, "--algorithm", name, "-o",
                     self.path("plan"))
            self.out("verify", problem, self.path("plan"))

    def test_capacity(self):
        problem = self.file("p.csv", SEED)
        self.out("solve", problem, "--capacity=12582912")
        message = self.error("solve", problem, "--capacity=12582911", code=1)
        self.assertIn("'A'", message)
        self.assertIn("12582911", message)

    def test_arena_align(self):
        problem = self.file("p.csv", "id,lower,upper,size\na,0,2,5\nb,0,2,3\n")
        self.assertEqual(
            self.json("solve", problem, "--arena-align=256", "--json")
            ["physical_bytes"], 259)

    def test_arena_align_holds_for_fixed_offsets(self):
        problem = self.file("p.csv", "id,lower,upper,size,fixed_offset\n"
                            "a,0,2,5,4\nb,0,2,5,256\n")
        self.out("solve", problem)
        message = self.error("solve", problem, "--arena-align=256", code=1)
        self.assertIn("'a' has fixed offset 4", message)
        self.out("solve", problem, "--arena-align=4")

    def test_misaligned_fixed_offsets_are_bad_input(self):
        problem = self.file("p.csv", "id,lower,upper,size,alignment,"
                            "fixed_offset\na,0,2,8,8,4\n")
        for verb in ("solve", "bound", "convert"):
            self.assertIn("fixed offset 4", self.error(verb, problem))
        self.assertIn("p.csv:2:", self.error("verify", problem, problem))

    def test_usage_errors_are_code_2(self):
        problem = self.file("p.csv", SEED)
        self.assertIn("magic", self.error("solve", problem,
                                          "--algorithm=magic"))
        self.assertIn("heap", self.error("solve", problem, "--strategy=heap"))
        self.assertIn("-1", self.error("solve", problem, "--capacity=-1"))
        self.assertIn("1.5", self.error("solve", problem, "--capacity=1.5"))
        self.error("solve", problem, "--capacity=18446744073709551616")
        self.error("solve")
        self.error("solve", problem, "--frobnicate")
        self.error("frobnicate")
        self.error()
        self.assertIn("--json", self.error("solve", problem, "--json",
                                           "-o", "-"))
        self.assertIn("power of two",
                      self.error("solve", problem, "--arena-align=3"))

    def test_unreadable_and_unwritable_files(self):
        message = self.error("solve", self.path("missing.csv"))
        self.assertIn("missing.csv", message)
        self.assertIn("No such file", message)
        self.assertIn("cannot read", self.error("solve", self.dir))
        message = self.error("solve", self.file("p.csv", SEED), "-o",
                             self.path("no/such/folder"))
        self.assertIn("cannot write", message)

    def test_bad_input_has_file_and_line(self):
        problem = self.file("bad.csv", SEED + "D,1,2,-4\n")
        message = self.error("solve", problem)
        self.assertTrue(message.startswith(problem + ":5: "), message)
        self.assertIn("'-4'", message)
        self.assertTrue(self.error("solve", "-", stdin="{").startswith(
            "<stdin>:1: "))

    def test_same_bytes_over_twenty_runs(self):
        self.out("generate", "--buffers=300", "--max-bytes=5", "--format=csv",
                 "-o", self.path("g.csv"))
        plans = {self.out("solve", self.path("g.csv"), "-o", "-")
                 for _ in range(20)}
        self.assertEqual(len(plans), 1)


class Verify(ToolTest):
    def test_overlapping_offsets_are_refused(self):
        problem = self.file("p.csv", SEED)
        self.out("solve", problem, "-o", self.path("plan.csv"))
        good = self.out("verify", problem, self.path("plan.csv"))
        self.assertIn("ok: 3 buffers in 12582912 bytes", good)
        rows = [line.split(",") for line in
                self.read("plan.csv").splitlines()]
        rows[3][4] = "1"  # C into A.
        bad = self.file("bad.csv", "\n".join(",".join(r) for r in rows))
        text = self.out("verify", problem, bad, code=1)
        self.assertTrue(text.startswith("violated overlap: "), text)
        self.assertIn("'A'", text)
        self.assertIn("'C'", text)

    def test_the_fork_may_not_share(self):
        problem = self.file("p.json", FORK)
        self.out("solve", problem, "-o", self.path("plan.json"))
        plan = json.loads(self.read("plan.json"))
        self.assertEqual(plan["bytes"]["physical"], 2048)
        for it in plan["assignments"]:
            it["offset"] = 0
        bad = self.file("bad.json", json.dumps(plan))
        report = self.json("verify", problem, bad, "--json", code=1)
        self.assertIs(report["ok"], False)
        self.assertEqual(report["violations"][0]["rule"], "overlap")
        self.assertEqual(report["violations"][0]["buffers"], ["A", "B"])
        self.assertIn("node 2", report["violations"][0]["message"])

    def test_columns_of_a_plan_must_be_the_problems(self):
        head = ("id,lower,upper,size,alignment,capacity,usage,space,"
                "fixed_offset,offset\n")
        good = ["A", "0", "1", "8", "4", "12", "storage", "2", "4", "4"]
        problem = self.file("p.csv", head + ",".join(good) + "\n")
        self.out("verify", problem, problem)
        for column, value in enumerate(("", "7", "9", "999", "8", "16",
                                        "uniform", "0", "")):
            if not column:
                continue
            row = list(good)
            row[column] = value
            plan = self.file("plan.csv", head + ",".join(row) + "\n")
            message = self.error("verify", problem, plan)
            self.assertIn(f"plan.csv:2: plan says '{value}'", message)
        fork = self.file("p.json", FORK)
        self.out("verify", fork, self.file(
            "plan.csv", "id,size,offset\nA,1024,0\nB,1024,1024\n"))
        self.assertIn("no interval", self.error("verify", fork, self.file(
            "plan.csv", "id,lower,offset\nA,0,0\nB,3,1024\n")))

    def test_plan_of_another_problem_is_bad_input(self):
        problem = self.file("p.csv", SEED)
        plan = self.file("plan.csv", "id,offset\nX,0\n")
        message = self.error("verify", problem, plan)
        self.assertTrue(message.startswith(plan + ":2: "), message)
        self.error("verify", "-", "-", stdin=SEED)


    def test_assignments_of_no_bytes(self):
        joined = FORK.replace("[1, 3]", "[1, 3], [2, 3]")
        plan = self.file("plan.json", json.dumps(
            {"schema": "transient.plan.v1", "physical": [{"bytes": 1024}],
             "assignments": [
                 {"buffer": "A", "physical": 0, "offset": 0, "bytes": 0},
                 {"buffer": "B", "physical": 0, "offset": 0, "bytes": 1024}]}))
        text = self.out("verify", self.file("p.json", joined), plan, code=1)
        self.assertEqual(text.count("violated"), 1)
        self.assertIn("violated size: buffer 'A' takes 0 bytes", text)

    def test_claims_are_not_believed(self):
        problem = self.file("p.csv", "id,lower,upper,size\nA,0,1,8\nB,1,2,8\n")
        plan = {"schema": "transient.plan.v1",
                "lower_bound": {"value": 16, "exact": True}, "optimal": True,
                "physical": [{"bytes": 16}], "assignments": [
                    {"buffer": "A", "physical": 0, "offset": 0, "bytes": 8},
                    {"buffer": "B", "physical": 0, "offset": 8, "bytes": 8}]}

        def verify(**changes):
            return (problem, self.file("plan.json",
                                       json.dumps({**plan, **changes})))
        report = self.json("verify", *verify(), "--json", code=1)
        self.assertEqual([v["rule"] for v in report["violations"]],
                         ["claims", "claims"])
        self.out("verify", *verify(lower_bound={"value": 8, "exact": True},
                                   optimal=False))
        honest = {"lower_bound": {"value": 0, "exact": False},
                  "optimal": False}
        self.out("verify", *verify(**honest, unplaced=[]))
        self.assertIn("a string", self.error("verify", *verify(
            **honest, unplaced=[7])))
        self.assertIn("'A'", self.error("verify", *verify(
            **honest, unplaced=["A"])))
        self.assertIn("'X'", self.error("verify", *verify(
            **honest, unplaced=["X"])))


class Bound(ToolTest):
    def test_total_order(self):
        report = self.json("bound", self.file("p.csv", SEED), "--json")
        self.assertEqual(report["lower_bound_bytes"], 12 << 20)
        self.assertEqual(report["lower_bound"]["method"], "load")
        self.assertEqual(report["lower_bound"]["witness"], ["A", "C"])
        self.assertIs(report["peak_upper"]["exact"], True)

    def test_partial_order_says_what_is_a_bound(self):
        report = self.json("bound", self.file("p.json", FORK), "--json")
        self.assertEqual(report["lower_bound_bytes"], 2048)
        self.assertIs(report["lower_bound_exact"], True)
        self.assertIs(report["peak_upper"]["exact"], False)
        text = self.out("bound", self.file("p.json", FORK))
        self.assertIn("lower bound  2048 bytes, exact", text)
        self.assertIn("peak upper   2048 bytes, bound", text)


class Order(ToolTest):
    def test_least_cut(self):
        out = self.out("order", self.file("p.json", FORK))
        self.assertEqual(out, "lower bound   2048 -> 1024 bytes\n"
                              "longest path  3 -> 3 nodes\n"
                              "new edges     1\n"
                              "  node 2 ends before node 3 starts\n")

    def test_the_edges_are_in_the_problem_written(self):
        done = self.json("order", self.file("p.json", FORK), "--budget=1024",
                         "--json", "-o", self.path("ordered.json"))
        self.assertEqual(done["edges"], [[2, 3]])
        self.assertIs(done["reached"], True)
        self.assertEqual(done["lower_bound_without"], 2048)
        self.assertEqual(done["lower_bound_bytes"], 1024)
        solved = self.json("solve", self.path("ordered.json"), "--json")
        self.assertEqual(solved["physical_bytes"], 1024)

    def test_out_of_reach_is_code_1(self):
        out = self.out("order", self.file("p.json", FORK), "--budget=1", code=1)
        self.assertIn("found no order with which 1 bytes can do", out)

    def test_a_total_order_has_no_edges(self):
        out = self.out("order", self.file("p.csv", SEED), code=1)
        self.assertIn("new edges     0", out)

    def test_one_standard_output(self):
        done = self.run_tool("order", self.file("p.json", FORK), "--json", "-o",
                             "-", code=2)
        self.assertIn("expected one of them", done.stderr)


class Explain(ToolTest):
    def test_missing_edge_and_path(self):
        problem = self.file("p.json", FORK)
        text = self.out("explain", problem, "A", "B")
        self.assertIn("may not share", text)
        self.assertIn("2 -> 3", text)
        joined = self.file("q.json", FORK.replace("[1, 3]", "[1, 3], [2, 3]"))
        text = self.out("explain", joined, "A", "B")
        self.assertIn("may share storage", text)
        self.assertIn("1 -> 3", text)
        self.assertIn("2 -> 3", text)

    def test_unknown_buffers(self):
        problem = self.file("p.json", FORK)
        self.assertIn("'Z'", self.error("explain", problem, "A", "Z"))
        self.assertIn("twice", self.error("explain", problem, "A", "A"))


class Generate(ToolTest):
    def test_seeded(self):
        one = self.out("generate", "--seed=7")
        self.assertEqual(one, self.out("generate", "--seed=7"))
        self.assertNotEqual(one, self.out("generate", "--seed=8"))

    def test_skewed_sizes(self):
        rows = [line.split(",") for line in self.out(
            "generate", "--sizes=skewed", "--buffers=2000",
            "--format=csv").splitlines()[1:]]
        sizes = sorted(int(row[3]) for row in rows)
        self.assertLess(sizes[1000], sizes[-1] // 16)
        self.assertIn("square", self.error("generate", "--sizes=square"))

    def test_heavy_tailed_sizes(self):
        rows = [line.split(",") for line in self.out(
            "generate", "--sizes=heavy-tailed", "--buffers=4000",
            "--format=csv").splitlines()[1:]]
        sizes = sorted(int(row[3]) for row in rows)
        # Half as many of twice the size.
        for half in range(1, 6):
            share = sum(size > 2 ** (half - 1) for size in sizes)
            self.assertAlmostEqual(share / 4000, 0.5 ** half, delta=0.03)
        self.assertGreater(sizes[-1], 256)

    def test_dags_solve_and_verify(self):
        self.out("generate", "--kind=dag", "--buffers=200", "--width=4",
                 "--alignment=64", "-o", self.path("g.json"))
        for strategy in ("arena", "slots"):
            self.out("solve", self.path("g.json"), "--strategy", strategy,
                     "-o", self.path("plan.json"))
            self.out("verify", self.path("g.json"), self.path("plan.json"))

    def test_refusals(self):
        self.assertIn("power of two", self.error("generate", "--alignment=6"))
        self.assertIn("CSV", self.error("generate", "--kind=dag",
                                        "--format=csv"))
        self.error("generate", "--buffers=999999999999")


class Render(ToolTest):
    def test_svg(self):
        problem = self.file("p.csv", SEED)
        self.out("solve", problem, "-o", self.path("plan.csv"))
        self.out("render", problem, self.path("plan.csv"), "-o",
                 self.path("map.svg"), "--title", "seed <S0>")
        svg = self.read("map.svg")
        self.assertTrue(svg.startswith("<svg "))
        self.assertIn("seed &lt;S0&gt;", svg)
        self.assertEqual(svg.count('class="buffer"'), 3)
        self.assertIn("lower bound (exact) 12 MiB", svg)


    def test_bad_plans_are_drawn_within_the_picture(self):
        problem = self.file("p.csv", "id,lower,upper,size\nA,0,4,8\n")
        for offset, size in ((1 << 63, 8), ((1 << 64) - 616, 1 << 63),
                             (0, (1 << 64) - 1)):
            plan = self.file("plan.json", json.dumps(
                {"schema": "transient.plan.v1", "physical": [{"bytes": 1}],
                 "assignments": [{"buffer": "A", "physical": 0,
                                  "offset": offset, "bytes": size}]}))
            svg = self.out("render", problem, plan)
            for number in re.findall(r'"(-?[0-9.]+)"', svg):
                self.assertLess(abs(float(number)), 2000, svg)


# Two problems of MiniMalloc's kind that need search, or luck.
TIGHT = "id,lower,upper,size\n" + "".join(
    f"b{k},{lo},{hi},{size}\n" for k, (lo, hi, size) in enumerate(
        [(0, 3, 4), (3, 9, 4), (0, 9, 4), (9, 21, 4), (0, 21, 4)]))


class Bench(ToolTest):
    def setUp(self):
        super().setUp()
        import os
        self.folder = self.path("folder")
        os.mkdir(self.folder)
        self.file("folder/a.csv", SEED)
        self.file("folder/b.json", FORK)
        self.file("folder/c.csv", TIGHT)
        self.file("folder/notes.txt", "no problem")

    def test_table(self):
        lines = self.out("bench", self.folder).splitlines()
        self.assertEqual(lines[0].split(), ["instance", "buffers", "bound",
                                            "result", "ratio", "proven",
                                            "seconds"])
        self.assertEqual(lines[1].split()[:6],
                         ["a.csv", "3", "12582912", "12582912", "1.0000",
                          "yes"])
        self.assertEqual(lines[2].split()[:4], ["b.json", "2", "2048", "2048"])
        self.assertIn("3 of 3 solved, 3 proved optimal; ratio 1.0000 geomean, "
                      "1.0000 worst", lines[-1])

    def test_json(self):
        report = self.json("bench", self.folder, "--json", "-o",
                           self.path("out.json"))
        self.assertEqual(report, json.loads(self.read("out.json")))
        self.assertEqual([row["instance"] for row in report["instances"]],
                         ["a.csv", "b.json", "c.csv"])
        self.assertEqual(report["solved"], 3)
        for row in report["instances"]:
            self.assertGreater(row["heap_bytes"], 100 * row["buffers"])

    def test_what_is_no_problem_is_said(self):
        self.file("folder/d.csv", "id,lower,upper,size\nA,0,4,-1\n")
        text = self.out("bench", self.folder)
        self.assertIn("d.csv:2: ", text)
        self.assertIn("3 of 4 solved", text)

    def test_nothing_to_do(self):
        import os
        os.mkdir(self.path("empty"))
        self.assertIn("no problem", self.error("bench", self.path("empty")))

    def test_options_are_those_of_solve(self):
        text = self.out("bench", self.folder, "--strategy=slots",
                        "--algorithm=slots-search", "--effort=fast")
        self.assertIn("3 of 3 solved", text)


class Search(ToolTest):
    def test_efforts(self):
        problem = self.file("p.csv", TIGHT)
        for effort in ("fast", "normal", "high", "max"):
            done = self.json("solve", problem, "--effort", effort, "--json")
            self.assertEqual(done["physical_bytes"], 12)
        self.assertIn("lazy", self.error("solve", problem, "--effort=lazy"))
        self.json("solve", problem, "--steps=0", "--json")
        self.assertIn("-3", self.error("solve", problem, "--steps=-3"))

    def test_more_effort_is_never_worse(self):
        self.out("generate", "--buffers=120", "--width=20", "--format=csv",
                 "-o", self.path("g.csv"))
        sizes = [self.json("solve", self.path("g.csv"), "--steps", str(steps),
                           "--json")["physical_bytes"]
                 for steps in (0, 100000, 10000000, 50000000)]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_an_interrupted_search_gives_its_best(self):
        import signal
        import subprocess
        import time
        self.out("generate", "--buffers=1000", "--width=200", "--format=csv",
                 "-o", self.path("g.csv"))
        tool = subprocess.Popen(
            [planner_tool.TOOL, "solve", self.path("g.csv"), "--effort=max",
             "--progress", "--json"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        first = tool.stderr.readline()  # The search runs.
        self.assertIn("ratio", first)
        tool.send_signal(signal.SIGTERM)
        out, _ = tool.communicate(timeout=100)
        self.assertEqual(tool.returncode, 0)
        done = json.loads(out)
        self.assertIs(done["interrupted"], True)
        self.assertIs(done["optimal"], False)
        self.assertGreaterEqual(done["physical_bytes"],
                                done["lower_bound_bytes"])


class PlanFrom(ToolTest):
    def test_an_edit_moves_only_what_it_must(self):
        old = self.file("old.csv", SEED)
        self.out("solve", old, "-o", self.path("old-plan.csv"))
        # B grows out of its place beside C; D is new.
        new = self.file("new.csv", SEED.replace("B,5,9,6291456", "B,5,9,9437184")
                        + "D,9,10,1024\n")
        done = self.json("plan-from", new, old, self.path("old-plan.csv"),
                         "--json", "-o", self.path("plan.csv"))
        self.out("verify", new, self.path("plan.csv"))
        self.assertEqual(done["added"], ["D"])
        self.assertEqual(len(done["moved"]), 1)
        self.assertEqual(len(done["kept"]), 2)

    def test_no_edit_moves_nothing(self):
        old = self.file("old.csv", SEED)
        self.out("solve", old, "-o", self.path("plan.csv"))
        text = self.out("plan-from", old, old, self.path("plan.csv"))
        self.assertIn("kept         3\nmoved        0\nadded        0", text)

    def test_a_capacity_may_move_more(self):
        old = self.file("old.csv", "id,lower,upper,size\na,0,1,4\nb,1,2,4\n"
                        "c,2,3,4\n")
        plan = self.file("plan.csv", "id,offset\na,0\nb,4\nc,8\n")
        done = self.json("plan-from", old, old, plan, "--json")
        self.assertEqual(done["physical_bytes"], 12)
        done = self.json("plan-from", old, old, plan, "--json",
                         "--capacity=4")
        self.assertEqual(done["physical_bytes"], 4)
        self.assertEqual(done["kept"], ["a"])
        self.assertIn("strategy arena",
                      self.error("plan-from", old, old, plan,
                                 "--strategy=slots"))


class Blame(ToolTest):
    def test_too_small_a_capacity_names_the_largest(self):
        problem = self.file("p.csv", "id,lower,upper,size\na,0,2,10\n"
                            "b,0,2,1\nc,0,2,20\nd,0,2,1\n")
        message = self.error("solve", problem, "--capacity=25", code=1)
        self.assertIn("buffers 'a', 'c' conflict and need 30", message)

    def test_search_names_a_minimal_set(self):
        # No room below 'a' for 'b'; the load knows nothing of that.
        problem = self.file("p.csv", "id,lower,upper,size,fixed_offset\n"
                            "free,3,5,4,\na,0,2,2,2\nb,0,2,3,\nlow,0,2,1,\n")
        bound = self.json("bound", problem, "--json")["lower_bound_bytes"]
        best = self.json("solve", problem, "--json")
        self.assertIs(best["optimal"], True)
        self.assertGreater(best["physical_bytes"], bound)
        message = self.error("solve", problem, f"--capacity={bound}", code=1)
        self.assertIn("do not fit together, and any of them less would",
                      message)
        self.assertIn("buffers 'a', 'b' do not", message)

    def test_fixed_offsets_beyond_the_capacity(self):
        problem = self.file("p.csv", "id,lower,upper,size,fixed_offset\n"
                            "a,0,2,10,90\n")
        message = self.error("solve", problem, "--capacity=99", code=1)
        self.assertIn("buffer 'a' has fixed offset 90 and ends at 100", message)


class Help(ToolTest):
    def test_help_has_an_example_for_each_verb(self):
        text = self.out("--help")
        self.assertIn("Exit codes", text)
        for verb in ("solve", "verify", "bound", "explain", "generate",
                     "convert", "render", "bench", "plan-from"):
            self.assertIn(verb, text)
            self.assertIn(f"transient-plan {verb} ",
                          self.out(verb, "--help").split("Example:")[1])

    def test_version(self):
        self.assertRegex(self.out("--version"), r"^transient-plan \d+\.\d+\.\d+")


if __name__ == "__main__":
    planner_tool.main()
