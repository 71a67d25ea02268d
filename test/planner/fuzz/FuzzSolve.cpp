//===- FuzzSolve.cpp - Any small problem, solved and checked --------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. The input spells a small problem, options and damage,
// byte by byte. What `solve` returns must be accepted by `verify` and by a
// judge of this file, which knows the definition only and counts bytes one by
// one; and what is damaged must be refused by both or by none.
//
//===----------------------------------------------------------------------===//

#include "Require.h"

#include "transient/Planner/Bound.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Verify.h"

#include <memory>

using namespace transient::planner;

namespace {

/// Numbers from the input; zeros where it has ended.
class Input {
public:
  Input(const uint8_t *data, size_t size) : data(data), size(size) {}

  unsigned below(unsigned limit) {
    unsigned byte = size ? *data : 0;
    if (size) {
      ++data;
      --size;
    }
    return byte % limit;
  }
  bool chance(unsigned percent) { return below(100) < percent; }

private:
  const uint8_t *data;
  size_t size;
};

constexpr unsigned maxBuffers = 9, maxNodes = 9;

/// A problem, and the order of its nodes as the input gives it.
struct Case {
  Problem problem;
  unsigned numNodes = 0;
  bool precedes[maxNodes][maxNodes] = {};
};

std::vector<NodeId> frontier(Input &input, const Case &made) {
  std::vector<NodeId> nodes = {input.below(made.numNodes)};
  if (made.problem.order && input.chance(25))
    nodes.push_back(input.below(made.numNodes));
  return nodes;
}

/// A first and a last frontier of one set of users.
void giveLifetime(Input &input, const Case &made, Buffer &buffer) {
  std::vector<NodeId> users = frontier(input, made);
  std::vector<NodeId> more = frontier(input, made);
  users.insert(users.end(), more.begin(), more.end());
  if (made.problem.order) {
    buffer.first = made.problem.order->minimal(users);
    buffer.last = made.problem.order->maximal(users);
    return;
  }
  NodeId first = users[0], last = users[0];
  for (NodeId user : users) {
    first = std::min(first, user);
    last = std::max(last, user);
  }
  buffer.first = {first};
  buffer.last = {last};
}

Case makeCase(Input &input) {
  Case made;
  made.numNodes = 1 + input.below(maxNodes);
  bool isTotal = input.chance(40);
  std::vector<std::vector<NodeId>> predecessors(made.numNodes);
  for (unsigned to = 0; to < made.numNodes; ++to)
    for (unsigned from = 0; from < to; ++from)
      if (isTotal || input.chance(30)) {
        predecessors[to].push_back(from);
        made.precedes[from][to] = true;
      }
  for (unsigned k = 0; k < made.numNodes; ++k)
    for (unsigned i = 0; i < made.numNodes; ++i)
      for (unsigned j = 0; j < made.numNodes; ++j)
        made.precedes[i][j] |= made.precedes[i][k] && made.precedes[k][j];
  if (!isTotal) {
    PartialOrderOptions options;
    if (input.chance(20)) {
      options.maxChains = 1 + input.below(2);
      options.maxEntries = 1;
    }
    auto order = PartialOrder::build(made.numNodes, predecessors, options);
    require(static_cast<bool>(order), "an acyclic order is refused");
    made.problem.order = std::make_shared<PartialOrder>(std::move(*order));
  }
  unsigned count = input.below(maxBuffers + 1);
  for (unsigned i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.id = "b" + std::to_string(i);
    buffer.bytes = input.below(13);
    buffer.alignment = uint64_t(1) << input.below(4);
    buffer.usage = input.chance(30) ? 4u << input.below(3) : 0;
    buffer.usageRequired = !input.chance(30);
    buffer.space = input.chance(15);
    buffer.unused = input.chance(5);
    if (input.chance(15))
      buffer.capacity = buffer.bytes + input.below(5);
    if (input.chance(8))
      buffer.fixedOffset = buffer.alignment * input.below(5);
    giveLifetime(input, made, buffer);
    made.problem.buffers.push_back(std::move(buffer));
  }
  for (unsigned i = 0; count > 1 && i < 2; ++i) {
    unsigned a = input.below(count), b = input.below(count);
    if (a == b)
      continue;
    if (input.chance(15))
      made.problem.neverShare.emplace_back(a, b);
    if (input.chance(15))
      made.problem.exclusive.emplace_back(a, b);
  }
  return made;
}

bool hasPair(const BufferPairs &pairs, unsigned a, unsigned b) {
  for (auto [x, y] : pairs)
    if ((x == a && y == b) || (x == b && y == a))
      return true;
  return false;
}

/// By the definition: every last node of a precedes every first one of b.
bool isBefore(const Case &made, unsigned a, unsigned b) {
  for (NodeId last : made.problem.buffers[a].last)
    for (NodeId first : made.problem.buffers[b].first)
      if (!made.precedes[last][first])
        return false;
  return true;
}

bool mayShare(const Case &made, unsigned a, unsigned b) {
  return !hasPair(made.problem.neverShare, a, b) &&
         (hasPair(made.problem.exclusive, a, b) || isBefore(made, a, b) ||
          isBefore(made, b, a));
}

/// Whether two buffers have a byte that they must not share, one lies beyond
/// its physical buffer or is not aligned; nothing else.
bool isUnsafe(const Case &made, const Plan &plan) {
  std::vector<std::vector<std::vector<unsigned>>> tenants;
  for (const PhysicalBuffer &physical : plan.physicals)
    tenants.emplace_back(physical.bytes);
  for (unsigned i = 0; i < plan.placements.size(); ++i) {
    const Buffer &buffer = made.problem.buffers[i];
    const Placement &placement = plan.placements[i];
    if (!placement.physical)
      continue;
    if (placement.offset % buffer.alignment ||
        (buffer.fixedOffset && placement.offset != *buffer.fixedOffset))
      return true;
    auto &bytes = tenants[*placement.physical];
    uint64_t asked = std::max(buffer.bytes, buffer.capacity);
    uint64_t taken =
        (asked + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    if (placement.offset > bytes.size() ||
        taken > bytes.size() - placement.offset)
      return true;
    for (uint64_t k = 0; k < taken; ++k) {
      for (unsigned other : bytes[placement.offset + k])
        if (!mayShare(made, i, other))
          return true;
      bytes[placement.offset + k].push_back(i);
    }
  }
  return false;
}

bool refuses(const Case &made, const Plan &plan) {
  for (const Violation &violation : verify(made.problem, plan))
    if (violation.rule != Violation::Rule::Totals)
      return true;
  return false;
}

SolveOptions makeOptions(Input &input) {
  SolveOptions options;
  options.strategy = input.chance(30) ? Strategy::Slots : Strategy::Arena;
  std::vector<std::string> names = algorithmNames(options.strategy);
  options.algorithm = names[input.below(static_cast<unsigned>(names.size()))];
  options.effort = Effort::Fast;
  if (input.chance(15))
    options.arenaAlign = uint64_t(1) << input.below(5);
  if (input.chance(15))
    options.capacity = input.below(64);
  if (input.chance(15))
    options.maxBufferBytes = 12 + input.below(30);
  options.steps = 20000;
  return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input(data, size);
  Case made = makeCase(input);
  if (validate(made.problem))
    return 0;
  SolveOptions options = makeOptions(input);
  Result<Plan> plan = solve(made.problem, options);
  Result<Bound> bound = lowerBound(made.problem);
  Result<Bound> peak = peakUpper(made.problem);
  require(bound && peak, "no bound for a valid problem");
  if (!plan)
    return 0;
  for (const Violation &violation : verify(made.problem, *plan))
    require(false, "refuses its own plan: " + violation.message);
  for (const Violation &violation : verifyClaims(made.problem, *plan))
    require(false, "refuses its own claim: " + violation.message);
  require(!isUnsafe(made, *plan), "accepts an unsafe plan");
  require(bound->bytes <= plan->physicalBytes, "the bound is too high");
  require(!options.capacity || plan->physicalBytes <= *options.capacity,
          "over the capacity");
  if (made.problem.buffers.empty() || plan->physicals.empty())
    return 0;
  // Damage: a place, a size, or an end.
  unsigned which =
      input.below(static_cast<unsigned>(made.problem.buffers.size()));
  Placement &placement = plan->placements[which];
  if (!placement.physical)
    return 0;
  if (input.chance(70)) {
    placement.offset = input.below(48);
  } else {
    PhysicalBuffer &physical = plan->physicals[*placement.physical];
    physical.bytes -= std::min<uint64_t>(physical.bytes, input.below(9));
  }
  bool refused = refuses(made, *plan), unsafe = isUnsafe(made, *plan);
  require(refused || !unsafe, "accepts a damaged plan");
  // Slots start at offset 0; an exact order knows all that may share.
  if (options.strategy == Strategy::Arena &&
      (!made.problem.order || made.problem.order->isExact()))
    require(!refused || unsafe, "refuses a right plan");
  return 0;
}
