// A view of a size that is known at run time only lies within its tenant if the
// IR shows it: by how the size is computed, by a condition around the view, or by
// one around every call. What an attribute says is no evidence.
// RUN: transient-opt %s -split-input-file -verify-diagnostics -transient-verify="strict=true"

func.func @computed(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %m = affine.min affine_map<()[s0] -> (s0, 256)>()[%n]
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<1024xi8>
  %v = memref.view %a[%c0][%m] : memref<1024xi8> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

func.func @computed_too_large(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %m = affine.min affine_map<()[s0] -> (s0, 257)>()[%n]
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<1024xi8>
  // expected-error @below {{cannot decide whether this view lies within the bytes [0, 1024) of its source: all that is shown of its size is that it ends by byte 1028}}
  %v = memref.view %a[%c0][%m] : memref<1024xi8> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

func.func @conditions(%n: index, %k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %fits = arith.cmpi ule, %n, %c16 : index
  %other = arith.cmpi ult, %k, %c17 : index
  %both = arith.andi %fits, %other : i1
  scf.if %both {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<1024xi8>
    %v = memref.view %a[%c0][%n, %k] : memref<1024xi8> to memref<?x?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?x?xf32>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// Signed: a negative size would be a large one. The other branch: it does not
// fit there.
func.func @no_conditions(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %signed = arith.cmpi sle, %n, %c16 : index
  scf.if %signed {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %v = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  }
  %fits = arith.cmpi ule, %n, %c16 : index
  scf.if %fits {
  } else {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %v = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// Every call of the function is made where its argument fits.
func.func private @callee(%x: memref<?xf32>, %storage: memref<2048xi8>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.view %storage[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
  %v = memref.view %a[%c0][%d] : memref<64xi8> to memref<?xf32>
  memref.copy %x, %v : memref<?xf32> to memref<?xf32>
  return
}
func.func @caller(%x: memref<?xf32>, %y: memref<10xf32>, %storage: memref<2048xi8>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %d, %c16 : index
  scf.if %fits {
    func.call @callee(%x, %storage) : (memref<?xf32>, memref<2048xi8>) -> ()
  }
  %z = memref.cast %y : memref<10xf32> to memref<?xf32>
  call @callee(%z, %storage) : (memref<?xf32>, memref<2048xi8>) -> ()
  return
}

// -----

// One that is not made there is enough, and so is a function that others may
// call. The promise on the argument is not evidence.
func.func private @callee(%n: index {transient.bound = array<i64: 16>}, %storage: memref<2048xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %storage[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
  // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
  %v = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  return
}
func.func @caller(%n: index, %storage: memref<2048xi8>, %f: f32) {
  %c16 = arith.constant 16 : index
  %fits = arith.cmpi ule, %n, %c16 : index
  scf.if %fits {
    func.call @callee(%n, %storage, %f) : (index, memref<2048xi8>, f32) -> ()
  }
  call @callee(%n, %storage, %f) : (index, memref<2048xi8>, f32) -> ()
  return
}
func.func @public(%n: index {transient.bound = array<i64: 16>}, %storage: memref<2048xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %storage[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
  // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
  %v = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  return
}

// -----

// The largest, the least and the product of bounded natural numbers; the size of
// another view.
func.func @arithmetic(%n: index, %k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %fits = arith.cmpi ule, %n, %c4 : index
  %other = arith.cmpi ule, %k, %c8 : index
  %both = arith.andi %fits, %other : i1
  scf.if %both {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<128xi8>
    %product = arith.muli %n, %k : index
    %v = memref.view %a[%c0][%product] : memref<128xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
    %d = memref.dim %v, %c0 : memref<?xf32>
    %w = memref.view %a[%c0][%d] : memref<128xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%w : memref<?xf32>)
    %b = memref.view %arena[%c8][] {tenant = 1} : memref<2048xi8> to memref<32xi8>
    %most = arith.maxui %n, %k : index
    %x = memref.view %b[%c0][%most] : memref<32xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%x : memref<?xf32>)
    %c = memref.view %arena[%c8][] {tenant = 2} : memref<2048xi8> to memref<16xi8>
    %least = arith.minui %n, %k : index
    %y = memref.view %c[%c0][%least] : memref<16xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%y : memref<?xf32>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// A negative number is a large one to an unsigned op.
func.func @negative(%n: index, %k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %signed = arith.minsi %k, %c4 : index
  %fits = arith.cmpi ule, %n, %c4 : index
  scf.if %fits {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<16xi8>
    %most = arith.maxui %n, %signed : index
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %v = memref.view %a[%c0][%most] : memref<16xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// What may wrap around is no bound: n = 16 makes it 16, and 2^65 is not 0.
func.func @wraps(%n: index, %k: index, %v: i8) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %huge = arith.constant 1152921504606846976 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %fits = arith.cmpi ule, %n, %c32 : index
  scf.if %fits {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<8xi8>
    %0 = arith.muli %n, %huge : index
    %1 = arith.subi %c32, %n : index
    %2 = arith.addi %0, %1 : index
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %view = memref.view %a[%c0][%2] : memref<8xi8> to memref<?xi8>
    linalg.fill ins(%v : i8) outs(%view : memref<?xi8>)
    %3 = affine.apply affine_map<()[s0] -> (s0 * 1152921504606846976 + 32 - s0)>()[%n]
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %other = memref.view %a[%c0][%3] : memref<8xi8> to memref<?xi8>
    linalg.fill ins(%v : i8) outs(%other : memref<?xi8>)
  }
  // The sum is small, which says nothing of its terms.
  %sum = arith.addi %k, %huge : index
  %small = arith.cmpi ule, %sum, %c32 : index
  scf.if %small {
    %b = memref.view %arena[%c0][] {tenant = 1} : memref<2048xi8> to memref<32xi8>
    %right = memref.view %b[%c0][%sum] : memref<32xi8> to memref<?xi8>
    linalg.fill ins(%v : i8) outs(%right : memref<?xi8>)
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %wrong = memref.view %b[%c0][%k] : memref<32xi8> to memref<?xi8>
    linalg.fill ins(%v : i8) outs(%wrong : memref<?xi8>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// A condition speaks of its own iteration, not of the one that made what the loop
// carries: in the second, p may be 16 more than any bound.
func.func @another_iteration(%n: index, %f: f32, %t: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %c16) -> (index) {
    %z = memref.load %t[%i] : memref<2xindex>
    %c = arith.cmpi ule, %z, %c0 : index
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
    %y = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%p, %z]
    scf.if %c {
      // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
      %v = memref.view %a[%c0][%p] : memref<64xi8> to memref<?xf32>
      linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
    }
    scf.yield %y : index
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// What goes around unchanged, or is bounded where it is used, is.
func.func @the_same_in_all_iterations(%f: f32, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %c16, %q = %k) -> (index, index) {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
    %v = memref.view %a[%c0][%p] : memref<64xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
    %fits = arith.cmpi ule, %q, %c16 : index
    scf.if %fits {
      %b = memref.view %arena[%c0][] {tenant = 1} : memref<2048xi8> to memref<64xi8>
      %w = memref.view %b[%c0][%q] : memref<64xi8> to memref<?xf32>
      %s = memref.alloca(%q) : memref<?xf32>
      linalg.fill ins(%f : f32) outs(%s : memref<?xf32>)
    }
    %more = arith.addi %q, %c1 : index
    scf.yield %p, %more : index, index
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// An unsigned loop runs to the end of its bound as an unsigned number: a negative
// one is large.
func.func @unsigned_loop(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %m = arith.minsi %n, %c16 : index
  scf.for unsigned %i = %c0 to %m step %c1 {
    %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
    // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
    %v = memref.view %a[%c0][%i] : memref<64xi8> to memref<?xf32>
    linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  }
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// A dimension that the shape does not have is no number.
func.func @no_such_dimension(%x: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<2048xi8> to memref<64xi8>
  %n = memref.dim %x, %c5 : memref<?xf32>
  // expected-error @below {{cannot decide whether this view lies within its storage: its size is not known}}
  %v = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  memref.dealloc %arena : memref<2048xi8>
  return
}

// -----

// Storage of a size that is not known holds nothing for certain.
func.func @unknown_storage(%n: index, %x: memref<1024xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc(%n) {alignment = 64 : i64} : memref<?xi8>
  // expected-error @below {{cannot decide whether this view lies within its storage: the size of that is not known}}
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<?xi8> to memref<1024xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1024xf32>)
  memref.copy %a, %x : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

func.func @storage_of_constant_size(%x: memref<1024xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc(%c64) {alignment = 64 : i64} : memref<?xi8>
  // expected-error @below {{view of bytes [0, 4096) goes beyond the bytes [0, 64) of its source (V5)}}
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<?xi8> to memref<1024xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1024xf32>)
  memref.copy %a, %x : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

memref.global "private" @ws : memref<64xi8>
func.func @global_storage(%x: memref<1024xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.get_global @ws : memref<64xi8>
  // expected-error @below {{view of bytes [0, 4096) goes beyond the bytes [0, 64) of its source (V5)}}
  %a = memref.view %arena[%c0][] {tenant = 0} : memref<64xi8> to memref<1024xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<1024xf32>)
  memref.copy %a, %x : memref<1024xf32> to memref<1024xf32>
  return
}

// -----

// 320 does not fit i8: the view is at byte 64, on the other one.
func.func @cast_cuts_off(%x: memref<16xf32>, %y: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c320 = arith.constant 320 : index
  %n8 = arith.index_cast %c320 : index to i8
  %o = arith.index_cast %n8 : i8 to index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<384xi8>
  %a = memref.view %arena[%c64][] {tenant = 0} : memref<384xi8> to memref<16xf32>
  %b = memref.view %arena[%o][] {tenant = 1} : memref<384xi8> to memref<16xf32>
  // expected-note @below {{in use before by}}
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{taken over by}}
  memref.copy %y, %b : memref<16xf32> to memref<16xf32>
  // expected-error @below {{'memref.copy' reads bytes [64, 128) of tenant 0 after tenant 1 took over its storage (V2)}}
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<384xi8>
  return
}
