#!/usr/bin/env python3
#===- mutation_table.py - Who catches which fault -------------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Damages plans by each kind of fault that transient-fuzz knows: of random small
# programs, where an interpreter says what is unsafe; of such programs that stock
# passes can lower, which run on the simulated device; and of the programs in
# ../shared/corpus, where the checker alone judges. Prints three tables in
# Markdown. Seeds are fixed, so that the tables are those of the tool alone.
# utils/update-numbers.py puts them into docs/Verification.md.
#===-----------------------------------------------------------------------===#
"""mutation_table.py [--fuzz=TOOL] [--corpus=FOLDER]"""

import argparse
import csv
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RANDOM = ["--programs=1500", "--seed=1", "--mutants=4", "--faults"]
ON_DEVICE = ["--programs=3000", "--seed=1", "--mutants=6", "--unsafe-only",
             "--table"]
MUTANTS_OF_A_MODEL = 5
# Of a damaged model with thousands of launches, the clones alone take minutes.
LARGE = {"bert_large_iree", "deepseek_r1_1p5b_prefill", "llama2_7b_prefill",
         "llama2_7b_prefill_rawweights"}


class Failure(Exception):
    pass


def run_fuzz(tool, arguments):
    """Numbers by kind of fault, in the tool's order, and all other lines."""
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"exit {done.returncode}: {tool} {' '.join(arguments)}\n"
                      f"{(done.stdout + done.stderr)[:2000]}")
    lines = done.stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("fault,"))
    table = [line for line in lines[start:]
             if line.count(",") == lines[start].count(",") and
             not line[0].isdigit()]
    rows = {row.pop("fault"): {key: int(value) for key, value in row.items()}
            for row in csv.DictReader(table)}
    return rows


def total(rows):
    keys = next(iter(rows.values()))
    return {key: sum(row[key] for row in rows.values()) for key in keys}


def markdown(headings, rows):
    lines = ["| " + " | ".join(headings) + " |",
             "|:---|" + "---:|" * (len(headings) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |"
              for row in rows]
    return "\n".join(lines)


def random_table(tool):
    rows = run_fuzz(tool, RANDOM)

    def cells(name, row):
        caught = row["unsafe"] - row["survivors"]
        plans = (f"{row['plan_check']} of {row['plans']}" if row["plans"]
                 else "-")
        return (name, row["made"], row["unsafe"], caught, plans, row["order"],
                row["results"], row["survivors"])

    return markdown(
        ("fault", "made", "unsafe", "checker", "plan check",
         "order of executions", "results", "survivors"),
        [cells(name, row) for name, row in rows.items()] +
        [cells("**all**", total(rows))])


def device_table(tool):
    script = os.path.join(ROOT, "test", "fuzz", "on-device.py")
    rows = run_fuzz(sys.executable, [script, f"--fuzz={tool}", *ON_DEVICE])

    def cells(name, row):
        return name, row["unsafe"], row["runtime"], row["results"]

    return markdown(
        ("fault", "unsafe, run", "runtime", "results"),
        [cells(name, row) for name, row in rows.items()] +
        [cells("**all**", total(rows))])


def corpus_table(tool, corpus):
    """None where the corpus is not here."""
    models = os.path.join(corpus, "models")
    if not os.path.isdir(models):
        return None
    files = [os.path.join(models, name, "gpu_dag_s4.mlir")
             for name in sorted(os.listdir(models)) if name not in LARGE]
    files = [file for file in files if os.path.exists(file)]
    rows = run_fuzz(tool, [f"--mutants={MUTANTS_OF_A_MODEL}", *files])

    def cells(name, row):
        return (name, row["made"], row["rejected"], row["undecided"],
                row["made"] - row["rejected"] - row["undecided"])

    return markdown(
        (f"fault, in {len(files)} programs", "made", "rejected", "undecided",
         "accepted"),
        [cells(name, row) for name, row in rows.items() if row["made"]] +
        [cells("**all**", total(rows))])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzz", default=os.path.join(
        ROOT, "build", "bin", "transient-fuzz"))
    parser.add_argument("--corpus", default=os.path.join(
        os.path.dirname(ROOT), "shared", "corpus"))
    args = parser.parse_args()
    try:
        print(random_table(args.fuzz) + "\n\n" + device_table(args.fuzz))
        table = corpus_table(args.fuzz, args.corpus)
    except Failure as failure:
        print(f"mutation_table: error: {failure}", file=sys.stderr)
        return 1
    if table:
        print("\n" + table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
