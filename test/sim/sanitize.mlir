// A debugging mode for real devices: here the simulated one does not check
// anything, and the instrumented program itself says what is wrong.
//
// REQUIRES: mlir-runner
// RUN: transient-opt %s --transient-pipeline="lower=gpu" -o %t.plain.mlir
// RUN: transient-opt %s --transient-pipeline="lower=gpu sanitize" -o %t.mlir
//
// Right programs are right, in any schedule, and the simulated device agrees.
// RUN: %python %utils/sim-run.py %t.mlir --entry intact --beside %plugin --schedule fifo --schedule adversarial --schedule random:1 | FileCheck %s --check-prefix=INTACT
// INTACT-COUNT-3: 3{{$}}
//
// One element behind the end of its tenant: nobody sees it, until asked.
// RUN: env TRANSIENT_SIM_CHECK=0 %python %utils/sim-run.py %t.plain.mlir --entry beyond --beside %plugin
// The message goes through puts, which an abort does not flush.
// RUN: env TRANSIENT_SIM_CHECK=0 not stdbuf -oL %python %utils/sim-run.py %t.mlir --entry beyond --beside %plugin 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: transient-sanitize: something was written behind the end of tenant 1
//
// The same on the host.
// RUN: %python %utils/sim-run.py %t.mlir --entry host_intact --beside %plugin
// RUN: env TRANSIENT_SIM_CHECK=0 not stdbuf -oL %python %utils/sim-run.py %t.mlir --entry host_beyond --beside %plugin 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: transient-sanitize: something was written behind the end of tenant 0
//
// What nobody wrote is not a number; without poison it is what was there before.
// RUN: env TRANSIENT_SIM_CHECK=0 %python %utils/sim-run.py %t.plain.mlir --entry unwritten --beside %plugin | FileCheck %s --check-prefix=STALE
// RUN: env TRANSIENT_SIM_CHECK=0 %python %utils/sim-run.py %t.mlir --entry unwritten --beside %plugin | FileCheck %s --check-prefix=POISON
// STALE: 3{{$}}
// POISON: nan

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @fill(%m: memref<64xf32>, %v: f32, %shift: index) kernel {
      %i = gpu.thread_id x
      %j = arith.addi %i, %shift : index
      memref.store %v, %m[%j] : memref<64xf32>
      gpu.return
    }
    gpu.func @copy(%to: memref<64xf32>, %from: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %from[%i] : memref<64xf32>
      memref.store %v, %to[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func private @printF32(f32)
  func.func private @printNewline()
  func.func @show(%m: memref<64xf32>) {
    %c63 = arith.constant 63 : index
    %host = memref.alloc() : memref<64xf32>
    %s = gpu.wait async
    %0 = gpu.memcpy async [%s] %host, %m : memref<64xf32>, memref<64xf32>
    gpu.wait [%0]
    %v = memref.load %host[%c63] : memref<64xf32>
    func.call @printF32(%v) : (f32) -> ()
    func.call @printNewline() : () -> ()
    memref.dealloc %host : memref<64xf32>
    return
  }
  func.func @chain(%shift: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 3.0 : f32
    %c0 = arith.constant 0 : index
    %s = gpu.wait async
    %x, %s1 = gpu.alloc async [%s] () : memref<64xf32>
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    %c = gpu.alloc () : memref<64xf32>
    %1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %v : f32, %c0 : index)
    %5 = gpu.launch_func async [%1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %v : f32, %shift : index)
    %2 = gpu.launch_func async [%5] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %a : memref<64xf32>)
    %3 = gpu.launch_func async [%2] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%c : memref<64xf32>, %b : memref<64xf32>)
    %4 = gpu.launch_func async [%3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %c : memref<64xf32>)
    gpu.wait [%4]
    func.call @show(%x) : (memref<64xf32>) -> ()
    %t = gpu.wait async
    %6 = gpu.dealloc async [%t] %x : memref<64xf32>
    gpu.wait [%6]
    return
  }
  func.func @intact() {
    %c0 = arith.constant 0 : index
    func.call @chain(%c0) : (index) -> ()
    return
  }
  func.func @beyond() {
    %c1 = arith.constant 1 : index
    func.call @chain(%c1) : (index) -> ()
    return
  }
  func.func @unwritten() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 3.0 : f32
    %s = gpu.wait async
    %x, %s1 = gpu.alloc async [%s] () : memref<64xf32>
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    %1 = gpu.launch_func async [%s1] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %v : f32, %c0 : index)
    %2 = gpu.launch_func async [%1] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
    %3 = gpu.launch_func async [%2] @k::@fill blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%b : memref<64xf32>, %v : f32, %c0 : index)
    %4 = gpu.launch_func async [%3] @k::@copy blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %b : memref<64xf32>)
    gpu.wait [%4]
    func.call @show(%x) : (memref<64xf32>) -> ()
    %t = gpu.wait async
    %6 = gpu.dealloc async [%t] %x : memref<64xf32>
    gpu.wait [%6]
    return
  }
  func.func @on_the_host(%at: index) {
    %v = arith.constant 3.0 : f32
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    memref.store %v, %a[%at] : memref<64xf32>
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    %w = memref.load %b[%c0] : memref<64xf32>
    memref.dealloc %a : memref<64xf32>
    memref.dealloc %b : memref<64xf32>
    func.call @printF32(%w) : (f32) -> ()
    return
  }
  func.func @host_intact() {
    %c63 = arith.constant 63 : index
    func.call @on_the_host(%c63) : (index) -> ()
    return
  }
  func.func @host_beyond() {
    %c64 = arith.constant 64 : index
    func.call @on_the_host(%c64) : (index) -> ()
    return
  }
}
