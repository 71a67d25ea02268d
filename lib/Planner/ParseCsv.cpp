//===- ParseCsv.cpp - Problems and plans from MiniMalloc's CSV ------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CSV dialect of google/minimalloc: a header names the columns, in any
// order; lifetimes are half-open. Fields may be quoted, which MiniMalloc does
// not need but ids with commas do. Cells are kept as written, so that a plan
// can be the problem's own rows with an offset.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "JsonText.h"

#include "transient/Planner/Usage.h"

#include <algorithm>
#include <set>

namespace transient::planner {

Result<std::uint64_t> parseNumber(std::string_view text) {
  const std::string shown = "'" + std::string(text) + "'";
  auto bad = [&](ErrorKind kind, const std::string &message) {
    return Error(kind, "", message);
  };
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) {
    std::string kind = text.empty()          ? "nothing"
                       : text.front() == '-' ? "the negative number " + shown
                                             : shown;
    return bad(ErrorKind::Parse, "a non-negative integer, got " + kind);
  }
  std::uint64_t value = 0;
  for (char digit : text) {
    auto d = std::uint64_t(digit - '0');
    if (value > (UINT64_MAX - d) / 10)
      return bad(ErrorKind::Overflow, "to fit 64 bits, got " + shown);
    value = value * 10 + d;
  }
  return value;
}

namespace {

/// A CSV file taken apart; lines are 1-based, by row.
struct Table {
  CsvText text;
  std::vector<std::size_t> lines;
  std::size_t headerLine = 0;

  /// Index of the column, or -1.
  int column(std::string_view name) const {
    for (std::size_t c = 0; c != text.header.size(); ++c)
      if (text.header[c] == name)
        return int(c);
    return -1;
  }
};

std::string_view trimmed(std::string_view text) {
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Fields of one line, or what was expected where it has none.
Result<std::vector<std::string>> split(std::string_view line) {
  auto expected = [](const std::string &what) {
    return Error(ErrorKind::Parse, "", "expected " + what);
  };
  std::vector<std::string> fields;
  for (std::size_t i = 0;;) {
    while (i < line.size() && (line[i] == ' ' || line[i] == '\t'))
      ++i;
    std::string field;
    if (i < line.size() && line[i] == '"') {
      for (++i;; ++i) {
        if (i >= line.size())
          return expected("a closing quote");
        if (line[i] == '"') {
          if (i + 1 >= line.size() || line[i + 1] != '"')
            break;
          ++i;
        }
        field += line[i];
      }
      std::size_t comma = std::min(line.find(',', ++i), line.size());
      if (auto rest = trimmed(line.substr(i, comma - i)); !rest.empty())
        return expected("a comma after a closing quote, got '" +
                        std::string(rest) + "'");
      i = comma;
    } else {
      std::size_t comma = std::min(line.find(',', i), line.size());
      field = std::string(trimmed(line.substr(i, comma - i)));
      i = comma;
    }
    fields.push_back(std::move(field));
    if (i == line.size())
      return fields;
    ++i;
  }
}

/// Whether `text` is UTF-8: shortest forms of code points up to 0x10ffff but
/// surrogates.
bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i != text.size();) {
    const auto lead = (unsigned char)text[i++];
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xc2 && lead < 0xe0 ? 1
                     : lead >= 0xe0 && lead < 0xf0 ? 2
                     : lead >= 0xf0 && lead < 0xf5 ? 3
                                                   : -1;
    if (more < 0 || text.size() - i < std::size_t(more))
      return false;
    std::uint32_t point = more ? lead & (0x3f >> more) : 0;
    for (int k = 0; k != more; ++k) {
      const auto next = (unsigned char)text[i++];
      if ((next & 0xc0) != 0x80)
        return false;
      point = point << 6 | (next & 0x3f);
    }
    if ((more == 2 && (point < 0x800 || (point >> 11) == 0x1b)) ||
        (more == 3 && (point < 0x10000 || point > 0x10ffff)))
      return false;
  }
  return true;
}

Result<Table> readTable(std::string_view text, const std::string &file) {
  Table table;
  const auto rows = std::size_t(std::count(text.begin(), text.end(), '\n')) + 1;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    std::size_t newline = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (number == 1 && line.substr(0, 3) == "\xef\xbb\xbf")
      line.remove_prefix(3);
    if (line.empty())
      continue;
    if (!isUtf8(line))
      return parseError(file, number, "expected UTF-8 text");
    auto fields = split(line);
    if (!fields)
      return parseError(file, number, fields.error().message);
    if (!table.headerLine) {
      table.headerLine = number;
      table.text.header = std::move(*fields);
      table.text.reserve(rows, text.size());
      table.lines.reserve(rows);
      std::set<std::string_view> names;
      for (const std::string &name : table.text.header)
        if (!names.insert(name).second)
          return parseError(file, number,
                            "column '" + name +
                                "' is repeated, expected it once");
      continue;
    }
    if (fields->size() != table.text.header.size())
      return parseError(file, number,
                        "expected " + std::to_string(table.text.header.size()) +
                            " fields as in the header, got " +
                            std::to_string(fields->size()));
    table.text.append(*fields);
    table.lines.push_back(number);
  }
  if (!table.headerLine)
    return parseError(file, 1,
                      "file is empty, expected JSON or a CSV header such as "
                      "id,lower,upper,size");
  return table;
}

/// Typed cells; the first failure sticks.
class Cells {
public:
  Cells(const Table &table, const std::string &file)
      : table(table), file(file) {}

  std::optional<Error> error;

  int required(const char *column) {
    int c = table.column(column);
    if (c < 0 && !error)
      error = parseError(file, table.headerLine,
                         "expected a column '" + std::string(column) +
                             "' in the header");
    return c;
  }

  const std::string &header(int column) const {
    return table.text.header[std::size_t(column)];
  }
  std::string_view text(std::size_t row, int column) const {
    return table.text.cell(row, std::size_t(column));
  }

  /// The number in a cell, or `otherwise` when column or cell are absent.
  std::uint64_t number(std::size_t row, int column, std::uint64_t otherwise) {
    return column < 0 || text(row, column).empty() ? otherwise
                                                   : number(row, column);
  }
  std::uint64_t number(std::size_t row, int column) {
    auto value = parseNumber(text(row, column));
    if (value)
      return *value;
    fail(row, value.error().kind,
         (value.error().kind == ErrorKind::Overflow ? "overflow: " : "") +
             ("expected column '" + table.text.header[std::size_t(column)] +
              "' to be " + value.error().message));
    return 0;
  }
  std::uint32_t number32(std::size_t row, int column) {
    std::uint64_t value = number(row, column, 0);
    if (value > UINT32_MAX)
      fail(row, ErrorKind::Overflow,
           "overflow: expected column '" +
               table.text.header[std::size_t(column)] +
               "' to fit 32 bits, got " + std::to_string(value));
    return std::uint32_t(value);
  }

  void fail(std::size_t row, ErrorKind kind, const std::string &message) {
    if (error)
      return;
    error = parseError(file, table.lines[row], message);
    error->kind = kind;
    if (int id = table.column("id"); id >= 0)
      error->buffer = text(row, id);
  }

private:
  const Table &table;
  const std::string &file;
};

std::uint32_t readUsage(Cells &cells, std::size_t row, int column) {
  if (column < 0)
    return 0;
  const std::string_view cell = cells.text(row, column);
  if (cell.empty() || cell.find_first_not_of("0123456789") == cell.npos)
    return cells.number32(row, column);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i <= cell.size();) {
    std::size_t bar = std::min(cell.find('|', i), cell.size());
    std::string word(trimmed(std::string_view(cell).substr(i, bar - i)));
    auto bit = usageBit(word);
    if (!bit)
      cells.fail(row, ErrorKind::Parse,
                 "unknown usage '" + word +
                     "', expected a number or names such as storage|copy_src");
    bits |= bit.value_or(0);
    i = bar + 1;
  }
  return bits;
}

} // namespace

Result<ProblemFile> parseProblemCsv(std::string_view text,
                                    const std::string &file) {
  auto table = readTable(text, file);
  if (!table)
    return table.error();
  Cells cells(*table, file);
  const int id = cells.required("id"), lower = cells.required("lower"),
            upper = cells.required("upper"), size = cells.required("size");
  if (cells.error)
    return *cells.error;
  const int alignment = table->column("alignment"),
            capacity = table->column("capacity"),
            usage = table->column("usage"), space = table->column("space"),
            fixed = table->column("fixed_offset"),
            source = table->column("alignment_source");

  ProblemFile result;
  result.format = Format::Csv;
  result.problem.buffers.reserve(table->text.numRows());
  for (std::size_t row = 0; row != table->text.numRows(); ++row) {
    Buffer buffer;
    buffer.id = cells.text(row, id);
    buffer.bytes = cells.number(row, size);
    std::uint64_t begin = cells.number(row, lower);
    std::uint64_t end = cells.number(row, upper);
    if (!cells.error && end <= begin)
      cells.fail(row, ErrorKind::BadLifetime,
                 "buffer '" + buffer.id + "' has lower " +
                     std::to_string(begin) + " and upper " +
                     std::to_string(end) + ", expected lower < upper");
    buffer.first = {begin};
    buffer.last = {end - 1};
    buffer.alignment = cells.number(row, alignment, 1);
    buffer.capacity = cells.number(row, capacity, 0);
    buffer.usage = readUsage(cells, row, usage);
    buffer.space = space < 0 ? 0 : cells.number32(row, space);
    if (fixed >= 0 && !cells.text(row, fixed).empty())
      buffer.fixedOffset = cells.number(row, fixed);
    if (source >= 0)
      buffer.alignmentSource = cells.text(row, source);
    if (cells.error)
      return *cells.error;
    result.problem.buffers.push_back(std::move(buffer));
  }
  if (auto error = validateWithLines(result.problem, file, table->lines))
    return *error;
  result.csv = std::move(table->text);
  return result;
}

/// The columns of a plan that speak of the problem.
struct Repeated {
  explicit Repeated(const Table &table)
      : lower(table.column("lower")), upper(table.column("upper")),
        size(table.column("size")), alignment(table.column("alignment")),
        capacity(table.column("capacity")), usage(table.column("usage")),
        space(table.column("space")), fixed(table.column("fixed_offset")) {}

  /// Fails where a cell says something else than the problem: the plan was
  /// made for another one.
  void check(Cells &cells, std::size_t row, const Problem &problem,
             const Buffer &buffer) const {
    auto expect = [&](int column, std::uint64_t otherwise,
                      std::uint64_t expected) {
      if (column < 0 || cells.error)
        return;
      const std::uint64_t found = cells.number(row, column, otherwise);
      mismatch(cells, row, column, found == expected, std::to_string(expected));
    };
    auto time = [&](NodeId node) {
      return problem.order ? NodeId(problem.order->position(node)) : node;
    };
    const bool interval = (!problem.order || problem.order->isTotal()) &&
                          buffer.first.size() == 1 && buffer.last.size() == 1;
    if (!buffer.unused && !interval) {
      for (int column : {lower, upper})
        if (column >= 0)
          mismatch(cells, row, column, false, "absent: no interval says when");
    } else if (!buffer.unused) {
      expect(lower, UINT64_MAX, time(buffer.first[0]));
      // The end of the last node wraps to nothing, which no cell equals.
      expect(upper, 0, time(buffer.last[0]) + 1);
    }
    expect(size, UINT64_MAX, buffer.bytes);
    expect(alignment, 1, buffer.alignment);
    if (capacity >= 0) {
      const std::uint64_t found = cells.number(row, capacity, 0);
      mismatch(cells, row, capacity,
               (found ? found : buffer.bytes) ==
                   (buffer.capacity ? buffer.capacity : buffer.bytes),
               std::to_string(buffer.capacity));
    }
    if (usage >= 0)
      mismatch(cells, row, usage, readUsage(cells, row, usage) == buffer.usage,
               std::to_string(buffer.usage));
    expect(space, 0, buffer.space);
    if (fixed >= 0 && !buffer.fixedOffset)
      mismatch(cells, row, fixed, cells.text(row, fixed).empty(), "empty");
    else if (fixed >= 0)
      expect(fixed, UINT64_MAX, *buffer.fixedOffset);
  }

private:
  static void mismatch(Cells &cells, std::size_t row, int column, bool same,
                       const std::string &expected) {
    if (!same)
      cells.fail(row, ErrorKind::MismatchedPlan,
                 "plan says '" + std::string(cells.text(row, column)) +
                     "' in column '" + cells.header(column) +
                     "', but the problem has another value, expected " +
                     expected);
  }

  int lower, upper, size, alignment, capacity, usage, space, fixed;
};

Result<Plan> parsePlanCsv(std::string_view text, const Problem &problem,
                          const std::string &file) {
  auto table = readTable(text, file);
  if (!table)
    return table.error();
  Cells cells(*table, file);
  const int id = cells.required("id"), offset = cells.required("offset");
  const int physical = table->column("physical");
  const Repeated repeated(*table);
  if (cells.error)
    return *cells.error;

  Plan plan;
  plan.algorithm = "unknown";
  plan.placements.resize(problem.buffers.size());
  BufferNames names = indexByName(problem);
  std::vector<char> seen(problem.buffers.size(), 0);
  for (std::size_t row = 0; row != table->text.numRows(); ++row) {
    const std::string name(cells.text(row, id));
    auto found = names.find(name);
    if (found == names.end())
      cells.fail(row, ErrorKind::UnknownBuffer,
                 "plan places buffer '" + name +
                     "', expected a buffer of the problem");
    else if (seen[found->second])
      cells.fail(row, ErrorKind::DuplicateId,
                 "plan places buffer '" + name + "' twice, expected once");
    if (cells.error)
      return *cells.error;
    seen[found->second] = 1;
    const Buffer &buffer = problem.buffers[found->second];
    repeated.check(cells, row, problem, buffer);
    if (cells.error)
      return *cells.error;
    if (cells.text(row, offset).empty() || !needsStorage(buffer))
      continue;
    std::uint64_t at = cells.number(row, offset);
    std::uint32_t home = physical < 0 ? 0 : cells.number32(row, physical);
    if (!cells.error && home >= problem.buffers.size())
      cells.fail(row, ErrorKind::Parse,
                 "expected column 'physical' to be less than the number of "
                 "buffers, got " +
                     std::to_string(home));
    auto bytes = alignedBytes(buffer);
    if (bytes && at > UINT64_MAX - *bytes)
      cells.fail(row, ErrorKind::Overflow,
                 "overflow: end of buffer '" + name +
                     "', expected to fit 64 bits");
    if (cells.error)
      return *cells.error;
    if (!bytes)
      return bytes.error();
    plan.placements[found->second] = {home, at, *bytes};
    if (home >= plan.physicals.size())
      plan.physicals.resize(home + 1);
    PhysicalBuffer &it = plan.physicals[home];
    if (!it.bytes)
      it.space = buffer.space;
    it.bytes = std::max(it.bytes, at + *bytes);
    it.alignment = std::max(it.alignment, buffer.alignment);
    it.usage |= buffer.usage;
  }
  for (BufferIndex i = 0; i != problem.buffers.size(); ++i)
    if (!seen[i] && needsStorage(problem.buffers[i])) {
      Error error =
          parseError(file, table->headerLine,
                     "plan does not place buffer '" + problem.buffers[i].id +
                         "', expected a row for every buffer");
      error.kind = ErrorKind::MismatchedPlan;
      error.buffer = problem.buffers[i].id;
      return error;
    }
  if (auto error = recomputeTotals(problem, plan)) {
    error->file = file;
    return *error;
  }
  return plan;
}

} // namespace transient::planner
