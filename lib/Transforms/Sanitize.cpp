//===- Sanitize.cpp - Find wrong programs on the device itself ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-sanitize: red zones between tenants, poison when one takes
// over, a check when it is done. Everything that is added is ordered like the
// tenant itself, so that a missing edge of the program stays missing.
//
//===----------------------------------------------------------------------===//

#include "SanitizerChecks.h"

#include "transient/Analysis/BufferUses.h"
#include "transient/Analysis/ExecutionOrder.h"
#include "transient/IR/BufferSize.h"
#include "transient/IR/OrderedOpInterface.h"
#include "transient/IR/Transient.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <optional>
#include <string>

namespace transient {
#define GEN_PASS_DEF_TRANSIENTSANITIZEPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

/// What a buffer holds at first: not a number, as a float of any size.
constexpr uint8_t kPoison = 0xFF;
/// What red zones hold: something else.
constexpr uint8_t kCanary = 0xA5;
constexpr int64_t kMaxRedZone = int64_t(1) << 30;

/// All views of one arena that carry one tenant number, and who uses them.
struct Tenant {
  unsigned number;
  Location location;
  int64_t offset = 0, bytes = 0;
  SmallVector<ViewOp> views;
  /// Nodes that no other user ends before, and that end before no other.
  std::vector<planner::NodeId> first, last;
  /// The ops of the function's block in which these run, in program order;
  /// empty if that is not known.
  SmallVector<Operation *> firstSites, lastSites;
  /// The tenants from which it takes bytes over directly, and that are proved to
  /// have ended by then.
  SmallVector<Tenant *> before;
  /// Why it is left as it is, and which op that is about.
  std::string obstacle;
  Operation *culprit = nullptr;
  /// Ends when the check of its red zone has; null if there is none, or if the
  /// host does it.
  Value checked;
  bool isChecked = false;

  Tenant(unsigned number, Location location)
      : number(number), location(location) {}
};

gpu::AsyncOpInterface getAsync(Operation *op) {
  auto async = dyn_cast<gpu::AsyncOpInterface>(op);
  return async && async.getAsyncToken() ? async : gpu::AsyncOpInterface();
}

/// Makes the ops wait for `token`: by an operand, or on the host before the
/// first that takes none.
void waitFor(Value token, ArrayRef<Operation *> sites) {
  bool awaited = false;
  for (Operation *site : sites) {
    if (getAsync(site)) {
      gpu::addAsyncDependency(site, token);
    } else if (!awaited) {
      OpBuilder builder(site);
      gpu::WaitOp::create(builder, site->getLoc(), Type(), token);
      awaited = true;
    }
  }
}

/// Instruments the arenas of one function.
class FunctionSanitizer {
public:
  FunctionSanitizer(FunctionOpInterface function, KernelAccessCache &kernels,
                    SanitizerChecks &checks, int64_t redZone)
      : function(function), checks(checks), order(function, kernels),
        uses(function, kernels), redZone(redZone),
        block(&function.getFunctionBody().front()) {}

  /// Fails, with an error, if an arena would be too large.
  LogicalResult run() {
    SmallVector<ArenaOp> arenas;
    function->walk([&](ArenaOp arena) { arenas.push_back(arena); });
    std::vector<std::vector<Tenant>> tenants;
    for (ArenaOp arena : arenas) {
      tenants.push_back(collect(arena));
      numTenants += tenants.back().size();
    }
    for (auto [arena, list] : llvm::zip_equal(arenas, tenants))
      if (failed(relocate(arena, list)))
        return failure();
    for (auto [arena, list] : llvm::zip_equal(arenas, tenants))
      sanitize(arena, list);
    if (flags)
      readFlags();
    return success();
  }

private:
  void sanitize(ArenaOp arena, std::vector<Tenant> &tenants) {
    zone = getZone(arena);
    for (Tenant &tenant : tenants)
      findSites(tenant);
    // In an order in which whoever is before another comes first.
    llvm::stable_sort(tenants, [&](const Tenant &a, const Tenant &b) {
      return getPosition(a) < getPosition(b);
    });
    findTakeovers(tenants);
    for (Tenant &tenant : tenants) {
      if (tenant.obstacle.empty()) {
        instrument(arena, tenant);
        continue;
      }
      InFlightDiagnostic remark = emitRemark(tenant.location)
                                  << "transient-sanitize: tenant "
                                  << tenant.number
                                  << " is not checked: " << tenant.obstacle;
      if (tenant.culprit)
        remark.attachNote(tenant.culprit->getLoc()) << "here";
      remark.report();
      for (Value token : getEnds(tenant))
        waitFor(token, tenant.firstSites);
    }
  }

  /// The tenants by number.
  std::vector<Tenant> collect(ArenaOp arena) {
    std::map<unsigned, Tenant> found;
    for (Operation *user : arena.getStorage().getUsers()) {
      auto view = dyn_cast<ViewOp>(user);
      BufferSize size = view ? getBufferSize(view.getBuffer().getType(), view)
                             : BufferSize();
      if (!size.isKnown() || !size.bytes)
        continue;
      unsigned number = view.getTenant();
      Tenant &tenant =
          found.try_emplace(number, number, view.getLoc()).first->second;
      tenant.offset = view.getOffset();
      tenant.bytes = std::max(tenant.bytes, static_cast<int64_t>(size.bytes));
      tenant.views.push_back(view);
    }
    std::vector<Tenant> tenants;
    for (auto &entry : found)
      tenants.push_back(std::move(entry.second));
    return tenants;
  }

  /// Moves tenants apart: at every end of one, all that starts there or later
  /// moves up by a red zone. What was disjoint then is so with a red zone in
  /// between.
  LogicalResult relocate(ArenaOp arena, std::vector<Tenant> &tenants) {
    std::vector<int64_t> ends;
    for (const Tenant &tenant : tenants)
      ends.push_back(tenant.offset + tenant.bytes);
    llvm::sort(ends);
    ends.erase(llvm::unique(ends), ends.end());
    int64_t zone = getZone(arena), added, total;
    if (__builtin_mul_overflow(zone, static_cast<int64_t>(ends.size()) + 1,
                               &added) ||
        __builtin_add_overflow(
            added, cast<MemRefType>(arena.getStorage().getType()).getDimSize(0),
            &total))
      return arena.emitOpError()
             << "overflow: with red zones it needs more than 2^63 - 1 bytes";
    auto move = [&](int64_t offset) -> int64_t {
      return offset + zone * (llvm::upper_bound(ends, offset) - ends.begin());
    };
    MemRefType type = cast<MemRefType>(arena.getStorage().getType());
    arena.getStorage().setType(
        MemRefType::get({move(type.getDimSize(0)) + zone},
                        type.getElementType(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace()));
    for (Operation *user : arena.getStorage().getUsers())
      if (auto view = dyn_cast<ViewOp>(user))
        view.setOffset(move(view.getOffset()));
    for (Tenant &tenant : tenants)
      tenant.offset = move(tenant.offset);
    return success();
  }

  int64_t getZone(ArenaOp arena) const {
    return llvm::alignTo(redZone, arena.getAlignment());
  }

  void findSites(Tenant &tenant) {
    auto fail = [&](const Twine &reason, Operation *op) {
      tenant.obstacle = reason.str();
      tenant.culprit = op;
    };
    if (order.getUnsupportedReason() ||
        !function.getFunctionBody().hasOneBlock())
      return fail("its function has several blocks", nullptr);
    std::vector<planner::NodeId> nodes;
    for (ViewOp view : tenant.views)
      for (const BufferUse &use : uses.collect(view.getBuffer()).uses) {
        std::optional<unsigned> node = order.getNode(use.getOp());
        if (use.kind != BufferUse::Access || !node ||
            order.getNodes()[*node].completion.kind == Completion::Unknown)
          return fail("when it is no longer used is not known", use.getOp());
        nodes.push_back(*node);
      }
    if (nodes.empty())
      return fail("nobody uses it", nullptr);
    llvm::sort(nodes);
    nodes.erase(llvm::unique(nodes), nodes.end());
    tenant.first = order.getPartialOrder()->minimal(nodes);
    tenant.last = order.getPartialOrder()->maximal(nodes);
    for (auto [nodes, sites] : {std::pair(&tenant.first, &tenant.firstSites),
                                std::pair(&tenant.last, &tenant.lastSites)})
      for (planner::NodeId node : *nodes) {
        Operation *site = getSite(node);
        if (!site) {
          tenant.firstSites.clear();
          tenant.lastSites.clear();
          return fail("a user may go on when the op around it has ended",
                      order.getNodes()[node].op);
        }
        if (!llvm::is_contained(*sites, site))
          sites->push_back(site);
      }
    for (auto *sites : {&tenant.firstSites, &tenant.lastSites})
      llvm::sort(*sites, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
  }

  /// The op of the function's block in which the work of `node` starts and ends,
  /// or null.
  Operation *getSite(planner::NodeId number) const {
    const ExecutionOrder::Node &node = order.getNodes()[number];
    Operation *site = block->findAncestorOpInBlock(*node.op);
    if (site == node.op)
      return getAsync(site) || node.completion.kind == Completion::OnReturn
                 ? site
                 : nullptr;
    std::optional<unsigned> enter =
        site ? order.getNode(site) : std::nullopt;
    return enter && order.endsBeforeStart(number,
                                          order.getNodes()[*enter].exit)
               ? site
               : nullptr;
  }

  size_t getPosition(const Tenant &tenant) const {
    size_t earliest = SIZE_MAX;
    for (planner::NodeId node : tenant.first)
      earliest = std::min(earliest, order.getPartialOrder()->position(node));
    return earliest;
  }

  bool isBefore(const Tenant &a, const Tenant &b) const {
    return llvm::all_of(a.last, [&](planner::NodeId last) {
      return llvm::all_of(b.first, [&](planner::NodeId first) {
        return order.endsBeforeStart(last, first);
      });
    });
  }

  /// Finds who takes bytes over from whom, red zones included. Without proof
  /// that one has ended no order is made up: the race stays to be seen.
  void findTakeovers(std::vector<Tenant> &tenants) const {
    std::map<int64_t, Tenant *> holders{{0, nullptr}};
    auto split = [&](int64_t at) {
      auto next = holders.upper_bound(at);
      return holders.try_emplace(at, std::prev(next)->second).first;
    };
    for (Tenant &tenant : tenants) {
      auto last = split(tenant.offset + tenant.bytes + zone);
      auto first = split(tenant.offset);
      for (auto it = first; it != last; ++it)
        if (it->second && !llvm::is_contained(tenant.before, it->second) &&
            isBefore(*it->second, tenant))
          tenant.before.push_back(it->second);
      holders.erase(std::next(first), last);
      first->second = &tenant;
    }
    for (Tenant &tenant : tenants)
      for (Tenant *other : tenant.before) {
        bool known = !other->lastSites.empty() && !tenant.firstSites.empty();
        if (known && other->lastSites.back()->isBeforeInBlock(
                         tenant.firstSites.front()))
          continue;
        // Neither a check of the one nor poison for the other has a place.
        for (auto [one, two] : {std::pair(&tenant, other), {other, &tenant}})
          if (one->obstacle.empty()) {
            one->obstacle = "it and tenant " + std::to_string(two->number) +
                            " take turns inside of one op";
            one->culprit = known ? tenant.firstSites.front() : nullptr;
          }
      }
  }

  /// What must have ended before `tenant` may be poisoned, where the host does
  /// not know by then.
  static SmallVector<Value> getEnds(const Tenant &tenant) {
    SmallVector<Value> ends;
    for (Tenant *other : tenant.before) {
      if (other->isChecked) {
        if (other->checked)
          ends.push_back(other->checked);
        continue;
      }
      if (!tenant.obstacle.empty())
        continue; // The program's own order does.
      for (Operation *site : other->lastSites)
        if (gpu::AsyncOpInterface async = getAsync(site))
          ends.push_back(async.getAsyncToken());
    }
    return ends;
  }

  void instrument(ArenaOp arena, Tenant &tenant) {
    Operation *first = tenant.firstSites.front();
    Location location = tenant.location;
    OpBuilder builder(arena.getContext());
    Type byte = builder.getI8Type();
    Attribute space =
        cast<MemRefType>(arena.getStorage().getType()).getMemorySpace();
    auto getType = [&](int64_t bytes) {
      return MemRefType::get({bytes}, byte, MemRefLayoutAttrInterface(), space);
    };
    // One more view of the tenant, with its red zone, for poison and check.
    builder.setInsertionPointAfter(arena);
    Value all = ViewOp::create(builder, location, getType(tenant.bytes + zone),
                               arena.getStorage(), tenant.offset,
                               tenant.number);
    auto makePart = [&](int64_t offset, int64_t bytes) -> Value {
      Value shift = arith::ConstantIndexOp::create(builder, location, offset);
      return memref::ViewOp::create(builder, location, getType(bytes), all,
                                    shift, ValueRange());
    };
    Value content = makePart(0, tenant.bytes);
    Value red = makePart(tenant.bytes, zone);

    builder.setInsertionPoint(first);
    auto makeByte = [&](uint8_t value) -> Value {
      return arith::ConstantIntOp::create(builder, location, byte,
                                          static_cast<int8_t>(value));
    };
    SmallVector<Value> ends = getEnds(tenant);
    if (arena.getKind() == AllocKind::MemRef &&
        llvm::none_of(tenant.firstSites, getAsync)) {
      if (!ends.empty())
        gpu::WaitOp::create(builder, location, Type(), ends);
      linalg::FillOp::create(builder, location, makeByte(kPoison), content);
      linalg::FillOp::create(builder, location, makeByte(kCanary), red);
    } else {
      Type token = builder.getType<gpu::AsyncTokenType>();
      Value filled =
          gpu::WaitOp::create(builder, location, token, ends).getAsyncToken();
      for (auto [bytes, value] :
           {std::pair(content, kPoison), std::pair(red, kCanary)})
        filled = launch(builder, location, checks.getFill(), bytes,
                        makeByte(value), filled);
      waitFor(filled, tenant.firstSites);
    }
    check(arena, tenant, red);
  }

  /// Looks at the red zone once all users have ended.
  void check(ArenaOp arena, Tenant &tenant, Value red) {
    Operation *last = tenant.lastSites.back();
    OpBuilder builder(last->getContext());
    builder.setInsertionPointAfter(last);
    Location location = tenant.location;
    tenant.isChecked = true;
    std::string message = "transient-sanitize: something was written behind "
                          "the end of tenant " +
                          std::to_string(tenant.number);
    SmallVector<Value> users;
    for (Operation *site : tenant.lastSites)
      if (gpu::AsyncOpInterface async = getAsync(site))
        users.push_back(async.getAsyncToken());
    if (arena.getKind() == AllocKind::MemRef && users.empty()) {
      Value intact = func::CallOp::create(builder, location,
                                          checks.getHostCheck(),
                                          castBytes(builder, location, red))
                         .getResult(0);
      cf::AssertOp::create(builder, location, intact, message);
      return;
    }
    Type token = builder.getType<gpu::AsyncTokenType>();
    Value start =
        gpu::WaitOp::create(builder, location, token, users).getAsyncToken();
    if (!flags)
      makeFlags();
    Value index = arith::ConstantIndexOp::create(
        builder, location, static_cast<int64_t>(messages.size()));
    Value flag = memref::ViewOp::create(
        builder, location, MemRefType::get({1}, builder.getI8Type()), flags,
        index, ValueRange());
    messages.push_back(message);
    tenant.checked = launch(builder, location, checks.getCheck(), red,
                            castBytes(builder, location, flag), start);
    pending.push_back(tenant.checked);
  }

  /// `bytes` as `memref<?xi8>` in memory space 0.
  static Value castBytes(OpBuilder &builder, Location location, Value bytes) {
    auto type = cast<MemRefType>(bytes.getType());
    if (type.getMemorySpace())
      bytes = memref::MemorySpaceCastOp::create(
          builder, location,
          MemRefType::get(type.getShape(), type.getElementType()), bytes);
    return memref::CastOp::create(
        builder, location,
        MemRefType::get({ShapedType::kDynamic}, type.getElementType()), bytes);
  }

  /// Launches one of our kernels over `bytes`, and returns its token.
  Value launch(OpBuilder &builder, Location location, gpu::GPUFuncOp kernel,
               Value bytes, Value second, Value dependency) {
    int64_t size = cast<MemRefType>(bytes.getType()).getNumElements();
    int64_t threads = std::min<int64_t>(size, 256);
    int64_t blocks = std::min<int64_t>(llvm::divideCeil(size, threads), 1024);
    auto makeDim = [&](int64_t x) {
      Value one = arith::ConstantIndexOp::create(builder, location, 1);
      Value many = arith::ConstantIndexOp::create(builder, location, x);
      return gpu::KernelDim3{many, one, one};
    };
    return gpu::LaunchFuncOp::create(
               builder, location, kernel, makeDim(blocks), makeDim(threads),
               /*dynamicSharedMemorySize=*/Value(),
               ValueRange{castBytes(builder, location, bytes), second},
               dependency.getType(), dependency)
        .getAsyncToken();
  }

  /// A byte for each tenant, that its check sets when it fails.
  void makeFlags() {
    Location location = function.getLoc();
    OpBuilder builder(function->getContext());
    builder.setInsertionPointToStart(block);
    auto type = MemRefType::get({static_cast<int64_t>(numTenants)},
                                builder.getI8Type());
    Value zero = arith::ConstantIntOp::create(builder, location,
                                              builder.getI8Type(), 0);
    Type token = builder.getType<gpu::AsyncTokenType>();
    Value start = gpu::WaitOp::create(builder, location, token, ValueRange())
                      .getAsyncToken();
    auto alloc = gpu::AllocOp::create(builder, location, type, token, start,
                                      ValueRange(), ValueRange());
    flags = alloc.getMemref();
    Value cleared = launch(builder, location, checks.getFill(), flags, zero,
                           alloc.getAsyncToken());
    gpu::WaitOp::create(builder, location, Type(), cleared);
  }

  /// Before the function returns, fails if a check has.
  void readFlags() {
    Location location = function.getLoc();
    OpBuilder builder(block->getTerminator());
    Type token = builder.getType<gpu::AsyncTokenType>();
    Value host = memref::AllocOp::create(builder, location,
                                         cast<MemRefType>(flags.getType()));
    Value start =
        gpu::WaitOp::create(builder, location, token, pending).getAsyncToken();
    Value copied =
        gpu::MemcpyOp::create(builder, location, token, start, host, flags)
            .getAsyncToken();
    Value freed =
        gpu::DeallocOp::create(builder, location, token, copied, flags)
            .getAsyncToken();
    gpu::WaitOp::create(builder, location, Type(), freed);
    Value zero = arith::ConstantIntOp::create(builder, location,
                                              builder.getI8Type(), 0);
    SmallVector<Value> intact;
    for (size_t i = 0; i != messages.size(); ++i) {
      Value index = arith::ConstantIndexOp::create(builder, location,
                                                   static_cast<int64_t>(i));
      Value flag = memref::LoadOp::create(builder, location, host, index);
      intact.push_back(arith::CmpIOp::create(
          builder, location, arith::CmpIPredicate::eq, flag, zero));
    }
    memref::DeallocOp::create(builder, location, host);
    for (auto [flag, message] : llvm::zip_equal(intact, messages))
      cf::AssertOp::create(builder, location, flag, message);
  }

  FunctionOpInterface function;
  SanitizerChecks &checks;
  ExecutionOrder order;
  BufferUseAnalysis uses;
  /// In bytes: as asked for, and rounded up to the alignment of the arena at
  /// hand.
  int64_t redZone, zone = 0;
  Block *block;
  size_t numTenants = 0;
  /// The checks on the device: flags, what a set one means, and their ends.
  Value flags;
  std::vector<std::string> messages;
  SmallVector<Value> pending;
};

struct SanitizePass
    : public transient::impl::TransientSanitizePassBase<SanitizePass> {
  using TransientSanitizePassBase::TransientSanitizePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransientSanitizePassBase::getDependentDialects(registry);
    registerOrderedOpModels(registry);
  }

  void runOnOperation() override {
    if (redZone < 1 || redZone > kMaxRedZone) {
      emitError(getOperation().getLoc())
          << "transient-sanitize: expects 'red-zone' in 1.." << kMaxRedZone
          << ", got " << redZone.getValue();
      return signalPassFailure();
    }
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    SanitizerChecks checks(getOperation(), kCanary);
    SmallVector<FunctionOpInterface> functions;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal())
        functions.push_back(function);
    for (FunctionOpInterface function : functions) {
      if (llvm::any_of(function.getArguments(), [](Value argument) {
            return llvm::any_of(argument.getUsers(), llvm::IsaPred<ViewOp>);
          }))
        emitRemark(function.getLoc())
            << "transient-sanitize: storage that callers pass in is not checked";
      if (failed(FunctionSanitizer(function, kernels, checks, redZone).run()))
        signalPassFailure();
    }
  }
};

} // namespace
