// V5, V6, V7: what a view or placement must be by itself, and which bytes it names.
// RUN: transient-opt %s --transient-verify -split-input-file -verify-diagnostics -o /dev/null

func.func @view_beyond_storage(%z: f32) {
  %c32 = arith.constant 32 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  // expected-error @below {{view of bytes [32, 96) goes beyond the bytes [0, 64) of its source (V5)}}
  %a = memref.view %arena[%c32][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  return
}

// -----

func.func @view_to_the_last_byte() {
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c32][] {tenant = 0 : i64} : memref<64xi8> to memref<8xf32>
  return
}

// -----

func.func @empty_view_at_the_end() {
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c64][] {tenant = 0 : i64} : memref<64xi8> to memref<0xf32>
  return
}

// -----

func.func @subview_beyond_source() {
  // expected-note @below {{the storage is made here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-error @below {{view of bytes [32, 96) goes beyond the bytes [0, 64) of its source (V5)}}
  %r = memref.reinterpret_cast %a to offset: [8], sizes: [16], strides: [1] : memref<16xf32> to memref<16xf32, strided<[1], offset: 8>>
  return
}

// -----

func.func @misaligned_view() {
  %c2 = arith.constant 2 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  // expected-error @below {{view at byte 2 is not a multiple of its element's alignment 4 (V6)}}
  %a = memref.view %arena[%c2][] {tenant = 0 : i64} : memref<64xi8> to memref<8xf32>
  return
}

// -----

func.func @view_beyond_base_alignment() {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 4 : i64} : memref<64xi8>
  // expected-error @below {{view needs alignment 8, but the storage is only aligned to 4 (V6)}}
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<8xf64>
  return
}

// -----

// Offsets may be computed, from constants.
#map = affine_map<(d0) -> (d0 * 4 + 32)>
func.func @folded_offset(%z: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %o = affine.apply #map(%c8)
  %s = arith.addi %o, %c8 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<104xi8>
  %a = memref.view %arena[%s][] {tenant = 0 : i64} : memref<104xi8> to memref<8xf32>
  return
}

// -----

// An offset that is not known may be anywhere: nothing is accepted on it.
func.func @dynamic_offset(%o: index, %out: memref<8xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 64 : i64} : memref<96xi8>
  // expected-warning @below {{transient-verify cannot decide whether this view lies within its storage: its offset is not constant}}
  %a = memref.view %arena[%o][] {tenant = 0 : i64} : memref<96xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<96xi8> to memref<8xf32>
  %t0 = gpu.wait async
  // expected-warning @below {{transient-verify cannot decide whether 'gpu.memset' writes bytes [0, 96) of tenant 0 in these bytes: the offset of the view is not known}}
  %t1 = gpu.memset async [%t0] %a, %z : memref<8xf32>, f32
  // expected-note @below {{needed for: 'gpu.memset' writes bytes [0, 32) of tenant 1}}
  %t2 = gpu.memset async [%t0] %b, %z : memref<8xf32>, f32
  gpu.wait [%t1, %t2]
  return
}

// -----

// Parts of tenants are the tenants' bytes, strided or not.
func.func @subviews_of_tenants(%o: memref<4xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {tenant = 1 : i64} : memref<64xi8> to memref<4xf32>
  %high = memref.subview %a[8] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  %low = memref.subview %a[2] [2] [2] : memref<16xf32> to memref<2xf32, strided<[2], offset: 2>>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %high, %z : memref<4xf32, strided<[1], offset: 8>>, f32
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [8, 20) of tenant 0}}
  %t2 = gpu.memset async [%t0] %low, %z : memref<2xf32, strided<[2], offset: 2>>, f32
  // expected-error @below {{'gpu.memset' writes bytes [0, 16) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t3 = gpu.memset async [%t0] %b, %z : memref<4xf32>, f32
  gpu.wait [%t1, %t2, %t3]
  return
}

// -----

// After expand-strided-metadata a subview is a reinterpret_cast of the base.
func.func @expanded_metadata(%o: memref<4xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<96xi8>
  %a = memref.view %arena[%c32][] {tenant = 0 : i64} : memref<96xi8> to memref<16xf32>
  %b = memref.view %arena[%c32][] {tenant = 1 : i64} : memref<96xi8> to memref<4xf32>
  %base, %off, %size, %stride = memref.extract_strided_metadata %a : memref<16xf32> -> memref<f32>, index, index, index
  %high = memref.reinterpret_cast %base to offset: [8], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1], offset: 8>>
  %low = memref.reinterpret_cast %base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1]>>
  %t0 = gpu.wait async
  // expected-note @below {{not ordered with it: 'gpu.memset' writes bytes [32, 48) of tenant 0}}
  %t1 = gpu.memset async [%t0] %low, %z : memref<4xf32, strided<[1]>>, f32
  %t2 = gpu.memset async [%t0] %high, %z : memref<4xf32, strided<[1], offset: 8>>, f32
  // expected-error @below {{'gpu.memset' writes bytes [32, 48) of tenant 1 while tenant 0 may still be in use there (V1)}}
  // expected-note @below {{missing: a token path or a blocking wait that leads from the end of that 'gpu.memset' to the start of this 'gpu.memset'}}
  %t3 = gpu.memset async [%t0] %b, %z : memref<4xf32>, f32
  gpu.wait [%t1, %t2, %t3]
  return
}

// -----

// V7: what the storage offers.
func.func @usage_not_offered(%o: memref<16xf32>, %z: f32) {
  // expected-note @below {{the storage offers 'copy_dst|storage'}}
  %arena = transient.arena physical 0 usage <storage|copy_dst> align 64 : memref<64xi8>
  %a = transient.view %arena[0] tenant 0 : memref<64xi8> to memref<16xf32>
  gpu.memset %a, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memcpy' reads bytes [0, 64) of tenant 0 as 'copy_src', which its storage does not offer (V7)}}
  gpu.memcpy %o, %a : memref<16xf32>, memref<16xf32>
  return
}

// -----

func.func @placements_of_different_kind() {
  %a = transient.alloc kind gpu placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-error @below {{placed in physical buffer 0 of kind 'gpu', but allocated as 'memref' (V7)}}
  %b = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  return
}

// -----

func.func @placements_in_different_spaces() {
  %a = transient.alloc placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-error @below {{placed in physical buffer 0 of another memory space (V7)}}
  %b = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32, 1>
  return
}

// -----

// An owner that is not said is not the same owner.
func.func @placements_of_different_owners() {
  %a = transient.alloc owner "one" placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  // expected-error @below {{placed in physical buffer 0 of another owner (V7)}}
  %b = transient.alloc owner "two" placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  // expected-error @below {{placed in physical buffer 0 of another owner (V7)}}
  %c = transient.alloc placement <physical = 0, offset = 128, bytes = 64> : memref<16xf32>
  return
}

// -----

func.func @misaligned_placement() {
  // expected-error @below {{placement at byte 2 is not a multiple of its element's alignment 4 (V6)}}
  %a = transient.alloc placement <physical = 0, offset = 2, bytes = 64> : memref<16xf32>
  return
}

// -----

func.func @placement_of_dynamic_size(%n: index) {
  // expected-warning @below {{transient-verify cannot decide whether the placement of 64 bytes is large enough: the buffer's size is not static}}
  %a = transient.alloc(%n) placement <physical = 0, offset = 0, bytes = 64> : memref<?xf32>
  return
}

// -----

// One number is one buffer, and a buffer is in one place.
func.func @one_tenant_at_two_places(%arena: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  // expected-note @below {{the other place}}
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  // expected-error @below {{tenant 0 is at bytes [32, 96) here and at bytes [0, 64) elsewhere (V5)}}
  %b = memref.view %arena[%c32][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  return
}

// -----

func.func @one_tenant_at_two_places_of_an_arena() {
  %arena = transient.arena physical 0 align 64 : memref<128xi8>
  // expected-note @below {{the other place}}
  %a = transient.view %arena[0] tenant 0 : memref<128xi8> to memref<16xf32>
  // expected-error @below {{tenant 0 is at bytes [64, 128) here and at bytes [0, 64) elsewhere (V5)}}
  %b = transient.view %arena[64] tenant 0 : memref<128xi8> to memref<16xf32>
  return
}

// -----

// A part of it, through a view of all of it; and the same number elsewhere.
func.func @part_of_tenant(%arena: memref<128xi8>, %other: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %a = memref.view %arena[%c32][] {tenant = 0 : i64} : memref<128xi8> to memref<64xi8>
  %b = memref.view %a[%c32][] {tenant = 0 : i64} : memref<64xi8> to memref<8xf32>
  %c = memref.view %other[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<16xf32>
  return
}

// -----

// A promise of alignment was made for a buffer of its own; the place must keep it.
func.func @promise_of_alignment(%z: f32) {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
  %a = memref.view %arena[%c20][] {tenant = 0 : i64} : memref<128xi8> to memref<4xf32>
  // expected-error @below {{'memref.assume_alignment' needs alignment 16, but is at byte 20 of its storage (V6)}}
  %b = memref.assume_alignment %a, 16 : memref<4xf32>
  return
}

// -----

func.func @promise_beyond_storage(%z: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<128xi8> to memref<4xf32>
  // expected-error @below {{'memref.assume_alignment' needs alignment 64, but the storage is only aligned to 16 (V6)}}
  %b = memref.assume_alignment %a, 64 : memref<4xf32>
  return
}

// -----

func.func @promise_of_placed_request(%z: f32) {
  %a = transient.alloc placement <physical = 0, offset = 20, bytes = 16> : memref<4xf32>
  // expected-error @below {{'memref.assume_alignment' needs alignment 16, but is at byte 20 of its storage (V6)}}
  %b = memref.assume_alignment %a, 16 : memref<4xf32>
  return
}

// -----

// What the program promises of a buffer of its own is its own affair.
func.func @promise_of_unshared(%m: memref<4xf32>) {
  %a = memref.alloc() {alignment = 4 : i64} : memref<4xf32>
  %b = memref.assume_alignment %a, 16 : memref<4xf32>
  %c = memref.assume_alignment %m, 16 : memref<4xf32>
  return
}

// -----

func.func @aligned_accesses(%i: index, %z: f32, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{the storage is made here}}
  %arena = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
  %a = memref.view %arena[%c4][] {tenant = 0 : i64} : memref<128xi8> to memref<8xf32>
  // expected-error @below {{'memref.load' needs alignment 16, but is at byte 4 of its storage (V6)}}
  %x = memref.load %a[%c0] {alignment = 16 : i64} : memref<8xf32>
  memref.store %x, %a[%c3] {alignment = 16 : i64} : memref<8xf32>
  // expected-error @below {{'vector.store' needs alignment 16, but is at byte 20 of its storage (V6)}}
  vector.store %v, %a[%c4] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>
  // expected-warning @below {{transient-verify cannot decide whether 'vector.load' has its alignment 16: its buffer starts at byte 4 and its indices are not constant}}
  %w = vector.load %a[%i] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>
  return
}

// -----

// A placed request's storage will offer what the requests in it ask for.
func.func @usage_not_asked_for(%o: memref<16xf32>, %z: f32) {
  // expected-note @below {{the storage offers 'copy_dst|storage'}}
  %a = transient.alloc usage <storage> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %b = transient.alloc usage <copy_dst> placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  gpu.memset %a, %z : memref<16xf32>, f32
  // expected-error @below {{'gpu.memcpy' reads bytes [0, 64) of tenant 0 as 'copy_src', which its storage does not offer (V7)}}
  gpu.memcpy %o, %a : memref<16xf32>, memref<16xf32>
  return
}

// -----

func.func @usage_not_declared_by_all(%o: memref<16xf32>, %z: f32) {
  %a = transient.alloc usage <storage> placement <physical = 0, offset = 0, bytes = 64> : memref<16xf32>
  %b = transient.alloc placement <physical = 0, offset = 64, bytes = 64> : memref<16xf32>
  gpu.memcpy %o, %a : memref<16xf32>, memref<16xf32>
  return
}

// -----

// What a callee's views need of an argument, the caller must give.
func.func private @callee(%w: memref<64xi8>, %z: f32) {
  %v = transient.view %w[0] tenant 0 : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%z : f32) outs(%v : memref<4xf32>)
  return
}
func.func private @between(%w: memref<64xi8>, %z: f32) {
  func.call @callee(%w, %z) : (memref<64xi8>, f32) -> ()
  return
}
func.func @workspace_out_of_line(%z: f32) {
  %arena = transient.arena physical 0 align 4 : memref<256xi8>
  %a = transient.view %arena[2] tenant 0 : memref<256xi8> to memref<64xi8>
  // expected-error @below {{'func.call' needs alignment 4, but is at byte 2 of its storage (V6)}}
  // expected-note @-3 {{the storage is made here}}
  func.call @between(%a, %z) : (memref<64xi8>, f32) -> ()
  %b = transient.view %arena[128] tenant 1 : memref<256xi8> to memref<64xi8>
  func.call @between(%b, %z) : (memref<64xi8>, f32) -> ()
  return
}
