//===- Passes.td - Lowering passes -------------------------*- tablegen -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From planned storage to plain gpu and memref.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_CONVERSION_PASSES
#define TRANSIENT_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTransientToGpuPass
    : Pass<"convert-transient-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower planned storage of kind gpu to gpu.alloc and memref.view";
  let description = [{
    Lowers arenas of kind `gpu` and `gpu_host_shared`, their views, and requests
    of these kinds that were left without a placement.

    An arena is allocated at entry and awaited there, since its users are not
    ordered after it by tokens of their own. It is freed before the function
    returns, after a join of exactly those last users whose end is not already
    proved by then:

    ```mlir
    %arena = transient.arena physical 0 kind gpu align 64 : memref<512xi8>
    %a = transient.view %arena[256] tenant 1
           : memref<512xi8> to memref<64xf32>
    %t = gpu.launch_func async [%t0] @m::@k ... args(%a : memref<64xf32>)
    return
    ```
    becomes
    ```mlir
    %0 = gpu.wait async
    %arena, %1 = gpu.alloc async [%0] () : memref<512xi8>
    gpu.wait [%1]
    %c256 = arith.constant 256 : index
    %a = memref.view %arena[%c256][] {tenant = 1 : i64}
           : memref<512xi8> to memref<64xf32>
    %t = gpu.launch_func async [%t0] @m::@k ... args(%a : memref<64xf32>)
    %2 = gpu.wait async [%t]
    %3 = gpu.dealloc async [%2] %arena : memref<512xi8>
    return
    ```
    Where every user has ended before the return, the free is awaited too; that
    waits for nothing else and gives its stream back.

    Where the end of some user is not known at the return, the arena is not
    freed and a remark says so. `gpu.alloc` ignores alignment in the stock
    lowering; offsets rely on the base alignment of the device allocator, which
    is at least 256 bytes for CUDA.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
}

def ConvertTransientToMemRefPass
    : Pass<"convert-transient-to-memref", "::mlir::ModuleOp"> {
  let summary = "Lower planned storage of kind memref to memref.alloc and "
                "memref.view";
  let description = [{
    Lowers arenas of kind `memref`, their views, and requests of this kind that
    were left without a placement.

    The arena and its deallocation carry `bufferization.manual_deallocation`, so
    that the stock deallocation pipeline accepts them. It is freed before the
    function returns if every user has ended by then. No wait is added: where
    the end of a user is not known at the return, the arena is not freed and a
    remark says so.

    ```mlir
    %arena = transient.arena physical 0 align 64 : memref<512xi8>
    %a = transient.view %arena[256] tenant 1
           : memref<512xi8> to memref<64xf32>
    ```
    becomes
    ```mlir
    %arena = memref.alloc()
               {alignment = 64 : i64, bufferization.manual_deallocation}
               : memref<512xi8>
    %c256 = arith.constant 256 : index
    %a = memref.view %arena[%c256][] {tenant = 1 : i64}
           : memref<512xi8> to memref<64xf32>
    ```

    Allocations that were left unplanned keep their deallocation. One that has
    none is freed at the end of the function if nothing else can reach it and
    every user has ended there; otherwise a remark says why it is not.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::arith::ArithDialect"];
}

def TransientPrepareTokensPass
    : Pass<"transient-prepare-tokens", "::mlir::ModuleOp"> {
  let summary = "Bring async tokens into the form that gpu-to-llvm lowers";
  let description = [{
    The stock lowering maps a token to a stream. An op with other than one
    dependency is not lowered, in part silently; a token that two ops take puts
    both on one stream, which adds order that the program does not have, and
    destroys that stream twice. This pass rewrites tokens so that neither
    happens, and the order stays what it was:

    - An op with none or several dependencies gets a join, `gpu.wait async`.
    - Of several ops that take one token, all but the first get a fork of their
      own, a `gpu.wait async` on that token.
    - Blocking copies, fills, allocations and deallocations become their
      asynchronous form and a wait for it.

    ```mlir
    %1 = gpu.launch_func async [%0] @m::@a ...
    %2 = gpu.launch_func async [%1] @m::@b ...
    %3 = gpu.launch_func async [%1] @m::@c ...
    %4 = gpu.launch_func async [%2, %3] @m::@d ...
    ```
    becomes
    ```mlir
    %1 = gpu.launch_func async [%0] @m::@a ...
    %2 = gpu.launch_func async [%1] @m::@b ...
    %fork = gpu.wait async [%1]
    %3 = gpu.launch_func async [%fork] @m::@c ...
    %join = gpu.wait async [%2, %3]
    %4 = gpu.launch_func async [%join] @m::@d ...
    ```

    `canonicalize` folds forks away again: it must not run between this pass and
    `gpu-to-llvm`.

    An op that takes a token from a loop, a branch, a call or a `select` is an
    error: the stock lowering takes the stream behind it for an event, without a
    complaint. So is one that takes in each iteration of a loop a token from before
    it: the event behind that is destroyed in the first iteration. Let such code
    await its tokens on the host. What goes into an
    `async.execute` or comes out of an `async.await` is an event; an op that
    takes it gets a join.

    With `separate-streams`, every op gets a stream of its own, so that the
    lowered program has exactly the order that the tokens promise. That is for
    testing tokens, not for speed.
  }];
  let options = [
    Option<"separateStreams", "separate-streams", "bool", "false",
           "put every op on a stream of its own">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def TransientMarkTenantsPass
    : Pass<"transient-mark-tenants", "::mlir::ModuleOp"> {
  let summary = "Tell the simulated device which tenants an operation uses";
  let description = [{
    Views of an arena have no identity once they are lowered: a kernel gets an
    address. So a checker at run time sees only whether accesses are ordered, not
    whose bytes they reach. This pass puts a call of `transientSimTenant` before
    each launch, copy and fill, one for every view with a `tenant` that the
    operation uses. `libTransientSimRuntime.so` implements it: bytes that another
    tenant held are then taken over, and a read that finds them is reported, even
    if everything is ordered.

    ```mlir
    %arena, %0 = gpu.alloc async [%t] () : memref<512xi8>
    gpu.wait [%0]
    %a = memref.view %arena[%c256][] {tenant = 1 : i64}
           : memref<512xi8> to memref<64xf32>
    %1 = gpu.memset async [%t1] %a, %f : memref<64xf32>, f32
    ```
    becomes
    ```mlir
    func.func private @transientSimTenant(!llvm.ptr, i64, i64, i64)
    ...
    %arena, %0 = gpu.alloc async [%t] () : memref<512xi8>
    %address = memref.extract_aligned_pointer_as_index %arena
                 : memref<512xi8> -> index
    %number = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
    gpu.wait [%0]
    %a = memref.view %arena[%c256][] {tenant = 1 : i64}
           : memref<512xi8> to memref<64xf32>
    %offset = arith.index_cast %c256 : index to i64
    %bytes = arith.constant 256 : i64
    %tenant = arith.constant 1 : i64
    call @transientSimTenant(%pointer, %offset, %bytes, %tenant)
      : (!llvm.ptr, i64, i64, i64) -> ()
    %1 = gpu.memset async [%t1] %a, %f : memref<64xf32>, f32
    ```

    An operation that may reach an arena in another way too (as a whole, through
    a view without a tenant, or through a value that control flow chooses) is not
    marked for that arena, since an access outside the marked ranges counts as
    out of bounds. Addresses that are passed on as integers or pointers are not
    followed; the planner leaves buffers whose address is taken alone.

    Run it last, on lowered storage: the calls let the arena's address escape,
    so `transient-verify` refuses what comes after, and `gpu-async-region` would
    wait at each of them. For running on the simulated device only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TransientMarkHostAccessesPass
    : Pass<"transient-mark-host-accesses", "::mlir::ModuleOp"> {
  let summary = "Tell the simulated device what host code reads and writes";
  let description = [{
    Host code runs as it was compiled, so the simulated device cannot see that it
    reads a buffer into which a copy is still pending. This pass puts a call of
    `transientSimHostAccess` before each load, store, atomic and memory intrinsic
    of the `llvm` dialect outside of kernels, of masked ones for each lane; save
    those of the function's own stack, unless others may know its address.
    `libTransientSimRuntime.so` implements it and judges the access like one of an
    operation. Run it last, on what `mlir-runner` is to run.

    ```mlir
    %v = llvm.load %p : !llvm.ptr -> f32
    ```
    becomes
    ```mlir
    llvm.func @transientSimHostAccess(!llvm.ptr, i64, i32)
    ...
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %mode = llvm.mlir.constant(0 : i32) : i32
    llvm.call @transientSimHostAccess(%p, %bytes, %mode)
                : (!llvm.ptr, i64, i32) -> ()
    %v = llvm.load %p : !llvm.ptr -> f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TRANSIENT_CONVERSION_PASSES
