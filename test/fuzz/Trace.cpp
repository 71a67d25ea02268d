//===- Trace.cpp - What one execution of a function issues ----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "Kernels.h"
#include "Random.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

using namespace mlir;

namespace transient::fuzz {

bool Access::overlaps(const Access &other) const {
  if (allocation != other.allocation)
    return false;
  size_t i = 0, j = 0;
  while (i < elements.size() && j < other.elements.size()) {
    if (elements[i] + width <= other.elements[j])
      ++i;
    else if (other.elements[j] + other.width <= elements[i])
      ++j;
    else
      return true;
  }
  return false;
}

std::vector<int> Trace::accesses() const {
  std::vector<int> result;
  for (size_t i = 0; i < instances.size(); ++i)
    if (instances[i].kind == InstanceKind::Access)
      result.push_back(static_cast<int>(i));
  return result;
}

namespace {

struct Buffer {
  int allocation = -1;
  /// In bytes.
  int64_t offset = 0;
  SmallVector<int64_t, 2> sizes, strides;
  int64_t width = 4, tenant = 0;
  /// Where the descriptor's pointer points, in bytes.
  int64_t base = 0;
};

/// Work that has ended when a token is ready.
struct Token {
  Instances ended, direct;
};

/// What an SSA value is.
struct Datum {
  int64_t number = 0;
  Scalar scalar;
  Buffer buffer;
  Token token;
};

using Data = SmallVector<Datum, 4>;

/// References into it stay valid while it grows.
class ValueMap {
public:
  Datum &operator[](Value value) { return map[value.getAsOpaquePointer()]; }

private:
  std::unordered_map<const void *, Datum> map;
};

class Tracer {
public:
  Tracer(ModuleOp module, const Valuation &valuation)
      : module(module), valuation(valuation) {}

  Trace run() {
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return fail("no @main"), std::move(out);
    Data arguments;
    unsigned conditions = 0, trips = 0;
    for (Type type : main.getArgumentTypes()) {
      Datum datum;
      if (auto memref = dyn_cast<MemRefType>(type)) {
        datum.buffer = allocate(memref, 64, /*argument=*/true);
        if (memref.getElementType().isInteger(1))
          flags.push_back(datum.buffer.allocation);
      } else if (type.isInteger(1)) {
        datum.number = (valuation.conditions >> conditions++) & 1;
      } else if (type.isIndex()) {
        datum.number = valuation.trips[trips++ % numTrips];
      } else {
        datum.scalar.value = 7;
      }
      arguments.push_back(datum);
    }
    runRegion(main.getBody(), arguments);
    return std::move(out);
  }

private:
  void fail(const Twine &why) {
    if (out.unsupported.empty())
      out.unsupported = why.str();
  }
  bool stopped() const { return !out.unsupported.empty(); }

  Buffer allocate(MemRefType type, int64_t alignment, bool argument) {
    Buffer buffer = shapeOf(type);
    buffer.allocation = static_cast<int>(out.allocations.size());
    Allocation made;
    made.bytes = buffer.width;
    for (int64_t size : buffer.sizes)
      made.bytes *= size;
    made.alignment = made.requested = alignment;
    made.argument = argument;
    out.allocations.push_back(made);
    return buffer;
  }

  Buffer shapeOf(MemRefType type) {
    Buffer buffer;
    buffer.width = type.getElementType().isIntOrFloat()
                       ? std::max(1u, type.getElementTypeBitWidth() / 8)
                       : 8;
    buffer.sizes = SmallVector<int64_t, 2>(type.getShape());
    int64_t stride = 1;
    buffer.strides.resize(buffer.sizes.size());
    for (size_t i = buffer.sizes.size(); i-- > 0;) {
      if (ShapedType::isDynamic(buffer.sizes[i]))
        fail("an allocation of dynamic size");
      buffer.strides[i] = stride;
      stride *= buffer.sizes[i];
    }
    return buffer;
  }

  //===--------------------------------------------------------------------===//
  // Instances
  //===--------------------------------------------------------------------===//

  Access accessOf(Value value, bool read, bool write) {
    const Buffer &buffer = values[value].buffer;
    Access access;
    access.allocation = buffer.allocation;
    access.read = read;
    access.write = write;
    access.width = buffer.width;
    access.tenant = buffer.tenant;
    int64_t count = 1;
    for (int64_t size : buffer.sizes)
      count *= size;
    if (count > 4096) {
      fail("a large buffer");
      return access;
    }
    access.elements.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, at = 0;
      for (size_t d = buffer.sizes.size(); d-- > 0;) {
        at += rest % buffer.sizes[d] * buffer.strides[d];
        rest /= buffer.sizes[d];
      }
      access.elements.push_back(buffer.offset + at * buffer.width);
    }
    return access;
  }

  Access elementOf(Value value, OperandRange indices, bool read, bool write) {
    Access access = accessOf(value, read, write);
    const Buffer &buffer = values[value].buffer;
    int64_t at = 0;
    for (auto [index, stride] : llvm::zip(indices, buffer.strides))
      at += values[index].number * stride;
    access.elements = {buffer.offset + at * buffer.width};
    return access;
  }

  Token joined(ValueRange tokens) {
    Token token;
    for (Value value : tokens) {
      token.ended |= values[value].token.ended;
      token.direct |= values[value].token.direct;
    }
    return token;
  }

  /// Issues an instance that waits for `tokens`; it blocks the host unless
  /// `result` is its token.
  void issue(Instance instance, ValueRange tokens, Value result) {
    if (out.instances.size() >= maxInstances) {
      fail("too many instances");
      return;
    }
    size_t number = out.instances.size();
    Token token = joined(tokens);
    instance.blocking = !result;
    instance.after = token.direct;
    instance.before = host | token.ended;
    HostStep step;
    step.instance = static_cast<int>(number);
    if (instance.blocking)
      step.waits = token.direct;
    out.host.push_back(step);
    token.ended = instance.before;
    token.ended.set(number);
    if (result) {
      token.direct.reset();
      token.direct.set(number);
      values[result].token = token;
    } else {
      host = token.ended;
    }
    out.instances.push_back(std::move(instance));
  }

  void issueAccess(Operation *op, Meaning meaning, std::vector<Access> accesses,
                   ValueRange tokens = {}, Value result = {},
                   Scalar scalar = {}) {
    Instance instance;
    instance.op = op;
    instance.meaning = meaning;
    instance.accesses = std::move(accesses);
    instance.scalar = scalar;
    issue(std::move(instance), tokens, result);
  }

  void issueFree(Operation *op, Value memref, ValueRange tokens, Value result) {
    Instance instance;
    instance.op = op;
    instance.kind = InstanceKind::Free;
    instance.allocation = values[memref].buffer.allocation;
    issue(std::move(instance), tokens, result);
  }

  //===--------------------------------------------------------------------===//
  // Views
  //===--------------------------------------------------------------------===//

  int64_t valueOf(OpFoldResult result) {
    if (auto attribute = dyn_cast<Attribute>(result))
      return cast<IntegerAttr>(attribute).getInt();
    return values[cast<Value>(result)].number;
  }

  void tenantOf(Buffer &buffer, Operation *op, std::optional<int64_t> tenant) {
    if (!tenant)
      return;
    // A view in a loop is a buffer of its own in each iteration.
    // Numbers count within the storage that is divided, which may be a tenant.
    auto [it, isNew] = tenants.try_emplace(
        {buffer.tenant, *tenant, executions[op]++}, tenants.size() + 1);
    buffer.tenant = it->second;
  }

  void place(Operation *op, Value source, Value result, int64_t offset,
             std::optional<int64_t> tenant) {
    Buffer buffer = shapeOf(cast<MemRefType>(result.getType()));
    const Buffer from = values[source].buffer;
    buffer.allocation = from.allocation;
    buffer.offset = from.offset + offset;
    buffer.base = buffer.offset;
    buffer.tenant = from.tenant;
    tenantOf(buffer, op, tenant);
    values[result].buffer = buffer;
  }

  void subview(memref::SubViewOp op) {
    Buffer buffer = values[op.getSource()].buffer;
    SmallVector<int64_t, 2> sizes, strides;
    for (auto [i, offset] : llvm::enumerate(op.getMixedOffsets())) {
      buffer.offset += valueOf(offset) * buffer.strides[i] * buffer.width;
      sizes.push_back(valueOf(op.getMixedSizes()[i]));
      strides.push_back(valueOf(op.getMixedStrides()[i]) * buffer.strides[i]);
    }
    if (op.getType().getRank() != static_cast<int64_t>(sizes.size()))
      fail("a subview of lower rank");
    buffer.sizes = sizes;
    buffer.strides = strides;
    values[op.getResult()].buffer = buffer;
  }

  /// A view with the same bytes in a static type.
  void reshape(Value source, Value result) {
    Buffer buffer = values[source].buffer;
    auto type = cast<MemRefType>(result.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return fail("a layout without strides");
    buffer.sizes = SmallVector<int64_t, 2>(type.getShape());
    buffer.strides.assign(strides.begin(), strides.end());
    if (!type.hasStaticShape() || llvm::any_of(strides, ShapedType::isDynamic))
      fail("a reshape to a dynamic shape");
    values[result].buffer = buffer;
  }

  void reinterpret(memref::ReinterpretCastOp op) {
    // Its offset counts from where the descriptor points, not from the
    // source's.
    Buffer buffer = values[op.getSource()].buffer;
    buffer.offset =
        buffer.base + valueOf(op.getMixedOffsets()[0]) * buffer.width;
    buffer.sizes.clear();
    buffer.strides.clear();
    for (OpFoldResult size : op.getMixedSizes())
      buffer.sizes.push_back(valueOf(size));
    for (OpFoldResult stride : op.getMixedStrides())
      buffer.strides.push_back(valueOf(stride));
    values[op.getResult()].buffer = buffer;
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  Data get(ValueRange range) {
    Data data;
    for (Value value : range)
      data.push_back(values[value]);
    return data;
  }
  void set(ValueRange range, const Data &data) {
    for (auto [value, datum] : llvm::zip(range, data))
      values[value] = datum;
  }

  /// Runs a region to its end; returns what its last terminator hands on.
  Data runRegion(Region &region, const Data &arguments) {
    mlir::Block *block = &region.front();
    Data incoming = arguments;
    for (unsigned steps = 0; !stopped(); ++steps) {
      if (steps > 4096) {
        fail("a cycle of blocks without end");
        break;
      }
      set(block->getArguments(), incoming);
      for (Operation &op : block->without_terminator()) {
        runOp(&op);
        if (stopped())
          return {};
      }
      Operation *end = block->getTerminator();
      if (auto branch = dyn_cast<cf::BranchOp>(end)) {
        incoming = get(branch.getDestOperands());
        block = branch.getDest();
      } else if (auto branch = dyn_cast<cf::CondBranchOp>(end)) {
        bool taken = values[branch.getCondition()].number;
        incoming = get(taken ? branch.getTrueDestOperands()
                             : branch.getFalseDestOperands());
        block = taken ? branch.getTrueDest() : branch.getFalseDest();
      } else if (auto branch = dyn_cast<cf::SwitchOp>(end)) {
        int64_t flag = values[branch.getFlag()].number;
        incoming = get(branch.getDefaultOperands());
        mlir::Block *next = branch.getDefaultDestination();
        if (branch.getCaseValues())
          for (auto [i, value] :
               llvm::enumerate(branch.getCaseValues()->getValues<APInt>()))
            if (value.getSExtValue() == flag) {
              incoming = get(branch.getCaseOperands(i));
              next = branch.getCaseDestinations()[i];
            }
        block = next;
      } else {
        return get(end->getOperands());
      }
    }
    return {};
  }

  void runFor(scf::ForOp op) {
    int64_t at = values[op.getLowerBound()].number;
    int64_t end = values[op.getUpperBound()].number;
    int64_t step = values[op.getStep()].number;
    Data carried = get(op.getInitArgs());
    if (step <= 0)
      return fail("a loop without a step");
    for (; at < end && !stopped(); at += step) {
      Data arguments(1);
      arguments[0].number = at;
      arguments.append(carried.begin(), carried.end());
      carried = runRegion(op.getRegion(), arguments);
    }
    if (!stopped())
      set(op.getResults(), carried);
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  void launch(gpu::LaunchFuncOp op) {
    const KernelMeaning *meaning = findMeaning(op.getKernelName().str());
    if (!meaning)
      return fail("an unknown kernel");
    std::vector<Access> accesses;
    for (Value operand : op.getKernelOperands())
      accesses.push_back(accessOf(
          operand, !accesses.empty() || meaning->readsFirst, accesses.empty()));
    if (meaning->half)
      accesses[0].elements.resize(accesses[0].elements.size() / 2);
    issueAccess(op,
                accesses.size() > 1 || meaning->readsFirst ? Meaning::Map
                                                           : Meaning::Set,
                std::move(accesses), op.getAsyncDependencies(),
                op.getAsyncToken());
  }

  void loadFlag(memref::LoadOp op) {
    const Buffer &buffer = values[op.getMemref()].buffer;
    size_t which = llvm::find(flags, buffer.allocation) - flags.begin();
    int64_t index = values[op.getIndices()[0]].number;
    values[op.getResult()].number =
        which < numFlags ? (valuation.flags[which] >> index) & 1 : 0;
  }

  void foldNumbers(Operation *op) {
    SmallVector<Attribute> operands;
    for (Value value : op->getOperands()) {
      if (!value.getType().isIntOrIndex())
        return fail("an op that the interpreter does not know: " +
                    op->getName().getStringRef());
      operands.push_back(
          IntegerAttr::get(value.getType(), values[value].number));
    }
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) ||
        results.size() != op->getNumResults())
      return fail("an op that the interpreter does not know: " +
                  op->getName().getStringRef());
    for (auto [value, result] : llvm::zip(op->getResults(), results)) {
      if (auto attribute = dyn_cast<Attribute>(result))
        values[value].number = cast<IntegerAttr>(attribute).getInt();
      else
        values[value] = values[cast<Value>(result)];
    }
  }

  void runOp(Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case([&](arith::ConstantOp op) {
          if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
            values[op].number =
                number.getInt() &
                (number.getType().isInteger(1) ? 1 : ~int64_t(0));
          else
            values[op].scalar.value = 11;
        })
        .Case([&](arith::SelectOp op) {
          values[op] =
              values[values[op.getCondition()].number ? op.getTrueValue()
                                                      : op.getFalseValue()];
        })
        .Case([&](gpu::WaitOp op) {
          Token token = joined(op.getAsyncDependencies());
          if (op.getAsyncToken()) {
            token.ended |= host;
            values[op.getAsyncToken()].token = token;
            return;
          }
          host |= token.ended;
          HostStep step;
          step.waits = token.direct;
          out.host.push_back(step);
        })
        .Case([&](gpu::AllocOp op) {
          // What every device's allocator gives; the op has no way to say it.
          Buffer buffer = allocate(op.getType(), 256, false);
          values[op.getMemref()].buffer = buffer;
          out.allocations.back().requested = buffer.width;
          out.allocations.back().ofMain = isOfMain(op);
          if (!op.getAsyncToken()) {
            host |= joined(op.getAsyncDependencies()).ended;
            HostStep step;
            step.waits = joined(op.getAsyncDependencies()).direct;
            out.host.push_back(step);
            return;
          }
          out.allocations.back().made = static_cast<int>(out.instances.size());
          Instance instance;
          instance.op = op;
          instance.kind = InstanceKind::Alloc;
          instance.allocation = buffer.allocation;
          issue(std::move(instance), op.getAsyncDependencies(),
                op.getAsyncToken());
        })
        .Case([&](gpu::DeallocOp op) {
          issueFree(op, op.getMemref(), op.getAsyncDependencies(),
                    op.getAsyncToken());
        })
        .Case([&](memref::DeallocOp op) {
          issueFree(op, op.getMemref(), {}, {});
        })
        .Case([&](gpu::MemsetOp op) {
          issueAccess(op, Meaning::Set, {accessOf(op.getDst(), false, true)},
                      op.getAsyncDependencies(), op.getAsyncToken(),
                      values[op.getValue()].scalar);
        })
        .Case([&](gpu::MemcpyOp op) {
          issueAccess(op, Meaning::Copy,
                      {accessOf(op.getDst(), false, true),
                       accessOf(op.getSrc(), true, false)},
                      op.getAsyncDependencies(), op.getAsyncToken());
        })
        .Case([&](gpu::LaunchFuncOp op) { launch(op); })
        .Case([&](memref::AllocOp op) {
          values[op].buffer = allocate(op.getType(), alignmentOf(op), false);
          out.allocations.back().ofMain = isOfMain(op);
        })
        .Case([&](AllocOp op) {
          // One that was not placed; it is lowered to an allocation.
          values[op.getBuffer()].buffer =
              allocate(cast<MemRefType>(op.getBuffer().getType()), 256, false);
        })
        .Case([&](ArenaOp op) {
          values[op.getStorage()].buffer =
              allocate(cast<MemRefType>(op.getStorage().getType()),
                       op.getAlignment(), false);
          out.allocations.back().ofMain = isOfMain(op);
        })
        .Case([&](ViewOp op) {
          place(op, op.getSource(), op.getBuffer(), op.getOffset(),
                op.getTenant());
        })
        .Case([&](memref::ViewOp op) {
          std::optional<int64_t> tenant;
          if (auto number = op->getAttrOfType<IntegerAttr>("tenant"))
            tenant = number.getInt();
          place(op, op.getSource(), op.getResult(),
                values[op.getByteShift()].number, tenant);
        })
        .Case([&](memref::SubViewOp op) { subview(op); })
        .Case([&](memref::CastOp op) {
          values[op.getResult()].buffer = values[op.getSource()].buffer;
        })
        .Case<memref::ExpandShapeOp, memref::CollapseShapeOp>(
            [&](auto op) { reshape(op.getSrc(), op.getResult()); })
        .Case([&](memref::ReinterpretCastOp op) { reinterpret(op); })
        .Case([&](memref::StoreOp op) {
          issueAccess(op, Meaning::Set,
                      {elementOf(op.getMemref(), op.getIndices(), false, true)},
                      {}, {}, values[op.getValue()].scalar);
        })
        .Case([&](memref::LoadOp op) {
          if (op.getType().isInteger(1))
            return loadFlag(op);
          values[op.getResult()].scalar.loadedBy =
              static_cast<int>(out.instances.size());
          issueAccess(
              op, Meaning::Load,
              {elementOf(op.getMemref(), op.getIndices(), true, false)});
        })
        .Case([&](memref::CopyOp op) {
          issueAccess(op, Meaning::Copy,
                      {accessOf(op.getTarget(), false, true),
                       accessOf(op.getSource(), true, false)});
        })
        .Case([&](linalg::FillOp op) {
          issueAccess(op, Meaning::Set,
                      {accessOf(op.getOutputs()[0], false, true)});
        })
        .Case([&](linalg::AddOp op) {
          issueAccess(op, Meaning::Map,
                      {accessOf(op.getOutputs()[0], false, true),
                       accessOf(op.getInputs()[0], true, false),
                       accessOf(op.getInputs()[1], true, false)});
        })
        .Case([&](scf::IfOp op) {
          bool taken = values[op.getCondition()].number;
          Region &region = taken ? op.getThenRegion() : op.getElseRegion();
          if (!region.empty())
            set(op.getResults(), runRegion(region, {}));
        })
        .Case([&](scf::IndexSwitchOp op) {
          int64_t arg = values[op.getArg()].number;
          Region *region = &op.getDefaultRegion();
          for (auto [i, value] : llvm::enumerate(op.getCases()))
            if (value == arg)
              region = &op.getCaseRegions()[i];
          set(op.getResults(), runRegion(*region, {}));
        })
        .Case([&](scf::ForOp op) { runFor(op); })
        .Case([&](scf::ExecuteRegionOp op) {
          set(op.getResults(), runRegion(op.getRegion(), {}));
        })
        .Case([&](func::CallOp op) {
          auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
          if (!callee || callee.isExternal())
            return fail("a call of what has no body");
          Data results = runRegion(callee.getBody(), get(op.getOperands()));
          set(op.getResults(), results);
        })
        .Default([&](Operation *op) { foldNumbers(op); });
  }

  static bool isOfMain(Operation *op) {
    return op->getParentOfType<func::FuncOp>().getName() == "main";
  }

  static int64_t alignmentOf(memref::AllocOp op) {
    return op.getAlignment().value_or(
        std::max(1u, op.getType().getElementTypeBitWidth() / 8));
  }

  ModuleOp module;
  const Valuation &valuation;
  Trace out;
  ValueMap values;
  DenseMap<Operation *, int64_t> executions;
  std::map<std::array<int64_t, 3>, int64_t> tenants;
  SmallVector<int> flags;
  /// What has ended at the host's point.
  Instances host;
};

} // namespace

Trace trace(ModuleOp module, const Valuation &valuation) {
  return Tracer(module, valuation).run();
}

} // namespace transient::fuzz
