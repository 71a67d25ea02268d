//===- Report.cpp - What was planned, what was not, and why ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass transient-report. Everything is computed again from the IR at hand, so a
// report about an edited plan is about the edited plan. A value that is not
// known is the string "unknown", never 0.
//
//===----------------------------------------------------------------------===//

#include "transient/Analysis/BufferInventory.h"
#include "transient/Analysis/PlannedFunctions.h"
#include "transient/Analysis/PlanningProblem.h"
#include "transient/IR/Transient.h"
#include "transient/Planner/Bound.h"
#include "transient/Planner/Plan.h"
#include "transient/Planner/Render.h"
#include "transient/Transforms/Passes.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

#include <map>

namespace transient {
#define GEN_PASS_DEF_TRANSIENTREPORTPASS
#include "transient/Transforms/Passes.h.inc"
} // namespace transient

using namespace mlir;
using namespace transient;

namespace {

std::string toString(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << location;
  return text;
}

/// Counts each allocation of the program once, however many values it was split
/// into.
class AllocationCounter {
public:
  /// Whether `op` is the first of its allocation that is asked about.
  bool isFirst(Operation *op) {
    auto request = dyn_cast<AllocOp>(op);
    std::optional<uint64_t> group = request ? request.getWebOf() : std::nullopt;
    return !group || ++websOf[*group] == 1;
  }
  uint64_t getSplit() const { return websOf.size(); }
  uint64_t getWebs() const {
    uint64_t webs = 0;
    for (auto [group, count] : websOf)
      webs += count;
    return webs;
  }

private:
  std::map<uint64_t, uint64_t> websOf;
};

/// All numbers about one function, gathered before anything is written.
struct FunctionReport {
  FunctionOpInterface function;
  std::unique_ptr<ExecutionOrder> order;
  std::unique_ptr<BufferInventory> inventory;
  PlanningProblem built;
  planner::Plan plan;
  /// Problem index of the request at an allocation's index, if it is placed.
  std::map<unsigned, unsigned> problemIndex;
  planner::Bound lowerBound, peakUpper;
  AllocationCounter allocations;
  uint64_t logical = 0, unplanned = 0, unknownCount = 0;
};

/// Adds to a byte count; on overflow emits an error that names the buffer.
LogicalResult addBytes(uint64_t &sum, uint64_t bytes,
                       const BufferRecord &record) {
  if (__builtin_add_overflow(sum, bytes, &sum))
    return record.op->emitError()
           << "overflow: the sum of buffer sizes up to " << record.getName()
           << " needs more than 64 "
              "bits";
  return success();
}

LogicalResult gatherPlacements(FunctionReport &report) {
  planner::Plan &plan = report.plan;
  std::map<int64_t, planner::PhysicalBuffer> physicals;
  AllocationCounter allocations;
  for (auto [index, request] : llvm::enumerate(report.built.requests)) {
    const planner::Buffer &buffer = report.built.problem.buffers[index];
    planner::Placement placement;
    if (PlacementAttr attr = request.getPlacementAttr()) {
      placement.physical = attr.getPhysical();
      placement.offset = attr.getOffset();
      placement.bytes = attr.getBytes();
      planner::PhysicalBuffer &physical = physicals[attr.getPhysical()];
      physical.bytes =
          std::max(physical.bytes, placement.offset + placement.bytes);
      physical.alignment = std::max(physical.alignment, buffer.alignment);
      physical.usage |= buffer.usage;
      physical.space = buffer.space;
      plan.paddingBytes += placement.bytes - buffer.bytes;
      if (allocations.isFirst(request))
        plan.logicalBytes += buffer.bytes;
    }
    plan.placements.push_back(placement);
  }
  for (auto &[index, physical] : physicals) {
    if (static_cast<size_t>(index) != plan.physicals.size())
      return emitError(report.function.getLoc())
             << "transient-report: expects physical buffers to be numbered "
                "from 0 without gaps, got "
             << index;
    plan.physicals.push_back(physical);
    plan.physicalBytes += physical.bytes;
  }
  return success();
}

LogicalResult gather(FunctionReport &report, KernelAccessCache &kernels) {
  FunctionOpInterface function = report.function;
  report.order =
      std::make_unique<ExecutionOrder>(function, kernels);
  report.inventory =
      std::make_unique<BufferInventory>(function, *report.order, kernels);
  FailureOr<PlanningProblem> built =
      buildPlanningProblem(function, *report.order, PlacementRules());
  if (failed(built))
    return failure();
  report.built = std::move(*built);
  if (failed(gatherPlacements(report)))
    return failure();
  llvm::DenseMap<Operation *, unsigned> requests;
  for (auto [index, request] : llvm::enumerate(report.built.requests))
    if (request.getPlacementAttr())
      requests[request] = index;
  for (const BufferRecord &record : report.inventory->getRecords()) {
    if (record.kind != BufferRecord::Allocation)
      continue;
    bool isFirst = report.allocations.isFirst(record.op);
    if (!record.size.isKnown()) {
      ++report.unknownCount;
      continue;
    }
    if (isFirst && failed(addBytes(report.logical, record.size.bytes, record)))
      return failure();
    auto found = requests.find(record.op);
    if (found != requests.end())
      report.problemIndex[record.id] = found->second;
    else if (failed(addBytes(report.unplanned, record.size.bytes, record)))
      return failure();
  }
  // Bounds are over the planned buffers.
  for (auto [buffer, placement] :
       llvm::zip_equal(report.built.problem.buffers, report.plan.placements))
    buffer.unused = !placement.physical;
  auto bound = planner::lowerBound(report.built.problem);
  if (!bound)
    return emitError(function.getLoc())
           << "transient-report: " << bound.error().message;
  report.lowerBound = *bound;
  auto peak = planner::peakUpper(report.built.problem);
  if (!peak)
    return emitError(function.getLoc())
           << "transient-report: " << peak.error().message;
  report.peakUpper = *peak;
  report.plan.savedBytes =
      report.plan.logicalBytes > report.plan.physicalBytes
          ? report.plan.logicalBytes - report.plan.physicalBytes
          : 0;
  report.plan.lowerBoundBytes = bound->bytes;
  report.plan.lowerBoundExact = bound->exact;
  report.plan.algorithm = "from the IR";
  return success();
}

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
      json.attributeObject("webs", [&] { writeWebs(); });
      json.attributeArray("resources", [&] { writeResources(); });
      json.attributeArray("inventory", [&] { writeInventory(); });
      json.attributeArray("physical", [&] { writePhysical(); });
      json.attributeArray("assignments", [&] { writeAssignments(); });
      json.attributeArray("sharing", [&] { writeSharing(); });
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
  }

  void writeBytes() {
    const planner::Plan &plan = report.plan;
    json.attribute("logical", report.logical);
    json.attribute("physical", plan.physicalBytes);
    uint64_t held = plan.physicalBytes + report.unplanned;
    json.attribute("saved", report.logical > held ? report.logical - held : 0);
    json.attribute("padding", plan.paddingBytes);
    json.attribute("fragmentation",
                   plan.physicalBytes > report.lowerBound.bytes
                       ? plan.physicalBytes - report.lowerBound.bytes
                       : 0);
    json.attributeObject("lower_bound",
                         [&] { writeBound(json, report.lowerBound); });
    json.attributeObject("peak_upper",
                         [&] { writeBound(json, report.peakUpper); });
    json.attribute("unplanned", report.unplanned);
    json.attribute("unknown_count", report.unknownCount);
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
      if (record.kind != BufferRecord::Allocation)
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

  /// Every material object the function touches, views included (A1, A2).
  void writeInventory() {
    unsigned views = 0, others = 0;
    for (const BufferRecord &record : report.inventory->getRecords()) {
      std::string id =
          record.kind == BufferRecord::Allocation
              ? getBufferName(record.id)
              : (record.kind == BufferRecord::Argument ? "arg" : "global") +
                    std::to_string(others);
      others += record.kind != BufferRecord::Allocation;
      json.object([&] {
        json.attribute("id", id);
        json.attribute("kind",
                       record.kind == BufferRecord::Allocation ? "allocation"
                       : record.kind == BufferRecord::Argument ? "argument"
                                                               : "global");
        json.attribute("class", stringifyResourceClass(record.resourceClass));
        writeSize(record);
        json.attribute("accesses",
                       static_cast<uint64_t>(llvm::count_if(
                           record.uses.uses, [](const BufferUse &use) {
                             return use.kind == BufferUse::Access;
                           })));
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

  /// The pairs where one buffer takes over bytes from another, directly: the
  /// proofs of these add up to all pairs that overlap, since every node of the
  /// function runs in each activation.
  void writeSharing() {
    const planner::PartialOrder &order = *report.order->getPartialOrder();
    for (size_t physical = 0; physical < report.plan.physicals.size();
         ++physical) {
      std::vector<unsigned> tenants;
      for (auto &[id, index] : report.problemIndex)
        if (report.plan.placements[index].physical == physical &&
            report.plan.placements[index].bytes > 0)
          tenants.push_back(index);
      auto position = [&](unsigned index) {
        size_t earliest = SIZE_MAX;
        for (planner::NodeId node : report.built.problem.buffers[index].first)
          earliest = std::min(earliest, order.position(node));
        return earliest;
      };
      llvm::stable_sort(tenants, [&](unsigned a, unsigned b) {
        return position(a) < position(b);
      });
      // Who holds the bytes from a key up to the next key.
      std::map<uint64_t, std::optional<unsigned>> holder;
      holder[0] = std::nullopt;
      auto split = [&](uint64_t at) {
        auto next = holder.upper_bound(at);
        holder.try_emplace(at, std::prev(next)->second);
      };
      for (unsigned tenant : tenants) {
        const planner::Placement &place = report.plan.placements[tenant];
        split(place.offset);
        split(place.offset + place.bytes);
        std::vector<unsigned> before;
        auto begin = holder.find(place.offset);
        auto end = holder.find(place.offset + place.bytes);
        for (auto it = begin; it != end; ++it)
          if (it->second && !llvm::is_contained(before, *it->second))
            before.push_back(*it->second);
        holder.erase(std::next(begin), end);
        begin->second = tenant;
        for (unsigned previous : before)
          writePair(previous, tenant);
      }
    }
  }

  void writePair(unsigned a, unsigned b) {
    const planner::Buffer &first = report.built.problem.buffers[a];
    const planner::Buffer &second = report.built.problem.buffers[b];
    json.object([&] {
      json.attribute("a", first.id);
      json.attribute("b", second.id);
      json.attribute("kind", "unconditional");
      json.attributeObject("proof", [&] {
        json.attributeArray("end_of", [&] {
          for (planner::NodeId node : first.last)
            json.value(node);
        });
        json.attributeArray("before_start_of", [&] {
          for (planner::NodeId node : second.first)
            json.value(node);
        });
      });
    });
  }

  void writeBlocked() {
    for (const BufferRecord &record : report.inventory->getRecords()) {
      if (record.kind != BufferRecord::Allocation)
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
      if (record.kind == BufferRecord::Allocation && record.blocked.empty() &&
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

struct ReportPass
    : public transient::impl::TransientReportPassBase<ReportPass> {
  using TransientReportPassBase::TransientReportPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    KernelAccessCache kernels(symbols);
    std::vector<FunctionReport> reports;
    for (FunctionOpInterface function : getPlannedFunctions(getOperation())) {
      FunctionReport report;
      report.function = function;
      if (failed(gather(report, kernels)))
        return signalPassFailure();
      reports.push_back(std::move(report));
    }
    if (!file.empty() &&
        failed(writeFile(file, [&](raw_ostream &os) { write(os, reports); })))
      return signalPassFailure();
    if (!memoryMap.empty() && failed(writeFile(memoryMap, [&](raw_ostream &os) {
          render(os, reports);
        })))
      return signalPassFailure();
  }

  void write(raw_ostream &os, const std::vector<FunctionReport> &reports) {
    llvm::json::OStream json(os, 2);
    json.object([&] {
      json.attribute("schema", "transient.report.v1");
      if (std::optional<StringRef> name = getOperation().getName())
        json.attribute("module", *name);
      else
        json.attribute("module", nullptr);
      json.attributeArray("functions", [&] {
        for (const FunctionReport &report : reports)
          FunctionWriter(json, report).write();
      });
    });
    os << "\n";
  }

  /// The map of the function with the most planned bytes.
  static void render(raw_ostream &os,
                     const std::vector<FunctionReport> &reports) {
    const FunctionReport *largest = nullptr;
    for (const FunctionReport &report : reports)
      if (!largest || report.plan.physicalBytes > largest->plan.physicalBytes)
        largest = &report;
    planner::RenderOptions options;
    if (!largest) {
      os << planner::renderMemoryMap({}, {}, options);
      return;
    }
    FunctionOpInterface function = largest->function;
    options.title = "Memory map of @" + function.getName().str();
    os << planner::renderMemoryMap(largest->built.problem, largest->plan,
                                   options);
  }

  LogicalResult writeFile(StringRef path,
                          function_ref<void(raw_ostream &)> writer) {
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> output =
        openOutputFile(path, &message);
    if (!output)
      return emitError(getOperation().getLoc())
             << "transient-report: " << message;
    writer(output->os());
    output->keep();
    return success();
  }
};

} // namespace
