//===- Faults.cpp - Damage to planned programs ----------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header. Every kind lists the places where it could happen, in the
// order of the program; one is then chosen.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

#include <functional>

using namespace mlir;

namespace transient::fuzz {

const char *toString(FaultKind kind) {
  static constexpr const char *names[] = {"drop one token",
                                          "last token instead of join",
                                          "token of an earlier operation",
                                          "drop a host wait",
                                          "host wait one operation late",
                                          "blocking operation made async",
                                          "forget a branch's token",
                                          "forget a loop's token",
                                          "loop hands on its first token",
                                          "forget a callee's token",
                                          "use before the allocation is done",
                                          "shift a view",
                                          "half-open for inclusive",
                                          "alias two tenants",
                                          "alias across a loop",
                                          "swap two offsets",
                                          "misalign a view",
                                          "shrink the arena",
                                          "offset overflows",
                                          "free one operation early",
                                          "free forgets a user",
                                          "free twice"};
  return names[static_cast<unsigned>(kind)];
}

bool isFaultOfPlacement(FaultKind kind) {
  return kind >= FaultKind::ShiftView && kind <= FaultKind::OffsetOverflow;
}

namespace {

using Places = std::vector<std::function<void()>>;

/// A view that places a buffer in an arena, before or after lowering.
struct Placed {
  Operation *op = nullptr;
  Value source;
  int64_t offset = 0, bytes = 0;

  void moveTo(int64_t to) const {
    if (auto view = dyn_cast<ViewOp>(op)) {
      view.setOffset(to);
      return;
    }
    OpBuilder builder(op);
    auto view = cast<memref::ViewOp>(op);
    view.getByteShiftMutable().assign(
        arith::ConstantIndexOp::create(builder, op->getLoc(), to));
  }
};

class Saboteur {
public:
  Saboteur(ModuleOp module, Random &random) : module(module), random(random) {
    module.walk([&](Operation *op) {
      Placed placed;
      placed.op = op;
      if (auto view = dyn_cast<ViewOp>(op)) {
        placed.source = view.getSource();
        placed.offset = view.getOffset();
        placed.bytes = view.getSizeInBytes();
        views.push_back(placed);
      } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
        APInt shift;
        if (!op->hasAttr("tenant") || !view.getType().hasStaticShape() ||
            !matchPattern(view.getByteShift(), m_ConstantInt(&shift)))
          return;
        placed.source = view.getSource();
        placed.offset = shift.getSExtValue();
        placed.bytes = view.getType().getNumElements() *
                       view.getType().getElementTypeBitWidth() / 8;
        views.push_back(placed);
      }
    });
  }

  Places find(FaultKind kind) {
    switch (kind) {
    case FaultKind::DropToken:
      forEachToken([&](Operation *op, unsigned i) {
        add([op, i] { eraseTokens(op, i, 1); });
      });
      break;
    case FaultKind::LastToken:
      module.walk([&](gpu::AsyncOpInterface op) {
        unsigned count = op.getAsyncDependencies().size();
        if (count > 1)
          add([op, count] { eraseTokens(op, 0, count - 1); });
      });
      break;
    case FaultKind::StaleToken:
      staleTokens();
      break;
    case FaultKind::DropWait:
      module.walk([&](gpu::WaitOp op) {
        if (!op.getAsyncToken())
          add([op] { op->erase(); });
      });
      break;
    case FaultKind::LateWait:
      module.walk([&](gpu::WaitOp op) {
        Operation *next = op->getNextNode();
        if (!op.getAsyncToken() && !next->hasTrait<OpTrait::IsTerminator>())
          add([op, next] { op->moveAfter(next); });
      });
      break;
    case FaultKind::Unblock:
      module.walk([&](Operation *op) {
        if (isa<gpu::MemsetOp, gpu::MemcpyOp, gpu::LaunchFuncOp>(op) &&
            op->getNumResults() == 0)
          add([op] { unblock(op); });
      });
      break;
    case FaultKind::ForgetBranchToken:
      forgetTokens<scf::IfOp, scf::IndexSwitchOp>();
      break;
    case FaultKind::ForgetLoopToken:
      forgetTokens<scf::ForOp>();
      break;
    case FaultKind::ForgetCalleeToken:
      forgetTokens<func::FuncOp>();
      break;
    case FaultKind::StaleLoopToken:
      module.walk([&](scf::ForOp loop) {
        Operation *yield = loop.getBody()->getTerminator();
        for (OpOperand &operand : yield->getOpOperands())
          if (isa<gpu::AsyncTokenType>(operand.get().getType())) {
            Value argument = loop.getRegionIterArg(operand.getOperandNumber());
            if (argument != operand.get())
              add([&operand, argument] { operand.set(argument); });
          }
      });
      break;
    case FaultKind::ForgetAllocToken:
      forEachToken([&](Operation *op, unsigned i) {
        if (op->getOperand(i).getDefiningOp<gpu::AllocOp>())
          add([op, i] { eraseTokens(op, i, 1); });
      });
      break;
    case FaultKind::ShiftView:
      for (const Placed &view : views) {
        int64_t by = 4 * random.between(1, 8);
        int64_t to = random.chance(50) && view.offset >= by ? view.offset - by
                                                            : view.offset + by;
        add([view, to] { view.moveTo(to); });
      }
      break;
    case FaultKind::HalfOpen:
      for (const Placed &view : views)
        for (const Placed &other : views)
          if (other.source == view.source &&
              other.offset + other.bytes == view.offset && view.offset >= 4)
            add([view] { view.moveTo(view.offset - 4); });
      break;
    case FaultKind::AliasTenants:
      forEachPair([&](const Placed &a, const Placed &b) {
        if (a.offset != b.offset)
          add([a, b] { a.moveTo(b.offset); });
      });
      break;
    case FaultKind::AliasAcrossLoop:
      forEachPair([&](const Placed &a, const Placed &b) {
        if (a.offset != b.offset && isUsedInLoop(a) && isUsedInLoop(b))
          add([a, b] { a.moveTo(b.offset); });
      });
      break;
    case FaultKind::SwapOffsets:
      forEachPair([&](const Placed &a, const Placed &b) {
        if (a.offset < b.offset)
          add([a, b] {
            a.moveTo(b.offset);
            b.moveTo(a.offset);
          });
      });
      break;
    case FaultKind::Misalign:
      for (const Placed &view : views) {
        int64_t by = random.between(1, 3);
        add([view, by] { view.moveTo(view.offset + by); });
      }
      break;
    case FaultKind::ShrinkArena:
      shrinkArenas();
      break;
    case FaultKind::OffsetOverflow:
      for (const Placed &view : views) {
        int64_t by = int64_t(1) << random.between(31, 62);
        add([view, by] { view.moveTo(view.offset + by); });
      }
      break;
    case FaultKind::EarlyFree:
      forEachFree([&](Operation *op) {
        Operation *before = op->getPrevNode();
        for (unsigned i = random.below(4); i && before; --i)
          before = before->getPrevNode() ? before->getPrevNode() : before;
        if (before && isDefinedBefore(op, before))
          add([op, before] { op->moveBefore(before); });
      });
      break;
    case FaultKind::FreeForgetsUser:
      forEachFree([&](Operation *op) {
        forEachDependencyOf(op, [&](Operation *user, unsigned i) {
          add([user, i] { eraseTokens(user, i, 1); });
        });
      });
      break;
    case FaultKind::DoubleFree:
      forEachFree([&](Operation *op) {
        add([op] {
          OpBuilder builder(op->getContext());
          builder.setInsertionPointAfter(op);
          builder.clone(*op);
        });
      });
      break;
    }
    return std::move(places);
  }

private:
  void add(std::function<void()> place) { places.push_back(std::move(place)); }

  static void eraseTokens(Operation *op, unsigned first, unsigned count) {
    // These keep the sizes of their groups of operands.
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      launch.getAsyncDependenciesMutable().erase(first, count);
    else if (auto alloc = dyn_cast<gpu::AllocOp>(op))
      alloc.getAsyncDependenciesMutable().erase(first, count);
    else
      op->eraseOperands(first, count);
  }

  template <typename Function>
  void forEachToken(Function function) {
    module.walk([&](gpu::AsyncOpInterface op) {
      for (unsigned i = 0; i < op.getAsyncDependencies().size(); ++i)
        function(op.getOperation(), i);
    });
  }

  template <typename Function>
  void forEachPair(Function function) {
    for (const Placed &a : views)
      for (const Placed &b : views)
        if (a.op != b.op && a.source == b.source)
          function(a, b);
  }

  template <typename Function>
  void forEachFree(Function function) {
    module.walk([&](Operation *op) {
      if (isa<gpu::DeallocOp, memref::DeallocOp>(op))
        function(op);
    });
  }

  /// The tokens that a free waits for: its own, those of a join before it, and
  /// of the host wait before it.
  template <typename Function>
  void forEachDependencyOf(Operation *op, Function function) {
    if (auto dealloc = dyn_cast<gpu::DeallocOp>(op))
      for (unsigned i = 0; i < dealloc.getAsyncDependencies().size(); ++i) {
        function(op, i);
        auto join =
            dealloc.getAsyncDependencies()[i].getDefiningOp<gpu::WaitOp>();
        for (unsigned j = 0; join && j < join.getAsyncDependencies().size();
             ++j)
          function(join.getOperation(), j);
      }
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode()) {
      auto wait = dyn_cast<gpu::WaitOp>(before);
      if (!wait || wait.getAsyncToken())
        continue;
      for (unsigned i = 0; i < wait.getAsyncDependencies().size(); ++i)
        function(before, i);
      break;
    }
  }

  static bool isDefinedBefore(Operation *op, Operation *point) {
    for (Value operand : op->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (definition && definition->getBlock() == point->getBlock() &&
          !definition->isBeforeInBlock(point))
        return false;
    }
    return true;
  }

  static bool isUsedInLoop(const Placed &view) {
    for (Operation *user : view.op->getUsers())
      if (user->getParentOfType<scf::ForOp>())
        return true;
    return false;
  }

  void staleTokens() {
    module.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands()) {
        auto producer = operand.get().getDefiningOp<gpu::AsyncOpInterface>();
        if (!producer)
          continue;
        for (Value earlier : producer.getAsyncDependencies())
          add([&operand, earlier] { operand.set(earlier); });
      }
    });
  }

  /// Lets the regions of these ops hand on a token that proves nothing.
  template <typename... Ops>
  void forgetTokens() {
    module.walk([&](Operation *op) {
      if (!isa<Ops...>(op))
        return;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (block.mightHaveTerminator())
            for (OpOperand &operand : block.getTerminator()->getOpOperands())
              if (isa<gpu::AsyncTokenType>(operand.get().getType()) &&
                  isa<scf::YieldOp, func::ReturnOp>(operand.getOwner()))
                add([&operand] {
                  OpBuilder builder(operand.getOwner());
                  operand.set(
                      gpu::WaitOp::create(builder, operand.getOwner()->getLoc(),
                                          operand.get().getType(), ValueRange())
                          .getAsyncToken());
                });
    });
  }

  static void unblock(Operation *op) {
    OpBuilder builder(op);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(op->getOperands());
    state.addAttributes(op->getAttrs());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    state.addTypes(gpu::AsyncTokenType::get(op->getContext()));
    builder.create(state);
    op->erase();
  }

  void shrinkArenas() {
    DenseMap<Value, int64_t> ends;
    SmallVector<Value> arenas;
    for (const Placed &view : views) {
      auto [it, isNew] = ends.try_emplace(view.source, 0);
      it->second = std::max(it->second, view.offset + view.bytes);
      if (isNew && view.source.getDefiningOp())
        arenas.push_back(view.source);
    }
    for (Value arena : arenas) {
      int64_t end = ends[arena];
      int64_t by = 4 * random.between(1, 4);
      if (end > by)
        add([arena, end, by] {
          auto type = cast<MemRefType>(arena.getType());
          Value value = arena;
          value.setType(MemRefType::get({end - by}, type.getElementType(),
                                        type.getLayout(),
                                        type.getMemorySpace()));
        });
    }
  }

  ModuleOp module;
  Random &random;
  std::vector<Placed> views;
  Places places;
};

} // namespace

bool damage(ModuleOp module, FaultKind kind, Random &random) {
  Places places = Saboteur(module, random).find(kind);
  if (places.empty())
    return false;
  random.pick(places)();
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  return succeeded(verify(module));
}

} // namespace transient::fuzz
