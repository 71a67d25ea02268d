// Effects are on the values, so that other passes can use them.
// RUN: %mlir-opt %s --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(test-side-effects)' --verify-diagnostics

func.func @effects() {
  // expected-remark @below {{found an instance of 'allocate' on op result 0, on resource '<Default>'}}
  %0 = transient.alloc : memref<64xf32>
  // expected-remark @below {{found an instance of 'allocate' on op result 0, on resource '<Default>'}}
  %arena = transient.arena physical 0 align 64 : memref<256xi8>
  // expected-remark @below {{operation has no memory effects}}
  %1 = transient.view %arena[0] tenant 0 : memref<256xi8> to memref<64xf32>
  return
}
