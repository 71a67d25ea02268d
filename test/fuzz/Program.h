//===- Program.h - A random program as a tree of steps --------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generator makes, the printer writes and the shrinker takes apart. A
// step names its operands by the number of the step that made them. A step may
// be switched off: tokens then stand for what the step waited for, and whatever
// uses its buffer is off as well, so that the rest stays a valid program that
// is as free of races as before.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_PROGRAM_H
#define TRANSIENT_TEST_FUZZ_PROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace transient::fuzz {

/// A token or a buffer, by the number that its maker gave it. 0: none.
using Id = int;

/// The type of a buffer: elements of f32, or of i8 in raw storage.
struct Shape {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  bool bytes = false;
  /// Print the first size as `?`.
  bool dynamicSize = false;
  /// Print the layout even where it is the identity.
  bool strided = false;

  static Shape vector(int64_t size) {
    return {{size}, {1}, 0, false, false, false};
  }
  static Shape raw(int64_t size) {
    return {{size}, {1}, 0, true, false, false};
  }
  int64_t elements() const {
    int64_t product = 1;
    for (int64_t size : sizes)
      product *= size;
    return product;
  }
  std::string type() const;
  friend bool operator==(const Shape &a, const Shape &b) {
    return a.sizes == b.sizes && a.strides == b.strides &&
           a.offset == b.offset && a.bytes == b.bytes &&
           a.dynamicSize == b.dynamicSize && a.strided == b.strided;
  }
};

enum class StepKind {
  Alloc,
  View,
  SelectBuffer,
  SelectToken,
  Access,
  Wait,
  Join,
  Branch,
  Loop,
  Call,
  Free
};

/// What an access does. The first three exist with and without a token.
enum class AccessKind {
  Memset,
  Memcpy,
  Launch,
  HostStore,
  HostLoad,
  HostCopy,
  HostFill,
  HostAdd
};

enum class ViewKind { Subview, Cast, Expand, Collapse, Reinterpret, Bytes };

/// How a buffer is allocated and freed.
enum class Home { MemRef, GpuAsync, GpuBlocking, Argument };

/// Kernels: what they read and write is in Kernels.h.
enum class Kernel { Fill, Map, Add, Accumulate, Part };

struct Step;

struct Block {
  std::vector<Step> steps;
  /// Handed on by the end of the block.
  Id token = 0;
  std::vector<Id> buffers;
};

struct Step {
  explicit Step(StepKind kind) : kind(kind) {}

  StepKind kind;
  bool off = false;
  /// What it makes.
  Id token = 0;
  std::vector<Id> results;
  /// What it depends on.
  std::vector<Id> tokens, buffers;
  /// Has a token, or blocks the host.
  bool async = false;

  AccessKind access = AccessKind::Memset;
  Kernel kernel = Kernel::Fill;
  ViewKind view = ViewKind::Subview;
  Home home = Home::MemRef;
  Shape shape;
  int64_t alignment = 0, index = 0;
  /// A branch or select: which condition; -1 - k: bit k of what is loaded from
  /// flags. A loop: which trip count, or, below 0, the number -1 - trips.
  int condition = 0;
  /// A loop's own names for the token and buffers that it carries.
  Id argumentToken = 0;
  std::vector<Id> argumentBuffers;
  unsigned callee = 0;
  std::vector<Block> blocks;
};

struct Function {
  std::string name;
  std::vector<Id> buffers;
  /// Starts after this token and returns one; 0 for a function that waits
  /// itself.
  Id token = 0;
  Block body;
};

struct Program {
  uint64_t seed = 0;
  std::vector<Shape> shapes;
  std::vector<Function> functions;
  /// Whether the generator left dependencies out on purpose.
  bool racy = false;

  const Shape &shapeOf(Id buffer) const { return shapes[buffer]; }
};

/// How many conditions and trip counts a program's functions take.
constexpr int numConditions = 3, numTrips = 2, numFlags = 2, flagsSize = 4;

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_PROGRAM_H
