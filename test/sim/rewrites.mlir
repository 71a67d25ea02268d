// What the stock lowering leaves behind or gets wrong, sim-run.py rewrites:
// blocking memory operations, operations with several tokens, strided copies and
// sets, sets of other widths.
//
// REQUIRES: mlir-runner
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,random:1
// RUN: %python %S/Inputs/expect.py %s --beside %plugin --schedules fifo,adversarial --own-streams

module attributes {gpu.container_module} {
  // CLEAN: ^4\n4\n$
  func.func @blocking() {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %v = arith.constant 4.0 : f32
    %h = memref.alloc() : memref<8xf32>
    %a = gpu.alloc () : memref<8xf32>
    %b = gpu.alloc (%c8) : memref<?xf32>
    gpu.memset %a, %v : memref<8xf32>, f32
    gpu.memset %b, %v : memref<?xf32>, f32
    gpu.memcpy %h, %a : memref<8xf32>, memref<8xf32>
    %x = memref.load %h[%c0] : memref<8xf32>
    vector.print %x : f32
    gpu.dealloc %a : memref<8xf32>
    %hd = memref.cast %h : memref<8xf32> to memref<?xf32>
    gpu.memcpy %hd, %b : memref<?xf32>, memref<?xf32>
    %y = memref.load %h[%c0] : memref<8xf32>
    vector.print %y : f32
    gpu.dealloc %b : memref<?xf32>
    return
  }

  // CLEAN: ^3\n$
  func.func @several_tokens() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 3.0 : f32
    %h = memref.alloc() : memref<8xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<8xf32>
    %b, %t2 = gpu.alloc async () : memref<8xf32>
    %t3 = gpu.memset async [%t1] %a, %v : memref<8xf32>, f32
    %t4 = gpu.memcpy async [%t3, %t2] %b, %a : memref<8xf32>, memref<8xf32>
    %t5 = gpu.memcpy async [%t4] %h, %b : memref<8xf32>, memref<8xf32>
    gpu.wait [%t5]
    %x = memref.load %h[%c0] : memref<8xf32>
    vector.print %x : f32
    return
  }

  // Column 2 of the first into column 1 of the second; the offsets count.
  // CLEAN: ^9\n5\n$
  func.func @strided_copy() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %five = arith.constant 5.0 : f32
    %nine = arith.constant 9.0 : f32
    %h = memref.alloc() : memref<4x4xf32>
    linalg.fill ins(%five : f32) outs(%h : memref<4x4xf32>)
    memref.store %nine, %h[%c3, %c2] : memref<4x4xf32>
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<4x4xf32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<4x4xf32>
    %t3 = gpu.memcpy async [%t2] %a, %h : memref<4x4xf32>, memref<4x4xf32>
    %t4 = gpu.memset async [%t3] %b, %five : memref<4x4xf32>, f32
    %from = memref.subview %a[0, 2] [4, 1] [1, 1] : memref<4x4xf32> to memref<4x1xf32, strided<[4, 1], offset: 2>>
    %to = memref.subview %b[0, 1] [4, 1] [1, 1] : memref<4x4xf32> to memref<4x1xf32, strided<[4, 1], offset: 1>>
    %t5 = gpu.memcpy async [%t4] %to, %from : memref<4x1xf32, strided<[4, 1], offset: 1>>, memref<4x1xf32, strided<[4, 1], offset: 2>>
    %t6 = gpu.memcpy async [%t5] %h, %b : memref<4x4xf32>, memref<4x4xf32>
    gpu.wait [%t6]
    %x = memref.load %h[%c3, %c1] : memref<4x4xf32>
    %y = memref.load %h[%c3, %c2] : memref<4x4xf32>
    vector.print %x : f32
    vector.print %y : f32
    return
  }

  // Stock sets memory of 16 and 32 bits whose layout is the identity. Here the odd
  // elements become 5, and bytes 8 to 11 become 7s; `async` may stand alone.
  // CLEAN: ^0\n5\n117901063\n0\n$
  func.func @strided_and_narrow_sets() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %seven = arith.constant 7 : i8
    %h = memref.alloc() : memref<8xi32>
    %bytes, %t1 = gpu.alloc async () : memref<32xi8>
    gpu.wait [%t1]
    %a = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xi32>
    %odd = memref.subview %a[1] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2], offset: 1>>
    %t2 = gpu.memset async %a, %zero : memref<8xi32>, i32
    gpu.wait [%t2]
    %t3 = gpu.memset async %odd, %five : memref<4xi32, strided<[2], offset: 1>>, i32
    gpu.wait [%t3]
    %four = memref.view %bytes[%c8][] : memref<32xi8> to memref<4xi8>
    gpu.memset %four, %seven : memref<4xi8>, i8
    %t4 = gpu.memcpy async %h, %a : memref<8xi32>, memref<8xi32>
    gpu.wait [%t4]
    %x0 = memref.load %h[%c0] : memref<8xi32>
    %x1 = memref.load %h[%c1] : memref<8xi32>
    %x2 = memref.load %h[%c2] : memref<8xi32>
    vector.print %x0 : i32
    vector.print %x1 : i32
    vector.print %x2 : i32
    %even = memref.subview %a[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>>
    %g = memref.alloc() : memref<4xi32>
    %t5 = gpu.memcpy async %g, %even : memref<4xi32>, memref<4xi32, strided<[2]>>
    gpu.wait [%t5]
    %x3 = memref.load %g[%c3] : memref<4xi32>
    vector.print %x3 : i32
    return
  }
}
