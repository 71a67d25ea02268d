//===- ReportOrdering.cpp - What order costs and would save ---------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part `ordering`: on which order that the program does not have the plan
// relies, and the least that would have to be added for a lower peak.
//
//===----------------------------------------------------------------------===//

#include "ReportData.h"

using namespace mlir;

namespace transient {

static void writeEdge(llvm::json::OStream &json, const FunctionReport &report,
                      const planner::OrderingEdge &edge) {
  const std::vector<ExecutionOrder::Node> &nodes = report.order->getNodes();
  json.attribute("end", edge.from);
  json.attribute("start", edge.to);
  json.attribute("end_loc", toString(nodes[edge.from].op->getLoc()));
  json.attribute("start_loc", toString(nodes[edge.to].op->getLoc()));
}

void writeOrdering(llvm::json::OStream &json, const FunctionReport &report) {
  json.attribute("longest_path",
                 planner::longestPath(*report.built.problem.order));
  json.attribute("longest_path_without",
                 planner::longestPath(*report.order->getPartialOrder()));
  json.attribute("lower_bound_without",
                 report.unconditionalLowerBound.bytes);
  json.attributeArray("preconditions", [&] {
    for (const planner::OrderingEdge &edge : report.built.preconditions)
      json.object([&] {
        writeEdge(json, report, edge);
        json.attribute("falsified_by",
                       "an execution in which node " +
                           std::to_string(edge.to) + " starts before node " +
                           std::to_string(edge.from) + " has ended");
      });
  });
  json.attributeObject("would_cut", [&] {
    bool isNone = report.cut.edges.empty();
    json.attribute("lower_bound", isNone ? report.lowerBound.bytes
                                         : report.cut.bound.bytes);
    json.attribute("longest_path",
                   isNone ? planner::longestPath(*report.built.problem.order)
                          : report.cut.depthAfter);
    json.attributeArray("edges", [&] {
      for (const planner::OrderingEdge &edge : report.cut.edges)
        json.object([&] { writeEdge(json, report, edge); });
    });
  });
}

} // namespace transient
