#!/usr/bin/env python3
#===- sim-run.py - Runs a gpu program on the simulated device -------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lowers a gpu-dialect program with stock passes only and runs it with
# mlir-runner and libTransientSimRuntime.so. --own-streams first gives every
# operation a stream of its own, so that the lowering adds no order that the
# tokens do not promise. See docs/SimRuntime.md.
#
# Exit codes: the program's own; 86 after violations; 2 when the program cannot
# be lowered or run.
#===-----------------------------------------------------------------------===#
"""Runs a gpu-dialect program on the simulated device."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# convert-gpu-to-llvm-spv must come before convert-scf-to-cf.
KERNELS = ("gpu.module(convert-gpu-to-llvm-spv{use-64bit-index=true},"
           "convert-scf-to-cf,expand-strided-metadata,lower-affine,"
           "convert-to-llvm,reconcile-unrealized-casts)")
HOST = ("func.func(convert-linalg-to-loops),expand-strided-metadata,"
        "lower-affine,convert-scf-to-cf,gpu-to-llvm,"
        "async-to-async-runtime,async-runtime-ref-counting,"
        "convert-async-to-llvm,"
        # convert-to-llvm alone leaves memref.reshape behind.
        "finalize-memref-to-llvm,convert-to-llvm,"
        "reconcile-unrealized-casts")
LOWERING = ("math-expand-ops{ops=rsqrt},convert-math-to-libm,"
            f"xevm-attach-target,{KERNELS},"
            f"gpu-module-to-binary{{format=llvm}},{HOST}")
# For launches whose body stands in the host's code.
OUTLINE = "func.func(convert-linalg-to-loops),gpu-kernel-outlining"
LAUNCH_BODY = re.compile(r"\bgpu\.launch ")
EXIT_BAD_INPUT = 2

# One operation a line, as mlir-opt prints them: results, name, tokens, rest.
ASYNC_OP = re.compile(
    r"^(\s*)((?:%[\w$.\-]+(?:, )?)+ = )"
    r"(gpu\.(?!wait\b)[\w.]+) async(?: \[([^\]]*)\])?(.*)$")
HOST_WAIT = re.compile(r"^(\s*)gpu\.wait \[([^\]]*)\](.*)$")
BLOCKING_OP = re.compile(
    r"^(\s*)(?:(%[\w$.\-]+) = )?(gpu\.(?:memcpy|memset|alloc|dealloc))\s+"
    r"(?!\s|async\b|host_shared\b)(.*)$")
COPY_OR_SET = re.compile(
    r"^(\s*)(.*= )?gpu\.(memcpy|memset) +(async (?:\[[^\]]*\] )?)?"
    r"(%[\w$.\-#]+), (%[\w$.\-#]+) : (memref<.*>), (memref<.*>|\w+)$")
# The runtime aligns all memory of the host so far. For an alignment of its own
# the lowering makes a block larger than the memref, and its bounds less strict.
ALIGNMENT = re.compile(r"^(.*= memref\.alloc\(.*) \{alignment = (\d+) : i64"
                       r"(?:, ([^{}]*))?\} : ", re.MULTILINE)
HOST_ALIGNMENT = 64
# An operation of another dialect than those that mlir-runner translates.
UNLOWERED = re.compile(
    r'^ *(?:%[^=\n]* = )?"?((?!llvm\.|gpu\.binary|gpu\.launch_func|'
    r"builtin\.)"
    r"[a-z]\w*\.[a-z]\w*(?:\.\w+)*)\b", re.MULTILINE)


class Failed(Exception):
    """The program cannot be lowered or run."""


def tool(name):
    """An LLVM 22 tool by its Debian name or in Debian's prefix."""
    return (os.environ.get(name.upper().replace("-", "_"))
            or shutil.which(f"{name}-22") or f"/usr/lib/llvm-22/bin/{name}")


def run_opt(arguments):
    """What mlir-opt prints."""
    try:
        run = subprocess.run([tool("mlir-opt"), *arguments], check=False,
                             capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise Failed(f"cannot run mlir-opt: {error}") from error
    if run.returncode:
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        raise Failed("stock lowering: " + (errors or [run.stderr.strip()])[0])
    return run.stdout


def make_async(text):
    """Rewrites blocking memory operations, which stock leaves unlowered, as
    asynchronous ones that the host waits for at once."""
    result = []
    for count, line in enumerate(text.splitlines()):
        if not (match := BLOCKING_OP.match(line)):
            result.append(line)
            continue
        indent, name, operation, rest = match.groups()
        start, token = f"%sim_start_{count}", f"%sim_done_{count}"
        results = f"{name}, {token}" if name else token
        result += [f"{indent}{start} = gpu.wait async",
                   f"{indent}{results} = {operation} async [{start}] {rest}",
                   f"{indent}gpu.wait [{token}]"]
    return "\n".join(result) + "\n"


def drop_alignments(text):
    """Leaves out the alignments that the runtime gives anyway."""
    def drop(match):
        start, alignment, others = match.groups()
        if int(alignment) > HOST_ALIGNMENT:
            return match.group(0)
        return f"{start} {{{others}}} : " if others else f"{start} : "
    return ALIGNMENT.sub(drop, text)


def copy_kernel(name, target, source):
    """A kernel in which one work item copies a whole memref, or sets it to one
    value if `source` is the type of an element."""
    shape = re.match(r"memref<((?:[\d?]+x)*)", target).group(1)
    rank = shape.count("x")
    lines = [f"gpu.func @{name}(%to: {target}, %from: {source}) kernel {{",
             "%c0 = arith.constant 0 : index",
             "%c1 = arith.constant 1 : index"]
    for d in range(rank):
        lines += [f"%d{d} = arith.constant {d} : index",
                  f"%n{d} = memref.dim %to, %d{d} : {target}",
                  f"scf.for %i{d} = %c0 to %n{d} step %c1 {{"]
    at = ", ".join(f"%i{d}" for d in range(rank))
    value = "%from"
    if source.startswith("memref<"):
        value = "%v"
        lines += [f"%v = memref.load %from[{at}] : {source}"]
    lines += [f"memref.store {value}, %to[{at}] : {target}", "}" * rank,
              "gpu.return", "}"]
    return "\n".join(lines)


def needs_kernel(operation, target, source):
    """Whether stock leaves a copy or a set unlowered, or loses its offset: it
    knows identity layouts, and sets of 16 and 32 bits."""
    width = re.fullmatch(r"[a-z]+(\d+)", source)
    return ("strided<" in target + source or
            operation == "memset" and not (width and width.group(1) in
                                           ("16", "32")))


def copy_by_kernels(text):
    """Makes launches of the copies and sets that stock does not lower."""
    kernels, result = {}, []
    for line in text.splitlines():
        match = COPY_OR_SET.match(line)
        if not match or not needs_kernel(match[3], match[7], match[8]):
            result.append(line)
            continue
        indent, results, _, tokens, to, source, *types = match.groups()
        name = kernels.setdefault(tuple(types), f"copy_{len(kernels)}")
        one = f"%sim_one_{len(result)}"
        result += [f"{indent}{one} = arith.constant 1 : index",
                   f"{indent}{results or ''}gpu.launch_func {tokens or ''}"
                   f"@sim_copies::@{name} blocks in ({one}, {one}, {one}) "
                   f"threads in ({one}, {one}, {one}) "
                   f"args({to} : {types[0]}, {source} : {types[1]})"]
    if not kernels:
        return text
    module = "\n".join(["gpu.module @sim_copies {",
                        *(copy_kernel(name, *types)
                          for types, name in kernels.items()), "}"])
    first = next((i for i, line in enumerate(result)
                  if re.match(r"\s*module\b.*\{$", line)), None)
    if first is None:
        raise Failed("expects one module around the program")
    if "gpu.container_module" not in result[first]:
        result[first] = result[first].replace(
            "{", "attributes {gpu.container_module} {", 1)
    return "\n".join([*result[:first + 1], module, *result[first + 1:]]) + "\n"


def single_dependencies(text, own_streams):
    """Gives every asynchronous operation the one dependency that the lowering
    needs. With `own_streams`, that is a `gpu.wait async` of its own, of which
    the lowering makes a stream, and so is each token that the host awaits."""
    result, count = [], 0

    def join(indent, tokens):
        nonlocal count
        count += 1
        uses = f" [{tokens}]" if tokens else ""
        result.append(f"{indent}%sim_join_{count} = gpu.wait async{uses}")
        return f"%sim_join_{count}"

    for line in text.splitlines():
        if match := ASYNC_OP.match(line):
            indent, results, name, tokens, rest = match.groups()
            if own_streams or not tokens or "," in tokens:
                stream = join(indent, tokens)
                line = f"{indent}{results}{name} async [{stream}]{rest}"
        elif own_streams and (match := HOST_WAIT.match(line)):
            indent, tokens, rest = match.groups()
            streams = [join(indent, token.strip())
                       for token in tokens.split(",")]
            line = f"{indent}gpu.wait [{', '.join(streams)}]{rest}"
        result.append(line)
    return "\n".join(result) + "\n"


def lower(source, own_streams, plugin=None):
    """The program as text in the llvm dialect; with the plugin, its host code
    says what it reads and writes."""
    text = run_opt([source])
    if LAUNCH_BODY.search(text):
        text = run_opt([source, f"--pass-pipeline=builtin.module({OUTLINE})"])
    # convert-gpu-to-llvm-spv knows workgroup memory by number only.
    text = text.replace("#gpu.address_space<workgroup>", "3")
    text = text.replace(", #gpu.address_space<global>>", ">")
    text = copy_by_kernels(make_async(drop_alignments(text)))
    text = single_dependencies(text, own_streams)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        text = run_opt([file.name,
                        f"--pass-pipeline=builtin.module({LOWERING})"])
    if match := UNLOWERED.search(text):
        raise Failed(f"stock lowering leaves '{match.group(1)}' as it is")
    if plugin is None:
        return text
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return run_opt([file.name, f"--load-pass-plugin={plugin}",
                        "--pass-pipeline=builtin.module("
                        "transient-mark-host-accesses)"])


def find_plugin(runtime):
    """The plugin beside the runtime, or None."""
    plugin = Path(runtime).resolve().parent / "TransientPlugin.so"
    return plugin if plugin.exists() else None


def find_runtime(args):
    """The runtime library that was asked for, or the build tree's."""
    name = "libTransientSimRuntime.so"
    if args.runtime:
        path = Path(args.runtime)
    elif args.beside:
        path = Path(args.beside).resolve().parent / name
    else:
        path = Path(__file__).resolve().parents[1] / "build" / "lib" / name
    if not path.exists():
        raise Failed(f"no runtime at {path}; build the target "
                     "TransientSimRuntime or name it with --runtime")
    return path


def runner_command(runtime, entry, libraries=()):
    """How to run a lowered program that comes from standard input."""
    runner = os.path.realpath(tool("mlir-runner"))
    prefix = Path(runner).parents[1] / "lib"
    libraries = [runtime, *(prefix / f"libmlir_{name}.so" for name in
                            ("runner_utils", "c_runner_utils",
                             "float16_utils", "async_runtime")), *libraries]
    # -O0 is more than nothing: coroutines are lowered.
    return [runner, "-O0", "-e", entry, "--entry-point-result=void",
            "--shared-libs=" + ",".join(map(str, libraries))]


def environment(schedules, **more):
    """This process's environment with those schedules, where given."""
    result = {**os.environ, **more}
    if schedules:
        result["TRANSIENT_SIM"] = ",".join(schedules)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="a gpu-dialect program, - for stdin")
    parser.add_argument("--entry", default="main",
                        help="function without arguments to run [main]")
    parser.add_argument("--own-streams", action="store_true",
                        help="give every operation a stream of its own")
    parser.add_argument("--runtime", help="libTransientSimRuntime.so to use")
    parser.add_argument("--beside",
                        help="use the runtime in this file's folder")
    parser.add_argument("--shared-libs", default="",
                        help="further libraries, separated by commas")
    parser.add_argument("--schedule", action="append", metavar="S",
                        help="sets TRANSIENT_SIM; repeat to run several; all "
                             "run, and the first status that is not 0 counts")
    parser.add_argument("--emit-lowered", action="store_true",
                        help="print the lowered program, do not run it")
    args = parser.parse_args()
    try:
        runtime = find_runtime(args)
        lowered = lower(args.file, args.own_streams, find_plugin(runtime))
        if args.emit_lowered:
            sys.stdout.write(lowered)
            return 0
        if not re.search(rf"llvm\.func @{re.escape(args.entry)}\(\)", lowered):
            raise Failed(f"no function @{args.entry} without arguments and "
                         "results")
        command = runner_command(runtime, args.entry,
                                 filter(None, args.shared_libs.split(",")))
        # A child has only one of its parent's threads, so programs whose host
        # has several start anew for each schedule.
        runs = [args.schedule]
        if args.schedule and "call @mlirAsyncRuntime" in lowered:
            runs = [[schedule] for schedule in args.schedule]
        first = 0
        for schedules in runs:
            sys.stdout.flush()
            status = subprocess.run(command, input=lowered.encode(),
                                    check=False,
                                    env=environment(schedules)).returncode
            if status < 0:
                raise Failed(f"the program died of signal {-status}")
            first = first or status
        return first
    except (Failed, OSError) as error:
        print(f"sim-run: error: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
