// RUN: transient-opt %s -verify-diagnostics -transient-guard-bounds

gpu.module @m {
  // expected-error @below {{'transient.bound' can be kept for a 'func.func' only}}
  gpu.func @kernel(%n: index {transient.bound = array<i64: 4>}) {
    gpu.return
  }
}
