#!/usr/bin/env python3
#===- update-numbers.py - Every number in the documents -------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Replaces what stands between <!-- numbers:begin NAME --> and
# <!-- numbers:end NAME --> in README.md and docs/*.md by what the tools say
# now. Names: headline, models, waits (the generators under utils/models);
# mutants (transient-fuzz); corpus, ordering, order_headline, mutants_corpus
# (../shared/corpus; left as they are where that folder is missing). Bytes
# and counts only: nothing here depends on the speed of the machine.
#===-----------------------------------------------------------------------===#
"""Regenerates the measured numbers in README.md and docs/."""

import argparse
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

UTILS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(UTILS)
sys.path.insert(0, UTILS)

import memory_table  # noqa: E402
import mutation_table  # noqa: E402
import stock_peak  # noqa: E402

MODELS = (("mobilenet_v2", "MobileNetV2, 224 x 224 image"),
          ("resnet50", "ResNet-50, 224 x 224 image"),
          ("bert_layer", "BERT-base layer, 128 tokens"),
          ("llama_layer", "LLaMA-3-8B layer, 128 tokens"))
HEADLINE = "resnet50"
MARKED = re.compile(r"(<!-- numbers:begin (\w+) -->\n)(.*?)"
                    r"(<!-- numbers:end \2 -->)", re.DOTALL)


def allocations(function):
    """How many allocations the program has: one that was split counts once."""
    return len({r.get("web_of", r["id"]) for r in function["resources"]})


class Failure(Exception):
    pass


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    if done.returncode:
        raise Failure(f"exit {done.returncode}: {' '.join(command)}\n"
                      f"{done.stderr[:2000]}")
    return done.stdout


def mib(value):
    return f"{value / 2**20:.2f}"


def markdown(headings, rows, alignment):
    """A table; alignment is a letter a column, l or r."""
    rule = {"l": ":---", "r": "---:"}
    lines = ["| " + " | ".join(headings) + " |",
             "|" + "|".join(rule[a] for a in alignment) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def bound_text(amounts, unplanned):
    """The bound over all buffers; >= where it is not exact."""
    bound = amounts["lower_bound"]
    text = mib(bound["value"] + unplanned)
    return text if bound["exact"] else ">= " + text


class Numbers:
    """Computes each named text once, when it is first asked for."""

    def __init__(self, opt, corpus, work):
        self.opt, self.corpus, self.work = opt, corpus, work
        self.texts, self.model_figures, self.largest_functions = {}, None, {}

    def get(self, name):
        """The text, or None where this machine lacks the input."""
        if name not in self.texts:
            maker = getattr(self, "make_" + name, None)
            if maker is None:
                raise Failure(f"there are no numbers called {name!r}")
            self.texts[name] = maker()
        return self.texts[name]

    def plan(self, program, options):
        report = os.path.join(self.work, "report.json")
        run([self.opt, program, "-o", os.devnull,
             f"--transient-pipeline=report={report} {options}"])
        with open(report, encoding="utf-8") as file:
            return json.load(file)

    def models(self):
        if self.model_figures is not None:
            return self.model_figures
        self.model_figures = {}
        for name, _ in MODELS:
            tensors = os.path.join(self.work, name + ".mlir")
            memrefs = os.path.join(self.work, name + ".memref.mlir")
            run([sys.executable, os.path.join(UTILS, "models", "generate.py"),
                 name, "-o", tensors])
            run([os.path.join(UTILS, "bufferize.sh"), tensors, memrefs])
            report = self.plan(memrefs, "lower=memref")
            if len(report["functions"]) != 1:
                raise Failure(f"{name}: expected one function")
            self.model_figures[name] = {
                "program": memrefs,
                "report": report["functions"][0],
                "stock": memory_table.stock_bytes(memrefs, "dealloc"),
                "liveness": memory_table.stock_bytes(memrefs, "liveness")}
        return self.model_figures

    def make_headline(self):
        figures = self.models()[HEADLINE]
        amounts = figures["report"]["bytes"]
        held = amounts["physical"] + amounts["unplanned"]
        return (f"ResNet-50 on one image: after stock bufferization and\n"
                f"`buffer-deallocation-pipeline` the program holds "
                f"{mib(figures['stock'])} MiB of temporary buffers at its\n"
                f"peak. Planned by Transient it holds {mib(held)} MiB, and no "
                f"plan for this order of work can be\nsmaller.\n"
                if amounts["lower_bound"]["exact"] and
                amounts["physical"] == amounts["lower_bound"]["value"] else
                f"ResNet-50 on one image: {mib(figures['stock'])} MiB before, "
                f"{mib(held)} MiB after.\n")

    def make_models(self):
        rows = []
        for name, label in MODELS:
            figures = self.models()[name]
            report = figures["report"]
            amounts = report["bytes"]
            held = amounts["physical"] + amounts["unplanned"]
            stock = figures["stock"]
            rows.append((label, str(allocations(report)),
                         mib(amounts["logical"]), mib(stock),
                         mib(figures["liveness"]), mib(held),
                         bound_text(amounts, amounts["unplanned"]),
                         f"{100 * (stock - held) / stock:.1f} %"))
        return "\n" + markdown(
            ("model", "buffers", "sum", "stock peak", "stock + liveness",
             "Transient", "lower bound", "saved"), rows, "lrrrrrrr") + "\n\n"

    def make_waits(self):
        programs = [figures["program"] for figures in self.models().values()]
        output = run([os.path.join(UTILS, "host-waits.sh"), *programs],
                     {"TRANSIENT_OPT": self.opt})
        lines = [line.split() for line in output.splitlines()[1:]]
        if len(lines) != len(MODELS):
            raise Failure(f"host-waits.sh: expected a line a model:\n{output}")
        rows = [(label, *counts[1:])
                for (_, label), counts in zip(MODELS, lines)]
        return "\n" + markdown(("model", "launches", "waits before", "after"),
                               rows, "lrrr") + "\n\n"

    def make_corpus(self):
        if not self.corpus or not os.path.isdir(self.corpus):
            return None
        models = os.path.join(self.corpus, "models")
        with open(os.path.join(models, "index.json"), encoding="utf-8") as file:
            index = sorted(json.load(file), key=lambda entry: entry["name"])
        rows = []
        for entry in index:
            cells = []
            for form in ("memref", "gpu_dag_s2", "gpu_dag_s4"):
                path = os.path.join(models, entry["name"], form + ".mlir")
                cells += self.corpus_cells(path, form == "memref")
            rows.append((f"`{entry['name']}`", *cells))
        return "\n" + markdown(
            ("program", "buffers", "sum", "1 stream", "bound", "2 streams",
             "bound", "4 streams", "bound"), rows, "lrrrrrrrr") + "\n\n"

    def make_ordering(self):
        if not self.corpus or not os.path.isdir(self.corpus):
            return None
        models = os.path.join(self.corpus, "models")
        rows = []
        for name in sorted(os.listdir(models)):
            path = os.path.join(models, name, "gpu_dag_s4.mlir")
            if not os.path.exists(path):
                continue
            plain = self.largest(path, "lower=none verify=false")
            held = plain["bytes"]["physical"]
            half = self.largest(path, f"ordering-budget={held // 2}")
            order = half["ordering"]
            if not order["preconditions"]:
                continue
            rows.append((f"`{name}`", mib(held),
                         mib(half["bytes"]["physical"]),
                         str(len(order["preconditions"])),
                         str(order["longest_path_without"]),
                         str(order["longest_path"])))
        return "\n" + markdown(
            ("program, 4 streams", "planned", "with budget", "new edges",
             "longest path", "with them"), rows, "lrrrrr") + "\n\n"

    def make_order_headline(self):
        if not self.corpus or not os.path.isdir(self.corpus):
            return None
        path = os.path.join(self.corpus, "models", "bert_large_iree",
                            "gpu_dag_s4.mlir")
        held = self.largest(path, "lower=none verify=false")["bytes"]["physical"]
        half = self.largest(path, f"ordering-budget={held // 2}")
        order = half["ordering"]
        return (f"BERT-large on four streams needs {mib(held)} MiB. With "
                f"{len(order['preconditions'])} more waits it needs "
                f"{mib(half['bytes']['physical'])} MiB, and\n"
                f"the longest path goes from {order['longest_path_without']} "
                f"to {order['longest_path']} operations "
                f"([more](docs/Results.md#what-a-little-order-saves)).\n")

    def largest(self, path, options):
        key = path, options
        if key not in self.largest_functions:
            self.largest_functions[key] = max(
                self.plan(path, options)["functions"],
                key=lambda f: f["bytes"]["logical"])
        return self.largest_functions[key]

    def fuzz_tool(self):
        return os.path.join(os.path.dirname(os.path.abspath(self.opt)),
                            "transient-fuzz")

    def make_mutants(self):
        return "\n" + mutation_table.random_table(self.fuzz_tool()) + "\n\n"

    def make_mutants_corpus(self):
        table = mutation_table.corpus_table(self.fuzz_tool(),
                                            self.corpus or "")
        return "\n" + table + "\n\n" if table else None

    def corpus_cells(self, path, first):
        if not os.path.exists(path):
            return ["-", "-"]
        functions = self.plan(path, "lower=none verify=false")["functions"]
        amounts = max((f["bytes"] for f in functions),
                      key=lambda b: b["logical"])
        largest = next(f for f in functions if f["bytes"] is amounts)
        mark = "" if amounts["unknown_count"] == 0 else " +?"
        cells = [mib(amounts["physical"] + amounts["unplanned"]) + mark,
                 bound_text(amounts, amounts["unplanned"])]
        if first:
            cells = [str(allocations(largest)),
                     mib(amounts["logical"]) + mark] + cells
        return cells


def documents():
    return [os.path.join(ROOT, "README.md"),
            *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]


def update(path, numbers, args):
    """Rewrites one document, or shows the difference; True if it was right."""
    with open(path, encoding="utf-8") as file:
        text = file.read()

    def replace(match):
        name = match.group(2)
        if name in args.skip:
            return match.group(0)
        new = numbers.get(name)
        if new is None:
            print(f"update-numbers: {os.path.relpath(path, ROOT)}: {name} is "
                  "left as it is: its input is not here", file=sys.stderr)
            return match.group(0)
        return match.group(1) + new + match.group(4)

    updated = MARKED.sub(replace, text)
    if updated == text:
        return True
    relative = os.path.relpath(path, ROOT)
    if args.check:
        sys.stderr.writelines(difflib.unified_diff(
            text.splitlines(True), updated.splitlines(True),
            relative, relative + " (measured)"))
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(updated)
        print(f"update-numbers: wrote {relative}")
    return False


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit 1 if a number is wrong")
    parser.add_argument("--opt", default=os.path.join(
        ROOT, "build", "bin", "transient-opt"), help="transient-opt to use")
    parser.add_argument("--corpus", default=os.path.join(
        os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--skip", action="append", default=[],
                        metavar="NAME", help="leave these numbers as they are")
    args = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory() as work:
            numbers = Numbers(args.opt, args.corpus, work)
            right = [update(path, numbers, args) for path in documents()]
    except (Failure, mutation_table.Failure, OSError, KeyError, stock_peak.IRError) as error:
        print(f"update-numbers: error: {error}", file=sys.stderr)
        return 2
    if args.check and not all(right):
        print("update-numbers: error: run utils/update-numbers.py",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
