//===- ParseJson.cpp - Problems and plans from JSON -----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads transient.problem.v1, transient.plan.v1 and the poset form. Unknown
// keys of our own formats are errors: a misspelt `alignment` must not become
// alignment 1.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "JsonText.h"

#include "transient/Planner/Usage.h"

#include <algorithm>
#include <initializer_list>

namespace transient::planner {

namespace {

/// Reads typed members of a tree; the first failure sticks and makes all later
/// reads return defaults, so that a reader checks once at its end.
class Reader {
public:
  explicit Reader(const std::string &file) : file(file) {}

  std::optional<Error> error;

  void fail(const JsonValue &at, const std::string &message) {
    if (!error)
      error = parseError(file, at.line, message);
  }
  void overflow(const JsonValue &at, const std::string &name,
                const std::string &found, int bits) {
    if (error)
      return;
    fail(at, "overflow: " + name + " is " + found + ", expected to fit " +
                 std::to_string(bits) + " bits");
    error->kind = ErrorKind::Overflow;
  }
  void expect(const JsonValue &value, const std::string &name,
              const char *what) {
    if (value.kind == JsonValue::Kind::Inexact &&
        value.text.find_first_of(".eE") == std::string::npos)
      overflow(value, name, value.text, 64);
    else
      fail(value,
           "expected " + name + " to be " + what + ", got " + describe(value));
  }

  std::uint64_t number(const JsonValue &value, const std::string &name) {
    if (value.kind != JsonValue::Kind::Unsigned) {
      expect(value, name, "a non-negative integer");
      return 0;
    }
    return value.number;
  }
  std::uint32_t number32(const JsonValue &value, const std::string &name) {
    std::uint64_t wide = number(value, name);
    if (wide > UINT32_MAX)
      overflow(value, name, std::to_string(wide), 32);
    return std::uint32_t(wide);
  }
  std::string string(const JsonValue &value, const std::string &name) {
    if (value.kind != JsonValue::Kind::String)
      expect(value, name, "a string");
    return value.text;
  }
  bool boolean(const JsonValue &value, const std::string &name) {
    if (value.kind != JsonValue::Kind::Bool)
      expect(value, name, "true or false");
    return value.boolean;
  }
  const std::vector<JsonValue> &array(const JsonValue &value,
                                      const std::string &name) {
    if (value.kind != JsonValue::Kind::Array)
      expect(value, name, "an array");
    return value.items;
  }
  bool object(const JsonValue &value, const std::string &name,
              std::initializer_list<std::string_view> keys) {
    if (value.kind != JsonValue::Kind::Object) {
      expect(value, name, "an object");
      return false;
    }
    for (const auto &member : value.members)
      if (std::find(keys.begin(), keys.end(), member.first) == keys.end()) {
        std::string list;
        for (std::string_view key : keys)
          list += (list.empty() ? "" : ", ") + std::string(key);
        fail(member.second, "unknown key '" + member.first + "' in " + name +
                                ", expected one of " + list);
        return false;
      }
    return true;
  }
  const JsonValue *required(const JsonValue &value, const std::string &name,
                            const char *key) {
    const JsonValue *member = value.find(key);
    if (!member)
      fail(value, "expected " + name + " to have the key '" + key + "'");
    return member;
  }
  /// [a, b] with numbers below `limit`.
  std::optional<std::pair<std::uint64_t, std::uint64_t>>
  pairBelow(const JsonValue &value, const std::string &name,
            std::uint64_t limit) {
    if (value.kind != JsonValue::Kind::Array || value.items.size() != 2) {
      fail(value, "expected " + name + " to be a pair of node numbers, got " +
                      (value.kind == JsonValue::Kind::Array
                           ? "an array of " + std::to_string(value.items.size())
                           : describe(value)));
      return std::nullopt;
    }
    std::uint64_t both[2];
    for (int k = 0; k != 2; ++k) {
      both[k] = number(value.items[k], name);
      if (!error && both[k] >= limit)
        fail(value.items[k], name + " names node " + std::to_string(both[k]) +
                                 ", expected less than " +
                                 std::to_string(limit));
    }
    if (error)
      return std::nullopt;
    return std::pair(both[0], both[1]);
  }

  std::uint32_t usage(const JsonValue &value, const std::string &name) {
    if (value.kind == JsonValue::Kind::Unsigned)
      return number32(value, name);
    std::uint32_t bits = 0;
    for (const JsonValue &item : array(value, name)) {
      std::string word = string(item, name);
      if (error)
        break;
      if (auto bit = usageBit(word)) {
        bits |= *bit;
      } else if (word.size() > 2 && word.size() <= 10 && word[0] == '0' &&
                 word[1] == 'x' &&
                 word.find_first_not_of("0123456789abcdef", 2) ==
                     std::string::npos) {
        bits |= std::uint32_t(std::stoul(word.substr(2), nullptr, 16));
      } else {
        fail(item, "unknown usage '" + word +
                       "', expected a WebGPU usage such as storage, copy_src");
      }
    }
    return bits;
  }

  std::vector<NodeId> nodes(const JsonValue &value, const std::string &name) {
    if (value.kind == JsonValue::Kind::Unsigned)
      return {value.number};
    std::vector<NodeId> list;
    if (value.kind != JsonValue::Kind::Array)
      expect(value, name, "a node number or an array of them");
    for (const JsonValue &item : value.items)
      list.push_back(number(item, name));
    return list;
  }

private:
  const std::string &file;
};

/// Builds an order from [a, b] edges, a before b.
std::shared_ptr<const PartialOrder>
readOrder(Reader &reader, const JsonValue &at, std::uint64_t numNodes,
          const JsonValue &edges, const std::string &file,
          std::size_t fileBytes) {
  // A file cannot speak about more nodes than it has bytes.
  const std::uint64_t most = std::max<std::uint64_t>(1 << 20, fileBytes);
  if (numNodes > most) {
    reader.fail(at, "order has " + std::to_string(numNodes) +
                        " nodes, expected at most " + std::to_string(most) +
                        " in a file of " + std::to_string(fileBytes) +
                        " bytes");
    if (reader.error->kind == ErrorKind::Parse)
      reader.error->kind = ErrorKind::Resource;
    return nullptr;
  }
  std::vector<std::vector<NodeId>> predecessors(numNodes);
  for (const JsonValue &edge : reader.array(edges, "'edges'")) {
    auto pair = reader.pairBelow(edge, "an edge", numNodes);
    if (!pair)
      return nullptr;
    predecessors[pair->second].push_back(pair->first);
  }
  if (reader.error)
    return nullptr;
  auto order = PartialOrder::build(numNodes, predecessors);
  if (!order) {
    if (!reader.error) {
      reader.error = order.error();
      reader.error->file = file;
      reader.error->line = edges.line;
    }
    return nullptr;
  }
  return std::make_shared<PartialOrder>(std::move(*order));
}

Buffer readBuffer(Reader &reader, const JsonValue &value,
                  const std::string &number) {
  Buffer buffer;
  std::string name = "buffer number " + number;
  if (!reader.object(value, name,
                     {"id", "bytes", "capacity", "alignment",
                      "alignment_source", "usage", "usage_required", "space",
                      "first", "last", "fixed_offset", "unused"}))
    return buffer;
  if (const JsonValue *id = reader.required(value, name, "id"))
    buffer.id = reader.string(*id, "'id' of " + name);
  if (!buffer.id.empty())
    name = "buffer '" + buffer.id + "'";
  if (const JsonValue *bytes = reader.required(value, name, "bytes"))
    buffer.bytes = reader.number(*bytes, "'bytes' of " + name);
  if (const JsonValue *it = value.find("capacity"))
    buffer.capacity = reader.number(*it, "'capacity' of " + name);
  if (const JsonValue *it = value.find("alignment"))
    buffer.alignment = reader.number(*it, "'alignment' of " + name);
  if (const JsonValue *it = value.find("alignment_source"))
    buffer.alignmentSource =
        reader.string(*it, "'alignment_source' of " + name);
  if (const JsonValue *it = value.find("usage"))
    buffer.usage = reader.usage(*it, "'usage' of " + name);
  if (const JsonValue *it = value.find("usage_required"))
    buffer.usageRequired = reader.boolean(*it, "'usage_required' of " + name);
  if (const JsonValue *it = value.find("space"))
    buffer.space = reader.number32(*it, "'space' of " + name);
  if (const JsonValue *it = value.find("fixed_offset"))
    buffer.fixedOffset = reader.number(*it, "'fixed_offset' of " + name);
  if (const JsonValue *it = value.find("unused"))
    buffer.unused = reader.boolean(*it, "'unused' of " + name);
  if (const JsonValue *it = value.find("first"))
    buffer.first = reader.nodes(*it, "'first' of " + name);
  if (const JsonValue *it = value.find("last"))
    buffer.last = reader.nodes(*it, "'last' of " + name);
  return buffer;
}

BufferPairs readPairs(Reader &reader, const JsonValue &value,
                      const BufferNames &names, const std::string &key) {
  BufferPairs pairs;
  for (const JsonValue &item : reader.array(value, "'" + key + "'")) {
    if (reader.array(item, "a pair of '" + key + "'").size() != 2) {
      reader.fail(item, "expected a pair of '" + key +
                            "' to be two buffer ids, got " +
                            std::to_string(item.items.size()));
      break;
    }
    BufferIndex both[2] = {0, 0};
    for (int k = 0; k != 2; ++k) {
      std::string id = reader.string(item.items[k], "an id in '" + key + "'");
      auto found = names.find(id);
      if (found == names.end()) {
        if (!reader.error) {
          reader.fail(item.items[k], "'" + key + "' names buffer '" + id +
                                         "', expected a buffer of the problem");
          reader.error->kind = ErrorKind::UnknownBuffer;
          reader.error->buffer = id;
        }
        return pairs;
      }
      both[k] = found->second;
    }
    if (both[0] == both[1] && !reader.error) {
      const std::string &id = item.items[0].text;
      reader.fail(item, "'" + key + "' names buffer '" + id +
                            "' twice in a pair, expected two buffers");
      reader.error->kind = ErrorKind::Layout;
      reader.error->buffer = id;
    }
    pairs.push_back({both[0], both[1]});
  }
  return pairs;
}

Result<ProblemFile> readPoset(const JsonValue &root, const std::string &file,
                              std::size_t fileBytes) {
  Reader reader(file);
  ProblemFile result;
  if (!reader.object(root, "the poset",
                     {"name", "source", "license", "ops", "edges", "buffers"}))
    return *reader.error;
  std::uint64_t ops = reader.number(*root.find("ops"), "'ops'");
  const JsonValue *edges = reader.required(root, "the poset", "edges");
  const JsonValue *buffers = reader.required(root, "the poset", "buffers");
  if (reader.error)
    return *reader.error;
  auto order =
      readOrder(reader, *root.find("ops"), ops, *edges, file, fileBytes);
  if (!order)
    return *reader.error;
  result.problem.order = order;
  std::vector<std::size_t> lines;
  for (const JsonValue &value : reader.array(*buffers, "'buffers'")) {
    Buffer buffer;
    buffer.id = "b" + std::to_string(lines.size());
    lines.push_back(value.line);
    const std::string name = "buffer '" + buffer.id + "'";
    if (!reader.object(value, name, {"create", "users", "size", "alignment"}))
      break;
    const JsonValue *create = reader.required(value, name, "create");
    const JsonValue *users = reader.required(value, name, "users");
    const JsonValue *size = reader.required(value, name, "size");
    if (reader.error)
      break;
    buffer.bytes = reader.number(*size, "'size' of " + name);
    if (const JsonValue *it = value.find("alignment"))
      buffer.alignment = reader.number(*it, "'alignment' of " + name);
    std::vector<NodeId> all = reader.nodes(*users, "'users' of " + name);
    all.push_back(reader.number(*create, "'create' of " + name));
    for (NodeId node : all)
      if (!reader.error && node >= ops)
        reader.fail(value, name + " names op " + std::to_string(node) +
                               ", expected less than " + std::to_string(ops));
    if (reader.error)
      break;
    buffer.first = order->minimal(all);
    buffer.last = order->maximal(all);
    result.problem.buffers.push_back(std::move(buffer));
  }
  if (reader.error)
    return *reader.error;
  if (auto error = validateWithLines(result.problem, file, lines))
    return *error;
  return result;
}

} // namespace

Result<ProblemFile> parseProblemJson(std::string_view text,
                                     const std::string &file) {
  auto root = parseJsonText(text, file);
  if (!root)
    return root.error();
  Reader reader(file);
  const JsonValue *schema = root->find("schema");
  if (!schema && root->find("ops"))
    return readPoset(*root, file, text.size());
  if (!schema || schema->kind != JsonValue::Kind::String ||
      schema->text != "transient.problem.v1")
    return parseError(file, schema ? schema->line : root->line,
                      "expected 'schema' to be 'transient.problem.v1', got " +
                          (schema ? describe(*schema) : "none"));
  if (!reader.object(
          *root, "the problem",
          {"schema", "name", "order", "buffers", "never_share", "exclusive"}))
    return *reader.error;

  ProblemFile result;
  if (const JsonValue *order = root->find("order");
      order &&
      !(order->kind == JsonValue::Kind::String && order->text == "total")) {
    if (order->kind != JsonValue::Kind::Object)
      return parseError(file, order->line,
                        "expected 'order' to be 'total' or an object with "
                        "'nodes' and 'edges', got " +
                            describe(*order));
    if (!reader.object(*order, "'order'", {"nodes", "edges"}))
      return *reader.error;
    const JsonValue *nodes = reader.required(*order, "'order'", "nodes");
    const JsonValue *edges = reader.required(*order, "'order'", "edges");
    std::uint64_t count = nodes ? reader.number(*nodes, "'nodes'") : 0;
    if (reader.error)
      return *reader.error;
    result.problem.order =
        readOrder(reader, *nodes, count, *edges, file, text.size());
    if (!result.problem.order)
      return *reader.error;
  }

  const JsonValue *buffers = reader.required(*root, "the problem", "buffers");
  if (!buffers)
    return *reader.error;
  std::vector<std::size_t> lines;
  for (const JsonValue &value : reader.array(*buffers, "'buffers'")) {
    result.problem.buffers.push_back(
        readBuffer(reader, value, std::to_string(lines.size())));
    lines.push_back(value.line);
  }
  if (reader.error)
    return *reader.error;
  // Before pairs are looked up, so that a wrong id is reported where it stands.
  if (auto error = validateWithLines(result.problem, file, lines))
    return *error;
  BufferNames names = indexByName(result.problem);
  if (const JsonValue *pairs = root->find("never_share"))
    result.problem.neverShare = readPairs(reader, *pairs, names, "never_share");
  if (const JsonValue *pairs = root->find("exclusive"))
    result.problem.exclusive = readPairs(reader, *pairs, names, "exclusive");
  if (reader.error)
    return *reader.error;
  if (auto error = validateWithLines(result.problem, file, lines))
    return *error;
  return result;
}

Result<Plan> parsePlanJson(std::string_view text, const Problem &problem,
                           const std::string &file) {
  auto root = parseJsonText(text, file);
  if (!root)
    return root.error();
  Reader reader(file);
  const JsonValue *schema = root->find("schema");
  if (!schema || schema->kind != JsonValue::Kind::String ||
      schema->text != "transient.plan.v1")
    return parseError(file, schema ? schema->line : root->line,
                      "expected 'schema' to be 'transient.plan.v1', got " +
                          (schema ? describe(*schema) : "none"));
  reader.object(*root, "the plan",
                {"schema", "algorithm", "bytes", "lower_bound", "optimal",
                 "physical", "assignments", "unplaced"});
  const JsonValue *physicals = reader.required(*root, "the plan", "physical");
  const JsonValue *assignments =
      reader.required(*root, "the plan", "assignments");
  if (reader.error)
    return *reader.error;

  Plan plan;
  plan.placements.resize(problem.buffers.size());
  for (const JsonValue &value : reader.array(*physicals, "'physical'")) {
    const std::string name =
        "physical buffer " + std::to_string(plan.physicals.size());
    if (!reader.object(value, name,
                       {"id", "bytes", "alignment", "usage", "space"}))
      break;
    PhysicalBuffer physical;
    if (const JsonValue *it = value.find("id"))
      if (reader.number(*it, "'id' of " + name) != plan.physicals.size())
        reader.fail(*it, "expected 'id' of " + name + " to be its place, got " +
                             describe(*it));
    if (const JsonValue *it = reader.required(value, name, "bytes"))
      physical.bytes = reader.number(*it, "'bytes' of " + name);
    if (const JsonValue *it = value.find("alignment"))
      physical.alignment = reader.number(*it, "'alignment' of " + name);
    if (const JsonValue *it = value.find("usage"))
      physical.usage = reader.usage(*it, "'usage' of " + name);
    if (const JsonValue *it = value.find("space"))
      physical.space = reader.number32(*it, "'space' of " + name);
    plan.physicals.push_back(physical);
  }

  BufferNames names = indexByName(problem);
  std::vector<char> seen(problem.buffers.size(), 0);
  for (const JsonValue &value : reader.array(*assignments, "'assignments'")) {
    if (reader.error ||
        !reader.object(value, "an assignment",
                       {"buffer", "physical", "offset", "bytes"}))
      break;
    const JsonValue *buffer = reader.required(value, "an assignment", "buffer");
    if (!buffer)
      break;
    std::string id = reader.string(*buffer, "'buffer'");
    const std::string name = "the assignment of '" + id + "'";
    const JsonValue *physical = reader.required(value, name, "physical");
    const JsonValue *offset = reader.required(value, name, "offset");
    const JsonValue *bytes = reader.required(value, name, "bytes");
    if (reader.error)
      break;
    auto found = names.find(id);
    if (found == names.end() || seen[found->second]) {
      Error error = parseError(file, buffer->line,
                               found == names.end()
                                   ? "plan assigns buffer '" + id +
                                         "', expected a buffer of the problem"
                                   : "plan assigns buffer '" + id +
                                         "' twice, expected once");
      error.kind = found == names.end() ? ErrorKind::UnknownBuffer
                                        : ErrorKind::DuplicateId;
      error.buffer = id;
      return error;
    }
    seen[found->second] = 1;
    plan.placements[found->second] = {
        reader.number32(*physical, "'physical' of " + name),
        reader.number(*offset, "'offset' of " + name),
        reader.number(*bytes, "'bytes' of " + name)};
  }
  if (reader.error)
    return *reader.error;
  if (const JsonValue *list = root->find("unplaced"))
    for (const JsonValue &value : reader.array(*list, "'unplaced'")) {
      std::string id = reader.string(value, "an id in 'unplaced'");
      if (reader.error)
        break;
      auto found = names.find(id);
      if (found != names.end() && !seen[found->second]) {
        seen[found->second] = 1;
        continue;
      }
      const bool known = found != names.end();
      reader.fail(value, known ? "'unplaced' names buffer '" + id +
                                     "', which is assigned or named before"
                               : "'unplaced' names buffer '" + id +
                                     "', expected a buffer of the problem");
      reader.error->kind =
          known ? ErrorKind::MismatchedPlan : ErrorKind::UnknownBuffer;
      reader.error->buffer = id;
    }
  if (reader.error)
    return *reader.error;

  if (auto error = recomputeTotals(problem, plan)) {
    error->file = file;
    return *error;
  }
  if (const JsonValue *it = root->find("algorithm"))
    plan.algorithm = reader.string(*it, "'algorithm'");
  if (const JsonValue *it = root->find("optimal"))
    plan.optimal = reader.boolean(*it, "'optimal'");
  if (const JsonValue *it = root->find("lower_bound")) {
    reader.object(*it, "'lower_bound'", {"value", "exact"});
    if (const JsonValue *value = it->find("value"))
      plan.lowerBoundBytes = reader.number(*value, "'value' of 'lower_bound'");
    if (const JsonValue *exact = it->find("exact"))
      plan.lowerBoundExact = reader.boolean(*exact, "'exact' of 'lower_bound'");
    plan.fragmentationBytes = plan.physicalBytes - plan.lowerBoundBytes;
  }
  // What a plan claims about itself is kept, so that the check can refuse it.
  if (const JsonValue *it = root->find("bytes")) {
    reader.object(*it, "'bytes'",
                  {"logical", "physical", "padding", "fragmentation", "saved"});
    auto claim = [&](const char *key, std::uint64_t &target) {
      if (const JsonValue *value = it->find(key))
        target = reader.number(*value, "'" + std::string(key) + "' of 'bytes'");
    };
    claim("logical", plan.logicalBytes);
    claim("physical", plan.physicalBytes);
    claim("padding", plan.paddingBytes);
    claim("fragmentation", plan.fragmentationBytes);
    claim("saved", plan.savedBytes);
  }
  if (reader.error)
    return *reader.error;
  return plan;
}

} // namespace transient::planner
