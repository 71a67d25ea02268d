//===- Problem.cpp - Validity and conflicts of a problem ------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes a problem well formed, and the public conflict query. Solvers use
// the compact form of Instance.h, which means the same; a property test holds
// the two together.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Problem.h"

#include "Checked.h"

#include <algorithm>
#include <numeric>

namespace transient::planner {

static std::string quoted(const std::string &id) { return "'" + id + "'"; }

Result<std::uint64_t> alignedBytes(const Buffer &buffer) {
  const std::uint64_t q = buffer.capacity ? buffer.capacity : buffer.bytes;
  if (!isPowerOfTwo(buffer.alignment))
    return Error{ErrorKind::BadAlignment, buffer.id,
                 "buffer " + quoted(buffer.id) + " has alignment " +
                     std::to_string(buffer.alignment) +
                     ", expected a power of two"};
  if (q < buffer.bytes)
    return Error{ErrorKind::CapacityTooSmall, buffer.id,
                 "buffer " + quoted(buffer.id) + " has capacity " +
                     std::to_string(q) + ", expected at least its " +
                     std::to_string(buffer.bytes) + " bytes"};
  if (auto b = checkedAlignTo(q, buffer.alignment))
    return *b;
  return Error{ErrorKind::Overflow, buffer.id,
               "overflow: buffer " + quoted(buffer.id) + " of " +
                   std::to_string(q) + " bytes, aligned to " +
                   std::to_string(buffer.alignment) +
                   ", expected to fit 64 bits"};
}

bool needsStorage(const Buffer &buffer) {
  return !buffer.unused && (buffer.bytes || buffer.capacity);
}

namespace {

bool nodePrecedes(const Problem &problem, NodeId a, NodeId b) {
  return problem.order ? problem.order->precedes(a, b) : a < b;
}

bool allPrecede(const Problem &problem, const Buffer &a, const Buffer &b) {
  for (NodeId l : a.last)
    for (NodeId f : b.first)
      if (!nodePrecedes(problem, l, f))
        return false;
  return true;
}

std::string nodeList(const Frontier &nodes) {
  std::string text = "{";
  for (std::size_t i = 0; i != nodes.size(); ++i)
    text += (i ? ", " : "") + std::to_string(nodes[i]);
  return text + "}";
}

std::optional<Error> checkLifetime(const Problem &problem,
                                   const Buffer &buffer) {
  auto bad = [&](ErrorKind kind, const std::string &what) {
    return Error{kind, buffer.id, "buffer " + quoted(buffer.id) + what};
  };
  if (problem.order)
    for (const auto *nodes : {&buffer.first, &buffer.last})
      for (NodeId node : *nodes)
        if (node >= problem.order->numNodes())
          return bad(ErrorKind::UnknownNode,
                     " uses node " + std::to_string(node) +
                         ", expected less than " +
                         std::to_string(problem.order->numNodes()));
  if (buffer.unused)
    return std::nullopt;
  if (buffer.first.empty() || buffer.last.empty())
    return bad(ErrorKind::BadLifetime,
               std::string(" has no ") +
                   (buffer.first.empty() ? "first" : "last") +
                   " node, expected one unless it is unused");
  // Every first node leads to a last node and every last node stems from a
  // first one: what makes "before" transitive where the order is.
  auto weakly = [&](NodeId a, NodeId b) {
    return a == b || nodePrecedes(problem, a, b);
  };
  bool good = true;
  for (NodeId f : buffer.first)
    good &= std::any_of(buffer.last.begin(), buffer.last.end(),
                        [&](NodeId l) { return weakly(f, l); });
  for (NodeId l : buffer.last)
    good &= std::any_of(buffer.first.begin(), buffer.first.end(),
                        [&](NodeId f) { return weakly(f, l); });
  // An order with dropped columns may fail to prove a good lifetime; what is
  // left to reject then is one that is proved inverted.
  if (problem.order && !problem.order->isExact())
    good = !allPrecede(problem, buffer, buffer);
  if (!good)
    return bad(ErrorKind::BadLifetime,
               " has first " + nodeList(buffer.first) + " and last " +
                   nodeList(buffer.last) +
                   ", expected each last node to be, or follow, a first node");
  return std::nullopt;
}

} // namespace

/// The earliest buffer that repeats an id, so that errors come in buffer order,
/// or ~0. Ids are compared where their hashes (FNV-1a) are equal.
static BufferIndex firstRepeatedId(const std::vector<Buffer> &buffers) {
  std::vector<std::pair<std::uint64_t, BufferIndex>> byHash;
  byHash.reserve(buffers.size());
  for (const Buffer &buffer : buffers) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (char c : buffer.id)
      hash = (hash ^ (unsigned char)c) * 0x100000001b3ull;
    byHash.push_back({hash, BufferIndex(byHash.size())});
  }
  std::sort(byHash.begin(), byHash.end(), [&](const auto &a, const auto &b) {
    if (a.first != b.first)
      return a.first < b.first;
    int order = buffers[a.second].id.compare(buffers[b.second].id);
    return order ? order < 0 : a.second < b.second;
  });
  BufferIndex repeated = ~0u;
  for (std::size_t i = 1; i < byHash.size(); ++i)
    if (byHash[i - 1].first == byHash[i].first &&
        buffers[byHash[i - 1].second].id == buffers[byHash[i].second].id)
      repeated = std::min(repeated, byHash[i].second);
  return repeated;
}

std::optional<Error> validate(const Problem &problem) {
  const auto &buffers = problem.buffers;
  if (buffers.size() >= 0xfffffffeu)
    return Error{ErrorKind::Resource, "",
                 "problem has 2^32-2 buffers or more, expected fewer"};

  const BufferIndex repeated = firstRepeatedId(buffers);
  std::uint64_t total = 0;
  for (BufferIndex i = 0; i != buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.id.empty())
      return Error{ErrorKind::EmptyId, "",
                   "buffer number " + std::to_string(i) +
                       " has an empty id, expected a unique name"};
    if (i == repeated)
      return Error{ErrorKind::DuplicateId, buffer.id,
                   "buffer number " + std::to_string(i) + " repeats the id " +
                       quoted(buffer.id) + ", expected unique ids"};
    auto aligned = alignedBytes(buffer);
    if (!aligned)
      return aligned.error();
    if (auto error = checkLifetime(problem, buffer))
      return error;
    if (!needsStorage(buffer))
      continue;
    if (buffer.fixedOffset) {
      if (*buffer.fixedOffset & (buffer.alignment - 1))
        return Error{ErrorKind::BadAlignment, buffer.id,
                     "buffer " + quoted(buffer.id) + " has fixed offset " +
                         std::to_string(*buffer.fixedOffset) +
                         ", expected a multiple of its alignment " +
                         std::to_string(buffer.alignment)};
      if (!checkedAdd(*buffer.fixedOffset, *aligned))
        return Error{ErrorKind::Overflow, buffer.id,
                     "overflow: end of buffer " + quoted(buffer.id) +
                         " at its fixed offset, expected to fit 64 bits"};
    }
    // One alignment of slack a buffer, and the highest fixed end, bound every
    // offset an algorithm may form.
    auto sum = checkedAdd(total, *aligned);
    if (sum)
      sum = checkedAdd(*sum, buffer.alignment - 1);
    if (sum && buffer.fixedOffset)
      sum = checkedAdd(*sum, *buffer.fixedOffset);
    if (!sum)
      return Error{ErrorKind::Overflow, buffer.id,
                   "overflow: sum of sizes up to buffer " + quoted(buffer.id) +
                       ", expected to fit 64 bits"};
    total = *sum;
  }

  for (const auto *pairs : {&problem.neverShare, &problem.exclusive})
    for (auto [a, b] : *pairs) {
      if (a >= buffers.size() || b >= buffers.size())
        return Error{
            ErrorKind::UnknownBuffer, "",
            "pair names buffer number " + std::to_string(std::max(a, b)) +
                ", expected less than " + std::to_string(buffers.size())};
      if (a == b)
        return Error{ErrorKind::Layout, buffers[a].id,
                     "pair names buffer " + quoted(buffers[a].id) +
                         " twice, expected two buffers"};
    }
  return std::nullopt;
}

bool isBefore(const Problem &problem, BufferIndex a, BufferIndex b) {
  const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
  if (x.unused || y.unused || x.last.empty() || y.first.empty())
    return false;
  return allPrecede(problem, x, y);
}

bool conflicts(const Problem &problem, BufferIndex a, BufferIndex b) {
  if (a == b || !needsStorage(problem.buffers[a]) ||
      !needsStorage(problem.buffers[b]))
    return false;
  auto listed = [&](const BufferPairs &pairs) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto &pair) {
      return (pair.first == a && pair.second == b) ||
             (pair.first == b && pair.second == a);
    });
  };
  if (listed(problem.neverShare))
    return true;
  return !isBefore(problem, a, b) && !isBefore(problem, b, a) &&
         !listed(problem.exclusive);
}

} // namespace transient::planner
