//===- Materialize.cpp - Replace placed requests by views -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-materialize. Writes what the placements say; whether they are
// safe is for transient-verify to find out.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/CallTree.h"
#include "transient/Analysis/Liveness.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/IR/BufferSize.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace transient {
#define GEN_PASS_DEF_TRANSIENTMATERIALIZEPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// A request and the tenant number that its view will carry.
struct Tenant {
  unsigned index;
  AllocOp request;
  /// The call that a workspace is for. Kept, since what is put before the call
  /// hides it from the request.
  func::CallOp call;
};

/// One physical buffer of a function: what its tenants add up to.
struct Physical {
  std::vector<Tenant> tenants;
  int64_t bytes = 0;
  int64_t alignment = 1;
  std::optional<Usage> usage;
};

LogicalResult addTenant(Physical &physical, unsigned index, AllocOp request) {
  MemRefType type = request.getMemRefType();
  BufferSize size = getBufferSize(type, request);
  if (!size.isKnown())
    return request.emitOpError()
           << "has a placement but no static size and identity layout";
  if (!physical.tenants.empty()) {
    AllocOp other = physical.tenants.front().request;
    if (other.getKind() != request.getKind() ||
        other.getMemRefType().getMemorySpace() != type.getMemorySpace()) {
      InFlightDiagnostic diagnostic =
          request.emitOpError() << "is placed in physical buffer "
                                << request.getPlacementAttr().getPhysical()
                                << " with a buffer of another kind or memory "
                                   "space";
      diagnostic.attachNote(other.getLoc()) << "the other buffer is here";
      return failure();
    }
  }
  PlacementAttr placement = request.getPlacementAttr();
  physical.bytes =
      std::max(physical.bytes, placement.getOffset() + placement.getBytes());
  physical.alignment =
      std::max<int64_t>({physical.alignment, (int64_t)size.alignment,
                         (int64_t)request.getAlignment().value_or(1)});
  if (request.getUsage())
    physical.usage = physical.usage.value_or(Usage::None) | *request.getUsage();
  physical.tenants.push_back({index, request, getOwnerCall(request)});
  return success();
}

struct MaterializePass
    : public transient::impl::TransientMaterializePassBase<MaterializePass> {
  using TransientMaterializePassBase::TransientMaterializePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientMaterializePassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
  }

  void runOnOperation() override {
    if (poisonByte < -1 || poisonByte > 255) {
      emitError(getOperation().getLoc()) << "transient-materialize: expects "
                                            "'poison-byte' in -1..255, got "
                                         << poisonByte.getValue();
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (function->hasAttr(TransientDialect::getPreconditionsAttrName())) {
        function->emitError() << "its plan relies on order that it does not "
                                 "have; run transient-apply-ordering";
        signalPassFailure();
      }
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    CallTree calls(getOperation(), kernels);
    findServed(calls);
    argumentFunctions.clear();
    if (arena == ArenaOwner::Argument)
      findArgumentFunctions(kernels);
    for (FunctionOpInterface function : getPlannedFunctions(getOperation()))
      if (failed(runOnFunction(function, kernels)))
        signalPassFailure();
    passStorage();
    // What spoke to the passes before is no business of those after.
    getOperation()->walk([](Operation *op) {
      op->removeDiscardableAttr(TransientDialect::getNodeAttrName());
      op->removeDiscardableAttr(TransientDialect::getKeepApartAttrName());
      op->removeDiscardableAttr(TransientDialect::getRequiredBytesAttrName());
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        for (unsigned i = 0; i < function.getNumArguments(); ++i)
          if (function.getArgAttr(i, TransientDialect::getBoundAttrName()))
            function.removeArgAttr(i, TransientDialect::getBoundAttrName());
    });
  }

  /// The storage that `function` needs, by physical buffer.
  static std::map<int64_t, MemRefType> getNeeds(FunctionOpInterface function) {
    std::map<int64_t, std::pair<int64_t, Attribute>> needs;
    function->walk<WalkOrder::PreOrder>([&](AllocOp request) {
      PlacementAttr placement = request.getPlacementAttr();
      if (!placement)
        return;
      auto &[bytes, space] =
          needs
              .try_emplace(placement.getPhysical(), 0,
                           request.getMemRefType().getMemorySpace())
              .first->second;
      bytes = std::max(bytes, placement.getOffset() + placement.getBytes());
    });
    std::map<int64_t, MemRefType> types;
    for (auto &[physical, need] : needs)
      types[physical] = MemRefType::get(
          {need.first}, IntegerType::get(function->getContext(), 8),
          MemRefLayoutAttrInterface(), need.second);
    return types;
  }

  /// Finds the functions to which every call passes storage for every physical
  /// buffer of theirs: of the type that it is to have, and once.
  void findServed(const CallTree &calls) {
    served.clear();
    servedFunctions.clear();
    passed.clear();
    DenseMap<Operation *, SmallVector<std::pair<int64_t, Type>>> given;
    getOperation()->walk([&](AllocOp request) {
      if (func::CallOp call = getOwnerCall(request);
          call && request.getPlacementAttr())
        given[call].push_back({request.getWorkspaceAttr().getPhysical(),
                               request.getMemRefType()});
    });
    for (FunctionOpInterface function : calls.getBottomUp()) {
      ArrayRef<func::CallOp> sites = calls.getServingCalls(function);
      if (sites.empty())
        continue;
      SmallVector<std::pair<int64_t, Type>> needs;
      for (auto &[physical, type] : getNeeds(function))
        needs.push_back({physical, type});
      if (!needs.empty() && llvm::all_of(sites, [&](func::CallOp call) {
            SmallVector<std::pair<int64_t, Type>> &storage = given[call];
            llvm::sort(storage, llvm::less_first());
            return storage == needs;
          }))
        for (func::CallOp call : sites)
          served[call] = function;
    }
    for (auto &entry : served)
      servedFunctions.insert(entry.second);
  }

  /// Appends the storage to the operands of the calls.
  void passStorage() {
    for (auto &[operation, views] : passed) {
      llvm::sort(views, llvm::less_first());
      SmallVector<Value> storage = llvm::to_vector(llvm::make_second_range(views));
      operation->insertOperands(operation->getNumOperands(), storage);
    }
    served.clear();
    servedFunctions.clear();
    passed.clear();
  }

  LogicalResult runOnFunction(FunctionOpInterface function,
                              KernelAccessCache &kernels) {
    std::map<int64_t, Physical> physicals;
    SmallVector<AllocOp> unused;
    LogicalResult result = success();
    forEachAllocation(function, [&](unsigned index, Operation *op) {
      auto request = dyn_cast<AllocOp>(op);
      if (!request)
        return;
      // Nobody will use it.
      if (request.getWorkspaceAttr() && request.getBuffer().use_empty() &&
          !served.count(getOwnerCall(request).getOperation())) {
        unused.push_back(request);
        return;
      }
      if (!request.getPlacementAttr())
        return;
      if (failed(addTenant(physicals[request.getPlacementAttr().getPhysical()],
                           index, request)))
        result = failure();
    });
    if (failed(result))
      return failure();
    for (AllocOp request : unused)
      request.erase();
    if (argumentFunctions.contains(function))
      addStorageQuery(cast<func::FuncOp>(function.getOperation()), physicals);
    if (!physicals.empty() && poisonByte >= 0) {
      ExecutionOrder order(function, kernels);
      for (auto &[index, physical] : physicals)
        for (Tenant &tenant : physical.tenants)
          findTakeover(tenant.request, order);
    }
    // All arenas first: replacing a request erases it, and the first one may be
    // where arenas are inserted.
    OpBuilder builder(function->getContext());
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    std::vector<Value> arenas;
    for (auto &[index, physical] : physicals)
      arenas.push_back(createStorage(builder, function, index, physical));
    for (auto [arena, entry] : llvm::zip_equal(arenas, physicals))
      for (Tenant &tenant : entry.second.tenants)
        replace(arena, tenant);
    takeovers.clear();
    return success();
  }

  /// Finds the functions that take their storage from outside of the module, as
  /// long as all are as they were planned.
  void findArgumentFunctions(KernelAccessCache &kernels) {
    for (FunctionOpInterface function : getPlannedFunctions(getOperation())) {
      if (servedFunctions.contains(function) || getNeeds(function).empty())
        continue;
      if (std::optional<StringRef> obstacle =
              getArgumentObstacle(function, kernels))
        emitRemark(function.getLoc()) << "transient-materialize: allocates its "
                                         "storage itself: "
                                      << *obstacle;
      else
        argumentFunctions.insert(function);
    }
  }

  /// Why the storage of `function` cannot be an argument of it, or nothing.
  std::optional<StringRef> getArgumentObstacle(FunctionOpInterface function,
                                               KernelAccessCache &kernels) {
    auto func = dyn_cast<func::FuncOp>(function.getOperation());
    if (!func || func->getParentOp() != getOperation() || !func.isPublic())
      return "it is no public function of the module";
    if (!SymbolTable::symbolKnownUseEmpty(func, getOperation()))
      return "the module refers to it";
    if (!endsAtReturns(function, ExecutionOrder(function, kernels)))
      return "its work may go on when it returns";
    return std::nullopt;
  }

  /// Makes `function` one that takes its storage, and a function that says what
  /// that must have.
  void addStorageQuery(func::FuncOp function,
                       const std::map<int64_t, Physical> &physicals) {
    OpBuilder builder(function->getContext());
    Location location = function.getLoc();
    SmallVector<Type> types(2 * physicals.size(), builder.getIndexType());
    auto query = func::FuncOp::create(
        builder, location, (function.getName() + "_storage").str(),
        builder.getFunctionType({}, types));
    SymbolTable table(getOperation());
    // The name may be taken.
    table.insert(query, std::next(function->getIterator()));
    builder.setInsertionPointToStart(query.addEntryBlock());
    SmallVector<Value> results;
    for (auto &[index, physical] : physicals)
      for (int64_t number : {physical.bytes, physical.alignment})
        results.push_back(
            arith::ConstantIndexOp::create(builder, location, number));
    func::ReturnOp::create(builder, location, results);
  }

  bool isPoisoned(AllocKind kind) const {
    return poisonByte >= 0 && kind == AllocKind::MemRef;
  }

  /// An arena at the entry, or an argument if the callers pass storage in.
  Value createStorage(OpBuilder &builder, FunctionOpInterface function,
                      int64_t index, Physical &physical) {
    AllocOp first = physical.tenants.front().request;
    auto type = MemRefType::get({physical.bytes}, builder.getI8Type(),
                                MemRefLayoutAttrInterface(),
                                first.getMemRefType().getMemorySpace());
    // It stands for many allocations; a fused location would list them all in
    // every message about it.
    Location location = function.getLoc();
    Value storage;
    if (servedFunctions.contains(function) ||
        argumentFunctions.contains(function)) {
      unsigned position = function.getNumArguments();
      (void)function.insertArgument(position, type,
                                    builder.getDictionaryAttr({}), location);
      storage = function.getArgument(position);
    } else {
      storage =
          ArenaOp::create(builder, location, type, index, first.getKind(),
                          physical.usage ? UsageAttr::get(builder.getContext(),
                                                          *physical.usage)
                                         : UsageAttr(),
                          physical.alignment)
              .getStorage();
    }
    if (isPoisoned(first.getKind()))
      fill(builder, location, storage);
    return storage;
  }

  void replace(Value storage, Tenant &tenant) {
    AllocOp request = tenant.request;
    Location location = request.getLoc();
    MemRefType type = request.getMemRefType();
    int64_t offset = request.getPlacementAttr().getOffset();
    if (Operation *takeover = takeovers.lookup(request);
        takeover && isPoisoned(request.getKind())) {
      OpBuilder builder(takeover);
      BufferSize size = getBufferSize(type, request);
      auto bytes = MemRefType::get(
          {static_cast<int64_t>(size.bytes)}, builder.getI8Type(),
          MemRefLayoutAttrInterface(), type.getMemorySpace());
      Value view = ViewOp::create(builder, location, bytes, storage, offset,
                                  tenant.index);
      fill(builder, location, view);
    }
    OpBuilder builder(request);
    auto view =
        ViewOp::create(builder, location, type, storage, offset, tenant.index);
    if (tenant.call)
      passed[tenant.call].push_back(
          {request.getWorkspaceAttr().getPhysical(), view.getBuffer()});
    request.getBuffer().replaceAllUsesWith(view.getBuffer());
    request.erase();
  }

  /// The single host op that uses `request` first, if there is one: all that
  /// precedes it in the lifetime order has ended when the host gets there.
  void findTakeover(AllocOp request, const ExecutionOrder &order) {
    LifetimeAttr lifetime = request.getLifetimeAttr();
    if (!lifetime || lifetime.getFirst().size() != 1)
      return;
    uint64_t node = lifetime.getFirst().front();
    if (node >= order.getNodes().size())
      return;
    const ExecutionOrder::Node &first = order.getNodes()[node];
    // A device op may follow the tenant before by a token only.
    if (first.completion.kind == Completion::OnReturn &&
        !isa<gpu::AsyncOpInterface>(first.op))
      takeovers[request] = first.op;
  }

  void fill(OpBuilder &builder, Location location, Value bytes) {
    Value byte = arith::ConstantIntOp::create(
        builder, location, builder.getI8Type(), (int8_t)(uint8_t)poisonByte);
    linalg::FillOp::create(builder, location, byte, bytes);
  }

  DenseMap<Operation *, Operation *> takeovers;
  /// Calls that pass storage, and the functions that take it.
  DenseMap<Operation *, FunctionOpInterface> served;
  DenseSet<Operation *> servedFunctions;
  /// Functions that take storage from callers elsewhere.
  DenseSet<Operation *> argumentFunctions;
  /// What each call passes, by physical buffer of the callee.
  llvm::MapVector<Operation *, SmallVector<std::pair<int64_t, Value>>> passed;
};

} // namespace
