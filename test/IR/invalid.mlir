// One function for each rule of the dialect; its name is the rule's.
// RUN: transient-opt %s -split-input-file -verify-diagnostics

func.func @alloc_unranked() {
  // expected-error @below {{'transient.alloc' op expects a ranked memref, got 'memref<*xf32>'}}
  %0 = "transient.alloc"() : () -> memref<*xf32>
  return
}

// -----

func.func @alloc_R1() {
  // expected-error @below {{'transient.alloc' op expects 1 dynamic sizes, got 0}}
  %0 = transient.alloc : memref<?xf32>
  return
}

// -----

func.func @alloc_R2() {
  // expected-error @below {{attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = transient.alloc align 48 : memref<4xf32>
  return
}

// -----

func.func @alloc_R3() {
  // expected-error @below {{'transient.alloc' op expects a placement of at least 16 bytes, got 12}}
  %0 = transient.alloc placement <physical = 0, offset = 0, bytes = 12> : memref<4xf32>
  return
}

// -----

func.func @alloc_R3_overflow() {
  // expected-error @below {{'transient.alloc' op overflow: the size of 'memref<2147483648x1073741824xf32>' does not fit 64 bits}}
  %0 = transient.alloc placement <physical = 0, offset = 0, bytes = 12> : memref<2147483648x1073741824xf32>
  return
}

// -----

func.func @alloc_R4() {
  // expected-error @below {{'transient.alloc' op expects the placement's offset to be a multiple of the alignment 64, got 32}}
  %0 = transient.alloc align 64 placement <physical = 0, offset = 32, bytes = 16> : memref<4xf32>
  return
}

// -----

func.func @alloc_R5_required_output() {
  // expected-error @below {{'transient.alloc' op expects no placement for a buffer of class 'required_output'}}
  %0 = transient.alloc class required_output placement <physical = 0, offset = 0, bytes = 16> : memref<4xf32>
  return
}

// -----

func.func @alloc_R5_escaped() {
  // expected-error @below {{'transient.alloc' op expects no placement for a buffer of class 'escaped'}}
  %0 = transient.alloc class escaped placement <physical = 0, offset = 0, bytes = 16> : memref<4xf32>
  return
}

// -----

func.func @class_unknown() {
  // expected-error @below {{failed to parse Transient_ResourceClassAttr parameter 'value'}}
  // expected-error @below {{expected ::transient::ResourceClass to be one of: required_output, transient, workspace, staging, reconstructable, escaped}}
  %0 = transient.alloc class scratch : memref<4xf32>
  return
}

// -----

func.func @lifetime_R1() {
  // The parser does not take an empty set; the verifier guards the C++ builders.
  // expected-error @below {{expected integer value}}
  // expected-error @below {{failed to parse Transient_LifetimeAttr parameter 'first'}}
  %0 = "transient.alloc"() {lifetime = #transient.lifetime<derived, first = [], last = []>} : () -> memref<4xf32>
  return
}

// -----

func.func @lifetime_R2_negative() {
  // expected-error @below {{expects node ids in 'first' to be non-negative, got -1}}
  %0 = transient.alloc lifetime <derived, first = [-1], last = [2]> : memref<4xf32>
  return
}

// -----

func.func @lifetime_R2_order() {
  // expected-error @below {{expects node ids in 'last' to be strictly increasing, got 2 after 3}}
  %0 = transient.alloc lifetime <derived, first = [0], last = [3, 2]> : memref<4xf32>
  return
}

// -----

func.func @lifetime_R3_set() {
  // expected-error @below {{expects a declared lifetime to be an interval: one node in 'first' and one in 'last'}}
  %0 = transient.alloc lifetime <declared, first = [0, 1], last = [2]> : memref<4xf32>
  return
}

// -----

func.func @lifetime_R3_inverted() {
  // expected-error @below {{expects a declared lifetime to begin before it ends, got [3, 2]}}
  %0 = transient.alloc lifetime <declared, first = [3], last = [2]> : memref<4xf32>
  return
}

// -----

func.func @placement_R1() {
  // expected-error @below {{expects 'physical', 'offset' and 'bytes' to be non-negative, got 0, -4, 16}}
  %0 = transient.alloc placement <physical = 0, offset = -4, bytes = 16> : memref<4xf32>
  return
}

// -----

func.func @placement_R2() {
  // expected-error @below {{overflow: 'offset' 9223372036854775807 plus 'bytes' 16 does not fit 64 bits}}
  %0 = transient.alloc placement <physical = 0, offset = 9223372036854775807, bytes = 16> : memref<4xf32>
  return
}

// -----

func.func @arena_R1() {
  // expected-error @below {{'transient.arena' op expects storage of static size and identity layout, got 'memref<?xi8>'}}
  %0 = "transient.arena"() {physical = 0 : i64, alignment = 64 : i64} : () -> memref<?xi8>
  return
}

// -----

func.func @arena_R2() {
  // expected-error @below {{attribute 'alignment' failed to satisfy constraint}}
  %0 = transient.arena physical 0 align 3 : memref<64xi8>
  return
}

// -----

func.func @view_R1(%m: memref<64xi8, strided<[2]>>) {
  // expected-error @below {{'transient.view' op expects storage of static size and identity layout, got 'memref<64xi8, strided<[2]>>'}}
  %0 = transient.view %m[0] tenant 0 : memref<64xi8, strided<[2]>> to memref<4xf32>
  return
}

// -----

func.func @view_R2_space(%m: memref<64xi8, 1>) {
  // expected-error @below {{'transient.view' op expects the memory space of the source, got 'memref<4xf32>'}}
  %0 = transient.view %m[0] tenant 0 : memref<64xi8, 1> to memref<4xf32>
  return
}

// -----

func.func @view_R2_dynamic(%m: memref<64xi8>) {
  // expected-error @below {{'transient.view' op expects a result of static shape, identity layout and an element type of known size, got 'memref<?xf32>'}}
  %0 = transient.view %m[0] tenant 0 : memref<64xi8> to memref<?xf32>
  return
}

// -----

func.func @view_R2_overflow(%m: memref<64xi8>) {
  // expected-error @below {{'transient.view' op overflow: the size of 'memref<2147483648x1073741824xf32>' does not fit 64 bits}}
  %0 = transient.view %m[0] tenant 0 : memref<64xi8> to memref<2147483648x1073741824xf32>
  return
}

// -----

func.func @view_R3(%m: memref<64xi8>) {
  // expected-error @below {{'transient.view' op expects bytes [52, 52 + 16) to lie in the source's 64 bytes}}
  %0 = transient.view %m[52] tenant 0 : memref<64xi8> to memref<4xf32>
  return
}

// -----

// expected-error @below {{unknown attribute 'transient.foo'; the transient dialect defines only 'transient.node', 'transient.keep_apart', 'transient.required_bytes' and 'transient.preconditions'}}
func.func @attribute_unknown() attributes {transient.foo} {
  return
}

// -----

func.func @attribute_keep_apart(%m: memref<4xf32>, %f: f32) {
  // expected-error @below {{expects 'transient.keep_apart' to be a unit attribute of an allocation}}
  linalg.fill {transient.keep_apart} ins(%f : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// expected-error @below {{expects 'transient.node' to be a non-negative i64 attribute, got -1 : i64}}
func.func @attribute_node() attributes {transient.node = -1 : i64} {
  return
}

// -----

// expected-error @below {{expects 'transient.preconditions' to be an array of #transient.precondition on a function}}
func.func @attribute_preconditions() attributes {transient.preconditions = [3 : i64]} {
  return
}

// -----

// expected-error @below {{expects 'end' to be non-negative and less than 'start', got 3 and 3}}
func.func @precondition_R1_cycle() attributes {transient.preconditions = [#transient.precondition<end = 3, start = 3>]} {
  return
}

// -----

// expected-error @below {{expects 'end' to be non-negative and less than 'start', got -1 and 3}}
func.func @precondition_R1_negative() attributes {transient.preconditions = [#transient.precondition<end = -1, start = 3>]} {
  return
}

// -----

func.func @web_of_negative() {
  // expected-error @below {{attribute 'web_of' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "transient.alloc"() {web_of = -1 : i64} : () -> memref<4xf32>
  return
}

// -----

func.func @in_place_of_nothing() {
  // expected-error @below {{attribute 'in_place' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "transient.alloc"() {in_place = 0 : i64} : () -> memref<4xf32>
  return
}

// -----

func.func private @callee()
func.func @alloc_R6_call() {
  // expected-error @below {{expects a call of @callee to follow the workspace for it}}
  %a = transient.alloc workspace <@callee, physical = 0> : memref<64xi8>
  return
}

// -----

func.func private @callee()
func.func @workspace_R1_negative() {
  // expected-error @below {{expects 'physical' to be non-negative, got -1}}
  %a = transient.alloc workspace <@callee, physical = -1> : memref<64xi8>
  call @callee() : () -> ()
  return
}

// -----

// expected-error @below {{expects 'transient.contract' to be "none", "read", "write" or "read-write", got "all"}}
func.func private @contract_value(memref<4xf32> {transient.contract = "all"})

// -----

// expected-error @below {{expects 'transient.contract' on a memref argument of a function}}
func.func private @contract_type(f32 {transient.contract = "read"})

// -----

// expected-error @below {{unknown argument attribute 'transient.other'; the transient dialect defines only 'transient.contract' and 'transient.bound'}}
func.func private @contract_name(memref<4xf32> {transient.other = "read"})

// -----

// expected-error @below {{expects 'transient.bound' on an index or ranked memref argument of a function}}
func.func private @bound_type(f32 {transient.bound = array<i64: 4>})

// -----

// expected-error @below {{expects 'transient.bound' on an index or ranked memref argument of a function}}
func.func private @bound_unranked(memref<*xf32> {transient.bound = array<i64: 4>})

// -----

// expected-error @below {{expects 'transient.bound' to be an array of 2 numbers, each a bound or -1, got array<i64: 4>}}
func.func private @bound_rank(memref<?x?xf32> {transient.bound = array<i64: 4>})

// -----

// expected-error @below {{expects 'transient.bound' to be an array of 1 numbers, each a bound or -1, got array<i64: -2>}}
func.func private @bound_negative(index {transient.bound = array<i64: -2>})

// -----

// expected-error @below {{expects 'transient.bound' to be an array of 1 numbers, each a bound or -1, got 4 : i64}}
func.func private @bound_value(index {transient.bound = 4 : i64})

// -----

func.func @required_bytes_value() {
  // expected-error @below {{expects 'transient.required_bytes' to be a non-negative i64 attribute of a 'memref.alloc' or 'gpu.alloc'}}
  %a = memref.alloc() {transient.required_bytes = -1 : i64} : memref<4xf32>
  return
}

// -----

func.func @required_bytes_op(%a: memref<4xf32>) {
  // expected-error @below {{expects 'transient.required_bytes' to be a non-negative i64 attribute of a 'memref.alloc' or 'gpu.alloc'}}
  memref.dealloc %a {transient.required_bytes = 8 : i64} : memref<4xf32>
  return
}
