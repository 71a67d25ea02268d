//===- JsonText.cpp - JSON values that know their line --------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Event-driven parsing through nlohmann/json. Its callbacks carry no position,
// so the input iterator counts lines as it is consumed; the parser never reads
// more than one character past a token.
//
//===----------------------------------------------------------------------===//

#include "JsonText.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <optional>
#include <unordered_set>

namespace transient::planner {

using Json = nlohmann::json;

Error parseError(const std::string &file, std::size_t line,
                 const std::string &message) {
  Error error(ErrorKind::Parse, "", message);
  error.file = file;
  error.line = line;
  return error;
}

const JsonValue *JsonValue::find(std::string_view key) const {
  for (const auto &member : members)
    if (member.first == key)
      return &member.second;
  return nullptr;
}

std::string describe(const JsonValue &value) {
  switch (value.kind) {
  case JsonValue::Kind::Null:
    return "null";
  case JsonValue::Kind::Bool:
    return value.boolean ? "true" : "false";
  case JsonValue::Kind::Unsigned:
    return std::to_string(value.number);
  case JsonValue::Kind::Negative:
  case JsonValue::Kind::Inexact:
    return value.text;
  case JsonValue::Kind::String:
    return "the string '" + value.text + "'";
  case JsonValue::Kind::Array:
    return "an array";
  case JsonValue::Kind::Object:
    return "an object";
  }
  return "nothing";
}

std::string jsonString(const std::string &text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

/// Newlines among the characters consumed, the last one apart: it may be one
/// that the lexer peeked at behind a number.
struct LineCounter {
  std::size_t newlines = 0;
  bool lastIsNewline = false;
  std::size_t line() const { return 1 + newlines; }
};

class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountingIterator(const char *at, LineCounter *counter)
      : at(at), counter(counter) {}
  reference operator*() const { return *at; }
  CountingIterator &operator++() {
    counter->newlines += counter->lastIsNewline;
    counter->lastIsNewline = *at == '\n';
    ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old(*this);
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator &other) const {
    return at == other.at;
  }
  bool operator!=(const CountingIterator &other) const {
    return at != other.at;
  }

private:
  const char *at;
  LineCounter *counter;
};

/// Builds the tree; `open` is the path from the root to the value at hand.
class Builder : public Json::json_sax_t {
public:
  Builder(const LineCounter &counter, const std::string &file)
      : counter(counter), file(file) {}

  bool null() override { return add(JsonValue::Kind::Null); }
  bool boolean(bool value) override {
    return add(JsonValue::Kind::Bool) && (last->boolean = value, true);
  }
  bool number_integer(number_integer_t value) override {
    return add(JsonValue::Kind::Negative) &&
           (last->text = value ? std::to_string(value) : "-0", true);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(JsonValue::Kind::Unsigned) && (last->number = value, true);
  }
  bool number_float(number_float_t, const string_t &text) override {
    return add(JsonValue::Kind::Inexact) && (last->text = text, true);
  }
  bool string(string_t &text) override {
    return add(JsonValue::Kind::String) && (last->text = text, true);
  }
  bool binary(binary_t &) override { return false; }
  bool start_object(std::size_t) override {
    return add(JsonValue::Kind::Object) && descend();
  }
  bool start_array(std::size_t) override {
    return add(JsonValue::Kind::Array) && descend();
  }
  bool end_object() override { return ascend(); }
  bool end_array() override { return ascend(); }
  bool key(string_t &text) override {
    if (!keys.back().insert(text).second)
      return fail("key '" + text + "' is repeated, expected it once");
    open.back()->members.emplace_back(text, JsonValue());
    return true;
  }
  bool parse_error(std::size_t, const std::string &,
                   const nlohmann::detail::exception &exception) override {
    // "[json.exception...] parse error at line 1, column 2: what we want".
    std::string what = exception.what();
    std::size_t colon = what.find(": ");
    return fail(colon == std::string::npos ? what : what.substr(colon + 2));
  }

  JsonValue root;
  std::optional<Error> error;

private:
  bool fail(const std::string &message) {
    if (!error)
      error = parseError(file, counter.line(), message);
    return false;
  }

  bool add(JsonValue::Kind kind) {
    if (open.empty()) {
      last = &root;
    } else if (open.back()->kind == JsonValue::Kind::Array) {
      open.back()->items.emplace_back();
      last = &open.back()->items.back();
    } else {
      last = &open.back()->members.back().second;
    }
    last->kind = kind;
    last->line = counter.line();
    return true;
  }
  bool descend() {
    if (open.size() == 64)
      return fail("nesting is deeper than 64, expected less");
    open.push_back(last);
    keys.emplace_back();
    return true;
  }
  bool ascend() {
    open.pop_back();
    keys.pop_back();
    return true;
  }

  const LineCounter &counter;
  const std::string &file;
  /// Stable while open: a container only grows at its end once the value that
  /// is open inside it has closed.
  std::vector<JsonValue *> open;
  JsonValue *last = nullptr;
  /// By open container: its keys, as objects can be large.
  std::vector<std::unordered_set<std::string>> keys;
};

} // namespace

Result<JsonValue> parseJsonText(std::string_view text,
                                const std::string &file) try {
  LineCounter counter;
  Builder builder(counter, file);
  CountingIterator begin(text.data(), &counter);
  CountingIterator end(text.data() + text.size(), &counter);
  if (!Json::sax_parse(begin, end, &builder))
    return builder.error ? *builder.error
                         : parseError(file, counter.line(),
                                      "malformed JSON, expected a document");
  return std::move(builder.root);
} catch (const std::exception &exception) {
  return parseError(file, 0, exception.what());
}

} // namespace transient::planner
