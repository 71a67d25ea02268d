//===- Generate.cpp - Random asynchronous programs ------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. Sets are ordered by number, so that a seed is one program.
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include "Random.h"

#include <algorithm>
#include <map>
#include <set>

namespace transient::fuzz {
namespace {

constexpr int64_t sizesInElements[] = {4, 8, 8, 16};
constexpr unsigned maxDepth = 2;

/// The tokens that prove that what a buffer holds may be read, or overwritten.
struct Hazard {
  std::set<Id> writes, reads;
};

/// What is known at one point of the host's path.
struct State {
  std::map<Id, Hazard> hazards;
  /// Tokens that the host has waited for.
  std::set<Id> done;
  std::set<Id> initialised;
};

/// What can be named at one point.
struct Scope {
  std::vector<Id> tokens, buffers;
  unsigned depth = 0;
  bool inLoop = false;
};

class Generator {
public:
  Generator(uint64_t seed, unsigned size, bool settled)
      : random(seed), budget(size), settled(settled) {
    program.seed = seed;
    program.racy = random.chance(6);
    program.shapes.emplace_back();
    proves.emplace_back();
    storages.emplace_back();
    device.push_back(false);
    waitPercent = random.pick(waitPercents);
    devicePercent = random.pick(devicePercents);
    streams = random.between(1, 4);
  }

  Program run() {
    unsigned helpers =
        budget > 8 && random.chance(30) ? random.between(1, 2) : 0;
    unsigned all = budget;
    for (unsigned i = 0; i < helpers; ++i) {
      budget = random.between(2, std::max(2u, all / 4));
      makeFunction("f" + std::to_string(i), /*helper=*/true);
    }
    budget = all;
    makeFunction("main", /*helper=*/false);
    return std::move(program);
  }

private:
  static constexpr unsigned waitPercents[] = {4, 10, 30};
  static constexpr unsigned devicePercents[] = {0, 40, 100};

  Id makeId() {
    program.shapes.emplace_back();
    proves.emplace_back();
    storages.emplace_back();
    device.push_back(false);
    return static_cast<Id>(program.shapes.size() - 1);
  }

  Id makeBuffer(Shape shape, std::set<Id> of, bool onDevice) {
    Id id = makeId();
    program.shapes[id] = shape;
    storages[id] = std::move(of);
    device[id] = onDevice;
    return id;
  }

  /// A token that comes after `after` and after what the host waited for.
  Id makeToken(const std::vector<Id> &after, const State &state) {
    Id id = makeId();
    proves[id] = state.done;
    for (Id token : after)
      proves[id].insert(proves[token].begin(), proves[token].end());
    proves[id].insert(id);
    return id;
  }

  /// `tokens` without those that are done or that another one proves.
  std::vector<Id> maximal(const std::set<Id> &tokens, const State &state) {
    std::vector<Id> result;
    for (Id token : tokens) {
      bool needed = !state.done.count(token);
      for (Id other : tokens)
        needed &= other == token || !proves[other].count(token);
      if (needed)
        result.push_back(token);
    }
    return result;
  }

  /// What an access to `buffer` must come after.
  void require(Id buffer, bool writes, const State &state,
               std::set<Id> &required) {
    for (Id storage : storages[buffer]) {
      auto found = state.hazards.find(storage);
      if (found == state.hazards.end())
        continue;
      required.insert(found->second.writes.begin(), found->second.writes.end());
      if (writes)
        required.insert(found->second.reads.begin(), found->second.reads.end());
    }
  }

  /// Notes that `token` (0: the host itself) has the last access to `buffer`.
  void access(Id buffer, bool writes, Id token, State &state) {
    for (Id storage : storages[buffer]) {
      Hazard &hazard = state.hazards[storage];
      if (writes) {
        hazard = {};
        if (token)
          hazard.writes.insert(token);
        state.initialised.insert(storage);
      } else if (token) {
        hazard.reads.insert(token);
      }
    }
  }

  void forget(std::set<Id> &required) {
    if (!program.racy)
      return;
    for (auto it = required.begin(); it != required.end();)
      it = random.chance(15) ? required.erase(it) : std::next(it);
  }

  //===--------------------------------------------------------------------===//
  // Tokens
  //===--------------------------------------------------------------------===//

  /// The dependencies of an operation that must come after `required`: these,
  /// or one join of them, and now and then one that is not needed.
  std::vector<Id> depend(std::set<Id> required, Block &block, Scope &scope,
                         State &state) {
    forget(required);
    if (!scope.tokens.empty() && random.chance(60)) {
      // The last operation on a stream.
      unsigned back = std::min<unsigned>(streams, scope.tokens.size());
      required.insert(
          scope.tokens[scope.tokens.size() - 1 - random.below(back)]);
    }
    std::vector<Id> tokens = maximal(required, state);
    if (tokens.size() > 1 && random.chance(50))
      return {join(tokens, block, scope, state)};
    return tokens;
  }

  Id join(const std::vector<Id> &tokens, Block &block, Scope &scope,
          State &state) {
    Step step(StepKind::Join);
    step.tokens = tokens;
    step.token = makeToken(tokens, state);
    Id token = step.token;
    block.steps.push_back(std::move(step));
    publish(token, scope);
    return token;
  }

  void wait(const std::vector<Id> &tokens, Block &block, State &state) {
    if (tokens.empty())
      return;
    Step step(StepKind::Wait);
    step.tokens = tokens;
    block.steps.push_back(std::move(step));
    for (Id token : tokens)
      state.done.insert(proves[token].begin(), proves[token].end());
  }

  void waitFor(std::set<Id> required, Block &block, State &state) {
    forget(required);
    wait(maximal(required, state), block, state);
  }

  void publish(Id token, Scope &scope) {
    scope.tokens.push_back(token);
    created.insert(token);
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  Id allocate(const Shape &shape, Block &block, Scope &scope, State &state) {
    Step step(StepKind::Alloc);
    bool onDevice = random.chance(devicePercent);
    step.home = !onDevice           ? Home::MemRef
                : random.chance(30) ? Home::GpuBlocking
                                    : Home::GpuAsync;
    step.shape = shape;
    Id id = makeId();
    program.shapes[id] = shape;
    storages[id] = {id};
    device[id] = onDevice;
    step.results = {id};
    // Raw bytes are for views of f32.
    if (shape.bytes || random.chance(10))
      step.alignment = 64;
    if (step.home == Home::GpuAsync) {
      step.async = true;
      step.tokens = depend({}, block, scope, state);
      step.token = makeToken(step.tokens, state);
      publish(step.token, scope);
      state.hazards[id].writes.insert(step.token);
    }
    homes[id] = step.home;
    block.steps.push_back(std::move(step));
    scope.buffers.push_back(id);
    return id;
  }

  Id view(Id source, ViewKind kind, Shape shape, int64_t index, Block &block,
          Scope &scope) {
    Step step(StepKind::View);
    step.view = kind;
    step.buffers = {source};
    step.index = index;
    step.shape = shape;
    Id id = makeBuffer(shape, storages[source], device[source]);
    step.results = {id};
    block.steps.push_back(std::move(step));
    scope.buffers.push_back(id);
    return id;
  }

  void makeView(Block &block, Scope &scope) {
    Id source = pickBuffer(scope);
    if (!source)
      return;
    Shape shape = program.shapeOf(source);
    if (shape.dynamicSize || shape.elements() == 0)
      return;
    if (shape.bytes) {
      int64_t elements = random.pick(sizesInElements);
      int64_t room = shape.elements() - elements * 4;
      if (room >= 0)
        view(source, ViewKind::Bytes, Shape::vector(elements),
             4 * random.below(static_cast<unsigned>(room / 4 + 1)), block,
             scope);
      return;
    }
    switch (random.below(4)) {
    case 0: {
      if (shape.sizes.size() != 1 || shape.sizes[0] < 4)
        return;
      int64_t step = shape.strides[0] == 1 && random.chance(20) ? 2 : 1;
      int64_t size = random.chance(60) ? 4 : shape.sizes[0] / 2;
      if (size * step > shape.sizes[0])
        return;
      int64_t room = shape.sizes[0] - size * step;
      int64_t at = random.below(static_cast<unsigned>(room + 1));
      int64_t stride = shape.strides[0];
      shape.sizes = {size};
      shape.strides = {stride * step};
      shape.offset += at * stride;
      shape.strided = true;
      view(source, ViewKind::Subview, shape, at, block, scope);
      return;
    }
    case 1:
      if (shape.sizes.size() == 1 && !shape.strided) {
        shape.dynamicSize = true;
        view(source, ViewKind::Cast, shape, 0, block, scope);
      }
      return;
    case 2:
      // Upstream drops a layout that is the identity.
      shape.strided &= shape.offset != 0 || shape.strides.back() != 1;
      if (shape.sizes.size() == 1) {
        int64_t stride = shape.strides[0];
        shape.sizes = {2, shape.sizes[0] / 2};
        shape.strides = {stride * shape.sizes[1], stride};
        view(source, ViewKind::Expand, shape, 0, block, scope);
      } else {
        shape.sizes = {shape.sizes[0] * shape.sizes[1]};
        shape.strides = {shape.strides[1]};
        view(source, ViewKind::Collapse, shape, 0, block, scope);
      }
      return;
    default:
      if (shape.sizes.size() == 1 && !shape.strided && shape.sizes[0] >= 8) {
        int64_t at = random.below(static_cast<unsigned>(shape.sizes[0] - 3));
        shape.sizes = {4};
        shape.offset = at;
        shape.strided = true;
        view(source, ViewKind::Reinterpret, shape, at, block, scope);
      }
      return;
    }
  }

  void selectBuffer(Block &block, Scope &scope) {
    Id a = pickBuffer(scope);
    Id b = a ? pickLike(scope, a) : 0;
    if (!b || device[a] != device[b])
      return;
    Step step(StepKind::SelectBuffer);
    step.condition = condition(scope);
    step.buffers = {a, b};
    std::set<Id> both = storages[a];
    both.insert(storages[b].begin(), storages[b].end());
    Id id = makeBuffer(program.shapeOf(a), both, device[a]);
    step.results = {id};
    block.steps.push_back(std::move(step));
    scope.buffers.push_back(id);
  }

  void selectToken(Block &block, Scope &scope, State &state) {
    if (scope.tokens.size() < 2)
      return;
    Step step(StepKind::SelectToken);
    step.condition = condition(scope);
    step.tokens = {scope.tokens.back(), random.pick(scope.tokens)};
    Id id = makeId();
    const std::set<Id> &a = proves[step.tokens[0]], &b = proves[step.tokens[1]];
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(proves[id], proves[id].end()));
    proves[id].insert(id);
    step.token = id;
    block.steps.push_back(std::move(step));
    publish(id, scope);
  }

  Id pickBuffer(Scope &scope) {
    if (scope.buffers.empty())
      return 0;
    if (random.chance(50)) {
      unsigned recent = std::min<unsigned>(4, scope.buffers.size());
      return scope.buffers[scope.buffers.size() - 1 - random.below(recent)];
    }
    return random.pick(scope.buffers);
  }

  /// Another buffer of the same type and extent, or 0.
  Id pickLike(Scope &scope, Id like) {
    std::vector<Id> found;
    for (Id id : scope.buffers)
      if (id != like && program.shapeOf(id) == program.shapeOf(like) &&
          storages[id] != storages[like])
        found.push_back(id);
    return found.empty() ? 0 : random.pick(found);
  }

  /// A buffer of as many elements in as many dimensions that shares no storage.
  Id pickSource(Scope &scope, Id target) {
    const Shape &shape = program.shapeOf(target);
    std::vector<Id> found;
    for (Id id : scope.buffers) {
      const Shape &other = program.shapeOf(id);
      bool apart = true;
      for (Id storage : storages[id])
        apart &= !storages[target].count(storage);
      if (apart && other.sizes == shape.sizes && other.bytes == shape.bytes)
        found.push_back(id);
    }
    return found.empty() ? 0 : random.pick(found);
  }

  bool isInitialised(Id buffer, const State &state) {
    for (Id storage : storages[buffer])
      if (!state.initialised.count(storage))
        return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  void makeAccess(Block &block, Scope &scope, State &state) {
    Id target = pickBuffer(scope);
    if (!target)
      return;
    const Shape shape = program.shapeOf(target);
    bool vector = shape.sizes.size() == 1 && !shape.bytes && !shape.dynamicSize;
    bool hostMay = !device[target];
    Step step(StepKind::Access);
    step.buffers = {target};
    std::vector<bool> writes = {true}, reads = {false};
    auto operand = [&](Id id, bool read, bool write) {
      step.buffers.push_back(id);
      reads.push_back(read);
      writes.push_back(write);
    };
    Id source = pickSource(scope, target);
    if (source && !isInitialised(source, state) && random.chance(90)) {
      if (isInitialised(target, state))
        std::swap(source, target);
      else
        source = 0;
      step.buffers = {target};
    }
    hostMay = !device[target] && (!source || !device[source]);
    unsigned kind = random.below(100);
    bool plainSource = source && !program.shapeOf(source).dynamicSize &&
                       program.shapeOf(source).sizes.size() == 1;
    bool plainTarget = !program.shapeOf(target).dynamicSize && vector;
    if (kind < 20 || (!isInitialised(target, state) && kind < 35)) {
      step.access = AccessKind::Memset;
    } else if (kind < 45 && source) {
      step.access = AccessKind::Memcpy;
      operand(source, true, false);
    } else if (kind < 80 && plainTarget) {
      step.access = AccessKind::Launch;
      if (plainSource) {
        step.kernel = random.pick(kernels);
        if (step.kernel == Kernel::Add || step.kernel == Kernel::Map ||
            step.kernel == Kernel::Accumulate)
          operand(source, true, false);
        if (step.kernel == Kernel::Accumulate)
          reads[0] = true;
        if (step.kernel == Kernel::Add) {
          Id other = pickSource(scope, target);
          if (!other || program.shapeOf(other).dynamicSize)
            other = source;
          operand(other, true, false);
        }
      } else {
        step.kernel = random.chance(70) ? Kernel::Fill : Kernel::Part;
      }
    } else if (hostMay && plainTarget && shape.elements()) {
      unsigned host = random.below(5);
      if (host == 0) {
        step.access = AccessKind::HostStore;
        step.index = random.below(static_cast<unsigned>(shape.sizes[0]));
      } else if (host == 1 && plainSource) {
        step.access = AccessKind::HostLoad;
        step.index = random.below(static_cast<unsigned>(shape.sizes[0]));
        operand(source, true, false);
      } else if (host == 2 && source) {
        step.access = AccessKind::HostCopy;
        operand(source, true, false);
      } else if (host == 3 && plainSource) {
        step.access = AccessKind::HostAdd;
        operand(source, true, false);
        operand(source, true, false);
      } else {
        step.access = AccessKind::HostFill;
      }
    }
    if (shape.bytes && step.access != AccessKind::Memcpy)
      step.access = AccessKind::Memset;
    bool host = step.access >= AccessKind::HostStore;
    step.async = !host && random.chance(85);
    std::set<Id> required;
    for (size_t i = 0; i < step.buffers.size(); ++i)
      require(step.buffers[i], writes[i], state, required);
    if (step.async) {
      step.tokens = depend(required, block, scope, state);
      step.token = makeToken(step.tokens, state);
      publish(step.token, scope);
    } else {
      waitFor(required, block, state);
    }
    for (size_t i = 0; i < step.buffers.size(); ++i)
      access(step.buffers[i], writes[i], step.token, state);
    block.steps.push_back(std::move(step));
  }

  void makeFree(Block &block, Scope &scope, State &state, std::set<Id> &own) {
    if (own.empty())
      return;
    auto it = own.begin();
    std::advance(it, random.below(static_cast<unsigned>(own.size())));
    Id storage = *it;
    own.erase(it);
    Step step(StepKind::Free);
    step.buffers = {storage};
    step.home = homes[storage];
    std::set<Id> required;
    require(storage, true, state, required);
    if (step.home == Home::GpuAsync) {
      step.async = true;
      step.tokens = maximal(required, state);
      step.token = makeToken(step.tokens, state);
      publish(step.token, scope);
    } else {
      wait(maximal(required, state), block, state);
    }
    block.steps.push_back(std::move(step));
    state.hazards.erase(storage);
    scope.buffers.erase(
        std::remove_if(scope.buffers.begin(), scope.buffers.end(),
                       [&](Id id) { return storages[id].count(storage); }),
        scope.buffers.end());
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  /// A condition: a number that stays, or one that each iteration loads.
  int condition(const Scope &scope) {
    if (scope.inLoop && random.chance(60))
      return -1 - static_cast<int>(random.below(numFlags));
    return static_cast<int>(random.below(numConditions));
  }

  /// Renames what the inside of a region made to the token that proves all of
  /// it.
  static std::set<Id> rename(const std::set<Id> &tokens,
                             const std::set<Id> &inner, Id token) {
    std::set<Id> result;
    for (Id id : tokens)
      if (!inner.count(id))
        result.insert(id);
      else if (token)
        result.insert(token);
    return result;
  }

  void mergeHazards(State &into, const State &from, const std::set<Id> &inner,
                    Id token) {
    for (auto &[storage, hazard] : into.hazards) {
      auto found = from.hazards.find(storage);
      if (found == from.hazards.end())
        continue;
      std::set<Id> writes = rename(found->second.writes, inner, token);
      std::set<Id> reads = rename(found->second.reads, inner, token);
      hazard.writes.insert(writes.begin(), writes.end());
      hazard.reads.insert(reads.begin(), reads.end());
    }
  }

  /// Steps of a region, and what it hands on: a token that proves all that it
  /// issued and `also`, unless `sync`, where it waits for all itself.
  Block makeRegion(Scope scope, State &state, std::set<Id> also, bool sync,
                   unsigned most) {
    std::set<Id> outer;
    std::swap(outer, created);
    Block block;
    std::set<Id> own;
    unsigned count = random.between(1, std::max(1u, most));
    for (unsigned i = 0; i < count && budget > 0; ++i)
      makeStep(block, scope, state, own);
    while (!own.empty() && random.chance(40))
      makeFree(block, scope, state, own);
    std::set<Id> all = created;
    all.insert(also.begin(), also.end());
    if (sync) {
      wait(maximal(all, state), block, state);
    } else {
      std::vector<Id> tokens = maximal(all, state);
      block.token = tokens.size() == 1 ? tokens.front()
                                       : join(tokens, block, scope, state);
    }
    regionTokens = created;
    created = std::move(outer);
    return block;
  }

  void makeBranch(Block &block, Scope &scope, State &state) {
    Step step(StepKind::Branch);
    unsigned count = random.chance(80) ? 2 : 3;
    step.condition = count == 2 ? condition(scope)
                                : static_cast<int>(random.below(numTrips));
    bool sync = random.chance(15);
    Scope inside = scope;
    ++inside.depth;
    State before = state, after;
    std::set<Id> proved, inner, both;
    Shape shape;
    bool handsOn = count == 2 && random.chance(15), onDevice = false;
    Id first = handsOn ? pickBuffer(scope) : 0;
    std::vector<State> ends;
    std::vector<std::set<Id>> tokens;
    for (unsigned i = 0; i < count; ++i) {
      State end = before;
      Block made = makeRegion(inside, end, {}, sync, 4);
      if (first) {
        Id yielded = first;
        if (i == 1) {
          Scope outerScope = scope;
          Id other = pickLike(outerScope, first);
          if (other && device[other] == device[first])
            yielded = other;
        }
        made.buffers = {yielded};
        both.insert(storages[yielded].begin(), storages[yielded].end());
        onDevice = device[yielded];
      }
      if (!sync) {
        if (i == 0) {
          proved = proves[made.token];
        } else {
          std::set<Id> common;
          std::set_intersection(
              proved.begin(), proved.end(), proves[made.token].begin(),
              proves[made.token].end(), std::inserter(common, common.end()));
          proved = common;
        }
      }
      step.blocks.push_back(std::move(made));
      ends.push_back(std::move(end));
      tokens.push_back(regionTokens);
    }
    if (!sync) {
      step.token = makeId();
      proves[step.token] = proved;
      proves[step.token].insert(step.token);
    }
    std::set<Id> done = ends[0].done, initialised = ends[0].initialised;
    for (auto &[storage, hazard] : state.hazards)
      hazard = {};
    for (unsigned i = 0; i < count; ++i) {
      // A block's state names all storage that the outside has.
      for (auto &[storage, hazard] : ends[i].hazards)
        if (before.hazards.count(storage) || isOuter(storage, scope))
          state.hazards[storage];
      mergeHazards(state, ends[i], tokens[i], step.token);
      std::set<Id> commonDone, commonInit;
      std::set_intersection(done.begin(), done.end(), ends[i].done.begin(),
                            ends[i].done.end(),
                            std::inserter(commonDone, commonDone.end()));
      std::set_intersection(initialised.begin(), initialised.end(),
                            ends[i].initialised.begin(),
                            ends[i].initialised.end(),
                            std::inserter(commonInit, commonInit.end()));
      done = commonDone;
      initialised = commonInit;
    }
    state.done = done;
    state.initialised = initialised;
    if (first) {
      Id id = makeBuffer(program.shapeOf(first), both, onDevice);
      step.results = {id};
      scope.buffers.push_back(id);
    }
    Id token = step.token;
    block.steps.push_back(std::move(step));
    if (token)
      publish(token, scope);
  }

  bool isOuter(Id storage, const Scope &scope) {
    for (Id buffer : scope.buffers)
      if (storages[buffer].count(storage))
        return true;
    return false;
  }

  void makeLoop(Block &block, Scope &scope, State &state) {
    Step step(StepKind::Loop);
    step.condition = random.chance(60)
                         ? static_cast<int>(random.below(numTrips))
                         : -1 - static_cast<int>(random.below(4));
    bool sync = random.chance(15);
    Scope inside = scope;
    ++inside.depth;
    inside.inLoop = true;
    // Two buffers that the loop carries, or one and what each iteration makes.
    unsigned carry = random.chance(30) ? random.between(1, 2) : 0;
    Id first = carry ? pickBuffer(scope) : 0;
    Id second = first && carry == 2 ? pickLike(scope, first) : 0;
    if (carry == 2 && (!second || device[first] != device[second]))
      first = second = 0;
    const Shape &carriedShape = program.shapeOf(first);
    if (carry == 1 &&
        (device[first] || carriedShape.strided || carriedShape.dynamicSize ||
         carriedShape.bytes || carriedShape.sizes.size() != 1))
      first = 0;
    State inner = state;
    Id init = 0;
    if (!sync) {
      init = random.chance(50) && !scope.tokens.empty()
                 ? random.pick(scope.tokens)
                 : join({}, block, scope, state);
      step.tokens = {init};
      inner = state;
      step.argumentToken = makeId();
      proves[step.argumentToken] = proves[init];
      proves[step.argumentToken].insert(step.argumentToken);
      inside.tokens = scope.tokens;
      inside.tokens.push_back(step.argumentToken);
      for (Id buffer : scope.buffers)
        for (Id storage : storages[buffer])
          inner.hazards[storage];
      for (auto &[storage, hazard] : inner.hazards) {
        hazard.writes.insert(step.argumentToken);
        hazard.reads.insert(step.argumentToken);
      }
    }
    if (first) {
      std::set<Id> both = storages[first];
      if (second)
        both.insert(storages[second].begin(), storages[second].end());
      step.buffers = {first};
      step.argumentBuffers = {
          makeBuffer(program.shapeOf(first), both, device[first])};
      if (second) {
        step.buffers.push_back(second);
        step.argumentBuffers.push_back(
            makeBuffer(program.shapeOf(second), both, device[first]));
      }
      for (Id id : step.argumentBuffers)
        inside.buffers.push_back(id);
    }
    std::set<Id> also;
    if (!sync)
      also.insert(step.argumentToken);
    Block body;
    if (first && !second) {
      // Each iteration hands its own buffer to the next.
      Step alloc(StepKind::Alloc);
      alloc.home = Home::MemRef;
      alloc.shape = program.shapeOf(first);
      Id fresh = makeBuffer(alloc.shape, {}, false);
      storages[fresh] = {fresh};
      homes[fresh] = Home::MemRef;
      alloc.results = {fresh};
      storages[step.argumentBuffers[0]].insert(fresh);
      if (!sync) {
        inner.hazards[fresh].writes.insert(step.argumentToken);
        inner.hazards[fresh].reads.insert(step.argumentToken);
      }
      inside.buffers.push_back(fresh);
      body = makeRegion(inside, inner, also, sync, 5);
      body.steps.insert(body.steps.begin(), std::move(alloc));
      body.buffers = {fresh};
    } else {
      body = makeRegion(inside, inner, also, sync, 5);
      if (second) {
        body.buffers = {step.argumentBuffers[1], step.argumentBuffers[0]};
        if (random.chance(25))
          std::swap(body.buffers[0], body.buffers[1]);
      }
    }
    std::set<Id> tokens = regionTokens;
    if (!sync) {
      tokens.insert(step.argumentToken);
      step.token = makeId();
      proves[step.token] = proves[init];
      proves[step.token].insert(step.token);
    }
    step.blocks.push_back(std::move(body));
    for (auto &[storage, hazard] : inner.hazards)
      if (isOuter(storage, scope) ||
          (first && storages[step.argumentBuffers[0]].count(storage)))
        state.hazards[storage];
    mergeHazards(state, inner, tokens, step.token);
    for (Id argument : step.argumentBuffers) {
      Id id = makeBuffer(program.shapeOf(argument), storages[argument],
                         device[argument]);
      step.results.push_back(id);
      scope.buffers.push_back(id);
    }
    Id token = step.token;
    block.steps.push_back(std::move(step));
    if (token)
      publish(token, scope);
  }

  void makeCall(Block &block, Scope &scope, State &state) {
    if (program.functions.empty())
      return;
    Step step(StepKind::Call);
    step.callee = random.below(static_cast<unsigned>(program.functions.size()));
    const Function &callee = program.functions[step.callee];
    std::set<Id> used;
    for (Id parameter : callee.buffers) {
      std::vector<Id> found;
      for (Id id : scope.buffers) {
        bool apart = !device[id] || device[parameter];
        for (Id storage : storages[id])
          apart &= !used.count(storage);
        if (apart && program.shapeOf(id) == program.shapeOf(parameter))
          found.push_back(id);
      }
      if (found.empty())
        return;
      step.buffers.push_back(random.pick(found));
      const std::set<Id> &of = storages[step.buffers.back()];
      used.insert(of.begin(), of.end());
    }
    std::set<Id> required;
    for (Id buffer : step.buffers)
      require(buffer, true, state, required);
    forget(required);
    if (callee.token) {
      std::vector<Id> tokens = maximal(required, state);
      step.tokens = {tokens.size() == 1 ? tokens.front()
                                        : join(tokens, block, scope, state)};
      step.token = makeToken(step.tokens, state);
      publish(step.token, scope);
    } else {
      wait(maximal(required, state), block, state);
    }
    for (Id buffer : step.buffers)
      access(buffer, true, step.token, state);
    block.steps.push_back(std::move(step));
  }

  void makeStep(Block &block, Scope &scope, State &state, std::set<Id> &own) {
    --budget;
    unsigned kind = random.below(100);
    if (scope.buffers.size() < 3 || kind < 14) {
      Shape shape =
          random.chance(88)
              ? Shape::vector(random.chance(3) ? 0
                                               : random.pick(sizesInElements))
              : Shape::raw(random.chance(50) ? 64 : 96);
      own.insert(allocate(shape, block, scope, state));
    } else if (kind < 24) {
      makeView(block, scope);
    } else if (kind < 26) {
      selectBuffer(block, scope);
    } else if (kind < 27) {
      selectToken(block, scope, state);
    } else if (kind < 27 + waitPercent / 3) {
      if (!scope.tokens.empty())
        wait({random.pick(scope.tokens)}, block, state);
    } else if (kind < 46 && scope.depth < maxDepth && budget > 2) {
      if (random.chance(50))
        makeBranch(block, scope, state);
      else
        makeLoop(block, scope, state);
    } else if (kind < 50) {
      makeCall(block, scope, state);
    } else if (kind < 53) {
      makeFree(block, scope, state, own);
    } else {
      makeAccess(block, scope, state);
    }
  }

  void makeFunction(const std::string &name, bool helper) {
    Function function;
    function.name = name;
    Scope scope;
    State state;
    created.clear();
    unsigned count = helper ? random.between(1, 2) : random.between(2, 3);
    for (unsigned i = 0; i < count; ++i) {
      Id id = makeBuffer(Shape::vector(random.pick(sizesInElements)), {},
                         helper && random.chance(devicePercent));
      storages[id] = {id};
      function.buffers.push_back(id);
      scope.buffers.push_back(id);
      state.initialised.insert(id);
    }
    Block &body = function.body;
    if (helper && random.chance(75)) {
      function.token = makeId();
      proves[function.token] = {function.token};
      scope.tokens.push_back(function.token);
      for (Id id : function.buffers)
        state.hazards[id].writes = state.hazards[id].reads = {function.token};
    } else {
      join({}, body, scope, state);
    }
    std::set<Id> own;
    while (budget > 0)
      makeStep(body, scope, state, own);
    // What is left there at the end can be seen outside.
    if (!helper)
      for (Id id : std::vector<Id>(scope.buffers))
        if (own.count(id) && random.chance(40))
          copyOut(id, body, scope, state);
    while (!own.empty() && random.chance(40))
      makeFree(body, scope, state, own);
    std::set<Id> all = created;
    if (function.token) {
      all.insert(function.token);
      std::vector<Id> tokens = maximal(all, state);
      body.token = tokens.size() == 1 ? tokens.front()
                                      : join(tokens, body, scope, state);
    } else if (helper || random.chance(85) || settled) {
      wait(maximal(all, state), body, state);
    }
    program.functions.push_back(std::move(function));
  }

  void copyOut(Id id, Block &block, Scope &scope, State &state) {
    for (Id target : scope.buffers) {
      if (storages[target] != std::set<Id>{target} || homes.count(target) ||
          !(program.shapeOf(target) == program.shapeOf(id)))
        continue;
      Step step(StepKind::Access);
      step.access = AccessKind::Memcpy;
      step.buffers = {target, id};
      step.async = true;
      std::set<Id> required;
      require(target, true, state, required);
      require(id, false, state, required);
      step.tokens = depend(required, block, scope, state);
      step.token = makeToken(step.tokens, state);
      publish(step.token, scope);
      access(target, true, step.token, state);
      access(id, false, step.token, state);
      block.steps.push_back(std::move(step));
      return;
    }
  }

  static constexpr Kernel kernels[] = {
      Kernel::Fill, Kernel::Map,        Kernel::Map, Kernel::Add,
      Kernel::Add,  Kernel::Accumulate, Kernel::Part};

  Random random;
  Program program;
  unsigned budget, streams = 1, waitPercent = 0, devicePercent = 0;
  bool settled;
  /// By token: the tokens whose work has ended when it is ready.
  std::vector<std::set<Id>> proves;
  /// By buffer: the allocations and arguments that it may lie in.
  std::vector<std::set<Id>> storages;
  /// By buffer: the host must not touch it.
  std::vector<bool> device;
  std::map<Id, Home> homes;
  /// Tokens made in the region at hand; those of the region just made.
  std::set<Id> created, regionTokens;
};

} // namespace

Program generate(uint64_t seed, unsigned size, bool settled) {
  return Generator(seed, size, settled).run();
}

} // namespace transient::fuzz
