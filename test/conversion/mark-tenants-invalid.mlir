// RUN: transient-opt %s -split-input-file --transient-mark-tenants -verify-diagnostics

func.func @not_lowered() {
  // expected-error@+1 {{transient-mark-tenants expects lowered storage; run convert-transient-to-gpu first}}
  %arena = transient.arena physical 0 kind gpu align 64 : memref<128xi8>
  return
}

// -----

func.func @not_planned() {
  // expected-error@+1 {{transient-mark-tenants expects lowered storage; run convert-transient-to-gpu first}}
  %a = transient.alloc class transient : memref<16xf32>
  return
}

// -----

// expected-error@+1 {{transient-mark-tenants expects 'transientSimTenant' to be a declaration of type '(!llvm.ptr, i64, i64, i64) -> ()'}}
func.func private @transientSimTenant(i64)
func.func @other_type(%arena: memref<64xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {tenant = 0 : i64} : memref<64xi8> to memref<16xf32>
  gpu.memset %a, %f : memref<16xf32>, f32
  return
}
