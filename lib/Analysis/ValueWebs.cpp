//===- ValueWebs.cpp - The values that a buffer holds in turn -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finding cuts is one sweep over the users in each direction; each keeps only
// those users that nothing seen since stands in for.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/ValueWebs.h"

#include "transient/Analysis/Overwrite.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace transient {

/// The value that `alias` is a view of, if its op does nothing but compute a
/// view and could do so of another buffer just as well; null if not.
static Value getViewSource(Value alias) {
  Operation *op = alias.getDefiningOp();
  // Not every op that makes a view says so by the interface.
  if (!isa_and_nonnull<ViewLikeOpInterface, memref::TransposeOp>(op) ||
      op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      op->getResult(0) != alias || op->getNumOperands() == 0)
    return Value();
  Value source = op->getOperand(0);
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    if (view.getViewSource() != source)
      return Value();
  return llvm::is_contained(op->getOperands().drop_front(), source) ? Value()
                                                                    : source;
}

static bool hasOnlyViews(const BufferRecord &record) {
  // A descriptor goes on holding the place that it was made of.
  if (llvm::any_of(record.uses.uses,
                   [](const BufferUse &use) { return use.retained; }))
    return false;
  llvm::SmallDenseSet<Value> known;
  // In program order, so a view's source is known before the view.
  for (Value alias : record.uses.aliases) {
    if (alias != record.value && !known.contains(getViewSource(alias)))
      return false;
    known.insert(alias);
  }
  return true;
}

namespace {

/// One piece of work that accesses the buffer: a node, or an op in the block of
/// the allocation that encloses nodes and waits for those that do.
struct User {
  /// The first and the last node of it.
  unsigned start = 0, finish = 0;
  Operation *op = nullptr;
  /// Its accesses: a range of `Finder::uses`.
  size_t begin = 0, end = 0;
};

class Finder {
public:
  Finder(const BufferRecord &record, const ExecutionOrder &order,
         SymbolTableCollection &symbols)
      : record(record), order(order), symbols(symbols) {}

  std::vector<ValueWeb> run() {
    if (!gatherUsers())
      return {};
    std::vector<bool> isCut = findCandidates();
    if (llvm::is_contained(isCut, true)) {
      sweep</*Forward=*/true>(isCut);
      sweep</*Forward=*/false>(isCut);
    }
    // A value begins at the first user in any case.
    if (!llvm::is_contained(llvm::drop_begin(isCut), true))
      return {};
    std::vector<ValueWeb> webs;
    for (auto [user, cut] : llvm::zip_equal(users, isCut)) {
      if (cut && !isOverwrite(user))
        cut = false;
      if (cut || webs.empty())
        webs.push_back({cut ? user.op : nullptr, {}});
      for (size_t i = user.begin; i < user.end; ++i)
        webs.back().uses.push_back(uses[i].second);
    }
    for (ValueWeb &web : webs)
      llvm::sort(web.uses);
    return webs;
  }

private:
  /// Sorts accesses by node. False if one has no node.
  bool gatherUsers() {
    const std::vector<BufferUse> &all = record.uses.uses;
    for (auto [index, use] : llvm::enumerate(all)) {
      if (use.kind != BufferUse::Access)
        continue;
      std::optional<unsigned> node = order.getNode(use.getOp());
      if (!node)
        return false;
      uses.push_back({getPiece(use.getOp(), *node), index});
    }
    llvm::sort(uses);
    for (size_t i = 0; i < uses.size(); ++i) {
      const ExecutionOrder::Node &node = order.getNodes()[uses[i].first];
      bool encloses = node.kind == ExecutionOrder::Node::Enter;
      if (users.empty() || users.back().start != uses[i].first)
        users.push_back({uses[i].first, encloses ? node.exit : uses[i].first,
                         node.op, i, i});
      users.back().end = i + 1;
    }
    return true;
  }

  /// The node that stands for an access in `node`: where control enters the op
  /// around it, in the block of the allocation, if the access has ended when
  /// control leaves that.
  unsigned getPiece(Operation *access, unsigned node) const {
    Operation *op = record.op->getBlock()->findAncestorOpInBlock(*access);
    std::optional<unsigned> enter = op ? order.getNode(op) : std::nullopt;
    if (!enter || order.getNodes()[*enter].op != op ||
        order.getNodes()[*enter].kind != ExecutionOrder::Node::Enter)
      return node;
    const ExecutionOrder::Node &outer = order.getNodes()[*enter];
    bool isInside = order.endsBeforeStart(*enter, node) &&
                    order.endsBeforeStart(node, outer.exit) &&
                    order.getNodes()[outer.exit].completion.kind ==
                        Completion::OnReturn;
    return isInside ? *enter : node;
  }

  /// Users that may begin a value, by where they are and what they do at first
  /// sight.
  std::vector<bool> findCandidates() const {
    std::vector<bool> result;
    for (const User &user : users) {
      bool mayBegin = user.op->getBlock() == record.op->getBlock();
      for (size_t i = user.begin; i < user.end && mayBegin; ++i)
        mayBegin = !reads(record.uses.uses[uses[i].second].mode);
      result.push_back(mayBegin);
    }
    return result;
  }

  bool isOverwrite(const User &user) const {
    // Uses are in program order: those of an op and of all inside it are
    // neighbours, whether or not what is inside has a node of its own.
    ArrayRef<BufferUse> all = record.uses.uses;
    size_t first = uses[user.begin].second, last = first;
    while (last < all.size() && user.op->isAncestor(all[last].getOp()))
      ++last;
    return overwritesWhole(user.op, record.value,
                           all.slice(first, last - first), &symbols);
  }

  /// Whether `b` runs in each activation in which `a` does: `a` is in the same
  /// block or inside of an op of it.
  static bool runsWhenever(const User &b, const User &a) {
    return b.op->getBlock()->findAncestorOpInBlock(*a.op) != nullptr;
  }

  /// Takes back the cuts at users that are not proved to be after all users
  /// seen on the way (before, if not `Forward`).
  template <bool Forward>
  void sweep(std::vector<bool> &isCut) const {
    auto isOrdered = [&](const User &seen, const User &next) {
      return Forward ? order.endsBeforeStart(seen.finish, next.start)
                     : order.endsBeforeStart(next.finish, seen.start);
    };
    // Users that no later one stands in for.
    SmallVector<const User *> frontier;
    for (size_t i = 0; i < users.size(); ++i) {
      size_t index = Forward ? i : users.size() - 1 - i;
      const User &user = users[index];
      bool isLast = true;
      llvm::erase_if(frontier, [&](const User *seen) {
        bool ordered = isOrdered(*seen, user);
        isLast &= ordered;
        return ordered && runsWhenever(user, *seen);
      });
      if (!isLast)
        isCut[index] = false;
      frontier.push_back(&user);
      if (frontier.size() <= kMaxUnorderedUsers)
        continue;
      for (++i; i < users.size(); ++i)
        isCut[Forward ? i : users.size() - 1 - i] = false;
    }
  }

  const BufferRecord &record;
  const ExecutionOrder &order;
  SymbolTableCollection &symbols;
  /// Node and index of each access, sorted.
  std::vector<std::pair<unsigned, unsigned>> uses;
  std::vector<User> users;
};

} // namespace

std::vector<ValueWeb> findValueWebs(const BufferRecord &record,
                                    const ExecutionOrder &order,
                                    SymbolTableCollection &symbols) {
  if (record.kind != BufferRecord::Allocation || !record.isPlannable() ||
      record.users.size() < 2 || !hasOnlyViews(record))
    return {};
  return Finder(record, order, symbols).run();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void splitIntoWebs(const BufferRecord &record, ArrayRef<ValueWeb> webs,
                   ArrayRef<Value> buffers) {
  assert(webs.size() == buffers.size() && "expects a buffer for each web");
  // The first web that uses a view takes it over; the others clone it.
  llvm::DenseMap<Value, unsigned> owner;
  for (auto [web, uses] : llvm::enumerate(webs))
    for (unsigned use : uses.uses)
      for (Value value = record.uses.uses[use].operand->get();
           value != record.value && owner.try_emplace(value, web).second;
           value = getViewSource(value))
        ;
  llvm::DenseMap<std::pair<Value, unsigned>, Value> views;
  // The value that stands for `value` in a web. Chains of views are short, and
  // each link is made once for each web.
  auto getView = [&](Value value, unsigned web) {
    SmallVector<Value> chain;
    Value source;
    for (; !source; value = getViewSource(value)) {
      if (value == record.value)
        source = buffers[web];
      else if (Value known = views.lookup({value, web}))
        source = known;
      else
        chain.push_back(value);
    }
    for (Value link : llvm::reverse(chain)) {
      Operation *op = link.getDefiningOp();
      if (owner.lookup(link) != web) {
        OpBuilder builder(op->getContext());
        builder.setInsertionPointAfter(op);
        op = builder.clone(*op);
      }
      op->setOperand(0, source);
      source = op->getResult(0);
      views[{link, web}] = source;
    }
    return source;
  };
  // Last web first: it clones a chain of views before its owner changes it.
  for (size_t web = webs.size(); web-- > 0;)
    for (unsigned use : webs[web].uses) {
      OpOperand *operand = record.uses.uses[use].operand;
      operand->set(getView(operand->get(), web));
    }
}

} // namespace transient
