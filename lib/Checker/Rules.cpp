//===- Rules.cpp - What must hold for shared storage ----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule asks for a proof and reports where there is none. A proof that
// fails only because an op's completion or a view's place is unknown is
// reported as undecided, anything else as an error.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "transient/IR/Transient.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;

namespace transient::checker {
namespace {

/// One access of one node.
struct Use {
  unsigned node;
  const Access *access;
};

/// The uses of one tenant, in node order.
struct Occupant {
  unsigned tenant;
  SmallVector<Use> uses;
  int64_t lo = INT64_MAX;
  int64_t hi = INT64_MIN;
  /// Nodes all of whose instances have ended before any use starts.
  llvm::BitVector ended;
};

enum class Locality { Local, ReadsFirst, Unknown };

class Checker {
public:
  Checker(const Scope &scope, const StorageMap &storage, Report &report)
      : scope(scope), storage(storage), report(report),
        roots(storage.getRoots().size()) {}

  void run();

private:
  struct RootUses {
    std::vector<Occupant> occupants;
    SmallVector<Use> frees;
    SmallVector<Use> allocations;
    DenseMap<unsigned, unsigned> occupantByTenant;
  };

  const Node &nodeOf(const Use &use) const {
    return scope.getNodes()[use.node];
  }
  Operation *opOf(const Use &use) const { return nodeOf(use).op; }
  const Order &getOrder(Operation *loop);
  const Order &getOrderFor(unsigned root);
  /// Loops that contain both, but not the allocation of the storage: there the
  /// same bytes come around again.
  bool sharesLoop(unsigned root, unsigned a, unsigned b) const;

  void checkSharing(unsigned root);
  void checkTakeTurns(Occupant &a, Occupant &b);
  void checkIntruder(Occupant &tenant, Occupant &intruder);
  bool checkUnordered(Occupant &a, Occupant &b, bool isRaceOnly);
  void checkLoops(Occupant &a, Occupant &b);
  bool checkCycle(Occupant &victim, Occupant &other);
  void checkOwnIterations(Occupant &occupant);
  void checkRaces(unsigned root);
  void checkFrees(unsigned root);
  void checkAllocations(unsigned root);
  void checkUsage(unsigned root);

  Locality getLocality(const Occupant &occupant, const void *loop, Use &first);
  /// In a cycle of blocks: is `occupant` overwritten on every path from a use
  /// of `other` to one of its own?
  bool isOverwrittenBetween(const Occupant &occupant, const Occupant &other,
                            Region *region) const;

  std::string describe(const Use &use) const;
  std::string describeBytes(const ByteRange &range) const;
  Report::Note noteAt(const Use &use, const Twine &prefix) const;
  Report::Note missingEdge(const Use &from, const Use &to) const;
  /// Reports that `a` and `b` are not proved to be ordered.
  bool isAllIn(unsigned node, const Occupant &a, const Occupant &b) const;
  void reportLostOffset(const Use &intruder, unsigned victim,
                        const Use &late) const;
  void reportUnordered(const Use &a, const Use &b, bool isRace,
                       const Order &order, StringRef rule);
  /// Why the two may still be ordered, or no conflict, and by which of them.
  struct Excuse {
    std::string text;
    const Use *culprit;
  };
  std::optional<Excuse> getExcuse(const Use &a, const Use &b,
                                  const Order &order) const;

  const Scope &scope;
  const StorageMap &storage;
  Report &report;
  std::vector<RootUses> roots;
  llvm::MapVector<Operation *, std::unique_ptr<Order>> orders;
};

} // namespace

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static StringRef verb(unsigned effects) {
  if ((effects & ReadWrite) == ReadWrite)
    return "reads and writes";
  if (effects & Write)
    return "writes";
  if (effects & Read)
    return "reads";
  if (effects & (Free | MaybeFree))
    return "frees";
  return "allocates";
}

static std::string quote(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

std::string Checker::describeBytes(const ByteRange &range) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (range.lo == 0 && range.hi == INT64_MAX) {
    os << "bytes";
  } else {
    os << "bytes [" << range.lo << ", ";
    if (range.hi == INT64_MAX)
      os << "?)";
    else
      os << range.hi << ")";
  }
  return text;
}

std::string Checker::describe(const Use &use) const {
  StringRef does = use.access->addressOnly ? "takes the address of"
                                           : verb(use.access->effects);
  return quote(opOf(use)) + " " + does.str() + " " +
         describeBytes(use.access->range) + " of " +
         storage.describe(use.access->range.tenant) +
         (use.access->range.copied ? " (or of a clone)" : "");
}

Report::Note Checker::noteAt(const Use &use, const Twine &prefix) const {
  return {opOf(use)->getLoc(), (prefix + describe(use)).str()};
}

Report::Note Checker::missingEdge(const Use &from, const Use &to) const {
  return {opOf(to)->getLoc(),
          "missing: a token path or a blocking wait that leads from the end of "
          "that " +
              quote(opOf(from)) + " to the start of this " + quote(opOf(to))};
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

const Order &Checker::getOrder(Operation *loop) {
  std::unique_ptr<Order> &order = orders[loop];
  if (!order)
    order = std::make_unique<Order>(scope, loop);
  return *order;
}

/// Storage that a loop's body allocates sees its own iteration only.
const Order &Checker::getOrderFor(unsigned root) {
  Operation *loop = storage.getRoots()[root].op;
  if (storage.getRoots()[root].kind != Root::Allocation)
    loop = nullptr;
  for (; loop && loop != scope.getTop(); loop = loop->getParentOp())
    if (isStructured(loop) && isa<LoopLikeOpInterface>(loop))
      return getOrder(loop);
  return getOrder(nullptr);
}

bool Checker::sharesLoop(unsigned root, unsigned a, unsigned b) const {
  if (!scope.hasLoops() && !scope.hasUnstructured())
    return false;
  const Root &storageRoot = storage.getRoots()[root];
  SmallVector<const void *> around;
  if (storageRoot.op && storageRoot.kind == Root::Allocation)
    around = scope.getLoopsOf(storageRoot.op);
  for (const void *loop : scope.getLoops(a))
    if (llvm::is_contained(scope.getLoops(b), loop) &&
        !llvm::is_contained(around, loop))
      return true;
  return false;
}

std::optional<Checker::Excuse> Checker::getExcuse(const Use &a, const Use &b,
                                                  const Order &order) const {
  auto whenItEnds = [&](const Use &use) {
    return "when " + quote(opOf(use)) +
           " ends: " + nodeOf(use).behaviour.reason.str();
  };
  for (const Use *use : {&a, &b}) {
    if (use->access->range.lost)
      return Excuse{"whether " + describe(*use) +
                        " in these bytes: the offset of the view is not known",
                    use};
    if (use->access->range.carried)
      return Excuse{"of which iteration's instance " + describe(*use), use};
    // What is done with the address is done later.
    if (use->access->addressOnly)
      return Excuse{whenItEnds(*use), use};
  }
  bool aFails = !order.endsBefore(a.node, b.node);
  bool bFails = !order.endsBefore(b.node, a.node);
  auto isUnknown = [&](const Use &use) {
    return nodeOf(use).behaviour.completion == Completion::Unknown;
  };
  if (!aFails && !bFails)
    return std::nullopt;
  if ((aFails && !isUnknown(a)) || (bFails && !isUnknown(b))) {
    // Somebody was given a token, and may have waited.
    const Order &hoped = order.getOptimistic();
    if ((aFails && !isUnknown(a) && !hoped.endsBefore(a.node, b.node)) ||
        (bFails && !isUnknown(b) && !hoped.endsBefore(b.node, a.node)))
      return std::nullopt;
    const Use &use = aFails ? a : b;
    return Excuse{"when " + quote(opOf(use)) +
                      " ends: a token was given to an op that may wait for it",
                  &use};
  }
  const Use &culprit = aFails ? a : b;
  return Excuse{whenItEnds(culprit), &culprit};
}

/// An access that may hit the bytes of `victim` before `late` needs them, if it
/// only were known where it is.
void Checker::reportLostOffset(const Use &intruder, unsigned victim,
                               const Use &late) const {
  report.add(Report::Undecided, opOf(intruder),
             "whether " + describe(intruder) + " that " +
                 storage.describe(victim) +
                 " still needs: the offset of a view is not known",
             {noteAt(late, "needed here: ")});
}

void Checker::reportUnordered(const Use &a, const Use &b, bool isRace,
                              const Order &order, StringRef rule) {
  const Use &first = a.node <= b.node ? a : b;
  const Use &second = a.node <= b.node ? b : a;
  if (std::optional<Excuse> excuse = getExcuse(first, second, order)) {
    if (isRace)
      return;
    const Use &other = excuse->culprit == &first ? second : first;
    report.add(Report::Undecided, opOf(*excuse->culprit), excuse->text,
               {noteAt(other, "needed for: ")});
    return;
  }
  std::string text = describe(second);
  SmallVector<Report::Note> notes;
  if (first.node == second.node) {
    text += ", and also " + storage.describe(first.access->range.tenant) +
            " in " + describeBytes(first.access->range);
  } else {
    text += " while " + storage.describe(first.access->range.tenant) +
            " may still be in use there";
    notes.push_back(noteAt(first, "not ordered with it: "));
    if (!order.endsBefore(first.node, second.node))
      notes.push_back(missingEdge(first, second));
    else
      notes.push_back({opOf(first)->getLoc(),
                       "missing: an edge from the end of the later op to the "
                       "start of this " +
                           quote(opOf(first)) + " in the next iteration"});
  }
  if (isRace)
    text = "race in the program: " + text;
  else
    text += (" (" + rule + ")").str();
  report.add(isRace ? Report::Race : Report::Error, opOf(second),
             std::move(text), std::move(notes));
}

//===----------------------------------------------------------------------===//
// V1, V2: sharing
//===----------------------------------------------------------------------===//

static bool conflicts(const Use &a, const Use &b) {
  return (a.access->writes() || b.access->writes()) &&
         a.access->range.overlaps(b.access->range);
}

/// Whether one run of `node` is all that uses either of two tenants.
bool Checker::isAllIn(unsigned node, const Occupant &a,
                      const Occupant &b) const {
  auto isHere = [&](const Use &use) { return use.node == node; };
  return llvm::all_of(a.uses, isHere) && llvm::all_of(b.uses, isHere) &&
         scope.getLoops(node).empty();
}

/// Reports the first unordered conflicting pair (V1). Returns true if every
/// pair, conflicting or not, is ordered.
bool Checker::checkUnordered(Occupant &a, Occupant &b, bool isRaceOnly) {
  const Order &order = getOrderFor(a.uses.front().access->range.root);
  bool ordered = true;
  const Use *doubtA = nullptr, *doubtB = nullptr;
  // A body that uses both.
  const Use *inside = nullptr;
  // The last use of the one against the first of the other says it best.
  for (const Use &x : llvm::reverse(a.uses))
    for (const Use &y : b.uses) {
      if (x.node != y.node && order.isOrdered(x.node, y.node))
        continue;
      // One op that touches both in different bytes is its own affair.
      if (x.node == y.node && !x.access->range.overlaps(y.access->range))
        continue;
      // Its body is looked at by itself.
      if (x.node == y.node && isa<async::ExecuteOp>(opOf(x))) {
        inside = &x;
        continue;
      }
      if (!conflicts(x, y)) {
        if (x.access->range.overlaps(y.access->range))
          ordered = false;
        continue;
      }
      ordered = false;
      if (!getExcuse(x, y, order)) {
        reportUnordered(x, y, isRaceOnly, order, "V1");
        return false;
      }
      if (!doubtA) {
        doubtA = &x;
        doubtB = &y;
      }
    }
  if (doubtA)
    reportUnordered(*doubtA, *doubtB, isRaceOnly, order, "V1");
  if (inside && !isRaceOnly && !isAllIn(inside->node, a, b))
    report.add(Report::Undecided, opOf(*inside),
               "whether " + storage.describe(a.tenant) + " and " +
                   storage.describe(b.tenant) +
                   " take turns: both are used in this op, and elsewhere or in "
                   "several iterations");
  return ordered;
}

/// Is the content of `occupant` written anew in each iteration of `loop` before
/// it is read? `first` is its first use there.
Locality Checker::getLocality(const Occupant &occupant, const void *loop,
                              Use &first) {
  SmallVector<Use> inside;
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (const Use &use : occupant.uses) {
    if (!llvm::is_contained(scope.getLoops(use.node), loop))
      continue;
    inside.push_back(use);
    lo = std::min(lo, use.access->range.lo);
    hi = std::max(hi, use.access->range.hi);
  }
  if (inside.empty())
    return Locality::Local;
  first = inside.front();
  // A cycle of the CFG has no first block that we would know.
  Operation *parent = opOf(first)->getParentOp();
  // A request inside the loop has no content when it is made.
  Operation *request = storage.getTenants()[occupant.tenant].op;
  if (isa_and_nonnull<AllocOp>(request) &&
      llvm::is_contained(scope.getLoopsOf(request), loop) &&
      llvm::none_of(inside,
                    [](const Use &use) { return use.access->range.age > 0; }))
    return Locality::Local;
  if (parent != loop || !opOf(first)->getParentRegion()->hasOneBlock())
    return Locality::Unknown;
  bool readsOnly = true;
  for (const Use &use : inside) {
    if (use.node != first.node)
      break;
    if (use.access->overwrites && use.access->range.lo <= lo &&
        use.access->range.hi >= hi)
      return Locality::Local;
    readsOnly &= !use.access->writes() && use.access->certain;
  }
  return readsOnly ? Locality::ReadsFirst : Locality::Unknown;
}

bool Checker::isOverwrittenBetween(const Occupant &occupant,
                                   const Occupant &other,
                                   Region *region) const {
  // What happens to the occupant in a block, by node.
  enum Event { Needed, Overwritten };
  DenseMap<Block *, std::map<unsigned, Event>> events;
  for (const Use &use : occupant.uses) {
    if (use.access->range.age > 0 || use.access->range.lost ||
        use.access->addressOnly)
      return false;
    Operation *step = region->findAncestorOpInRegion(*opOf(use));
    if (!step)
      continue;
    bool isWhole = step == opOf(use) && use.access->overwrites &&
                   use.access->range.lo <= occupant.lo &&
                   use.access->range.hi >= occupant.hi;
    auto [it, inserted] = events[step->getBlock()].try_emplace(
        use.node, isWhole ? Overwritten : Needed);
    if (!inserted && !isWhole)
      it->second = Needed;
  }
  for (const Use &use : other.uses) {
    Operation *step = region->findAncestorOpInRegion(*opOf(use));
    if (!step)
      continue;
    // In an op that encloses the use, what follows may be in a loop of it.
    unsigned after =
        step == opOf(use) ? use.node + 1 : scope.getSpan(step).first;
    SmallVector<std::pair<Block *, unsigned>> worklist{
        {step->getBlock(), after}};
    DenseSet<Block *> seen;
    while (!worklist.empty()) {
      auto [block, from] = worklist.pop_back_val();
      auto &inBlock = events[block];
      auto next = inBlock.lower_bound(from);
      if (next != inBlock.end()) {
        if (next->second == Needed)
          return false;
        continue;
      }
      for (Block *successor : block->getSuccessors())
        if (seen.insert(successor).second)
          worklist.push_back({successor, 0});
    }
  }
  return true;
}

/// Two tenants in one loop: neither may carry its content over the back edge.
void Checker::checkLoops(Occupant &a, Occupant &b) {
  SmallVector<const void *> around;
  const Root &root = storage.getRoots()[a.uses.front().access->range.root];
  if (root.op && root.kind == Root::Allocation)
    around = scope.getLoopsOf(root.op);
  SmallVector<const void *> loops;
  for (const Use &x : a.uses)
    for (const void *loop : scope.getLoops(x.node)) {
      if (llvm::is_contained(around, loop) || llvm::is_contained(loops, loop))
        continue;
      if (llvm::any_of(b.uses, [&](const Use &y) {
            return llvm::is_contained(scope.getLoops(y.node), loop);
          }))
        loops.push_back(loop);
    }
  for (const void *loop : loops)
    for (auto [occupant, other] :
         {std::make_pair(&a, &b), std::make_pair(&b, &a)}) {
      Use first;
      Locality locality = getLocality(*occupant, loop, first);
      if (locality == Locality::Local)
        continue;
      // A cycle of blocks has its region for a key.
      Region *region = opOf(first)->getParentRegion();
      while (region && region != loop)
        region = region->getParentRegion();
      if (region && isOverwrittenBetween(*occupant, *other, region))
        continue;
      const Use *writer = nullptr;
      for (const Use &use : other->uses)
        if (llvm::is_contained(scope.getLoops(use.node), loop) &&
            use.access->writes() &&
            (use.access->range.overlaps(first.access->range) || !writer))
          writer = &use;
      // What is never written holds nothing that could be lost.
      bool isWritten = llvm::any_of(
          occupant->uses, [](const Use &use) { return use.access->writes(); });
      if (locality == Locality::ReadsFirst && writer && isWritten &&
          writer->access->range.overlaps(first.access->range) &&
          !first.access->range.lost && !writer->access->range.lost) {
        report.add(Report::Error, opOf(first),
                   describe(first) +
                       ", as an earlier iteration left them, but " +
                       storage.describe(other->tenant) +
                       " overwrites them in each iteration (V2)",
                   {noteAt(*writer, "overwritten here: ")});
        continue;
      }
      report.add(
          Report::Undecided, opOf(first),
          "whether " + storage.describe(occupant->tenant) +
              " keeps content for the next iteration of the loop, in which " +
              storage.describe(other->tenant) +
              " uses the same bytes: its first use is not a proved overwrite "
              "of all of it",
          {noteAt(writer ? *writer : other->uses.front(), "shared with: ")});
    }
}

/// Is a placed request's content left alone by `other` between two uses without
/// the request being executed in between? Reports if not.
bool Checker::checkCycle(Occupant &victim, Occupant &other) {
  auto request =
      dyn_cast_or_null<AllocOp>(storage.getTenants()[victim.tenant].op);
  if (!request)
    return true;
  Block *block = request->getBlock();
  for (const Use &intruder : other.uses) {
    const Use *early = nullptr, *late = nullptr;
    for (const Use &use : victim.uses) {
      if (use.access->range.age > 0 || use.access->addressOnly ||
          !use.access->range.overlaps(intruder.access->range))
        continue;
      if (!early && scope.mayFollowWithout(use.node, intruder.node, block))
        early = &use;
      if (!late && scope.mayFollowWithout(intruder.node, use.node, block))
        late = &use;
    }
    if (!early || !late || intruder.access->addressOnly)
      continue;
    if (intruder.access->range.lost || early->access->range.lost ||
        late->access->range.lost)
      reportLostOffset(intruder, victim.tenant, *late);
    else
      report.add(Report::Error, opOf(*late),
                 describe(*late) + " after " + storage.describe(other.tenant) +
                     " took over its storage (V2)",
                 {noteAt(*early, "in use before by: "),
                  noteAt(intruder, "taken over by: ")});
    return false;
  }
  return true;
}

/// V1 and V2 for two tenants that overlap in bytes: all uses of one end before
/// any use of the other starts.
void Checker::checkTakeTurns(Occupant &a, Occupant &b) {
  const Order &order = getOrderFor(a.uses.front().access->range.root);
  unsigned before = report.size();
  bool ordered = checkUnordered(a, b, /*isRaceOnly=*/false);
  if (report.size() != before)
    return;
  if (!ordered)
    // Two reads that are unordered: at least one reads the other's bytes.
    for (const Use &x : a.uses)
      for (const Use &y : b.uses)
        if (x.access->range.overlaps(y.access->range) &&
            (x.node == y.node || !order.isOrdered(x.node, y.node)))
          return reportUnordered(x, y, false, order, "V2");
  // Ordered; now the direction must be the same for all.
  bool aFirst = false, bFirst = false, inCycle = false;
  for (const Use &x : a.uses)
    for (const Use &y : b.uses) {
      bool forward = scope.mayFollow(x.node, y.node);
      bool backward = scope.mayFollow(y.node, x.node);
      aFirst |= forward;
      bFirst |= backward;
      inCycle |= forward && backward;
    }
  // In a cycle of blocks there is no first. A request is anew wherever it is
  // executed; the rest is for checkLoops to say.
  if (inCycle && (!checkCycle(a, b) || !checkCycle(b, a)))
    return;
  if (!aFirst || !bFirst || inCycle)
    return checkLoops(a, b);
  // Faults first, then what is one only if an address that is taken is used.
  for (unsigned attempt : {0, 1, 2})
    for (auto [victim, other] :
         {std::make_pair(&a, &b), std::make_pair(&b, &a)})
      for (const Use &intruder : other->uses) {
        if (attempt == 0 && !intruder.access->writes())
          continue;
        auto isUncounted = [&](const Use &use) {
          return attempt < 2 && use.access->addressOnly;
        };
        if (isUncounted(intruder))
          continue;
        const Use *early = nullptr, *late = nullptr;
        for (const Use &use : victim->uses) {
          if (isUncounted(use))
            continue;
          if (scope.mayFollow(use.node, intruder.node))
            early = &use;
          if (!late && scope.mayFollow(intruder.node, use.node))
            late = &use;
        }
        if (!early || !late)
          continue;
        if (early->access->range.lost || late->access->range.lost ||
            intruder.access->range.lost) {
          reportLostOffset(intruder, victim->tenant, *late);
          return;
        }
        if (attempt == 2) {
          const Use &taken = late->access->addressOnly      ? *late
                             : intruder.access->addressOnly ? intruder
                                                            : *early;
          report.add(Report::Undecided, opOf(taken),
                     "whether the address that " + quote(opOf(taken)) +
                         " takes is used while another tenant has the bytes",
                     {noteAt(*early, "in use before by: "),
                      noteAt(intruder, "taken over by: "),
                      noteAt(*late, "needed here: ")});
          return;
        }
        report.add(Report::Error, opOf(*late),
                   describe(*late) + " after " +
                       storage.describe(other->tenant) +
                       " took over its storage (V2)",
                   {noteAt(*early, "in use before by: "),
                    noteAt(intruder, "taken over by: ")});
        return;
      }
  // Each path has one direction; which one it is may differ between branches.
  checkLoops(a, b);
}

/// A tenant against accesses that go to the storage itself, or through a view
/// without tenant: each write of theirs must lie outside the tenant's time.
void Checker::checkIntruder(Occupant &tenant, Occupant &intruder) {
  unsigned before = report.size();
  checkUnordered(tenant, intruder, /*isRaceOnly=*/false);
  if (report.size() != before)
    return;
  for (const Use &write : intruder.uses) {
    if (!write.access->writes())
      continue;
    const Use *early = nullptr, *late = nullptr;
    bool inLoop = false;
    for (const Use &use : tenant.uses) {
      if (!use.access->range.overlaps(write.access->range))
        continue;
      inLoop |= sharesLoop(use.access->range.root, use.node, write.node);
      if (use.node == write.node || use.access->addressOnly)
        continue;
      if (scope.mayFollow(use.node, write.node))
        early = &use;
      if (!late && scope.mayFollow(write.node, use.node))
        late = &use;
    }
    if (early && late) {
      if (write.access->addressOnly)
        report.add(Report::Undecided, opOf(write),
                   "whether the address that " + quote(opOf(write)) +
                       " takes is used while " +
                       storage.describe(tenant.tenant) + " has the bytes",
                   {noteAt(*early, "in use before by: "),
                    noteAt(*late, "needed here: ")});
      else if (write.access->range.lost)
        reportLostOffset(write, tenant.tenant, *late);
      else
        report.add(Report::Error, opOf(*late),
                   describe(*late) + " after " +
                       storage.describe(intruder.tenant) +
                       " was written in the same bytes (V2)",
                   {noteAt(*early, "in use before by: "),
                    noteAt(write, "written by: ")});
      return;
    }
    if (inLoop)
      return checkLoops(tenant, intruder);
  }
}

void Checker::checkSharing(unsigned root) {
  std::vector<Occupant> &occupants = roots[root].occupants;
  if (occupants.size() < 2)
    return;
  const Order &order = getOrderFor(root);
  for (Occupant &occupant : occupants) {
    occupant.ended = order.getEnded(occupant.uses.front().node);
    for (const Use &use : llvm::drop_begin(occupant.uses))
      occupant.ended &= order.getEnded(use.node);
  }
  auto areEnded = [](const Occupant &early, const Occupant &late) {
    return llvm::all_of(
        early.uses, [&](const Use &use) { return late.ended.test(use.node); });
  };
  auto checkPair = [&](Occupant &a, Occupant &b) {
    bool hardA = storage.isHard(a.tenant), hardB = storage.isHard(b.tenant);
    if (hardA && hardB) {
      // The common case: one wholly before the other, on straight paths.
      Occupant &early = a.uses.front().node < b.uses.front().node ? a : b;
      Occupant &late = &early == &a ? b : a;
      if (scope.isStraight(early.uses.back().node, late.uses.front().node) &&
          areEnded(early, late))
        return;
      return checkTakeTurns(early, late);
    }
    if (hardA || hardB)
      return hardA ? checkIntruder(a, b) : checkIntruder(b, a);
    bool isWhole = storage.getTenants()[a.tenant].kind == Tenant::Whole ||
                   storage.getTenants()[b.tenant].kind == Tenant::Whole;
    checkUnordered(a, b, /*isRaceOnly=*/isWhole);
  };

  // A sweep over bytes: only overlapping pairs are looked at.
  SmallVector<unsigned> sorted(occupants.size());
  for (unsigned i = 0; i < sorted.size(); ++i)
    sorted[i] = i;
  llvm::stable_sort(sorted, [&](unsigned a, unsigned b) {
    return occupants[a].lo < occupants[b].lo;
  });
  SmallVector<unsigned> active;
  for (unsigned i : sorted) {
    llvm::erase_if(active, [&](unsigned other) {
      return occupants[other].hi <= occupants[i].lo;
    });
    if (occupants[i].lo >= occupants[i].hi)
      continue;
    for (unsigned other : active)
      checkPair(occupants[std::min(i, other)], occupants[std::max(i, other)]);
    active.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Races within a tenant
//===----------------------------------------------------------------------===//

/// What a loop's body makes is a new buffer in each iteration, all in one
/// place: they must take turns like other tenants.
void Checker::checkOwnIterations(Occupant &occupant) {
  Operation *maker = storage.getTenants()[occupant.tenant].op;
  if (!storage.isHard(occupant.tenant) || !maker ||
      scope.getLoopsOf(maker).empty())
    return;
  const Order &all = getOrder(nullptr);

  // Use of an earlier instance's content once a later one has the place.
  bool hasAge = llvm::any_of(
      occupant.uses, [](const Use &use) { return use.access->range.age > 0; });
  const Use *doubtOld = nullptr, *doubtNew = nullptr;
  for (const Use &old : occupant.uses) {
    unsigned age = old.access->range.age;
    if (!hasAge || age == 0)
      continue;
    for (const Use &recent : occupant.uses) {
      if (recent.access->range.age >= age || !conflicts(old, recent))
        continue;
      // How long ago is known only of the iteration before.
      bool isDoubtful = age > 1 || old.access->range.lost ||
                        recent.access->range.lost || old.access->addressOnly ||
                        recent.access->addressOnly;
      bool follows = old.node == recent.node || !old.access->range.header ||
                     scope.mayFollowWithout(recent.node, old.node,
                                            old.access->range.header);
      if (!isDoubtful && follows) {
        report.add(Report::Error, opOf(old),
                   describe(old) +
                       ", as an earlier iteration left them, but this "
                       "iteration has a buffer of its own in the same place "
                       "(V2)",
                   {noteAt(recent, "this iteration's: ")});
        return;
      }
      if (isDoubtful && !doubtOld && (age > 1 || follows)) {
        doubtOld = &old;
        doubtNew = &recent;
      }
    }
  }
  if (doubtOld)
    report.add(Report::Undecided, opOf(*doubtOld),
               "whether " + describe(*doubtOld) +
                   " as an earlier iteration left them: a later one has a "
                   "buffer of its own in the same place",
               {noteAt(*doubtNew, "a later iteration's: ")});

  // Asynchronous work of earlier instances.
  Operation *loop = maker->getParentOp();
  while (loop && loop != scope.getTop() && loop->getParentRegion() &&
         !(isStructured(loop) && isa<LoopLikeOpInterface>(loop)))
    loop = loop->getParentOp();
  bool isCycle = false;
  for (Operation *op = maker; op && op != loop && op != scope.getTop();
       op = op->getParentOp())
    isCycle |= scope.reaches(op->getBlock(), op->getBlock());
  const Order *own =
      isCycle || !loop || loop == scope.getTop() ? nullptr : &getOrder(loop);
  std::optional<std::pair<const Use *, const Use *>> ownRace;
  for (const Use &x : occupant.uses)
    for (const Use &y : occupant.uses) {
      bool isOther = x.access->range.age != y.access->range.age;
      if (y.node < x.node || all.isOrdered(x.node, y.node) || !conflicts(x, y))
        continue;
      bool isSame = x.node == y.node || isOther;
      // Instances of one iteration hide those of two.
      if (!isSame && own && !own->isOrdered(x.node, y.node)) {
        if (!ownRace)
          ownRace = {&x, &y};
        continue;
      }
      if (getExcuse(x, y, all))
        return reportUnordered(x, y, false, all, "V1");
      std::string text = describe(y) +
                         " while an earlier iteration's instance of it may "
                         "still be in use there";
      report.add(isSame || own ? Report::Error : Report::Undecided, opOf(y),
                 isSame || own ? text + " (V1)" : "whether " + text,
                 {noteAt(x, "not ordered with the next iteration: ")});
      return;
    }
  if (ownRace)
    report.add(Report::Undecided, opOf(*ownRace->second),
               "whether " + describe(*ownRace->second) +
                   " while an earlier iteration's instance of it may still be "
                   "in use there: not even within one iteration is it ordered",
               {noteAt(*ownRace->first, "not ordered with it: ")});
}

void Checker::checkRaces(unsigned root) {
  const Order &order = getOrderFor(root);
  for (Occupant &occupant : roots[root].occupants) {
    checkOwnIterations(occupant);
    // Work that blocks the host cannot race with itself.
    if (llvm::all_of(occupant.uses, [&](const Use &use) {
          return nodeOf(use).behaviour.completion == Completion::Blocking;
        }))
      continue;
    for (const Use &write : occupant.uses) {
      if (!write.access->writes() || !write.access->range.exact)
        continue;
      for (const Use &use : occupant.uses) {
        // Another iteration's instance is another buffer.
        if (use.node == write.node ||
            use.access->range.age != write.access->range.age ||
            (use.access->writes() && use.node < write.node) ||
            !use.access->range.exact || !conflicts(use, write) ||
            order.isOrdered(use.node, write.node))
          continue;
        reportUnordered(write, use, /*isRace=*/true, order, "");
        break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// V3, V4, V8: frees; V9: allocations
//===----------------------------------------------------------------------===//

/// Does a path lead from `from`, or from what follows it, to a block that
/// `isEnd` accepts, without entering `without`?
static bool leadsAround(Block *from, Block *without,
                        llvm::function_ref<bool(Block *)> isEnd) {
  SmallVector<Block *> worklist{from};
  DenseSet<Block *> seen{without};
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    if (isEnd(block))
      return true;
    llvm::append_range(worklist, block->getSuccessors());
  }
  return false;
}

/// May each of the two run without the other one, seen from what encloses both?
/// Conditions are not compared: they may exclude each other.
static bool areBothConditional(Operation *a, Operation *b) {
  Operation *stepA = a->getBlock()->findAncestorOpInBlock(*b);
  Operation *stepB = b->getBlock()->findAncestorOpInBlock(*a);
  if (!stepA && !stepB && a->getParentRegion() != b->getParentRegion())
    return true;
  Region *region = a->getParentRegion();
  if (region != b->getParentRegion() || a->getBlock() == b->getBlock())
    return false;
  return leadsAround(&region->front(), a->getBlock(),
                     [&](Block *block) { return block == b->getBlock(); }) &&
         leadsAround(a->getBlock(), b->getBlock(), [](Block *block) {
           return block->getNumSuccessors() == 0;
         });
}

/// May control reach `use` without passing `free`, from where the storage was
/// made? Says yes if it cannot tell.
static bool isConditional(Operation *free, Operation *use, Operation *made) {
  Region *region = use->getParentRegion();
  Operation *step = region->findAncestorOpInRegion(*free);
  while (!step && region->getParentOp()) {
    use = region->getParentOp();
    region = use->getParentRegion();
    step = region ? region->findAncestorOpInRegion(*free) : nullptr;
  }
  if (!step)
    return true;
  for (Operation *op = free; op != step; op = op->getParentOp())
    if (!isa<memref::AllocaScopeOp>(op->getParentOp()))
      return true;
  if (region->hasOneBlock() || step->getBlock() == use->getBlock())
    return false;
  Operation *origin = made ? region->findAncestorOpInRegion(*made) : nullptr;
  Block *from = origin ? origin->getBlock() : &region->front();
  SmallVector<Block *> worklist{from};
  DenseSet<Block *> seen{step->getBlock()};
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (block == use->getBlock())
      return true;
    if (seen.insert(block).second)
      llvm::append_range(worklist, block->getSuccessors());
  }
  return false;
}

void Checker::checkFrees(unsigned root) {
  const RootUses &uses = roots[root];
  const Order &order = getOrderFor(root);
  const Root &storageRoot = storage.getRoots()[root];
  for (const Use &free : uses.frees) {
    Operation *op = opOf(free);
    // V4: one tenant must not free what others share.
    const Tenant &tenant = storage.getTenants()[free.access->range.tenant];
    if (tenant.kind == Tenant::Named) {
      report.add(Report::Error, op,
                 quote(op) + " frees the storage that " +
                     storage.describe(free.access->range.tenant) +
                     " shares with others (V4)");
      continue;
    }
    if (free.access->range.carried || storageRoot.carriedAt) {
      report.add(Report::Undecided, op,
                 "which iteration's allocation " + quote(op) + " frees");
      continue;
    }
    bool isMaybe = free.access->effects & MaybeFree;
    SmallVector<Use> missing;
    auto visit = [&](const Use &use) {
      // A clone outlives its source.
      if (use.access->range.copied)
        return;
      if (use.node == free.node) {
        // What one run of a body does is looked at by itself.
        bool isOneRun = isa<async::ExecuteOp>(op) &&
                        !sharesLoop(root, use.node, free.node);
        if (op->getNumRegions() != 0 && !isOneRun)
          report.add(Report::Undecided, op,
                     "whether iterations that run at the same time use storage "
                     "that one of them frees");
        return;
      }
      bool again = sharesLoop(root, use.node, free.node);
      bool isAfter = scope.mayFollow(free.node, use.node);
      if ((scope.mayFollow(use.node, free.node) || again) &&
          !order.endsBefore(use.node, free.node))
        missing.push_back(use);
      // V3. To take an address is no access.
      if ((!isAfter && !again) || use.access->addressOnly)
        return;
      bool inCycle =
          isAfter && storageRoot.op && scope.mayFollow(use.node, free.node);
      // Stock deallocation frees what it has found to be something else.
      const ByteRange &range = use.access->range;
      if (isMaybe || range.carried || range.guessed || inCycle ||
          areBothConditional(op, opOf(use)) ||
          (range.merged && isConditional(op, opOf(use), storageRoot.op))) {
        report.add(Report::Undecided, opOf(use),
                   "whether the storage is still there when " + describe(use),
                   {noteAt(free, "may be freed: ")});
        return;
      }
      report.add(Report::Error, opOf(use),
                 "use after free: " + describe(use) +
                     (isAfter ? "" : " in the iterations that follow") +
                     " (V3)",
                 {{op->getLoc(), "freed here by " + quote(op) +
                                     ", before that access has ended"}});
    };
    for (const Occupant &occupant : uses.occupants)
      for (const Use &use : occupant.uses)
        visit(use);

    // V4: name every last user that may still run.
    llvm::sort(missing,
               [](const Use &a, const Use &b) { return a.node < b.node; });
    missing.erase(std::unique(missing.begin(), missing.end(),
                              [](const Use &a, const Use &b) {
                                return a.node == b.node;
                              }),
                  missing.end());
    SmallVector<Report::Note> notes;
    for (const Use &use : missing) {
      if (use.access->range.guessed &&
          nodeOf(use).behaviour.completion != Completion::Unknown) {
        report.add(Report::Undecided, op,
                   "whether " + quote(op) +
                       " frees storage that is still in use by " +
                       quote(opOf(use)) + ": what that op names is not known",
                   {noteAt(use, "used here: ")});
        continue;
      }
      if (nodeOf(use).behaviour.completion == Completion::Unknown) {
        report.add(Report::Undecided, op,
                   "whether " + quote(op) +
                       " frees storage that is still in "
                       "use by " +
                       quote(opOf(use)) + ": " +
                       nodeOf(use).behaviour.reason.str(),
                   {noteAt(use, "used here: ")});
        continue;
      }
      if (order.getOptimistic().endsBefore(use.node, free.node)) {
        report.add(Report::Undecided, op,
                   "whether " + quote(op) +
                       " frees storage that is still in use by " +
                       quote(opOf(use)) +
                       ": a token was given to an op that may wait for it",
                   {noteAt(use, "used here: ")});
        continue;
      }
      bool isLast = llvm::none_of(missing, [&](const Use &later) {
        return later.node != use.node &&
               order.endsBefore(use.node, later.node) &&
               scope.mayFollow(use.node, later.node) &&
               opOf(later)->getBlock()->findAncestorOpInBlock(*opOf(use));
      });
      if (isLast)
        notes.push_back(noteAt(use, "may still run: "));
    }
    if (!notes.empty()) {
      size_t count = notes.size();
      notes.push_back(
          {op->getLoc(), "missing: a token path or a blocking wait that leads "
                         "from the end of each of them to this " +
                             quote(op)});
      if (isMaybe)
        report.add(Report::Undecided, op,
                   "whether " + quote(op) +
                       " frees storage that is still in "
                       "use",
                   std::move(notes));
      else
        report.add(Report::Error, op,
                   quote(op) + " is not ordered after " +
                       (count == 1 ? std::string("the last user")
                                   : std::to_string(count) + " last users") +
                       " of what it frees (V4)",
                   std::move(notes));
    }

    // V8
    for (const Use &other : uses.frees) {
      bool isSame = other.node == free.node;
      bool again = sharesLoop(root, other.node, free.node);
      if (isSame ? !again : !scope.mayFollow(other.node, free.node))
        continue;
      bool isDoubtful = isMaybe || (other.access->effects & MaybeFree) ||
                        other.access->range.carried ||
                        (!isSame && areBothConditional(op, opOf(other))) ||
                        (!isSame && scope.mayFollow(free.node, other.node));
      if (isDoubtful)
        report.add(Report::Undecided, op,
                   "whether " + quote(op) +
                       " frees storage that is freed "
                       "elsewhere, too",
                   {noteAt(other, "the other: ")});
      else
        report.add(Report::Error, op,
                   std::string("double free") +
                       (isSame ? ": the storage is allocated outside of this "
                                 "loop"
                               : "") +
                       " (V8)",
                   {noteAt(other, "freed here already: ")});
      break;
    }
  }
}

/// Does `user` touch the storage of `alloc` through its result and views of it
/// alone?
static bool usesDirectly(Operation *user, gpu::AllocOp alloc) {
  bool found = false;
  for (Value operand : user->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    while (auto view = operand.getDefiningOp<ViewLikeOpInterface>())
      operand = view.getViewSource();
    if (operand == alloc.getMemref())
      found = true;
    else if (!operand.getDefiningOp<gpu::AllocOp>() &&
             !operand.getDefiningOp<memref::AllocOp>() &&
             !(isa<BlockArgument>(operand) &&
               isa<FunctionOpInterface>(
                   cast<BlockArgument>(operand).getOwner()->getParentOp()) &&
               cast<BlockArgument>(operand).getOwner()->isEntryBlock()))
      return false;
  }
  return found;
}

/// Does `user` wait, itself or behind a wait of the host just before it, for the
/// token that this execution of `alloc` made? Buffer and token are results of one
/// op, and each op on the way stands on every path from it to `user`: so both are
/// of one execution, whatever cycle of blocks surrounds them.
static bool waitsForOwnAllocation(Operation *user, gpu::AllocOp alloc) {
  if (!alloc || !alloc.getAsyncToken() || !usesDirectly(user, alloc))
    return false;
  SmallVector<Value> worklist;
  auto follow = [&](Operation *op) {
    if (auto async = dyn_cast<gpu::AsyncOpInterface>(op))
      llvm::append_range(worklist, async.getAsyncDependencies());
  };
  follow(user);
  for (Operation *op = user->getPrevNode(); op; op = op->getPrevNode())
    if (auto wait = dyn_cast<gpu::WaitOp>(op); wait && !wait.getAsyncToken())
      follow(op);
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value token = worklist.pop_back_val();
    if (token == alloc.getAsyncToken())
      return true;
    if (seen.insert(token).second && token.getDefiningOp())
      follow(token.getDefiningOp());
  }
  return false;
}

void Checker::checkAllocations(unsigned root) {
  const Order &order = getOrderFor(root);
  for (const Use &allocation : roots[root].allocations) {
    auto visit = [&](const Use &use) {
      if (use.node == allocation.node || use.access->range.carried ||
          use.access->addressOnly || use.access->range.guessed ||
          use.access->range.copied ||
          !scope.mayFollow(allocation.node, use.node) ||
          order.endsBefore(allocation.node, use.node) ||
          waitsForOwnAllocation(opOf(use),
                                dyn_cast<gpu::AllocOp>(opOf(allocation))))
        return;
      if (order.getOptimistic().endsBefore(allocation.node, use.node)) {
        report.add(Report::Undecided, opOf(use),
                   "whether " + describe(use) +
                       " before its allocation has completed: a token was "
                       "given to an op that may wait for it",
                   {{opOf(allocation)->getLoc(), "allocated here"}});
        return;
      }
      report.add(Report::Error, opOf(use),
                 describe(use) + " before its allocation has completed (V9)",
                 {{opOf(allocation)->getLoc(), "allocated here"},
                  missingEdge(allocation, use)});
    };
    for (const Occupant &occupant : roots[root].occupants)
      for (const Use &use : occupant.uses)
        visit(use);
    for (const Use &free : roots[root].frees)
      visit(free);
  }
}

//===----------------------------------------------------------------------===//
// V7: usage
//===----------------------------------------------------------------------===//

void Checker::checkUsage(unsigned root) {
  Usage offered = Usage::None;
  Operation *witness = nullptr;
  if (auto arena = dyn_cast_or_null<ArenaOp>(storage.getRoots()[root].op)) {
    if (!arena.getUsage())
      return;
    offered = *arena.getUsage();
    witness = arena;
  } else if (storage.getRoots()[root].kind == Root::Physical) {
    // No op makes it yet: it will offer what its tenants ask for. If one of
    // them does not say, anything.
    for (const Tenant &tenant : storage.getTenants()) {
      auto request = dyn_cast_or_null<AllocOp>(tenant.op);
      if (tenant.root != root || !request)
        continue;
      if (!request.getUsage())
        return;
      offered = offered | *request.getUsage();
      if (!witness)
        witness = request;
    }
  }
  if (!witness)
    return;
  for (const Occupant &occupant : roots[root].occupants)
    for (const Use &use : occupant.uses) {
      Operation *op = opOf(use);
      Usage required = Usage::None;
      if (isa<gpu::MemcpyOp, gpu::MemsetOp>(op)) {
        if (use.access->writes())
          required = required | Usage::CopyDst;
        if (use.access->effects & Read)
          required = required | Usage::CopySrc;
      } else if (isa<gpu::LaunchFuncOp>(op)) {
        required =
            use.access->writes() || !bitEnumContainsAny(offered, Usage::Uniform)
                ? Usage::Storage
                : Usage::Uniform;
      }
      if (bitEnumContainsAll(offered, required))
        continue;
      report.add(Report::Error, op,
                 describe(use) + " as '" + stringifyUsage(required) +
                     "', which its storage does not offer (V7)",
                 {{witness->getLoc(),
                   "the storage offers '" + stringifyUsage(offered) + "'"}});
    }
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

void Checker::run() {
  for (auto [index, node] : llvm::enumerate(scope.getNodes()))
    for (const Access &access : node.behaviour.accesses) {
      RootUses &uses = roots[access.range.root];
      unsigned number = index;
      if (access.effects & (Free | MaybeFree))
        uses.frees.push_back({number, &access});
      if (access.effects & Allocate)
        uses.allocations.push_back({number, &access});
      if (!access.isUse())
        continue;
      auto [it, inserted] = uses.occupantByTenant.try_emplace(
          access.range.tenant, uses.occupants.size());
      if (inserted) {
        uses.occupants.emplace_back();
        uses.occupants.back().tenant = access.range.tenant;
      }
      Occupant &occupant = uses.occupants[it->second];
      occupant.uses.push_back({number, &access});
      occupant.lo = std::min(occupant.lo, access.range.lo);
      occupant.hi = std::max(occupant.hi, access.range.hi);
    }
  for (unsigned root = 0; root < roots.size(); ++root) {
    if (roots[root].occupants.empty() && roots[root].frees.empty())
      continue;
    checkSharing(root);
    checkRaces(root);
    checkFrees(root);
    checkAllocations(root);
    checkUsage(root);
  }
}

void checkScope(const Scope &scope, const StorageMap &storage, Report &report) {
  Checker(scope, storage, report).run();
}

} // namespace transient::checker
