// The body of an `async.execute` runs on a host path of its own: it starts after
// its operands, and its results are there when it has ended.
// RUN: transient-opt %s -split-input-file -verify-diagnostics -transient-verify="strict=true"

// Awaited, waited for by another body, by token and by value.
func.func @ordered(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  %c = memref.view %arena[%c0][] {tenant = 2} : memref<256xi8> to memref<64xf32>
  %d = memref.view %arena[%c0][] {tenant = 3} : memref<256xi8> to memref<64xf32>
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  %u, %v = async.execute [%t] -> !async.value<f32> {
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    %e = memref.load %b[%c0] : memref<64xf32>
    async.yield %e : f32
  }
  %w = async.execute (%v as %g : !async.value<f32>) {
    linalg.fill ins(%g : f32) outs(%c : memref<64xf32>)
    memref.copy %c, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %w : !async.token
  linalg.fill ins(%f : f32) outs(%d : memref<64xf32>)
  memref.copy %d, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @not_awaited(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{not ordered with it: 'async.execute' reads bytes [0, 256) of tenant 0}}
  %t = async.execute {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  // expected-error @below {{'linalg.fill' writes bytes [0, 256) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  async.await %t : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @beside(%f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  // expected-note @below {{not ordered with it: 'async.execute' writes bytes [0, 256) of tenant 0}}
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield
  }
  // expected-error @below {{'async.execute' writes bytes [0, 256) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  %u = async.execute {
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    async.yield
  }
  async.await %t : !async.token
  async.await %u : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @freed_too_early(%f: f32) {
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{may still run: 'async.execute' writes bytes [0, 256) of this allocation}}
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield
  }
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<64xf32>
  async.await %t : !async.token
  return
}

// -----

// Two tenants that take turns inside of one body.
func.func @inside(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %t : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @clobbered_inside(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  %t = async.execute {
    // expected-note @below {{in use before by}}
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    // expected-note @below {{taken over by}}
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    // expected-error @below {{'memref.copy' reads bytes [0, 256) of tenant 0 after tenant 1 took over its storage (V2)}}
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %t : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// What is used before, inside or after is not compared across the edge of a body
// with what is used inside beside it.
func.func @inside_and_after(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  // expected-error @below {{cannot decide whether tenant 1 and tenant 0 take turns: both are used in this op, and elsewhere or in several iterations}}
  %t = async.execute {
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    async.yield
  }
  async.await %t : !async.token
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @in_loop(%x: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{cannot decide whether tenant 1 and tenant 0 take turns: both are used in this op, and elsewhere or in several iterations}}
    %t = async.execute {
      linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
      memref.copy %b, %x : memref<64xf32> to memref<64xf32>
      async.yield
    }
    async.await %t : !async.token
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Work that the body leaves to the device.
func.func @leaves(%f: f32) {
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{used here: 'async.execute' writes bytes [0, 256) of this allocation}}
  %t = async.execute {
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %a, %f : memref<64xf32>, f32
    async.yield
  }
  async.await %t : !async.token
  // expected-error @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'async.execute': asynchronous work inside may leave it unfinished}}
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// The body frees what it uses; what it frees is not used after.
func.func @frees_inside(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %t = async.execute {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    memref.dealloc %a : memref<64xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// -----

func.func @frees_inside_first(%x: memref<64xf32>, %f: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %t = async.execute {
    // expected-note @below {{freed here by 'memref.dealloc', before that access has ended}}
    memref.dealloc %a : memref<64xf32>
    // expected-error @below {{use after free: 'memref.copy' reads bytes [0, 256) of this allocation (V3)}}
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// -----

func.func @frees_in_loop(%x: memref<64xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{double free: the storage is allocated outside of this loop (V8)}}
    // expected-note @below {{freed here already}}
    // expected-error @below {{cannot decide whether iterations that run at the same time use storage that one of them frees}}
    %t = async.execute {
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %a : memref<64xf32>
      async.yield
    }
    async.await %t : !async.token
  }
  return
}

// -----

// A call that returns before its callee.
async.func @work(%a: memref<64xf32>, %f: f32) -> !async.token {
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  return
}
func.func @freed_while_called(%f: f32) {
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{used here: 'async.call' reads and writes bytes [0, 256) of this allocation}}
  %t = async.call @work(%a, %f) : (memref<64xf32>, f32) -> !async.token
  // expected-error @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'async.call': the callee says nothing of what it keeps or when it is done}}
  memref.dealloc %a : memref<64xf32>
  async.await %t : !async.token
  return
}
func.func private @starts(%a: memref<64xf32>, %f: f32) {
  %t = async.call @work(%a, %f) : (memref<64xf32>, f32) -> !async.token
  return
}
func.func @freed_after_started(%f: f32) {
  %a = memref.alloc() : memref<64xf32>
  // expected-note @below {{used here: 'func.call' reads and writes bytes [0, 256) of this allocation}}
  call @starts(%a, %f) : (memref<64xf32>, f32) -> ()
  // expected-error @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'func.call': the callee says nothing of what it keeps or when it is done}}
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// A body hands its buffer to others and to who awaits it.
func.func @handed_over(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  %u = async.execute (%v as %a : !async.value<memref<64xf32>>) {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  %w = async.execute [%u] {
    %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %w : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @handed_over_and_still_read(%x: memref<64xf32>, %y: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  // expected-note @below {{not ordered with it: 'async.execute' reads bytes [0, 256) of tenant 0}}
  %u = async.execute (%v as %a : !async.value<memref<64xf32>>) {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  // expected-error @below {{'async.execute' reads and writes bytes [0, 256) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  %w = async.execute [%t] {
    %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
    async.yield
  }
  async.await %u : !async.token
  async.await %w : !async.token
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Awaited, the buffer is read by its other name.
func.func @awaited_and_clobbered(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  // expected-note @below {{in use before by}}
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  async.await %t : !async.token
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  // expected-note @below {{taken over by}}
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  %a = async.await %v : !async.value<memref<64xf32>>
  // expected-error @below {{'memref.copy' reads bytes [0, 256) of tenant 0 after tenant 1 took over its storage (V2)}}
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// What a body allocates and hands out is freed after its last reader, or not.
func.func @freed_by_its_other_name(%x: memref<64xf32>, %f: f32) {
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  // expected-note @below {{may still run: 'async.execute' reads bytes [0, 256) of this allocation}}
  %u = async.execute (%v as %a : !async.value<memref<64xf32>>) {
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    async.yield
  }
  %a = async.await %v : !async.value<memref<64xf32>>
  // expected-error @below {{'memref.dealloc' is not ordered after the last user of what it frees (V4)}}
  // expected-note @below {{missing: a token path or a blocking wait}}
  memref.dealloc %a : memref<64xf32>
  async.await %u : !async.token
  return
}

// -----

// Whoever else is given the value may do anything with it.
func.func private @somebody(!async.value<memref<64xf32>>)
func.func @handed_to_somebody(%x: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  // expected-note @below {{used here: 'async.execute' reads and writes bytes [0, 256) of tenant 0}}
  // expected-error @below {{cannot decide when 'async.execute' ends: it hands the buffer to whoever comes after}}
  %t, %v = async.execute -> !async.value<memref<64xf32>> {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    async.yield %a : memref<64xf32>
  }
  func.call @somebody(%v) : (!async.value<memref<64xf32>>) -> ()
  async.await %t : !async.token
  %b = memref.view %arena[%c0][] {tenant = 1} : memref<256xi8> to memref<64xf32>
  // expected-note @below {{needed for: 'linalg.fill' writes bytes [0, 256) of tenant 1}}
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  // expected-error @below {{cannot decide whether 'memref.dealloc' frees storage that is still in use by 'async.execute': it hands the buffer to whoever comes after}}
  memref.dealloc %arena : memref<256xi8>
  return
}
