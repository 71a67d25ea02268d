#!/usr/bin/env python3
#===- abi.py - Calls the mgpu functions as no lowering would --------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each case runs in a process of its own, since errors end it. The kernels come
# from a lowered program, whose embedded bitcode is taken out of its text.
#===-----------------------------------------------------------------------===#
"""Tests the C ABI of the simulated device directly."""

import ctypes
import os
import re
import subprocess
import sys

LOWERED, BESIDE = sys.argv[1:3]
RUNTIME = os.path.join(os.path.dirname(BESIDE), "libTransientSimRuntime.so")


def load():
    lib = ctypes.CDLL(RUNTIME)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name in ("mgpuModuleLoad", "mgpuModuleGetFunction", "mgpuStreamCreate",
                 "mgpuEventCreate", "mgpuMemAlloc"):
        getattr(lib, name).restype = pointer
    for name, types in {
            "mgpuModuleLoad": [pointer, size],
            "mgpuModuleGetFunction": [pointer, ctypes.c_char_p],
            "mgpuStreamDestroy": [pointer],
            "mgpuStreamSynchronize": [pointer],
            "mgpuStreamWaitEvent": [pointer, pointer],
            "mgpuEventDestroy": [pointer],
            "mgpuEventRecord": [pointer, pointer],
            "mgpuEventSynchronize": [pointer],
            "mgpuMemAlloc": [ctypes.c_uint64, pointer, ctypes.c_bool],
            "mgpuMemFree": [pointer, pointer],
            "mgpuMemcpy": [pointer, pointer, size, pointer],
            "mgpuMemset32": [pointer, ctypes.c_uint, size, pointer],
            "transientSimTenant": [pointer, *[ctypes.c_int64] * 3],
            "mgpuMemset16": [pointer, ctypes.c_ushort, size, pointer],
            "mgpuLaunchKernel": [pointer, *[ctypes.c_ssize_t] * 6,
                                 ctypes.c_int32, pointer, pointer, pointer,
                                 size]}.items():
        getattr(lib, name).argtypes = types
    return lib


def bitcode():
    with open(LOWERED, encoding="utf-8") as file:
        text = re.search(r'"(BC(?:[^"\\]|\\.)*)"', file.read()).group(1)
    text = re.sub(r"\\([0-9A-F]{2})|\\\\",
                  lambda m: chr(int(m[1], 16)) if m[1] else "\\", text)
    return text.encode("latin-1")


def module(lib):
    blob = bitcode()
    return lib.mgpuModuleLoad(blob, len(blob))


def finish(lib):
    # Python does not destroy libraries; exit handlers run all the same.
    sys.stdout.flush()
    ctypes.CDLL(None).exit(0)


def not_bitcode(lib):
    lib.mgpuModuleLoad(b"// PTX", 6)


def damaged_bitcode(lib):
    blob = bitcode()[:200]
    lib.mgpuModuleLoad(blob, len(blob))


def unknown_kernel(lib):
    lib.mgpuModuleGetFunction(module(lib), b"fil")


def argument_count(lib):
    kernel = lib.mgpuModuleGetFunction(module(lib), b"fill")
    params = (ctypes.c_void_p * 1)()
    lib.mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, params, None, 1)


def negative_size(lib):
    kernel = lib.mgpuModuleGetFunction(module(lib), b"fill")
    params = (ctypes.c_void_p * 4)()
    lib.mgpuLaunchKernel(kernel, -1, 1, 1, 1, 1, 1, 0, None, params, None, 4)


def not_a_stream(lib):
    lib.mgpuStreamSynchronize(12345)


def event_destroyed_twice(lib):
    event = lib.mgpuEventCreate()
    lib.mgpuEventDestroy(event)
    lib.mgpuEventDestroy(event)


def stream_as_event(lib):
    lib.mgpuStreamWaitEvent(lib.mgpuStreamCreate(), lib.mgpuStreamCreate())


def event_as_stream(lib):
    lib.mgpuStreamSynchronize(lib.mgpuEventCreate())


def empty_copy(lib):
    """Markers go with the operation that they precede, even if it is none."""
    stream = lib.mgpuStreamCreate()
    memory = lib.mgpuMemAlloc(64, stream, False)
    lib.transientSimTenant(memory, 0, 16, 0)
    lib.mgpuMemcpy(memory, memory, 0, stream)
    lib.mgpuMemset32(memory, 0, 16, stream)
    lib.mgpuMemFree(memory, stream)


def free_inside(lib):
    stream = lib.mgpuStreamCreate()
    memory = lib.mgpuMemAlloc(64, stream, False)
    lib.mgpuMemFree(memory + 16, stream)


def semantics(lib):
    """Legal and unusual uses."""
    a, b = lib.mgpuStreamCreate(), lib.mgpuStreamCreate()
    event, other = lib.mgpuEventCreate(), lib.mgpuEventCreate()
    assert not lib.mgpuMemAlloc(0, a, False)
    lib.mgpuMemFree(None, a)
    memory = lib.mgpuMemAlloc(64, a, False)
    host = ctypes.create_string_buffer(64)
    # Never recorded: not waited for.
    lib.mgpuStreamWaitEvent(a, other)
    lib.mgpuMemset32(memory, 0x01010101, 16, a)
    lib.mgpuMemset16(memory, 0x0202, 16, a)
    # An event may go while somebody waits for it, a stream while it has work.
    lib.mgpuEventRecord(event, a)
    lib.mgpuStreamWaitEvent(b, event)
    lib.mgpuEventDestroy(event)
    lib.mgpuStreamDestroy(a)
    lib.mgpuMemcpy(host, memory, 64, b)
    lib.mgpuMemFree(memory, b)
    lib.mgpuEventRecord(other, b)
    lib.mgpuEventSynchronize(other)
    assert host.raw == b"\2" * 32 + b"\1" * 32, host.raw
    # The host knows now, so an unrelated stream needs no event.
    shared = lib.mgpuMemAlloc(64, None, True)
    lib.mgpuMemset32(shared, 7, 16, None)
    lib.mgpuStreamSynchronize(None)
    assert ctypes.cast(shared, ctypes.POINTER(ctypes.c_int))[15] == 7
    lib.mgpuMemFree(shared, None)


CASES = [
    (not_bitcode, 2, "is not LLVM bitcode; attach the target with"),
    (damaged_bitcode, 2, "cannot read an embedded gpu.module"),
    (unknown_kernel, 2, "no kernel 'fil' in its module, which has: fill"),
    (argument_count, 2, r"kernel 'fill' expects \d+ arguments, got 1"),
    (negative_size, 2, "kernel 'fill'"),
    (not_a_stream, 86, "violation 1: not a stream"),
    (stream_as_event, 86, "violation 1: use of stream 2 as an event"),
    (event_as_stream, 86, "violation 1: use of event 1 as a stream"),
    (empty_copy, 0, "^$"),
    (event_destroyed_twice, 86, "use of event 1 after its destruction"),
    (free_inside, 86, "free of what mgpuMemAlloc did not return"),
    (semantics, 0, "^$"),
]


def main():
    if len(sys.argv) > 3:
        lib = load()
        dict((case[0].__name__, case[0]) for case in CASES)[sys.argv[3]](lib)
        finish(lib)
    failures = 0
    for case, status, pattern in CASES:
        for schedule in ("fifo", "adversarial", "threads"):
            run = subprocess.run(
                [sys.executable, *sys.argv, case.__name__], check=False,
                env={**os.environ, "TRANSIENT_SIM": schedule}, text=True,
                capture_output=True)
            if run.returncode != status or not re.search(pattern, run.stderr):
                failures += 1
                print(f"{case.__name__}, {schedule}: exit {run.returncode}, "
                      f"expected {status} and {pattern}\n{run.stderr}",
                      file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
