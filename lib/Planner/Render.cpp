//===- Render.cpp - The memory map as a picture ---------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes SVG by hand. Coordinates are fixed-point decimals formatted here,
// because printf would follow the locale and a map must be the same bytes
// everywhere.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Render.h"

#include "transient/Planner/Usage.h"

#include <algorithm>
#include <map>

namespace transient::planner {

namespace {

/// `value` with two decimals, whatever the locale. Far outside of any picture
/// it stops at a trillion: plans that nobody has checked are drawn as well.
std::string decimal(double value) {
  value = std::min(std::max(value, -1e12), 1e12);
  auto hundredths = (long long)(value * 100 + (value < 0 ? -0.5 : 0.5));
  std::string text = hundredths < 0 ? "-" : "";
  hundredths = hundredths < 0 ? -hundredths : hundredths;
  text += std::to_string(hundredths / 100);
  if (hundredths % 100) {
    text += hundredths % 100 < 10 ? ".0" : ".";
    text += std::to_string(hundredths % 100);
    if (text.back() == '0')
      text.pop_back();
  }
  return text;
}

std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += (unsigned char)(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

/// "1.50 MiB", "640 B".
std::string humanBytes(std::uint64_t bytes) {
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  double value = double(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  return decimal(value) + " " + units[unit];
}

/// "640 B" or "1.5 MiB (1572864 B)".
std::string bothBytes(std::uint64_t bytes) {
  std::string text = humanBytes(bytes);
  return bytes < 1024 ? text : text + " (" + std::to_string(bytes) + " B)";
}

std::string nodeList(const Frontier &nodes) {
  std::string text;
  for (NodeId node : nodes)
    text += (text.empty() ? "" : ", ") + std::to_string(node);
  return text;
}

/// A round step that cuts `range` into at most `most` pieces: powers of two for
/// bytes, 1-2-5 for nodes.
std::uint64_t byteStep(std::uint64_t range, unsigned most) {
  std::uint64_t step = 1;
  while (step < (1ull << 62) && range / step > most)
    step *= 2;
  return step;
}
std::uint64_t nodeStep(std::uint64_t range, unsigned most) {
  for (std::uint64_t power = 1;; power *= 10)
    for (std::uint64_t digit : {1, 2, 5})
      if (range / (digit * power) <= most || power > (1ull << 58))
        return digit * power;
}

class Map {
public:
  Map(const Problem &problem, const Plan &plan, const RenderOptions &options)
      : problem(problem), plan(plan), options(options) {}

  std::string draw() {
    layOut();
    open();
    for (std::uint32_t p = 0; p != plan.physicals.size(); ++p)
      drawPhysical(p);
    drawTimeAxis();
    out += "</svg>\n";
    return std::move(out);
  }

private:
  // Time. -------------------------------------------------------------------

  std::uint64_t time(NodeId node) const {
    if (!problem.order)
      return node;
    return node < problem.order->numNodes() ? problem.order->position(node) : 0;
  }
  /// Inclusive times of a buffer.
  std::pair<std::uint64_t, std::uint64_t> times(BufferIndex i) const {
    const Buffer &b = problem.buffers[i];
    std::uint64_t from = UINT64_MAX, to = 0;
    for (NodeId node : b.first)
      from = std::min(from, time(node));
    for (NodeId node : b.last)
      to = std::max(to, time(node));
    return {std::min(from, to), to};
  }
  double x(double t) const {
    return left + (t - double(begin)) / (double(end - begin) + 1) * innerWidth;
  }

  // Frame. ------------------------------------------------------------------

  void layOut() {
    begin = UINT64_MAX;
    end = 0;
    const std::size_t n =
        std::min(plan.placements.size(), problem.buffers.size());
    tenants.resize(plan.physicals.size());
    for (BufferIndex i = 0; i != n; ++i) {
      const Placement &placement = plan.placements[i];
      if (!placement.physical || *placement.physical >= tenants.size())
        continue;
      tenants[*placement.physical].push_back(i);
      begin = std::min(begin, times(i).first);
      end = std::max(end, times(i).second);
    }
    if (begin > end)
      begin = end = 0;
    innerWidth = std::max(200.0, double(options.width) - left - right);

    double total = 0;
    for (const PhysicalBuffer &it : plan.physicals)
      total += double(it.bytes);
    const std::size_t count = plan.physicals.size();
    gap = count > 1 ? 10 : 0;
    double drawn = std::max<double>(options.height, 16.0 * double(count));
    double y = top;
    // Lowest index at the bottom.
    tops.resize(count);
    heights.resize(count);
    for (std::size_t p = count; p-- > 0;) {
      heights[p] =
          total > 0
              ? std::max(6.0, double(plan.physicals[p].bytes) / total * drawn)
              : 6.0;
      tops[p] = y;
      y += heights[p] + gap;
    }
    bottom = count ? y - gap : y + 20;
  }

  void open() {
    const double height = bottom + 66;
    out += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
           std::to_string(options.width) + "\" height=\"" + decimal(height) +
           "\" viewBox=\"0 0 " + std::to_string(options.width) + " " +
           decimal(height) + "\" role=\"img\">\n";
    out += "<style>\n"
           "  text { font: 11px system-ui, sans-serif; fill: #333; }\n"
           "  .title { font-size: 16px; font-weight: 600; fill: #111; }\n"
           "  .note, .tick { fill: #666; }\n"
           "  .grid { stroke: #e4e7eb; stroke-width: 1; }\n"
           "  .frame { fill: #fafbfc; stroke: #9aa5b1; stroke-width: 1; }\n"
           "  .buffer { stroke: #fff; stroke-width: 0.5; }\n"
           "  .buffer:hover { stroke: #000; stroke-width: 1.5; }\n"
           "  .label { fill: #102a43; pointer-events: none; }\n"
           "  .bound { stroke: #c0392b; stroke-width: 1.2; "
           "stroke-dasharray: 6 4; }\n"
           "  .boundtext { fill: #c0392b; }\n"
           "  .live { fill: none; stroke: #243b53; stroke-width: 1; "
           "stroke-opacity: 0.75; }\n"
           "</style>\n";
    out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    line("title", left, 24, options.title);
    std::string summary = "logical " + humanBytes(plan.logicalBytes) +
                          ", physical " + humanBytes(plan.physicalBytes) +
                          ", saved " + humanBytes(plan.savedBytes);
    if (plan.lowerBoundBytes)
      summary += ", lower bound " + humanBytes(plan.lowerBoundBytes) +
                 (plan.optimal ? " (reached: the plan is optimal)" : "");
    if (plan.algorithm != "unknown") // As plans read from CSV are.
      summary += "; " + plan.algorithm;
    line("note", left, 42, summary);
  }

  void line(const char *kind, double atX, double atY, const std::string &text,
            const char *anchor = "start") {
    out += "<text class=\"" + std::string(kind) + "\" x=\"" + decimal(atX) +
           "\" y=\"" + decimal(atY) + "\"";
    if (std::string(anchor) != "start")
      out += " text-anchor=\"" + std::string(anchor) + "\"";
    out += ">" + escaped(text) + "</text>\n";
  }

  void stroke(const char *kind, double x1, double y1, double x2, double y2) {
    out += "<line class=\"" + std::string(kind) + "\" x1=\"" + decimal(x1) +
           "\" y1=\"" + decimal(y1) + "\" x2=\"" + decimal(x2) + "\" y2=\"" +
           decimal(y2) + "\"/>\n";
  }

  // Contents. ---------------------------------------------------------------

  void drawPhysical(std::uint32_t p) {
    const PhysicalBuffer &physical = plan.physicals[p];
    const double height = heights[p], floor = tops[p] + height;
    // What a bad plan places beyond the end is cut off above the frame.
    auto y = [&](double bytes) {
      return physical.bytes
                 ? floor -
                       std::min(bytes / double(physical.bytes), 1.05) * height
                 : floor;
    };
    out += "<g>\n<rect class=\"frame\" x=\"" + decimal(left) + "\" y=\"" +
           decimal(tops[p]) + "\" width=\"" + decimal(innerWidth) +
           "\" height=\"" + decimal(height) + "\"><title>physical buffer " +
           std::to_string(p) + "\n" + bothBytes(physical.bytes) + "\nspace " +
           std::to_string(physical.space);
    for (const std::string &name : usageNames(physical.usage))
      out += "\nusage " + name;
    out += "</title></rect>\n";

    if (height >= 48) {
      std::uint64_t step =
          byteStep(physical.bytes, unsigned(std::max(2.0, height / 40)));
      for (std::uint64_t at = 0; at <= physical.bytes; at += step) {
        const double level = y(double(at));
        stroke("grid", left, level, left + innerWidth, level);
        line("tick", left - 8, level + 4, humanBytes(at), "end");
        if (at > UINT64_MAX - step)
          break;
      }
    } else if (height >= 10) {
      line("tick", left - 8, tops[p] + height / 2 + 4,
           "#" + std::to_string(p) + " " + humanBytes(physical.bytes), "end");
    }

    for (BufferIndex i : tenants[p]) {
      const Buffer &buffer = problem.buffers[i];
      const Placement &placement = plan.placements[i];
      auto [from, to] = times(i);
      const double x1 = x(double(from)), x2 = x(double(to) + 1);
      const double y1 = y(double(placement.offset) + double(placement.bytes)),
                   y2 = y(double(placement.offset));
      out += "<rect class=\"buffer\" x=\"" + decimal(x1) + "\" y=\"" +
             decimal(y1) + "\" width=\"" + decimal(std::max(x2 - x1, 0.5)) +
             "\" height=\"" + decimal(std::max(y2 - y1, 0.3)) +
             "\" fill=\"hsl(" + std::to_string(i * 137ull % 360) +
             ",58%,70%)\"><title>" + escaped(buffer.id) + "\n" +
             bothBytes(placement.bytes);
      if (placement.bytes != buffer.bytes)
        out += ", " + std::to_string(buffer.bytes) + " required";
      out += "\noffset " + std::to_string(placement.offset) +
             " in physical buffer " + std::to_string(p) + "\nfirst node " +
             nodeList(buffer.first) + "\nlast node " + nodeList(buffer.last) +
             "</title></rect>\n";
      if (x2 - x1 > 7.0 * double(buffer.id.size()) + 4 && y2 - y1 > 13)
        line("label", x1 + 3, (y1 + y2) / 2 + 4, buffer.id);
    }

    if (plan.physicals.size() == 1) {
      drawLive(p, y);
      if (plan.lowerBoundBytes && plan.lowerBoundBytes <= physical.bytes) {
        const double level = y(double(plan.lowerBoundBytes));
        stroke("bound", left, level, left + innerWidth, level);
        line("boundtext", left + innerWidth - 4, level - 4,
             std::string("lower bound") +
                 (plan.lowerBoundExact ? " (exact) " : " ") +
                 humanBytes(plan.lowerBoundBytes),
             "end");
      }
    }
    out += "</g>\n";
  }

  /// Bytes live over time, as a step line over the map.
  template <class Y>
  void drawLive(std::uint32_t p, Y y) {
    std::map<std::uint64_t, std::uint64_t> change; // Wraps and unwraps.
    for (BufferIndex i : tenants[p]) {
      auto [from, to] = times(i);
      change[from] += plan.placements[i].bytes;
      if (to != UINT64_MAX)
        change[to + 1] -= plan.placements[i].bytes;
    }
    if (change.empty())
      return;
    std::uint64_t live = 0;
    out += "<path class=\"live\" d=\"M" + decimal(x(double(begin))) + " " +
           decimal(y(0));
    for (auto [at, delta] : change) {
      live += delta;
      out += "H" + decimal(x(double(at))) + "V" + decimal(y(double(live)));
    }
    out += "\"><title>bytes live</title></path>\n";
  }

  void drawTimeAxis() {
    std::uint64_t step = nodeStep(end - begin, 12);
    std::uint64_t at = (begin + step - 1) / step * step;
    for (; at >= begin && at <= end; at += step) {
      stroke("grid", x(double(at)), bottom, x(double(at)), bottom + 5);
      line("tick", x(double(at)), bottom + 18, std::to_string(at), "middle");
      if (at > UINT64_MAX - step)
        break;
    }
    const bool partial = problem.order && !problem.order->isTotal();
    line("note", left, bottom + 38,
         partial ? "Across: nodes in one linear extension of a partial order. "
                   "Buffers drawn apart in time share only where the order "
                   "proves it; those drawn together may also run apart."
                 : "Across: nodes in execution order. Up: byte address.");
    if (plan.physicals.size() == 1)
      line("note", left, bottom + 54,
           partial
               ? "Up: byte address. Dark line: bytes live in this extension."
               : "Dark line: bytes live.");
  }

  static constexpr double left = 110, right = 20, top = 60;

  const Problem &problem;
  const Plan &plan;
  const RenderOptions &options;
  std::uint64_t begin = 0, end = 0;
  double innerWidth = 0, gap = 0, bottom = 0;
  std::vector<double> tops, heights;
  std::vector<std::vector<BufferIndex>> tenants;
  std::string out;
};

} // namespace

std::string renderMemoryMap(const Problem &problem, const Plan &plan,
                            const RenderOptions &options) {
  return Map(problem, plan, options).draw();
}

} // namespace transient::planner
