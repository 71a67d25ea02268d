// RUN: not transient-opt %s --transient-sanitize="red-zone=0" 2>&1 | FileCheck %s
// CHECK: transient-sanitize: expects 'red-zone' in 1..1073741824, got 0
func.func @f() {
  return
}
