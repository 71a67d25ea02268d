//===- ReportFunction.cpp - One function's part of the report -------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what was gathered. A value that is not known is the string "unknown",
// never 0.
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

#include "transient/Analysis/TouchedBytes.h"

using namespace mlir;

namespace transient {

namespace {

/// Writes one function's part of the report.
class FunctionWriter {
public:
  FunctionWriter(llvm::json::OStream &json, const FunctionReport &report)
      : json(json), report(report) {}

  void write() {
    json.object([&] {
      json.attribute("name",
                     const_cast<FunctionReport &>(report).function.getName());
      json.attributeObject("order", [&] { writeOrder(); });
      json.attributeObject("bytes", [&] { writeBytes(); });
      if (!report.servingCalls.empty())
        json.attributeObject("workspace", [&] { writeWorkspace(); });
      if (report.hasWorkspaces)
        json.attributeObject("workspaces", [&] { writeWorkspaces(); });
      json.attributeObject("webs", [&] { writeWebs(); });
      json.attributeArray("resources", [&] { writeResources(); });
      json.attributeArray("inventory",
                          [&] { writeInventory(json, report); });
      json.attributeArray("excluded", [&] { writeExcluded(json, report); });
      json.attributeArray("physical", [&] { writePhysical(); });
      json.attributeArray("assignments", [&] { writeAssignments(); });
      json.attribute("overlapping_pairs", report.overlappingPairs);
      json.attributeArray("sharing", [&] { writeSharing(json, report); });
      json.attributeObject("sharing_counts",
                           [&] { writeSharingCounts(json, report); });
      if (!report.order->getUnsupportedReason())
        json.attributeObject("ordering", [&] { writeOrdering(json, report); });
      json.attributeArray("rejected", [&] { writeRejected(json, report); });
      json.attributeArray("right_size", [&] { writeRightSize(); });
      json.attributeArray("blocked", [&] { writeBlocked(); });
      json.attributeArray("unused", [&] { writeUnused(); });
      json.attributeArray("peak_residents", [&] { writePeakResidents(); });
    });
  }

private:
  static void writeBound(llvm::json::OStream &json,
                         const planner::Bound &bound) {
    json.attribute("value", bound.bytes);
    json.attribute("exact", bound.exact);
    json.attribute("method", bound.method);
  }

  void writeOrder() {
    if (std::optional<std::string> reason =
            report.order->getUnsupportedReason()) {
      json.attribute("nodes", "unknown");
      json.attribute("width", "unknown");
      json.attribute("reason", *reason);
      return;
    }
    json.attribute("nodes",
                   static_cast<uint64_t>(report.order->getNodes().size()));
    // The chain decomposition is greedy: an upper bound of the width.
    json.attribute("width", static_cast<uint64_t>(
                                report.order->getPartialOrder()->numChains()));
    // Direct dependency edges, in one line (A9).
    std::string text;
    llvm::raw_string_ostream os(text);
    {
      llvm::json::OStream line(os);
      line.array([&] {
        for (const ExecutionOrder::Node &node : report.order->getNodes())
          line.array([&] {
            for (planner::NodeId predecessor : node.predecessors)
              line.value(predecessor);
          });
      });
    }
    json.attributeBegin("after");
    json.rawValue(text);
    json.attributeEnd();
  }

  /// Storage that callers pass in is in the sums of the callers, as a buffer of
  /// theirs; here it is 0.
  void writeBytes() {
    const planner::Plan &plan = report.plan;
    bool isServed = !report.servingCalls.empty();
    json.attribute("logical", report.logical);
    json.attribute("physical", isServed ? 0 : plan.physicalBytes);
    uint64_t held = plan.physicalBytes + report.unplanned;
    json.attribute("saved", report.logical > held ? report.logical - held : 0);
    json.attribute("padding", plan.paddingBytes);
    json.attribute("fragmentation",
                   plan.physicalBytes > report.lowerBound.bytes
                       ? plan.physicalBytes - report.lowerBound.bytes
                       : 0);
    planner::Bound none{0, true, "passed in by the callers", {}};
    json.attributeObject("lower_bound", [&] {
      writeBound(json, isServed ? none : report.lowerBound);
    });
    json.attributeObject("peak_upper", [&] {
      writeBound(json, isServed ? none : report.peakUpper);
    });
    json.attribute("unplanned", report.unplanned);
    json.attribute("unknown_count", report.unknownCount);
  }

  /// What each call passes in.
  void writeWorkspace() {
    json.attribute("physical", report.plan.physicalBytes);
    json.attributeObject("lower_bound",
                         [&] { writeBound(json, report.lowerBound); });
    json.attributeObject("peak_upper",
                         [&] { writeBound(json, report.peakUpper); });
    json.attributeArray("calls", [&] {
      for (func::CallOp call : report.servingCalls)
        json.value(toString(call.getLoc()));
    });
  }

  /// What the workspaces of this function need among themselves (D1, D4).
  void writeWorkspaces() {
    json.attribute("lower", report.workspaceLower);
    json.attribute("upper", report.workspaceUpper);
    json.attribute("proof", report.workspacesProved ? "order" : "none");
  }

  /// How many allocations were split into the values they held in turn.
  void writeWebs() {
    json.attribute("split", report.allocations.getSplit());
    json.attribute("webs", report.allocations.getWebs());
  }

  void writeNodes(StringRef key, ArrayRef<int64_t> nodes) {
    json.attributeArray(key, [&] {
      for (int64_t node : nodes)
        json.value(node);
    });
  }

  void writeUsage(StringRef key, Usage usage) {
    json.attributeArray(key, [&] {
      if (usage == Usage::None)
        return;
      std::string text = stringifyUsage(usage);
      SmallVector<StringRef> names;
      StringRef(text).split(names, '|');
      for (StringRef name : names)
        json.value(name.trim());
    });
  }

  void writeSize(const BufferRecord &record) {
    if (record.size.isKnown())
      json.attribute("bytes", record.size.bytes);
    else
      json.attribute("bytes", "unknown");
  }

  void writeResources() {
    for (const BufferRecord &record : report.inventory->getRecords()) {
      if (!report.isListed(record))
        continue;
      json.object([&] {
        json.attribute("id", getBufferName(record.id));
        json.attribute("class", stringifyResourceClass(record.resourceClass));
        writeSize(record);
        json.attribute("align", record.alignment);
        json.attribute("align_source", record.alignmentSource);
        writeUsage("usage", record.usage);
        json.attribute("usage_source",
                       record.usageDeclared ? "declared" : "inferred");
        json.attribute("kind", stringifyAllocKind(record.allocKind));
        std::string type;
        llvm::raw_string_ostream(type) << record.type;
        json.attribute("type", type);
        auto request = dyn_cast<AllocOp>(record.op);
        if (std::optional<uint64_t> group =
                request ? request.getWebOf() : std::nullopt)
          json.attribute("web_of", *group);
        if (std::optional<uint64_t> results =
                request ? request.getInPlace() : std::nullopt)
          json.attribute("in_place", *results);
        if (func::CallOp call = request ? getOwnerCall(request) : func::CallOp())
          json.attributeObject("workspace", [&] {
            json.attribute("owner", toString(call.getLoc()));
            json.attribute("callee", call.getCallee());
            json.attribute("physical", request.getWorkspaceAttr().getPhysical());
          });
        if (LifetimeAttr lifetime =
                request ? request.getLifetimeAttr() : LifetimeAttr()) {
          writeNodes("creation", lifetime.getCreation());
          writeNodes("first", lifetime.getFirst());
          writeNodes("last", lifetime.getLast());
          json.attribute("lifetime_source",
                         stringifyLifetimeOrigin(lifetime.getOrigin()));
        } else {
          json.attribute("first", "unknown");
          json.attribute("last", "unknown");
        }
        json.attribute("planned", report.problemIndex.count(record.id) != 0);
        json.attribute("loc", toString(record.op->getLoc()));
      });
    }
  }

  void writePhysical() {
    for (auto [index, physical] : llvm::enumerate(report.plan.physicals)) {
      json.object([&] {
        json.attribute("id", static_cast<uint64_t>(index));
        json.attribute("bytes", physical.bytes);
        json.attribute("align", physical.alignment);
        Usage usage = static_cast<Usage>(physical.usage);
        for (auto &[id, request] : report.problemIndex)
          if (report.plan.placements[request].physical == index)
            usage = usage | report.inventory->getRecords()[id].usage;
        writeUsage("usage", usage);
        const StorageSpace &space = report.built.spaces[physical.space];
        std::string name;
        if (space.memorySpace)
          llvm::raw_string_ostream(name) << space.memorySpace;
        json.attribute("space", name);
        json.attribute("kind", stringifyAllocKind(space.kind));
      });
    }
  }

  void writeAssignments() {
    for (auto &[id, index] : report.problemIndex) {
      const planner::Placement &placement = report.plan.placements[index];
      json.object([&] {
        json.attribute("resource", getBufferName(id));
        json.attribute("physical", *placement.physical);
        json.attribute("offset", placement.offset);
        json.attribute("bytes", placement.bytes);
      });
    }
  }

  /// Allocations that could be smaller: nobody reaches their last bytes (F9).
  void writeRightSize() {
    for (const BufferRecord &record : report.inventory->getRecords()) {
      if (!report.isListed(record) || !record.size.isKnown() ||
          record.users.empty())
        continue;
      uint64_t touched = getTouchedEnd(record.value, record.size.bytes);
      if (touched >= record.size.bytes)
        continue;
      json.object([&] {
        json.attribute("resource", getBufferName(record.id));
        json.attribute("bytes", record.size.bytes);
        json.attribute("touched", touched);
        json.attribute("saved", record.size.bytes - touched);
        json.attribute("loc", toString(record.op->getLoc()));
      });
    }
  }

  void writeBlocked() {
    for (const BufferRecord &record : report.inventory->getRecords()) {
      if (!report.isListed(record))
        continue;
      for (const BlockedFact &fact : record.blocked) {
        json.object([&] {
          json.attribute("resource", getBufferName(record.id));
          json.attribute("fact", stringify(fact.kind));
          json.attribute("reason", "the buffer " + fact.reason);
          json.attribute("loc", toString(fact.op->getLoc()));
          json.attribute("resolve", fact.resolve);
        });
      }
    }
  }

  void writeUnused() {
    for (const BufferRecord &record : report.inventory->getRecords())
      if (report.isListed(record) && record.blocked.empty() &&
          record.isUnused())
        json.value(getBufferName(record.id));
  }

  void writePeakResidents() {
    for (planner::BufferIndex index : report.lowerBound.witness) {
      json.object([&] {
        const planner::Buffer &buffer = report.built.problem.buffers[index];
        json.attribute("resource", buffer.id);
        json.attribute("bytes", buffer.bytes);
        json.attribute(
            "loc", toString(AllocOp(report.built.requests[index]).getLoc()));
      });
    }
  }

  llvm::json::OStream &json;
  const FunctionReport &report;
};

} // namespace

void writeFunctionReport(llvm::json::OStream &json,
                         const FunctionReport &report) {
  FunctionWriter(json, report).write();
}

} // namespace transient
