//===- Contents.cpp - What the bytes hold in one schedule -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. A byte holds the value of the element that was written there,
// and which byte of it: so copies move values, and a byte out of place is
// noticed.
//
//===----------------------------------------------------------------------===//

#include "Contents.h"

#include "Random.h"

namespace transient::fuzz {

static uint64_t byteOf(uint64_t value, int64_t byte) {
  return value ? (value & ~uint64_t(15)) | static_cast<uint64_t>(byte + 1) : 0;
}

static uint64_t valueFrom(uint64_t hash) { return hash | 16; }

Contents::Contents(const Trace &trace) : trace(&trace) {
  for (const Allocation &allocation : trace.allocations) {
    begins.push_back(memory.size());
    for (int64_t i = 0; i < allocation.bytes; ++i)
      memory.push_back(
          allocation.argument
              ? byteOf(valueFrom(combine(begins.size(), i / 4)), i % 4)
              : 0);
  }
  begins.push_back(memory.size());
  int ordinal = 0;
  for (const Instance &instance : trace.instances)
    ordinals.push_back(instance.kind == InstanceKind::Access ? ordinal++ : -1);
  reads.resize(ordinal);
}

uint64_t Contents::load(const Access &access, int64_t at) const {
  size_t begin = begins[access.allocation], end = begins[access.allocation + 1];
  uint64_t value = 0, mixed = 1;
  bool whole = true;
  for (int64_t i = 0; i < access.width; ++i) {
    if (at + i < 0 || begin + at + i >= end)
      return 0;
    uint64_t byte = memory[begin + at + i];
    if (!byte)
      return 0;
    mixed = combine(mixed, byte);
    whole &= byte == byteOf(byte, i) && (i == 0 || (byte | 15) == (value | 15));
    value = byte;
  }
  return whole ? value & ~uint64_t(15) : valueFrom(mixed) & ~uint64_t(15);
}

void Contents::store(const Access &access, int64_t at, uint64_t value) {
  size_t begin = begins[access.allocation], end = begins[access.allocation + 1];
  for (int64_t i = 0; i < access.width; ++i)
    if (at + i >= 0 && begin + at + i < end)
      memory[begin + at + i] = byteOf(value, i);
}

void Contents::start(int number) {
  const Instance &instance = trace->instances[number];
  if (instance.kind != InstanceKind::Access)
    return;
  std::vector<uint64_t> &seen = reads[ordinals[number]];
  for (const Access &access : instance.accesses)
    if (access.read)
      for (int64_t at : access.elements)
        seen.push_back(load(access, at));
}

void Contents::end(int number) {
  const Instance &instance = trace->instances[number];
  if (instance.kind != InstanceKind::Access || instance.accesses.empty() ||
      !instance.accesses[0].write)
    return;
  const Access &target = instance.accesses[0];
  int ordinal = ordinals[number];
  const std::vector<uint64_t> &seen = reads[ordinal];
  size_t count = target.elements.size();
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = valueFrom(combine(ordinal + 1, i));
    if (instance.meaning == Meaning::Set) {
      if (instance.scalar.loadedBy >= 0) {
        const auto &loaded = reads[ordinals[instance.scalar.loadedBy]];
        value = loaded.empty() ? 0 : loaded[0];
      }
    } else if (instance.meaning == Meaning::Copy) {
      value = i < seen.size() ? seen[i] : 0;
    } else {
      for (size_t j = i; j < seen.size(); j += count)
        value = value && seen[j] ? valueFrom(combine(value, seen[j])) : 0;
    }
    store(target, target.elements[i], value);
  }
}

std::vector<uint64_t> Contents::arguments() const {
  std::vector<uint64_t> result;
  for (size_t i = 0; i < trace->allocations.size(); ++i)
    if (trace->allocations[i].argument)
      result.insert(result.end(), memory.begin() + begins[i],
                    memory.begin() + begins[i + 1]);
  return result;
}

uint64_t Contents::hash() const {
  uint64_t hash = 1;
  for (uint64_t byte : memory)
    hash = combine(hash, byte);
  for (const std::vector<uint64_t> &seen : reads)
    for (uint64_t value : seen)
      hash = combine(hash, value);
  return hash;
}

uint64_t Contents::outcome() const {
  uint64_t hash = 1;
  for (const std::vector<uint64_t> &seen : reads)
    for (uint64_t value : seen)
      hash = combine(hash, value);
  for (uint64_t byte : arguments())
    hash = combine(hash, byte);
  return hash;
}

} // namespace transient::fuzz
