// Reports match docs/report.schema.json, whatever is in them.
// RUN: transient-opt %s --transient-pipeline="report=%t.1.json" -o /dev/null 2>/dev/null
// RUN: transient-opt %s --transient-pipeline="report=%t.2.json strategy=slots target=vulkan lower=gpu" -o /dev/null 2>/dev/null
// RUN: transient-opt %s --transient-report="file=%t.3.json" -o /dev/null 2>/dev/null
// RUN: transient-opt /dev/null --transient-pipeline="report=%t.4.json" -o /dev/null
// RUN: %python %S/schema.py %S/../../docs/report.schema.json %t.1.json %t.2.json %t.3.json %t.4.json
// The validator sees a key that is missing, one too many, and a wrong sum.
// RUN: sed 's/"padding"/"stuffing"/' %t.1.json > %t.bad.json
// RUN: not %python %S/schema.py %S/../../docs/report.schema.json %t.bad.json 2>&1 | FileCheck %s --check-prefix=KEY
// KEY-DAG: functions[0].bytes: unexpected key 'stuffing'
// KEY-DAG: functions[0].bytes: lacks 'padding'
// RUN: sed 's/"unknown_count": 1/"unknown_count": 2/' %t.1.json > %t.sum.json
// RUN: not %python %S/schema.py %S/../../docs/report.schema.json %t.sum.json 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: everything: unknown_count is wrong
// A value without a source, and 0 in place of "unknown", are no values (A10).
// RUN: sed -E 's/"owner":"unknown"/"owner":0/; s/"required":\{"value":256,"source":"inferred"\}/"required":256/' %t.1.json > %t.tag.json
// RUN: not %python %S/schema.py %S/../../docs/report.schema.json %t.tag.json 2>&1 | FileCheck %s --check-prefix=TAG
// TAG-DAG: functions[0].inventory[0].identity.owner: expected
// TAG-DAG: inventory[0].size.required: expected object, got 256
// What callers pass in counts at the caller only.
// RUN: %python -c "import json; r = json.load(open(r'%t.1.json')); f = next(f for f in r['functions'] if f['name'] == 'served'); f['bytes']['physical'] = f['workspace']['physical']; json.dump(r, open(r'%t.served.json', 'w'))"
// RUN: not %python %S/schema.py %S/../../docs/report.schema.json %t.served.json 2>&1 | FileCheck %s --check-prefix=SERVED
// SERVED: served: counts what its callers pass in

module @m {
  memref.global "private" constant @g : memref<8xf32> = dense<1.0>
  func.func private @opaque(memref<64xf32>)
  func.func @everything(%x: memref<64xf32>, %n: index, %f: f32) -> memref<64xf32> {
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    %b = memref.alloc() : memref<2x64xf32>
    %dynamic = memref.alloc(%n) : memref<?xf32>
    %empty = memref.alloc() : memref<0xf32>
    %escaped = memref.alloc() : memref<64xf32>
    %out = memref.alloc() : memref<64xf32>
    %unused = memref.alloc() : memref<8xf32>
    %shared = gpu.alloc host_shared () : memref<64xf32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %g = memref.get_global @g : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    %v = memref.subview %b[1, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1], offset: 64>>
    memref.copy %x, %v : memref<64xf32> to memref<64xf32, strided<[1], offset: 64>>
    linalg.fill ins(%f : f32) outs(%dynamic : memref<?xf32>)
    linalg.fill ins(%f : f32) outs(%shared : memref<64xf32>)
    func.call @opaque(%escaped) : (memref<64xf32>) -> ()
    memref.copy %v, %out : memref<64xf32, strided<[1], offset: 64>> to memref<64xf32>
    %t2 = gpu.memset async [%t1] %d, %f : memref<64xf32>, f32
    gpu.wait [%t2]
    return %out : memref<64xf32>
  }
  func.func @by_hand(%x: memref<64xf32>) {
    %a = transient.alloc class staging usage <copy_src|copy_dst> owner "me"
           lifetime <declared, first = [0], last = [1]> : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    return
  }
  func.func private @served(%o: memref<64xf32>, %f: f32) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %o : memref<64xf32> to memref<64xf32>
    return
  }
  func.func @calls(%o: memref<64xf32>, %f: f32) {
    %stack = memref.alloca() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%stack : memref<4xf32>)
    call @served(%o, %f) : (memref<64xf32>, f32) -> ()
    return
  }
  func.func @blocks(%f: f32) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    cf.br ^bb1
  ^bb1:
    return
  }
  func.func @nothing() {
    return
  }
}
