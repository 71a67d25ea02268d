//===- Passes.td - Transformation passes -------------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass a stage; the pipeline runs them in the order they stand here. They
// are module passes because kernels' bodies and callees' declarations are
// evidence.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TRANSFORMS_PASSES
#define TRANSIENT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def TransientResolveSizesPass
    : Pass<"transient-resolve-sizes", "::mlir::ModuleOp"> {
  let summary = "Find the numbers behind sizes";
  let description = [{
    Replaces each `transient.size` by the value of its size function, or by the
    arithmetic where a dimension is not a constant, and erases size functions
    that nobody asks any more. Then each `memref.alloc`, `gpu.alloc` and
    `transient.alloc` with a constant among its dynamic sizes gets a static
    dimension, so that it can be planned:

    ```mlir
    transient.size_function @gemm dims ["m", "n"] cases [
      #transient.size_case<algorithm = "split_k", mode = "f32",
                           bytes = affine_map<()[m, n, at_once] -> (m * n * 4 * at_once)>>]

    %m = arith.constant 64 : index
    %bytes = transient.size @gemm(%m, %m) algorithm "split_k" mode "f32" at_once 2
    %w = gpu.alloc (%bytes) : memref<?xi8>
    ```
    becomes
    ```mlir
    %bytes = arith.constant 32768 : index
    %w = gpu.alloc () : memref<32768xi8>
    %0 = memref.cast %w : memref<32768xi8> to memref<?xi8>
    ```

    A known size that is negative or does not fit 64 bits is an error, and never
    becomes 0 (D2).
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TransientGuardBoundsPass
    : Pass<"transient-guard-bounds", "::mlir::ModuleOp"> {
  let summary = "Keep promises about sizes";
  let description = [{
    Makes of each function whose `transient.bound` lets a dynamic allocation be
    planned two private ones: `_within_bounds`, which may rely on the bounds, and
    `_beyond_bounds`, which does not, where the allocation stays as it is. The
    function itself tests its arguments and calls one of them (F8). Elsewhere the
    attribute is dropped.

    ```mlir
    func.func @f(%x: memref<?x8xf32> {transient.bound = array<i64: 1024, -1>}) {
      %d = memref.dim %x, %c0 : memref<?x8xf32>
      %a = memref.alloc(%d) : memref<?x8xf32>
      ...
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<?x8xf32>) {
      %d = memref.dim %x, %c0 : memref<?x8xf32>
      %fits = arith.cmpi ule, %d, %c1024 : index
      scf.if %fits {
        func.call @f_within_bounds(%x) : (memref<?x8xf32>) -> ()
      } else {
        func.call @f_beyond_bounds(%x) : (memref<?x8xf32>) -> ()
      }
      return
    }
    ```
    and `transient-import` plans `%a` in `@f_within_bounds` at 32768 bytes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def TransientImportPass : Pass<"transient-import", "::mlir::ModuleOp"> {
  let summary = "Turn allocations into requests";
  let description = [{
    Replaces each `memref.alloc` and `gpu.alloc` whose size, users and
    completion are known by a `transient.alloc`, and drops its deallocation
    after checking that it starts only when every access has ended.

    The asynchronous form of `gpu.alloc` and `gpu.dealloc` also passes tokens
    on; it becomes `gpu.wait async` on the same dependencies, so that every
    token survives.

    ```mlir
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @m::@k ... args(%a : memref<64xf32>)
    %t3 = gpu.dealloc async [%t2] %a : memref<64xf32>
    ```
    becomes
    ```mlir
    %t1 = gpu.wait async [%t0]
    %a = transient.alloc kind gpu class transient : memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @m::@k ... args(%a : memref<64xf32>)
    %t3 = gpu.wait async [%t2]
    ```

    An allocation that carries several unrelated values in turn becomes one
    request for each (`split-webs`), so that each is live only where it is
    needed:

    ```mlir
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %out2 : memref<64xf32> to memref<64xf32>
    ```
    becomes
    ```mlir
    %a = transient.alloc class transient web_of 0 : memref<64xf32>
    %b = transient.alloc class transient web_of 0 : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %out2 : memref<64xf32> to memref<64xf32>
    ```

    A value ends before an op in the block of the allocation that is proved to
    overwrite the whole buffer and to be ordered with every other user of it. A
    partial or conditional write ends nothing, and a buffer that has an alias
    other than views stays in one piece.

    Any other allocation stays as it is, with its deallocation, and a remark
    that names the fact which blocks it and what would resolve it. A
    deallocation that is not ordered after every access is an error.
  }];
  let options = [
    Option<"allocations", "allocations", "::transient::AllocationPolicy",
           "::transient::AllocationPolicy::Keep",
           "which op is to allocate the planned storage",
           [{::llvm::cl::values(
             clEnumValN(::transient::AllocationPolicy::Keep, "keep",
                        "the kind of op that allocated the tenants"),
             clEnumValN(::transient::AllocationPolicy::MemRef, "memref",
                        "memref.alloc"),
             clEnumValN(::transient::AllocationPolicy::Gpu, "gpu",
                        "gpu.alloc, for buffers that only the device touches")
           )}]>,
    Option<"splitWebs", "split-webs", "bool", "true",
           "make a request of each value that an allocation holds in turn">
  ];
  let dependentDialects = ["::transient::TransientDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TransientInPlacePass : Pass<"transient-in-place", "::mlir::ModuleOp"> {
  let summary = "Write results in place of operands that die there";
  let description = [{
    Makes one request of two where an op reads the one and writes the other
    element for element, and nobody needs the operand any more:

    ```mlir
    %a = transient.alloc class transient : memref<64xf32>
    %b = transient.alloc class transient : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.copy %b, %out : memref<64xf32> to memref<64xf32>
    ```
    becomes
    ```mlir
    %a = transient.alloc class transient in_place 1 : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    ```

    Without this pass the two are live together while the op runs, so they
    never share. It is proved (R5) that

    - every other access of the operand ends before the op starts, and every
      other access of the result starts after it has ended, in every execution;
    - both buffers are of one type, kind, class, usage and owner, are requested
      in the op's block, and nobody outside can see them;
    - the op touches an element of the result only after it has read the same
      element of the operand for the last time, and no other part of the op
      touches that element.

    The last is proved of `linalg` ops whose iterators are parallel and whose
    operand and result are indexed by one permutation, and of `gpu.launch_func`
    of a kernel that loads the operand, and stores the result once, at the same
    indices, where no two threads or iterations have the same. The launch must
    have constant sizes for that.

    Ops are tried in program order, for each its results and for each of these
    its operands in the order in which they stand; the first pair that is proved
    is made one. A merged buffer may be merged again, so a chain of ops ends up
    in one buffer. `in_place` counts.

    A pair that is not proved stays two requests, with a remark that names the
    reason. Ops that are not elementwise by their kind get none, nor do launches
    that fail by their kernel and by something else, too.

    Run between `transient-import` and `transient-liveness`. O(u) for each
    pair that is tried, for u accesses of its two buffers.
  }];
  let options = [
    Option<"target", "target", "::transient::Target",
           "::transient::Target::Generic", "whose rules buffers follow",
           [{::llvm::cl::values(
             clEnumValN(::transient::Target::Generic, "generic", "no limits"),
             clEnumValN(::transient::Target::Cuda, "cuda", "no limits"),
             clEnumValN(::transient::Target::Rocm, "rocm", "no limits"),
             clEnumValN(::transient::Target::Vulkan, "vulkan", "no limits"),
             clEnumValN(::transient::Target::WebGpu, "webgpu",
                        "nothing is written in place")
           )}]>
  ];
  let dependentDialects = ["::transient::TransientDialect"];
}

def TransientLivenessPass : Pass<"transient-liveness", "::mlir::ModuleOp"> {
  let summary = "Derive lifetimes as frontiers of nodes";
  let description = [{
    Numbers the nodes of each function that has a `transient.alloc`
    (`transient.node`) and gives each request its lifetime: the nodes that first
    write it, its first and its last users, as sets.

    ```mlir
    %a = transient.alloc align 64 : memref<64xf32>
    ```
    becomes
    ```mlir
    %a = transient.alloc align 64
           lifetime <derived, creation = [0], first = [0], last = [2, 3]>
           : memref<64xf32>
    ```

    A declared lifetime is kept after two checks: execution is proved to follow
    the order of node ids, and no user is outside the interval. A request whose
    lifetime cannot be proved gets none, and a remark that says why.

    Linear in the function for the usual few streams.
  }];
  let dependentDialects = ["::transient::TransientDialect"];
}

def TransientPlanPass : Pass<"transient-plan", "::mlir::ModuleOp"> {
  let summary = "Place requests in shared physical buffers";
  let description = [{
    Gives each request that has a lifetime a placement: a physical buffer and an
    offset. Nothing else in the IR changes. Two requests overlap only if every
    last user of the one ends before any first user of the other starts; the
    planner library's own checker confirms each plan before it is written.

    - `strategy=arena` packs all requests of a space at byte offsets into one
      physical buffer.
    - `strategy=slots` re-uses whole physical buffers: greedy best fit, no
      growth and no widening of usage.

    With `max-buffer-bytes=N`, an arena that would be larger is split into
    several; a request that is larger is an error.

    Buffers of different memory space, kind of allocation or owner never share.
    `share-first=N` lets only the first N requests of each function share: to find
    by bisection which takeover changes a result.

    Order that the program does not have is never assumed, unless it is asked
    for: with `ordering-budget=N`, a function whose storage takes more than N
    bytes is given the edges that it needs to get by with N, if there are any
    (G2b). They are listed as its `transient.preconditions`, each with a remark,
    and its plan holds only once `transient-apply-ordering` has added them.
    Preconditions that are there already are relied on.

    The result is the same for the same input, byte for byte.
  }];
  let options = [
    Option<"strategy", "strategy", "::transient::PlacementStrategy",
           "::transient::PlacementStrategy::Arena", "how requests share storage",
           [{::llvm::cl::values(
             clEnumValN(::transient::PlacementStrategy::Arena, "arena",
                        "byte offsets in one physical buffer a space"),
             clEnumValN(::transient::PlacementStrategy::Slots, "slots",
                        "whole physical buffers, one tenant at a time")
           )}]>,
    Option<"target", "target", "::transient::Target",
           "::transient::Target::Generic", "whose rules placements follow",
           [{::llvm::cl::values(
             clEnumValN(::transient::Target::Generic, "generic",
                        "the buffers' own alignment"),
             clEnumValN(::transient::Target::Cuda, "cuda",
                        "the buffers' own alignment"),
             clEnumValN(::transient::Target::Rocm, "rocm",
                        "the buffers' own alignment"),
             clEnumValN(::transient::Target::Vulkan, "vulkan",
                        "256 bytes: minStorageBufferOffsetAlignment"),
             clEnumValN(::transient::Target::WebGpu, "webgpu",
                        "256 bytes, and strategy=slots only")
           )}]>,
    Option<"alignment", "alignment", "uint64_t", "1",
           "offsets are multiples of this many bytes (a power of two)">,
    Option<"maxBufferBytes", "max-buffer-bytes", "int64_t", "-1",
           "bytes that one physical buffer may have at most; -1: any number">,
    Option<"shareFirst", "share-first", "int64_t", "-1",
           "let only this many buffers of a function share, in program order; "
           "-1: all">,
    Option<"orderingBudget", "ordering-budget", "int64_t", "-1",
           "let work wait so that the storage of a function takes at most this "
           "many bytes; -1: let nothing wait">
  ];
  let dependentDialects = ["::transient::TransientDialect"];
}

def TransientReportPass : Pass<"transient-report", "::mlir::ModuleOp"> {
  let summary = "Write what was planned, what was not, and why";
  let description = [{
    Writes a JSON report (`transient.report.v1`) and, on request, an SVG memory
    map. Reads the IR after `transient-plan` and before
    `transient-materialize`; changes nothing.
  }];
  let options = [
    Option<"file", "file", "std::string", "\"-\"",
           "where to write the report; - is standard output, empty for none">,
    Option<"memoryMap", "memory-map", "std::string", "\"\"",
           "where to write an SVG memory map; empty for none">
  ];
  let dependentDialects = ["::transient::TransientDialect"];
}

def TransientApplyOrderingPass
    : Pass<"transient-apply-ordering", "::mlir::ModuleOp"> {
  let summary = "Add the order that a plan relies on";
  let description = [{
    Makes each precondition of a function true by one more token operand, and
    removes the attribute. Planning itself never changes the order; this is the
    pass whose job it is (G2b).

    ```mlir
    func.func @f(...) attributes {transient.preconditions = [
        #transient.precondition<end = 1, start = 3>]} {
      ...
      %t1 = gpu.launch_func async [%t0] @m::@k ... {transient.node = 1 : i64}
      %t2 = gpu.launch_func async [%t0] @m::@k ... {transient.node = 3 : i64}
    ```
    becomes
    ```mlir
      %t1 = gpu.launch_func async [%t0] @m::@k ... {transient.node = 1 : i64}
      %t2 = gpu.launch_func async [%t1, %t0] @m::@k ... {transient.node = 3 : i64}
    ```

    Node ids stay, so lifetimes and placements do too. A precondition that cannot
    be made true is an error. Linear in the preconditions, but for the order
    itself.
  }];
  let dependentDialects = ["::transient::TransientDialect",
                           "::mlir::gpu::GPUDialect"];
}

def TransientMaterializePass
    : Pass<"transient-materialize", "::mlir::ModuleOp"> {
  let summary = "Replace placed requests by views of planned storage";
  let description = [{
    Creates a `transient.arena` at the entry of a function for each physical
    buffer and replaces each placed `transient.alloc` by a `transient.view`.
    Removes node ids. A function with preconditions is refused: its plan does not
    hold yet.

    ```mlir
    %a = transient.alloc align 64 lifetime <...>
           placement <physical = 0, offset = 256, bytes = 256> : memref<64xf32>
    ```
    becomes
    ```mlir
    %arena = transient.arena physical 0 align 64 : memref<512xi8>
    %a = transient.view %arena[256] tenant 1
           : memref<512xi8> to memref<64xf32>
    ```

    With `arena=argument`, a public function that nobody in the module refers to,
    and whose work has ended when it returns, takes its storage as further
    arguments, one for each physical buffer. A function `NAME_storage` says what
    each must have: bytes and alignment, in this order. It may be called at any
    time. Two calls that may run at once need storage each. Any other function
    keeps its arena, and a remark says why.

    ```mlir
    func.func @f(%x: memref<64xf32>, %storage: memref<512xi8>) { ... }
    func.func @f_storage() -> (index, index) {
      %bytes = arith.constant 512 : index
      %alignment = arith.constant 64 : index
      return %bytes, %alignment : index, index
    }
    ```

    With `poison-byte`, a debugging aid for host programs, the arena is filled
    with that byte at entry, and each tenant's bytes once more just before its
    first user, where that is a host op. A program that reads a byte which its
    tenant did not write then computes something else than before.
  }];
  let options = [
    Option<"poisonByte", "poison-byte", "int64_t", "-1",
           "fill storage with this byte (0-255) at entry and at takeover; "
           "-1 for not at all">,
    Option<"arena", "arena", "::transient::ArenaOwner",
           "::transient::ArenaOwner::Entry", "who allocates planned storage",
           [{::llvm::cl::values(
             clEnumValN(::transient::ArenaOwner::Entry, "entry",
                        "the function, at its entry"),
             clEnumValN(::transient::ArenaOwner::Argument, "argument",
                        "whoever calls the function")
           )}]>
  ];
  let dependentDialects = ["::transient::TransientDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def TransientSanitizePass : Pass<"transient-sanitize", "::mlir::ModuleOp"> {
  let summary = "Make a wrong program show itself on the device";
  let description = [{
    For when results look wrong: instruments the arenas of a planned program, so
    that a program that reads what it did not write, or writes where it must
    not, says so where it runs, be it a real device.

    - Tenants are moved apart by *red zones* of `red-zone` bytes, rounded up to
      the arena's alignment. The arena grows.
    - Before its first users, a tenant's bytes are set to 0xFF, which is not a
      number in floats of any size, and its red zone to another value. A program
      that relies on what was there before computes something else.
    - After its last users, its red zone is looked at: on the device by a kernel
      (`@transient_sanitizer`), on the host by a function. A byte that has changed
      ends the program with `cf.assert`: on the host at once, for the device
      before the function returns.

    All this is ordered like the tenant itself, with tokens of its own; where the
    program has no proof that a tenant has ended before another one starts, none
    is made up, so a race stays a race. Where there is no place for that, in loops
    and branches inside of which tenants take turns, or where the end of a user
    is not known, a remark says so, and that tenant only moves.

    ```mlir
    %arena = transient.arena physical 0 kind gpu align 64 : memref<256xi8>
    %a = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
    %1 = gpu.memset async [%0] %a, %f : memref<64xf32>, f32
    ```
    becomes
    ```mlir
    %arena = transient.arena physical 0 kind gpu align 64 : memref<768xi8>
    %all = transient.view %arena[0] tenant 0 : memref<768xi8> to memref<512xi8>
    %content = memref.view %all[%c0][] : memref<512xi8> to memref<256xi8>
    %zone = memref.view %all[%c256][] : memref<512xi8> to memref<256xi8>
    %a = transient.view %arena[0] tenant 0 : memref<768xi8> to memref<64xf32>
    %p0 = gpu.wait async
    %p1 = gpu.launch_func async [%p0] @transient_sanitizer::@fill ...
            args(%content : memref<?xi8>, %c-1_i8 : i8)
    %p2 = gpu.launch_func async [%p1] @transient_sanitizer::@fill ...
            args(%zone : memref<?xi8>, %c-91_i8 : i8)
    %1 = gpu.memset async [%p2, %0] %a, %f : memref<64xf32>, f32
    %k0 = gpu.wait async [%1]
    %k1 = gpu.launch_func async [%k0] @transient_sanitizer::@check ...
            args(%zone : memref<?xi8>, %flag : memref<?xi8>)
    ```

    Run it after `transient-materialize` and before the lowerings, or with
    `sanitize` of the pipeline. Near-linear in tenants and their users.
  }];
  let options = [
    Option<"redZone", "red-zone", "int64_t", "256",
           "bytes behind each tenant that nobody may touch">
  ];
  let dependentDialects = ["::transient::TransientDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // TRANSIENT_TRANSFORMS_PASSES
