//===- ReportInventory.cpp - Audit of every resource, and what is none ----===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts `inventory` and `excluded` of the report. Each value says where it
// comes from; what nobody says and nothing shows is the string "unknown".
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace transient {

namespace {

/// Where a value comes from (A10). No pass measures anything.
constexpr StringLiteral kInferred = "inferred", kDeclared = "declared";

// The same for every record, so they are not put together each time.

/// Nobody can declare a reconstruction yet.
constexpr StringLiteral kReconstruction =
    R"({"inputs":"unknown","equivalence":"unknown","cost":"unknown",)"
    R"("synchronization":"unknown","workspace":"unknown","variance":"unknown"})";
#define TRANSIENT_EVIDENCE(uncertainty)                                        \
  R"({"scope":{"value":"all executions","source":"inferred"},)"                \
  R"("origin":{"value":"this IR","source":"inferred"},)"                       \
  R"("units":{"value":"bytes, nodes","source":"inferred"},)"                   \
  R"("uncertainty":{"value":")" uncertainty R"(","source":"inferred"},)"       \
  R"("invalidated_by":{"value":"any change of the IR","source":"inferred"}})"
constexpr StringLiteral kEvidence = TRANSIENT_EVIDENCE("none");
constexpr StringLiteral kBlockedEvidence = TRANSIENT_EVIDENCE("see blocked");
#undef TRANSIENT_EVIDENCE

/// Writes audit fields. They are one line each, or the file would be mostly
/// indentation.
class AuditWriter {
public:
  AuditWriter(llvm::json::OStream &json, const FunctionReport &report)
      : json(json), report(report) {}

  void write(const BufferRecord &record, StringRef id);

private:
  using Line = llvm::json::OStream;

  void line(StringRef key, function_ref<void(Line &)> writer) {
    std::string text;
    llvm::raw_string_ostream os(text);
    {
      Line nested(os);
      nested.object([&] { writer(nested); });
    }
    raw(key, text);
  }

  void raw(StringRef key, StringRef text) {
    json.attributeBegin(key);
    json.rawValue(text);
    json.attributeEnd();
  }

  template <typename T>
  static void tag(Line &out, StringRef key, const T &value,
                  StringRef source = kInferred) {
    out.attributeObject(key, [&] {
      out.attribute("value", value);
      out.attribute("source", source);
    });
  }
  static void unknown(Line &out, std::initializer_list<StringRef> keys) {
    for (StringRef key : keys)
      out.attribute(key, "unknown");
  }

  void writeIdentity(const BufferRecord &record, StringRef id);
  void writeSize(const BufferRecord &record);
  void writeUses(const BufferRecord &record);
  void writeLifetime(const BufferRecord &record);
  void writeAsynchrony(const BufferRecord &record);
  void writeReuse(const BufferRecord &record);
  void writeUse(Line &out, const BufferUse &use);

  /// The placement of `record`, or null.
  const planner::Placement *getPlacement(const BufferRecord &record) const {
    auto found = report.problemIndex.find(record.id);
    return record.kind != BufferRecord::Allocation ||
                   found == report.problemIndex.end()
               ? nullptr
               : &report.plan.placements[found->second];
  }

  llvm::json::OStream &json;
  const FunctionReport &report;
  /// How many values of each split allocation were written.
  std::map<uint64_t, uint64_t> versions;
};

void AuditWriter::write(const BufferRecord &record, StringRef id) {
  writeIdentity(record, id);
  writeSize(record);
  line("alignment", [&](Line &out) {
    tag(out, "bytes", record.alignment,
        record.alignmentSource == "abi" ? kInferred : kDeclared);
    tag(out, "contract", record.alignmentSource);
  });
  writeUses(record);
  writeLifetime(record);
  writeAsynchrony(record);
  raw("reconstruction", kReconstruction);
  writeReuse(record);
  raw("evidence", record.blocked.empty() ? kEvidence : kBlockedEvidence);
}

void AuditWriter::writeIdentity(const BufferRecord &record, StringRef id) {
  auto request = dyn_cast_or_null<AllocOp>(record.op);
  line("identity", [&](Line &out) {
    tag(out, "value", id);
    std::optional<uint64_t> group = request ? request.getWebOf() : std::nullopt;
    if (group)
      tag(out, "version", ++versions[*group]);
    else if (record.kind == BufferRecord::Allocation)
      tag(out, "version", 1);
    else
      unknown(out, {"version"});
    tag(out, "producer",
        record.op ? toString(record.op->getLoc()) : std::string("caller"));
    if (request && request.getOwnerAttr())
      tag(out, "owner", request.getOwnerAttr().getValue(), kDeclared);
    else
      unknown(out, {"owner"});
    // Isolation domains cannot be declared yet (A5).
    unknown(out, {"domain"});
    const BufferUse *escape = nullptr;
    for (const BufferUse &use : record.uses.uses)
      if (use.kind == BufferUse::Escape && !escape)
        escape = &use;
    if (!record.writers.empty() || record.kind == BufferRecord::Argument)
      tag(out, "mutability", "mutable");
    else if (escape || record.kind == BufferRecord::Global)
      unknown(out, {"mutability"});
    else
      tag(out, "mutability", "never written");
    bool isLocal = record.kind == BufferRecord::Allocation && !escape;
    tag(out, "observable", !isLocal);
    if (escape)
      tag(out, "escape", escape->route);
    else if (isLocal)
      tag(out, "escape", "none");
    else
      tag(out, "escape",
          record.kind == BufferRecord::Argument ? "belongs to the caller"
                                                : "belongs to the module");
  });
}

void AuditWriter::writeSize(const BufferRecord &record) {
  const planner::Placement *placement = getPlacement(record);
  line("size", [&](Line &out) {
    if (record.size.isKnown()) {
      tag(out, "required", record.size.bytes);
      tag(out, "representative", record.size.bytes);
      tag(out, "maximum", record.size.bytes);
      tag(out, "capacity", placement ? placement->bytes : record.size.bytes);
    } else {
      unknown(out, {"required", "representative", "maximum", "capacity"});
    }
    tag(out, "units", "bytes");
  });
  // The size of a memref is fixed when it is allocated.
  line("growth", [&](Line &out) {
    if (record.size.isKnown()) {
      tag(out, "events", "none");
      tag(out, "bound", record.size.bytes);
      tag(out, "shrink", "never");
      tag(out, "slack", placement ? placement->bytes - record.size.bytes : 0);
    } else {
      unknown(out, {"events", "bound", "shrink", "slack"});
    }
  });
}

void AuditWriter::writeUse(Line &out, const BufferUse &use) {
  Operation *op = use.getOp();
  out.attribute("op", op->getName().getStringRef());
  out.attribute("loc", toString(op->getLoc()));
  out.attribute("kind", use.kind == BufferUse::Access ? "access"
                        : use.kind == BufferUse::Free ? "free"
                                                      : "escape");
  if (use.kind == BufferUse::Access) {
    bool isDeclared =
        isa<CallOpInterface>(op) &&
        getDeclaredAccess(op, use.operand->getOperandNumber(),
                          report.kernels->getSymbols());
    tag(out, "access", stringify(use.mode), isDeclared ? kDeclared : kInferred);
    out.attribute("proved", use.modeProved);
  } else {
    unknown(out, {"access"});
  }
  std::optional<unsigned> index = report.order->getNode(op);
  if (!index) {
    unknown(out, {"node", "completion"});
    return;
  }
  out.attribute("node", static_cast<uint64_t>(*index));
  const ExecutionOrder::Node &node = report.order->getNodes()[*index];
  if (use.kind == BufferUse::Escape ||
      node.completion.kind == Completion::Unknown)
    unknown(out, {"completion"});
  else if (node.completion.kind == Completion::Token)
    tag(out, "completion", "token of " + toString(node.op->getLoc()));
  else if (node.op != op || op->hasTrait<OpTrait::IsTerminator>())
    tag(out, "completion", "region exit");
  else
    tag(out, "completion", "blocking op");
}

/// Whether `op` keeps the address of an operand in a descriptor.
bool makesDescriptor(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return isa<gpu::SparseDnTensorHandleType, gpu::SparseSpMatHandleType>(type);
  });
}

void AuditWriter::writeUses(const BufferRecord &record) {
  line("uses", [&](Line &out) {
    bool escapes = false, isRetained = false;
    uint64_t readers = 0, writers = 0;
    for (const BufferUse &use : record.uses.uses) {
      escapes |= use.kind == BufferUse::Escape;
      isRetained |= use.kind == BufferUse::Access && makesDescriptor(use.getOp());
      readers += use.kind == BufferUse::Access && reads(use.mode);
      writers += use.kind == BufferUse::Access && writes(use.mode);
    }
    // Whoever holds the buffer outside of the function may use it as well.
    if (escapes || record.kind != BufferRecord::Allocation) {
      tag(out, "complete", false);
      unknown(out, {"retained"});
    } else {
      tag(out, "complete", true);
      tag(out, "retained", isRetained ? "by a descriptor" : "none");
    }
    tag(out, "readers", readers);
    tag(out, "writers", writers);
    out.attributeArray("all", [&] {
      for (const BufferUse &use : record.uses.uses)
        out.object([&] { writeUse(out, use); });
    });
  });
}

void AuditWriter::writeLifetime(const BufferRecord &record) {
  auto request = dyn_cast_or_null<AllocOp>(record.op);
  LifetimeAttr lifetime = request ? request.getLifetimeAttr() : LifetimeAttr();
  line("lifetime", [&](Line &out) {
    if (!lifetime) {
      unknown(out, {"creation", "first", "last", "release"});
      return;
    }
    StringRef source = lifetime.getOrigin() == LifetimeOrigin::Declared
                           ? kDeclared
                           : kInferred;
    auto nodes = [&](StringRef key, ArrayRef<int64_t> ids) {
      out.attributeObject(key, [&] {
        out.attributeArray("value", [&] {
          for (int64_t id : ids)
            out.value(id);
        });
        out.attribute("source", source);
      });
    };
    if (source == kInferred)
      nodes("creation", lifetime.getCreation());
    else
      unknown(out, {"creation"});
    nodes("first", lifetime.getFirst());
    nodes("last", lifetime.getLast());
    tag(out, "release", "when all last nodes have ended");
  });
}

void AuditWriter::writeAsynchrony(const BufferRecord &record) {
  bool isKnown = !record.users.empty(), isHost = true, isToken = true;
  for (const BufferUse &use : record.uses.uses)
    isKnown &= use.kind != BufferUse::Escape;
  for (planner::NodeId user : record.users) {
    Completion::Kind kind = report.order->getNodes()[user].completion.kind;
    isKnown &= kind != Completion::Unknown;
    isHost &= kind == Completion::OnReturn;
    isToken &= kind == Completion::Token;
  }
  line("asynchrony", [&](Line &out) {
    if (!isKnown) {
      unknown(out, {"domain", "completion", "descendants"});
      return;
    }
    // Which stream a token's work gets is decided long after.
    if (isHost)
      tag(out, "domain", "host thread");
    else
      unknown(out, {"domain"});
    tag(out, "completion", isHost    ? "blocking ops"
                           : isToken ? "tokens"
                                     : "blocking ops and tokens");
    if (isHost)
      tag(out, "descendants", "none");
    else
      tag(out, "descendants", "see order.after");
  });
}

void AuditWriter::writeReuse(const BufferRecord &record) {
  line("reuse", [&](Line &out) {
    if (record.kind != BufferRecord::Allocation) {
      unknown(out, {"compatibility", "reset", "preserved", "proof"});
      return;
    }
    std::string space = stringifyAllocKind(record.allocKind).str();
    if (record.type.getMemorySpace())
      llvm::raw_string_ostream(space) << " in " << record.type.getMemorySpace();
    tag(out, "compatibility", space);
    // An allocation's content is undefined, so nobody may count on it (G7).
    tag(out, "reset", "none: content starts undefined");
    if (record.blocked.empty())
      tag(out, "preserved",
          record.spannedLoops.empty() ? "between first and last node"
                                      : "throughout the loops around it");
    else
      unknown(out, {"preserved"});
    if (getPlacement(record))
      tag(out, "proof", "see sharing");
    else
      unknown(out, {"proof"});
  });
}

/// Whether a record is immaterial: constant data of the module.
bool isConstant(const BufferRecord &record, const FunctionReport &report) {
  auto get = record.kind == BufferRecord::Global
                 ? cast<memref::GetGlobalOp>(record.op)
                 : memref::GetGlobalOp();
  if (!get)
    return false;
  auto global =
      report.kernels->getSymbols().lookupNearestSymbolFrom<memref::GlobalOp>(
          get, get.getNameAttr());
  return global && global.getConstant();
}

void writeBytes(llvm::json::OStream &json, const BufferSize &size) {
  if (size.isKnown())
    json.attribute("bytes", size.bytes);
  else
    json.attribute("bytes", "unknown");
}

StringRef getKindName(const BufferRecord &record) {
  switch (record.kind) {
  case BufferRecord::Argument:
    return "argument";
  case BufferRecord::Global:
    return "global";
  case BufferRecord::Allocation:
    break;
  }
  auto request = dyn_cast<AllocOp>(record.op);
  return request && request.getWorkspaceAttr() ? "workspace" : "allocation";
}

} // namespace

void writeInventory(llvm::json::OStream &json, const FunctionReport &report) {
  unsigned views = 0, others = 0;
  AuditWriter audit(json, report);
  for (const BufferRecord &record : report.inventory->getRecords()) {
    if (record.kind == BufferRecord::Allocation ? !report.isListed(record)
                                                : isConstant(record, report))
      continue;
    std::string id =
        record.kind == BufferRecord::Allocation
            ? getBufferName(record.id)
            : (record.kind == BufferRecord::Argument ? "arg" : "global") +
                  std::to_string(others);
    others += record.kind != BufferRecord::Allocation;
    json.object([&] {
      json.attribute("id", id);
      json.attribute("kind", getKindName(record));
      json.attribute("class", stringifyResourceClass(record.resourceClass));
      writeBytes(json, record.size);
      json.attribute("accesses",
                     static_cast<uint64_t>(llvm::count_if(
                         record.uses.uses, [](const BufferUse &use) {
                           return use.kind == BufferUse::Access;
                         })));
      audit.write(record, id);
    });
    for (Value alias : record.uses.aliases) {
      if (alias == record.value)
        continue;
      json.object([&] {
        json.attribute("id", "view" + std::to_string(views++));
        json.attribute("kind", "view");
        json.attribute("view_of", id);
        json.attribute("loc", toString(alias.getLoc()));
      });
    }
  }
}

void writeExcluded(llvm::json::OStream &json, const FunctionReport &report) {
  auto write = [&](StringRef kind, const BufferSize &size, StringRef reason,
                   Location location) {
    json.object([&] {
      json.attribute("kind", kind);
      writeBytes(json, size);
      json.attribute("reason", reason);
      json.attribute("loc", toString(location));
    });
  };
  auto writeAttributions = [&](ArrayRef<BlockArgument> values, StringRef kind,
                               StringRef reason) {
    for (BlockArgument value : values)
      if (auto type = dyn_cast<MemRefType>(value.getType()))
        write(kind,
              getBufferSize(type, value.getOwner()->getParentOp()), reason,
              value.getLoc());
  };
  constexpr StringLiteral workgroup =
      "workgroup memory: lives in a kernel, the hardware hands it out";
  constexpr StringLiteral privates =
      "private memory: lives in a thread of a kernel";
  for (const BufferRecord &record : report.inventory->getRecords()) {
    if (report.voidWorkspaces.contains(record.id))
      write("workspace", record.size,
            "the callee keeps storage of its own: not every call passes some in",
            record.op->getLoc());
    else if (record.kind == BufferRecord::Allocation && record.size.isKnown() &&
             record.size.bytes == 0)
      write("zero_bytes", record.size, "takes no storage, wherever it lies",
            record.op->getLoc());
    else if (isConstant(record, report))
      write("constant", record.size,
            "constant data of the module: never written, always there",
            record.op->getLoc());
  }
  llvm::SetVector<Operation *> kernels;
  Operation *function = const_cast<FunctionReport &>(report).function;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
      write("stack", getBufferSize(alloca.getType(), op),
            "on the stack: freed with its scope", op->getLoc());
    } else if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
      writeAttributions(launch.getWorkgroupAttributions(), "workgroup",
                        workgroup);
      writeAttributions(launch.getPrivateAttributions(), "private", privates);
    } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (auto kernel =
              report.kernels->getSymbols()
                  .lookupNearestSymbolFrom<gpu::GPUFuncOp>(
                      op, launch.getKernelAttr()))
        kernels.insert(kernel);
    }
  });
  for (Operation *op : kernels) {
    auto kernel = cast<gpu::GPUFuncOp>(op);
    writeAttributions(kernel.getWorkgroupAttributions(), "workgroup",
                      workgroup);
    writeAttributions(kernel.getPrivateAttributions(), "private", privates);
  }
}

} // namespace transient
