"""A fan-out: operations without order, each with a temporary of its own."""
import sys

COUNT, FLOATS = int(sys.argv[1]), int(sys.argv[2])
TYPE = f"memref<{FLOATS}xf32>"
print("func.func @fan_out(%f: f32) {")
for i in range(COUNT):
    print(f"  %b{i} = memref.alloc() : {TYPE}")
    print(f"  %s{i} = gpu.wait async")
    print(f"  %w{i} = gpu.memset async [%s{i}] %b{i}, %f : {TYPE}, f32")
    print(f"  %u{i} = gpu.memset async [%w{i}] %b{i}, %f : {TYPE}, f32")
print(f"  gpu.wait [{', '.join(f'%u{i}' for i in range(COUNT))}]")
print("  return\n}")
