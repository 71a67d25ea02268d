//===- Result.h - Value or typed error ---------------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How every function of the planner reports failure: a typed error that names
// the buffer it is about. No planner function throws across its interface and
// none asserts on user input; an assertion that fires is a bug in the planner.
// This file knows nothing of buffers, orders or plans.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_RESULT_H
#define TRANSIENT_PLANNER_RESULT_H

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace transient::planner {

/// Why a planner function could not do what was asked. Each kind has at least
/// one test. The requirement that demands it stands beside it.
enum class ErrorKind {
  EmptyId,          ///< A buffer without an id (Q17).
  DuplicateId,      ///< Two buffers with one id (Q17).
  ZeroBytes,        ///< A transient *request* of zero bytes (Q17).
  BadLifetime,      ///< Empty, inverted or contradictory lifetime (Q17).
  BadAlignment,     ///< Zero or not a power of two (F2).
  CapacityTooSmall, ///< Capacity q smaller than required bytes s (F1).
  Overflow,         ///< A size or sum that needs more than 64 bits (F1, R17).
  UnknownBuffer,    ///< A constraint or plan names a buffer that is not there.
  NotMaterialized,  ///< A constraint names a fused edge (R1).
  CyclicOrder,      ///< The ordering edges form a cycle.
  UnknownNode,      ///< A node number outside the order.
  Layout,           ///< Contradictory storage constraints of a layout (R17).
  Infeasible,       ///< Proved: no plan satisfies capacity or constraints.
  DoesNotFit, ///< No plan within the capacity was found; none is excluded.
  UnknownAlgorithm, ///< No algorithm of that name for that strategy.
  MismatchedPlan,   ///< A plan that is not a plan for this problem's buffers.
  Parse,            ///< Malformed text; `file` and `line` say where.
  Io,               ///< A file that cannot be read or written.
  Resource,         ///< Out of memory, or past a documented size limit.
};

/// Stable lower-case name of `kind` ("zero-bytes", "overflow", ...), used in
/// JSON output and tests. Never null.
const char *toString(ErrorKind kind);

/// One failure: what kind, which buffer, in words.
struct Error {
  Error() = default;
  Error(ErrorKind kind, std::string buffer, std::string message)
      : kind(kind), buffer(std::move(buffer)), message(std::move(message)) {}

  ErrorKind kind = ErrorKind::Parse;
  /// Id of the buffer at fault; empty when the failure is about no buffer.
  std::string buffer;
  /// One sentence, lower case, without a final period, with what was found and
  /// what was expected. Names the buffer where there is one.
  std::string message;
  /// Input file for Parse and Io; empty otherwise.
  std::string file;
  /// 1-based line for Parse; 0 when unknown.
  std::size_t line = 0;

  /// `file:line: message`, with the parts that are known.
  std::string format() const;
};

/// A `T` or an `Error`. Test it before use: access to the absent alternative is
/// a programming error and asserts.
template <class T>
class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}

  /// True when a value is held.
  explicit operator bool() const { return storage.index() == 0; }

  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  /// The failure. Precondition: `!*this`.
  const Error &error() const {
    assert(storage.index() == 1 && "error() of a successful result");
    return *std::get_if<1>(&storage);
  }

private:
  T &value() {
    assert(storage.index() == 0 && "value of a failed result");
    return *std::get_if<0>(&storage);
  }
  const T &value() const {
    assert(storage.index() == 0 && "value of a failed result");
    return *std::get_if<0>(&storage);
  }

  std::variant<T, Error> storage;
};

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_RESULT_H
