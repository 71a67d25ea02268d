//===- Generate.cpp - Seeded random problems ------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitMix64 (Steele, Lea, Flood 2014) and two shapes of problem. Changing what
// is drawn, or in which order, changes every seeded test: do not.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Generate.h"

#include "Checked.h"

#include <algorithm>
#include <new>

namespace transient::planner {

namespace {

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform enough in [0, bound), bound > 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

private:
  std::uint64_t state;
};

} // namespace

Result<Problem> generate(const GenerateOptions &options) try {
  if (!isPowerOfTwo(options.alignment))
    return Error{ErrorKind::BadAlignment, "",
                 "alignment is " + std::to_string(options.alignment) +
                     ", expected a power of two"};
  if (!options.maxBytes)
    return Error{ErrorKind::ZeroBytes, "",
                 "largest size is 0 bytes, expected a positive size"};
  if (options.maxBytes > UINT64_MAX - options.alignment)
    return Error{ErrorKind::Overflow, "",
                 "overflow: largest size " + std::to_string(options.maxBytes) +
                     " rounded up, expected to fit 64 bits"};

  Random random(options.seed);
  Problem problem;
  const std::uint64_t width = std::max<std::uint32_t>(options.width, 1);
  const std::uint32_t n = options.buffers;
  std::vector<std::vector<NodeId>> predecessors;
  if (options.kind == GenerateOptions::Kind::Dag) {
    // One node a buffer, dealt to streams; a stream's nodes are a chain, and
    // reading a buffer is an edge from its writer.
    predecessors.resize(n);
    std::vector<NodeId> tail(width, ~NodeId(0));
    for (std::uint32_t v = 0; v != n; ++v) {
      std::uint64_t stream = random.below(width);
      if (tail[stream] != ~NodeId(0))
        predecessors[v].push_back(tail[stream]);
      tail[stream] = v;
    }
  }
  std::vector<std::vector<NodeId>> users(n);
  for (std::uint32_t i = 0; i != n; ++i) {
    Buffer buffer;
    buffer.id = "b" + std::to_string(i);
    const bool skewed = options.sizes == GenerateOptions::Sizes::Skewed;
    std::uint64_t most = options.maxBytes;
    if (skewed)
      most = std::max<std::uint64_t>(1, most >> random.below(12));
    std::uint64_t least = 1;
    if (options.sizes == GenerateOptions::Sizes::HeavyTailed) {
      unsigned octaves = 1;
      while (octaves != 64 && most >> octaves)
        ++octaves;
      unsigned octave = 1; // Of a coin that shows heads so many times less one.
      for (std::uint64_t coin = random.next(); coin & 1; coin >>= 1)
        ++octave;
      most >>= octaves - std::min(octave, octaves);
      least = most / 2 + 1;
    }
    buffer.bytes =
        alignTo(least + random.below(most - least + 1), options.alignment);
    buffer.alignment = options.alignment;
    if (options.kind == GenerateOptions::Kind::Intervals) {
      // One birth a step and lengths around `width` keep about that many live;
      // a few live much longer, as real ones do.
      std::uint64_t length = skewed ? random.below(6 * width) >> random.below(6)
                                    : random.below(2 * width);
      if (random.below(16) == 0)
        length *= 8;
      buffer.first = {i};
      buffer.last = {std::min<std::uint64_t>(i + length, n - 1)};
    } else {
      users[i].push_back(i);
      std::uint64_t readers = 1 + random.below(options.maxReaders + 1ull);
      for (std::uint64_t r = 0; r != readers && i + 1 < n; ++r) {
        std::uint64_t reach = std::min<std::uint64_t>(n - 1 - i, 4 * width);
        NodeId reader = i + 1 + random.below(reach);
        users[i].push_back(reader);
        predecessors[reader].push_back(i);
      }
    }
    problem.buffers.push_back(std::move(buffer));
  }
  if (options.kind == GenerateOptions::Kind::Dag) {
    auto order = PartialOrder::build(n, predecessors);
    if (!order)
      return order.error();
    problem.order = std::make_shared<PartialOrder>(std::move(*order));
    for (std::uint32_t i = 0; i != n; ++i) {
      problem.buffers[i].first = problem.order->minimal(users[i]);
      problem.buffers[i].last = problem.order->maximal(users[i]);
    }
  }
  if (auto error = validate(problem))
    return *error;
  return problem;
} catch (const std::bad_alloc &) {
  return Error{ErrorKind::Resource, "", "out of memory while generating"};
}

} // namespace transient::planner
