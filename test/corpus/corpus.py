#!/usr/bin/env python3
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks one property of transient-pipeline over real programs.

    corpus.py PROPERTY --shared DIR --opt transient-opt [--mlir-opt mlir-opt]
              [--plugin TransientPlugin.so] [--work DIR]

Properties: plan, mutate, structure, plugin, deallocation, gpu, idempotent.
Prints one line a program and fails with the programs that do not have it.
"""
import argparse
import difflib
import json
import os
import re
import subprocess
import sys

#: Programs whose only entry has no control flow between blocks and no opaque
#: call that takes a buffer: their arena must come close to LOAD.
NOT_STRAIGHT = {"lstm_iree_cf", "attention_loop_buddy", "lenet_buddy"}
FORMS = ("memref", "gpu_dag_s2", "gpu_dag_s4")
#: Arena to LOAD in the sequential form, at most.
MAX_RATIO = 1.15


class Failure(Exception):
    pass


def run(command, expect=0):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != expect:
        raise Failure(
            f"exit {done.returncode}, expected {expect}: {' '.join(command)}\n"
            + done.stderr[:2000])
    return done


def programs(args):
    root = os.path.join(args.shared, "corpus", "models")
    with open(os.path.join(root, "index.json")) as file:
        index = {entry["name"]: entry for entry in json.load(file)}
    for name in sorted(index):
        for form in FORMS:
            path = os.path.join(root, name, form + ".mlir")
            if os.path.exists(path):
                yield index[name], form, path


def plan(args, path, out, options="", opt=None):
    report = out + ".json"
    run([args.opt, path, f"--transient-pipeline=report={report} {options}",
         "-o", out])
    with open(report) as file:
        return json.load(file)


def check_schema(report):
    if report["schema"] != "transient.report.v1" or not report["functions"]:
        raise Failure("no report")
    for function in report["functions"]:
        for key in ("name", "order", "bytes", "resources", "physical",
                    "assignments", "sharing", "blocked", "peak_residents"):
            if key not in function:
                raise Failure(f"report lacks {key}")
        numbers = function["bytes"]
        for key in ("logical", "physical", "saved", "padding", "fragmentation",
                    "lower_bound", "peak_upper", "unplanned", "unknown_count"):
            if key not in numbers:
                raise Failure(f"report lacks bytes.{key}")
        # The numbers must add up from the parts.
        # Storage that callers pass in counts there, not here.
        storage = function.get("workspace", numbers)
        if storage["physical"] != sum(p["bytes"] for p in function["physical"]):
            raise Failure("physical bytes do not add up")
        sizes = {r["id"]: r["bytes"] for r in function["resources"]}
        # Values of one allocation count once.
        known = {r.get("web_of", r["id"]): r["bytes"]
                 for r in function["resources"] if r["bytes"] != "unknown"}
        if numbers["logical"] != sum(known.values()):
            raise Failure("logical bytes do not add up")
        placed = {a["resource"] for a in function["assignments"]}
        if numbers["unplanned"] != sum(
                b for i, b in sizes.items() if i not in placed and
                b != "unknown"):
            raise Failure("unplanned bytes do not add up")
        residents = sum(r["bytes"] for r in function["peak_residents"])
        if residents > storage["lower_bound"]["value"]:
            raise Failure("the residents of the peak outweigh it")
        if numbers["lower_bound"]["value"] > numbers["physical"]:
            raise Failure("the plan is below its own lower bound")
        if any(pair["overlaps"] for pair in function["rejected"]):
            raise Failure("buffers share bytes without proof")
        for blocked in function["blocked"]:
            if not (blocked["reason"] and blocked["resolve"]):
                raise Failure("a blocked buffer without reason or remedy")


def check_plan(args, entry, form, path, out):
    """Plans, reports, is accepted by the checker, and comes close to LOAD."""
    report = plan(args, path, out, "verify=false")
    check_schema(report)
    done = run([args.opt, out, "--transient-verify", "-o", os.devnull])
    if "error" in done.stderr:
        raise Failure(done.stderr[:500])
    numbers = max((f["bytes"] for f in report["functions"]),
                  key=lambda b: b["logical"])
    ratio = numbers["physical"] / entry["load_bytes"]
    if form == "memref" and entry["name"] not in NOT_STRAIGHT:
        if numbers["unplanned"] or ratio > MAX_RATIO:
            raise Failure(f"arena is {ratio:.3f} x LOAD, "
                          f"{numbers['unplanned']} bytes unplanned")
    with open(out) as file:
        if "transient." in file.read():
            raise Failure("the lowered IR still names the dialect")
    return f"{numbers['physical']} bytes, {ratio:.3f} x LOAD"


def check_mutate(args, entry, form, path, out):
    """The checker refuses the plan once two live buffers overlap."""
    report = plan(args, path, out, "lower=none verify=false")
    function = max(report["functions"], key=lambda f: len(f["assignments"]))
    residents = [r["resource"] for r in function["peak_residents"]]
    places = {a["resource"]: a for a in function["assignments"]}
    residents = [r for r in residents if places[r]["bytes"] > 0 and
                 places[r]["physical"] == places[residents[0]]["physical"]]
    if len(residents) < 2:
        return "fewer than two buffers at the peak"
    # Put one resident of the peak on top of another: both are live there.
    low, high = sorted(residents, key=lambda r: places[r]["offset"])[:2]
    tenant = int(high[1:])
    with open(out) as file:
        text = file.read()
    edited, count = re.subn(
        rf"\[{places[high]['offset']}\] tenant {tenant}\b",
        f"[{places[low]['offset']}] tenant {tenant}", text)
    if count == 0 or edited == text:
        raise Failure(f"found no view of {high} to edit")
    with open(out, "w") as file:
        file.write(edited)
    done = run([args.opt, out, "--transient-verify", "-o", os.devnull],
               expect=1)
    if "error" not in done.stderr:
        raise Failure("refused without an error")
    return f"{high} on top of {low} is refused"


def structure(args, path):
    return run([args.opt, path, "--test-transient-structure", "-o",
                os.devnull]).stdout.splitlines()


def check_structure(args, entry, form, path, out):
    """Launches, copies, waits and tokens are the same, in the same order."""
    plan(args, path, out, "verify=false")
    before, after = structure(args, path), structure(args, out)
    if before != after:
        raise Failure("\n".join(list(difflib.unified_diff(
            before, after, lineterm=""))[:20]))
    return f"{len(before)} lines equal"


def check_plugin(args, entry, form, path, out):
    """The plugin in a stock mlir-opt gives the same IR, byte for byte."""
    plan(args, path, out)
    run([args.mlir_opt, path, f"--load-dialect-plugin={args.plugin}",
         f"--load-pass-plugin={args.plugin}",
         f"--pass-pipeline=builtin.module(transient-pipeline{{report={out}.plugin.json}})",
         "-o", out + ".plugin"])
    for suffix in ("", ".json"):
        first = out + suffix
        second = out + ".plugin" + suffix
        with open(first, "rb") as a, open(second, "rb") as b:
            if a.read() != b.read():
                raise Failure(f"{first} and {second} differ")
    return "identical"


def check_deallocation(args, entry, form, path, out):
    """The result goes on through the stock deallocation pipeline."""
    if form != "memref":
        return "not run: the stock pipeline refuses any gpu.wait async"
    stock = "--buffer-deallocation-pipeline"
    if subprocess.run([args.mlir_opt, path, stock, "-o", os.devnull],
                      capture_output=True).returncode:
        return "not run: the stock pipeline refuses the input"
    plan(args, path, out)
    run([args.mlir_opt, out, stock, "-o", out + ".dealloc"])
    with open(out + ".dealloc") as file:
        text = file.read()
    if entry["name"] not in NOT_STRAIGHT and \
            len(re.findall(r"memref\.dealloc ", text)) < 1:
        raise Failure("nothing is freed")
    return "accepted"


GPU = ("builtin.module(func.func(convert-linalg-to-parallel-loops,canonicalize,"
       "gpu-map-parallel-loops,convert-parallel-loops-to-gpu,canonicalize,cse),"
       "lower-affine,gpu-kernel-outlining,canonicalize,cse)")
#: Large programs take a minute each in the stock lowering; these are alike.
SMALL = 400


def check_gpu(args, entry, form, path, out):
    """The result goes on through the stock lowering as far as PTX."""
    if entry["allocs"] > SMALL:
        return "not run: large"
    if form == "gpu_dag_s4":
        return "not run: like gpu_dag_s2"
    plan(args, path, out)
    kernels = out + ".gpu"
    if form == "memref":
        run([args.mlir_opt, out, f"--pass-pipeline={GPU}", "-o", kernels])
    else:
        kernels = out
    with open(kernels) as file:
        launches = file.read().count("gpu.launch_func")
    run([args.mlir_opt, kernels,
         "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_90 cubin-features=+ptx80 "
         "cubin-format=isa", "-o", out + ".ptx"])
    with open(out + ".ptx") as file:
        entries = file.read().count(".entry")
    if launches and entries == 0:
        raise Failure("no kernel in the PTX text")
    return f"{entries} kernels"


def check_idempotent(args, entry, form, path, out):
    """Two runs, with and without threads, are equal byte for byte."""
    plan(args, path, out)
    with open(out, "rb") as file:
        first = file.read()
    run([args.opt, path, "--mlir-disable-threading",
         f"--transient-pipeline=report={out}.json2", "-o", out])
    with open(out, "rb") as file:
        if file.read() != first:
            raise Failure("two runs differ")
    with open(out + ".json", "rb") as a, open(out + ".json2", "rb") as b:
        if a.read() != b.read():
            raise Failure("two reports differ")
    return "identical"


def main():
    properties = {name[len("check_"):]: function
                  for name, function in globals().items()
                  if name.startswith("check_") and name != "check_schema"}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("property", choices=sorted(properties))
    parser.add_argument("--shared", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--mlir-opt")
    parser.add_argument("--plugin")
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    failed = total = 0
    for entry, form, path in programs(args):
        total += 1
        out = os.path.join(args.work, f"{entry['name']}.{form}.mlir")
        try:
            note = properties[args.property](args, entry, form, path, out)
        except Failure as failure:
            failed += 1
            note = f"FAILED: {failure}"
        print(f"{entry['name']:30} {form:11} {note}", flush=True)
    print(f"{args.property}: {total - failed} of {total} programs pass")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
