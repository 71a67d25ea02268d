//===- Serialize.h - Problems and plans as JSON and CSV ----------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text in, text out. Owns the formats transient.problem.v1, transient.plan.v1,
// MiniMalloc's CSV and the poset JSON of public model graphs; docs/Planner.md
// is their reference. Numbers are exact 64-bit integers: negative numbers,
// fractions and overflows are errors, never roundings. Output is deterministic,
// with stable key order. Knows no algorithm.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_SERIALIZE_H
#define TRANSIENT_PLANNER_SERIALIZE_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace transient::planner {

/// How a problem was written.
enum class Format { Json, Csv };

/// A CSV problem's own text, kept so that a plan can be written as the same
/// rows with an `offset` column.
struct CsvText {
  std::vector<std::string> header; ///< Column names, in order.

  /// Rows are numbered by buffer index.
  std::size_t numRows() const {
    return header.empty() ? 0 : ends.size() / header.size();
  }
  /// Valid until the next `append`.
  std::string_view cell(std::size_t row, std::size_t column) const {
    const std::size_t k = row * header.size() + column;
    const std::size_t begin = k ? ends[k - 1] : 0;
    return std::string_view(cells).substr(begin, ends[k] - begin);
  }
  /// Precondition: one cell a column.
  void append(const std::vector<std::string> &row) {
    for (const std::string &cell : row) {
      cells += cell;
      ends.push_back(cells.size());
    }
  }

  /// Expects that many rows at most, from so many bytes of text; each cell but
  /// the last ends with one that is not its own.
  void reserve(std::size_t rows, std::size_t bytes) {
    cells.reserve(bytes);
    ends.reserve(std::min(rows, bytes / header.size() + 1) * header.size());
  }

private:
  std::string cells; ///< All of them, one after the other.
  std::vector<std::size_t> ends;
};

/// A problem with what is needed to answer in its own format.
struct ProblemFile {
  Problem problem;
  Format format = Format::Json;
  CsvText csv; ///< Only for Format::Csv.
};

/// Reads a problem; the format is recognised by content ('{' opens JSON).
/// JSON: `transient.problem.v1` or the poset form (`ops`, `edges`, `buffers`
/// with create/users/size). CSV: a header with at least id, lower, upper, size
/// in any order; lifetimes are HALF-OPEN [lower, upper); optional columns
/// alignment (default 1), capacity, usage, space, fixed_offset,
/// alignment_source; others
/// (`offset` among them) are carried along and mean nothing.
/// `file` is only used in messages. Fails with Parse, with a line, or with what
/// `validate` finds, with the line of the buffer.
Result<ProblemFile> parseProblem(std::string_view text,
                                 const std::string &file = "<string>");

/// Reads a plan for `problem`: `transient.plan.v1`, or CSV with columns id and
/// offset and, where there are several physical buffers, physical. A CSV plan
/// does not say how large physical buffers are: the highest end counts. Columns
/// that repeat the problem must agree with it.
/// Fails with Parse, UnknownBuffer, DuplicateId or MismatchedPlan.
Result<Plan> parsePlan(std::string_view text, const Problem &problem,
                       const std::string &file = "<string>");

/// `transient.problem.v1`, ending in a newline.
std::string writeProblemJson(const Problem &problem);

/// MiniMalloc CSV. Fails with Layout when the problem has what CSV cannot say:
/// a partial order that is not total, several nodes in a frontier, pairs,
/// unused buffers, or a lifetime that ends at 2^64-1.
Result<std::string> writeProblemCsv(const Problem &problem);

/// `transient.plan.v1`, ending in a newline.
std::string writePlanJson(const Problem &problem, const Plan &plan);

/// The rows of `csv` with an `offset` column (replaced if there was one) and,
/// for more than one physical buffer, a `physical` column. Precondition: `csv`
/// has one row a buffer.
std::string writePlanCsv(const CsvText &csv, const Plan &plan);

/// The rows of the CSV that `writeProblemCsv` would write. Fails likewise.
Result<CsvText> makeCsvText(const Problem &problem);

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_SERIALIZE_H
