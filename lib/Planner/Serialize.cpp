//===- Serialize.cpp - Problems and plans as JSON and CSV -----------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognises formats and writes them. Documents are written by hand, one record
// a line, because that is what diffs and people read best.
//
//===----------------------------------------------------------------------===//

#include "transient/Planner/Serialize.h"

#include "Checked.h"
#include "Formats.h"
#include "JsonText.h"

#include "transient/Planner/Usage.h"

#include <algorithm>
#include <exception>

namespace transient::planner {

namespace {

bool looksLikeJson(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf")
    text.remove_prefix(3);
  std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != text.npos && (text[at] == '{' || text[at] == '[');
}

/// Keeps what the standard library may throw inside.
template <class T, class F>
Result<T> contained(const std::string &file, F body) try {
  return body();
} catch (const std::exception &exception) {
  Error error(ErrorKind::Resource, "",
              std::string("cannot read: ") + exception.what());
  error.file = file;
  return error;
}

} // namespace

Result<ProblemFile> parseProblem(std::string_view text,
                                 const std::string &file) {
  return contained<ProblemFile>(file, [&] {
    return looksLikeJson(text) ? parseProblemJson(text, file)
                               : parseProblemCsv(text, file);
  });
}

Result<Plan> parsePlan(std::string_view text, const Problem &problem,
                       const std::string &file) {
  return contained<Plan>(file, [&] {
    return looksLikeJson(text) ? parsePlanJson(text, problem, file)
                               : parsePlanCsv(text, problem, file);
  });
}

// Shared with the readers ----------------------------------------------------

std::optional<Error> validateWithLines(const Problem &problem,
                                       const std::string &file,
                                       const std::vector<std::size_t> &lines) {
  auto error = validate(problem);
  if (!error)
    return std::nullopt;
  error->file = file;
  // A repeated id is wrong where it is repeated, anything else where the buffer
  // first stands.
  std::size_t seen = 0;
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
    if (problem.buffers[i].id != error->buffer)
      continue;
    error->line = lines[i];
    if (++seen == 2 || error->kind != ErrorKind::DuplicateId)
      break;
  }
  return error;
}

BufferNames indexByName(const Problem &problem) {
  BufferNames names;
  names.reserve(problem.buffers.size());
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
    names.emplace(problem.buffers[i].id, i);
  return names;
}

std::optional<Error> recomputeTotals(const Problem &problem, Plan &plan) {
  std::optional<std::uint64_t> logical = 0, physical = 0, padding = 0;
  auto add = [](std::optional<std::uint64_t> &sum, std::uint64_t value) {
    if (sum)
      sum = checkedAdd(*sum, value);
  };
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i) {
    const Placement &placement = plan.placements[i];
    if (!placement.physical)
      continue;
    const std::uint64_t bytes = problem.buffers[i].bytes;
    add(logical, bytes);
    add(padding, placement.bytes > bytes ? placement.bytes - bytes : 0);
  }
  for (const PhysicalBuffer &it : plan.physicals)
    add(physical, it.bytes);
  if (!logical || !physical || !padding)
    return Error(ErrorKind::Overflow, "",
                 "overflow: sum of a plan's sizes, expected to fit 64 bits");
  plan.logicalBytes = *logical;
  plan.physicalBytes = *physical;
  plan.paddingBytes = *padding;
  plan.fragmentationBytes = *physical;
  plan.savedBytes = *logical > *physical ? *logical - *physical : 0;
  return std::nullopt;
}

// Writers ---------------------------------------------------------------------

namespace {

std::string nodeArray(const Frontier &nodes) {
  std::string text = "[";
  for (std::size_t i = 0; i != nodes.size(); ++i)
    text += (i ? ", " : "") + std::to_string(nodes[i]);
  return text + "]";
}

std::string usageArray(std::uint32_t usage) {
  std::string text = "[";
  for (const std::string &name : usageNames(usage))
    text += (text.size() > 1 ? ", \"" : "\"") + name + "\"";
  return text + "]";
}

/// Appends `items` as the elements of an array, one a line.
template <class Items, class Print>
void writeArray(std::string &out, const char *key, const Items &items,
                Print print) {
  out += "  \"" + std::string(key) + "\": [";
  bool first = true;
  for (const auto &item : items) {
    out += first ? "\n    " : ",\n    ";
    print(item);
    first = false;
  }
  out += first ? "]" : "\n  ]";
}

std::string quotedField(const std::string &field) {
  // Readers drop blanks around a field that is not quoted.
  auto blank = [](char c) { return c == ' ' || c == '\t'; };
  if (field.find_first_of(",\"\n\r") == field.npos &&
      (field.empty() || (!blank(field.front()) && !blank(field.back()))))
    return field;
  std::string text = "\"";
  for (char c : field)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string joinRow(const std::vector<std::string> &fields) {
  std::string line;
  for (std::size_t i = 0; i != fields.size(); ++i)
    line += (i ? "," : "") + quotedField(fields[i]);
  return line + "\n";
}

} // namespace

std::string writeProblemJson(const Problem &problem) {
  std::string out = "{\n  \"schema\": \"transient.problem.v1\",\n";
  if (!problem.order) {
    out += "  \"order\": \"total\",\n";
  } else {
    out += "  \"order\": {\"nodes\": " +
           std::to_string(problem.order->numNodes()) + ", \"edges\": [";
    std::size_t count = 0;
    for (NodeId v = 0; v != problem.order->numNodes(); ++v)
      for (NodeId p : problem.order->predecessors(v)) {
        out += count == 0 ? "\n    " : count % 12 == 0 ? ",\n    " : ", ";
        out += "[" + std::to_string(p) + ", " + std::to_string(v) + "]";
        ++count;
      }
    out += "]},\n";
  }
  writeArray(out, "buffers", problem.buffers, [&](const Buffer &b) {
    out += "{\"id\": " + jsonString(b.id) +
           ", \"bytes\": " + std::to_string(b.bytes);
    if (b.capacity)
      out += ", \"capacity\": " + std::to_string(b.capacity);
    if (b.alignment != 1)
      out += ", \"alignment\": " + std::to_string(b.alignment);
    if (!b.alignmentSource.empty())
      out += ", \"alignment_source\": " + jsonString(b.alignmentSource.str());
    if (b.usage)
      out += ", \"usage\": " + usageArray(b.usage);
    if (!b.usageRequired)
      out += ", \"usage_required\": false";
    if (b.space)
      out += ", \"space\": " + std::to_string(b.space);
    out += ", \"first\": " + nodeArray(b.first) +
           ", \"last\": " + nodeArray(b.last);
    if (b.fixedOffset)
      out += ", \"fixed_offset\": " + std::to_string(*b.fixedOffset);
    if (b.unused)
      out += ", \"unused\": true";
    out += "}";
  });
  auto writePairs = [&](const char *key, const BufferPairs &pairs) {
    if (pairs.empty())
      return;
    out += ",\n";
    writeArray(out, key, pairs, [&](const auto &pair) {
      out += "[" + jsonString(problem.buffers[pair.first].id) + ", " +
             jsonString(problem.buffers[pair.second].id) + "]";
    });
  };
  writePairs("never_share", problem.neverShare);
  writePairs("exclusive", problem.exclusive);
  return out + "\n}\n";
}

std::string writePlanJson(const Problem &problem, const Plan &plan) {
  auto number = [](std::uint64_t value) { return std::to_string(value); };
  std::string out = "{\n  \"schema\": \"transient.plan.v1\",\n";
  out += "  \"algorithm\": " + jsonString(plan.algorithm) + ",\n";
  out += "  \"bytes\": {\"logical\": " + number(plan.logicalBytes) +
         ", \"physical\": " + number(plan.physicalBytes) +
         ", \"saved\": " + number(plan.savedBytes) +
         ", \"padding\": " + number(plan.paddingBytes) +
         ", \"fragmentation\": " + number(plan.fragmentationBytes) + "},\n";
  out += "  \"lower_bound\": {\"value\": " + number(plan.lowerBoundBytes) +
         ", \"exact\": " + (plan.lowerBoundExact ? "true" : "false") + "},\n";
  out += std::string("  \"optimal\": ") + (plan.optimal ? "true" : "false") +
         ",\n";
  std::size_t count = 0;
  writeArray(out, "physical", plan.physicals, [&](const PhysicalBuffer &it) {
    out += "{\"id\": " + number(count++) + ", \"bytes\": " + number(it.bytes) +
           ", \"alignment\": " + number(it.alignment) +
           ", \"usage\": " + usageArray(it.usage) +
           ", \"space\": " + number(it.space) + "}";
  });
  out += ",\n";
  std::vector<BufferIndex> placed, unplaced;
  for (BufferIndex i = 0; i != plan.placements.size(); ++i)
    (plan.placements[i].physical ? placed : unplaced).push_back(i);
  writeArray(out, "assignments", placed, [&](BufferIndex i) {
    const Placement &it = plan.placements[i];
    out += "{\"buffer\": " + jsonString(problem.buffers[i].id) +
           ", \"physical\": " + number(*it.physical) +
           ", \"offset\": " + number(it.offset) +
           ", \"bytes\": " + number(it.bytes) + "}";
  });
  out += ",\n";
  writeArray(out, "unplaced", unplaced,
             [&](BufferIndex i) { out += jsonString(problem.buffers[i].id); });
  return out + "\n}\n";
}

Result<CsvText> makeCsvText(const Problem &problem) {
  auto refuse = [](const std::string &id, const std::string &what) {
    return Error(ErrorKind::Layout, id,
                 "CSV cannot express " + what + ", use JSON");
  };
  if (problem.order && !problem.order->isTotal())
    return refuse("", "a partial order");
  if (!problem.neverShare.empty() || !problem.exclusive.empty())
    return refuse("", "pairs of buffers");
  bool alignment = false, capacity = false, usage = false, space = false,
       fixed = false, source = false;
  for (const Buffer &b : problem.buffers) {
    if (b.unused)
      return refuse(b.id, "that buffer '" + b.id + "' is unused");
    if (b.first.size() != 1 || b.last.size() != 1)
      return refuse(b.id,
                    "several first or last nodes of buffer '" + b.id + "'");
    if (!b.usageRequired)
      return refuse(b.id,
                    "that the usage of buffer '" + b.id + "' is not required");
    for (const std::string *text : {&b.id, &b.alignmentSource.str()})
      if (text->find_first_of("\n\r") != text->npos)
        return refuse(b.id, "a line break in an id or alignment_source");
    alignment |= b.alignment != 1;
    capacity |= b.capacity != 0;
    usage |= b.usage != 0;
    space |= b.space != 0;
    fixed |= b.fixedOffset.has_value();
    source |= !b.alignmentSource.empty();
  }
  CsvText csv;
  csv.header = {"id", "lower", "upper", "size"};
  const std::pair<bool, const char *> optional[] = {
      {alignment, "alignment"}, {capacity, "capacity"},
      {usage, "usage"},         {space, "space"},
      {fixed, "fixed_offset"},  {source, "alignment_source"}};
  for (auto [present, name] : optional)
    if (present)
      csv.header.push_back(name);
  for (const Buffer &b : problem.buffers) {
    NodeId first = b.first[0], last = b.last[0];
    if (problem.order) {
      first = problem.order->position(first);
      last = problem.order->position(last);
    }
    if (last == UINT64_MAX)
      return refuse(b.id, "that buffer '" + b.id + "' ends at 2^64-1");
    std::vector<std::string> row{b.id, std::to_string(first),
                                 std::to_string(last + 1),
                                 std::to_string(b.bytes)};
    if (alignment)
      row.push_back(std::to_string(b.alignment));
    if (capacity)
      row.push_back(b.capacity ? std::to_string(b.capacity) : "");
    if (usage)
      row.push_back(std::to_string(b.usage));
    if (space)
      row.push_back(std::to_string(b.space));
    if (fixed)
      row.push_back(b.fixedOffset ? std::to_string(*b.fixedOffset) : "");
    if (source)
      row.push_back(b.alignmentSource.str());
    csv.append(row);
  }
  return csv;
}

Result<std::string> writeProblemCsv(const Problem &problem) {
  auto csv = makeCsvText(problem);
  if (!csv)
    return csv.error();
  std::string out = joinRow(csv->header);
  std::vector<std::string> row(csv->header.size());
  for (std::size_t i = 0; i != csv->numRows(); ++i) {
    for (std::size_t c = 0; c != row.size(); ++c)
      row[c] = csv->cell(i, c);
    out += joinRow(row);
  }
  return out;
}

std::string writePlanCsv(const CsvText &csv, const Plan &plan) {
  // Columns that say where are ours to write; all others stay as they are.
  std::vector<std::size_t> kept;
  std::vector<std::string> header;
  for (std::size_t c = 0; c != csv.header.size(); ++c)
    if (csv.header[c] != "offset" && csv.header[c] != "physical") {
      kept.push_back(c);
      header.push_back(csv.header[c]);
    }
  const bool several = plan.physicals.size() > 1;
  header.push_back("offset");
  if (several)
    header.push_back("physical");
  std::string out = joinRow(header);
  for (std::size_t i = 0; i != csv.numRows(); ++i) {
    std::vector<std::string> row;
    for (std::size_t c : kept)
      row.emplace_back(csv.cell(i, c));
    const Placement &placement = plan.placements[i];
    // A buffer without bytes lies anywhere; 0 keeps other readers happy.
    row.push_back(placement.physical ? std::to_string(placement.offset) : "0");
    if (several)
      row.push_back(placement.physical ? std::to_string(*placement.physical)
                                       : "0");
    out += joinRow(row);
  }
  return out;
}

} // namespace transient::planner
